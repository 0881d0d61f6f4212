"""People who do something at the same moment, each with a connection of his own."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection


def all_at_once(deeds: Sequence[Callable[[], Any]]) -> list[Any]:
    """Let all deeds begin together; return what each returned or raised, in their order."""
    start = threading.Barrier(len(deeds))
    ends: list[Any] = [None] * len(deeds)

    def act(place: int, deed: Callable[[], Any]) -> None:
        start.wait()
        try:
            ends[place] = deed()
        except Exception as error:
            ends[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=act, args=pair) for pair in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ends
