"""How quickly one message reaches every socket of a process: our hub against stock consumers.

Both are served by one uvicorn over the same Redis pub/sub layer and read by the
same clients; only the code between layer and socket differs.
"""

import asyncio
import os
import statistics
import sys
import time
from contextlib import AsyncExitStack

import websockets
from channels.layers import get_channel_layer

from tests.services import Process, Shelter, start_redis
from tests.services.ports import free_port

SOCKETS = 200
MESSAGES = 100
ROUNDS = 5
TOPIC = "bench"
FRAME = {"v": 1, "type": "news", "text": "x" * 500}


def main() -> None:
    with Shelter() as shelter:
        # The settings are read when Django starts, so the address must be known before.
        os.environ["REDIS_URL"] = start_redis(shelter, own=True).url
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["VAR_DIR"] = str(shelter.room("var"))
        port = free_port()
        start_server(shelter, port)
        rates = asyncio.run(measure(f"ws://127.0.0.1:{port}"))
    ours, stock = rates["ours"], rates["stock"]
    print(f"  {SOCKETS} sockets on one process, {MESSAGES} messages, median of {ROUNDS} rounds")
    print(f"  ours:  {ours:8.0f} frames/s")
    print(f"  stock: {stock:8.0f} frames/s")
    print(f"  ratio: {ours / stock:.1f}")


def start_server(shelter: Shelter, port: int) -> Process:
    command = [sys.executable, "-m", "uvicorn", "bench.live_server:application",
               "--port", str(port), "--lifespan", "off", "--log-level", "warning"]  # fmt: skip
    return shelter.start(command, environment=dict(os.environ))


async def measure(url: str) -> dict[str, float]:
    """Frames a second by kind of socket, in alternating rounds so that neither has luck."""
    rounds: dict[str, list[float]] = {"ours": [], "stock": []}
    await until_it_answers(f"{url}/ours/")
    for number in range(ROUNDS):
        for kind in rounds:
            rounds[kind].append(await one_round(f"{url}/{kind}/"))
            print(f"  round {number + 1}: {kind} {rounds[kind][-1]:.0f} frames/s", flush=True)
    return {kind: statistics.median(rates) for kind, rates in rounds.items()}


async def one_round(url: str) -> float:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(websockets.connect(url)) for _ in range(SOCKETS)]
        await asyncio.gather(*(client.recv() for client in clients))
        await publish()  # one unmeasured message, so that every subscription has taken hold
        await asyncio.gather(*(client.recv() for client in clients))
        started = time.perf_counter()
        await asyncio.gather(publish_all(), *(read_all(client) for client in clients))
        return SOCKETS * MESSAGES / (time.perf_counter() - started)


async def publish_all() -> None:
    for _ in range(MESSAGES):
        await publish()


async def publish() -> None:
    await get_channel_layer().group_send(TOPIC, {"type": "frame", "topic": TOPIC, "frame": FRAME})


async def read_all(client: websockets.ClientConnection) -> None:
    for _ in range(MESSAGES):
        await client.recv()


async def until_it_answers(url: str) -> None:
    for _ in range(100):
        try:
            async with websockets.connect(url):
                return
        except OSError:
            await asyncio.sleep(0.1)
    raise SystemExit("The server of the measurement did not start.")
