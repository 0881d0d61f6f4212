"""Who carries messages to the channel layer: one thread a process, with an event loop of its own.

The layer belongs to a loop, and opens a connection for each one that it meets. A loop that is
made for every message would cost more than everything else that a turn takes.
"""

import asyncio
import os
from collections.abc import Coroutine
from threading import Lock, Thread
from typing import Any


class Herald:
    """Runs coroutines on its loop for whoever calls from a thread without one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def run(self, work: Coroutine[Any, Any, None], *, seconds: float) -> None:
        """Wait for `work`; TimeoutError if it takes longer, and whatever it raises itself."""
        task = asyncio.run_coroutine_threadsafe(work, self._own_loop())
        try:
            task.result(seconds)
        except TimeoutError:
            task.cancel()
            raise

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # A forked process has the loop of its parent, and nobody who runs it.
            if self._loop is None or self._process != os.getpid():
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                Thread(target=self._loop.run_forever, name="herald", daemon=True).start()
            return self._loop


HERALD = Herald()
