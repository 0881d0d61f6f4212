"""Hints: what leaves the process after a commit. Any of them may be lost without harm."""

import asyncio
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from celery import Task
from channels.layers import get_channel_layer
from django.db import transaction

log = structlog.get_logger(__name__)

PATIENCE_SECONDS = 2


def hint_task(task: "Task[..., Any]", *args: Any) -> None:
    """Ask a worker to run `task` once the transaction is committed.

    A broker that is down is not the caller's trouble: what the task would do
    is due in the database, and a periodic sweep finds it.
    """
    transaction.on_commit(lambda: _send_task(task, args), robust=True)


def hint_topic(topic: str, message: dict[str, Any]) -> None:
    """Tell the sockets of every process that follow `topic`, once the transaction is committed."""
    transaction.on_commit(lambda: _send_message(topic, message), robust=True)


def _send_task(task: "Task[..., Any]", args: tuple[Any, ...]) -> None:
    try:
        task.apply_async(args=args)
    except Exception as error:  # whatever a broker in trouble raises: the sweep will do it
        log.warning("hint_lost", task=task.name, error=type(error).__name__)


def _send_message(topic: str, message: dict[str, Any]) -> None:
    try:
        async_to_sync(_publish)(topic, message)
    except Exception as error:  # whatever a layer in trouble raises: clients catch up by version
        log.warning("hint_lost", topic=topic, error=type(error).__name__)


async def _publish(topic: str, message: dict[str, Any]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await get_channel_layer().group_send(topic, message)
