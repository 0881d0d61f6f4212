"""A Redis that accepts everything and answers nothing holds up nobody for long."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from celery import Celery
from django.conf import settings

from dynasties.notices import hints


@pytest.fixture
def mute_server() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def accept() -> None:
            try:
                while True:
                    kept.append(server.accept()[0])
            except OSError:
                return  # the test is over

        threading.Thread(target=accept, daemon=True).start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        server.shutdown(socket.SHUT_RDWR)
        for each in kept:
            each.close()


def test_asking_a_worker_gives_up_within_seconds(mute_server: str) -> None:
    app = Celery(broker=mute_server)
    app.config_from_object({**celery_settings(), "broker_url": mute_server})

    @app.task(name="anything")
    def anything() -> None: ...

    started = time.monotonic()
    hints._send_task(anything, ())
    assert time.monotonic() - started < 10 * settings.REDIS_PATIENCE


def celery_settings() -> dict[str, object]:
    """The site's own settings, as far as they concern the broker."""
    names = ("BROKER_TRANSPORT_OPTIONS", "TASK_PUBLISH_RETRY")
    return {name.lower(): getattr(settings, f"CELERY_{name}") for name in names}
