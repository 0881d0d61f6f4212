"""How soon the last of a thousand spectators sees a turn, and what an idle socket costs.

One web process, one tournament of four; the clients are a process of their own. The clock runs
from the moment when the last order is sent to the moment when the last spectator has the turn.
"""

import asyncio
import json
import os
import statistics
import time
from contextlib import AsyncExitStack
from typing import Any

import psutil
import websockets

from bench.live_turns import database, our_site
from tests.services import Shelter, start_postgres

SPECTATORS = int(os.environ.get("SPECTATORS", "1000"))
TURNS = 20
GOAL_SECONDS = 1.0


def main() -> None:
    with Shelter() as shelter:
        url = database(start_postgres(shelter, own=True, durable=True).url, "site")
        site = our_site(shelter, "ours, PostgreSQL", url, processes=1)
        asyncio.run(measure(site))


async def measure(site: Any) -> None:
    (match,) = site.fresh_stage(1)
    web = psutil.Process(site.processes[0].pid)
    async with AsyncExitStack() as stack:
        seats = [
            await stack.enter_async_context(door(site, match["code"], session))
            for session in match["sessions"]
        ]
        before = web.memory_info().rss
        crowd = [
            await stack.enter_async_context(door(site, match["code"]))
            for _spectator in range(SPECTATORS)
        ]
        await asyncio.gather(*(until_state(each) for each in (*seats, *crowd)))
        await asyncio.sleep(2)
        cost = (web.memory_info().rss - before) / SPECTATORS / 1024
        spans = [await one_turn(seats, crowd, turn) for turn in range(TURNS)]
    print(f"  {SPECTATORS} spectators, {TURNS} turns, one web process")
    print(f"  last order to the last of them: median {statistics.median(spans) * 1000:.0f} ms, "
          f"worst {max(spans) * 1000:.0f} ms (goal: {GOAL_SECONDS * 1000:.0f} ms)")  # fmt: skip
    print(f"  memory of an idle socket: {cost:.0f} KiB")


def door(site: Any, code: str, session: str = "") -> Any:
    headers = {"Cookie": f"{site.task['cookie']}={session}"} if session else {}
    return websockets.connect(
        f"{site.task['urls'][0].replace('http', 'ws')}/ws/tournaments/{code}/",
        origin=site.task["origin"],
        additional_headers=headers,
        compression=None,
    )


async def until_state(socket: Any) -> None:
    await frame_of(socket, "state")


async def frame_of(socket: Any, *types: str) -> dict[str, Any]:
    while True:
        frame: dict[str, Any] = json.loads(await socket.recv())
        if frame["type"] in types:
            return frame


async def one_turn(seats: list[Any], crowd: list[Any], turn: int) -> float:
    for socket in seats:
        await socket.send(json.dumps({"type": "order", "turn": turn, "order": {"hold": True}}))
    started = time.perf_counter()
    await asyncio.gather(*(frame_of(socket, "turn") for socket in (*seats, *crowd)))
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
