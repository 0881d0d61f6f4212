"""Hints: what leaves the process after a commit. Any of them may be lost without harm."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

import structlog
from celery import Task
from channels.layers import get_channel_layer
from django.db import transaction

from dynasties.notices.herald import HERALD

log = structlog.get_logger(__name__)

PATIENCE_SECONDS = 2
# The topic that every process follows.
EVERYBODY = "world"

Message: TypeAlias = dict[str, Any]

_unheard: ContextVar[bool] = ContextVar("unheard", default=False)


@contextmanager
def unheard() -> Iterator[None]:
    """Send nothing from here: for worlds that are made, before anybody is there to listen."""
    token = _unheard.set(True)
    try:
        yield
    finally:
        _unheard.reset(token)


def hint_task(task: "Task[..., Any]", *args: Any) -> None:
    """Ask a worker to run `task` once the transaction is committed.

    A broker that is down is not the caller's trouble: what the task would do
    is due in the database, and a periodic sweep finds it.
    """
    transaction.on_commit(lambda: _send_task(task, args), robust=True)


def hint_topic(topic: str, message: Message) -> None:
    """Tell the sockets of every process that follow `topic`, once the transaction is committed."""
    hint_topics([(topic, message)])


def hint_topics(messages: Sequence[tuple[str, Message]]) -> None:
    """Tell several topics at once, once the transaction is committed.

    Many messages travel as one: every process opens it and takes out what it follows.
    """
    if len(messages) == 1:
        ((topic, message),) = messages
    else:
        topic, message = EVERYBODY, {"type": "batch", "messages": [each for _to, each in messages]}
    if messages:
        transaction.on_commit(lambda: _send_message(topic, message), robust=True)


def _send_task(task: "Task[..., Any]", args: tuple[Any, ...]) -> None:
    if _unheard.get():
        return
    try:
        task.apply_async(args=args)
    except Exception as error:  # whatever a broker in trouble raises: the sweep will do it
        log.warning("hint_lost", task=task.name, error=type(error).__name__)


def _send_message(topic: str, message: Message) -> None:
    if _unheard.get():
        return
    try:
        HERALD.run(_publish(topic, message), seconds=PATIENCE_SECONDS + 1)
    except Exception as error:  # whatever a layer in trouble raises: clients catch up by version
        log.warning("hint_lost", topic=topic, error=type(error).__name__)


async def _publish(topic: str, message: Message) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await get_channel_layer().group_send(topic, message)
