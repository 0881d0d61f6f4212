"""A site whose parts are killed without a word and started again, and the clients that play on it.

Every client keeps a log of what it wished for and of what was acknowledged; the log, and not
the site, says what must be found in the database.
"""

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import psutil
import websockets

from tests.live.topology import HOST, Topology, production_environment, visitor_at, web_options
from tests.services import Process, Shelter, start_postgres, start_redis
from tests.services.postgres import comes_up, lesser_user
from tests.services.shelter import ROOT

PATIENCE_SECONDS = 90.0
# Of these many kills so many hit each part, in random order.
DECK = {"web-a": 6, "web-b": 6, "worker": 6, "postgres": 11, "redis": 11}
SECONDS_BETWEEN_KILLS = (0.2, 1.4)


# --- The site --------------------------------------------------------------------------------


class Siege(Topology):
    """Two web nodes, a worker and beat, on a PostgreSQL and a Redis of their own."""

    def __init__(self, shelter: Shelter) -> None:
        self.shelter = shelter
        self.postgres = start_postgres(shelter, own=True, durable=True)
        redis = start_redis(shelter, own=True, tcp=True)
        migrate(shelter, self.postgres.url, redis.url)
        self._said: dict[str, int] = {}
        super().__init__(shelter, database_url=self.postgres.url, redis=redis)
        assert self.postgres.process is not None
        self.processes["postgres"] = self.postgres.process
        assert redis.process is not None
        self.processes["redis"] = redis.process

    def set_tables(self, count: int) -> dict[str, Any]:
        return self._ask("set", str(count))

    def truth(self, codes: Sequence[str]) -> dict[str, Any]:
        return self._ask("truth", *codes)

    def _ask(self, *words: str) -> dict[str, Any]:
        said = self.run("-m", "tests.live.kill_stage", *words)
        found: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
        return found

    # --- Killing ----------------------------------------------------------------------

    def kill(self, name: str) -> None:
        """`kill -9`, for a part with all that belongs to it, and start it again."""
        process = self.processes[name]
        family = [psutil.Process(process.pid), *children_of(process)]
        for each in family:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        process.popen.wait()
        psutil.wait_procs(family[1:], timeout=10)
        process.stop()  # nothing is left of it but the note
        self._said[name] = process.log.stat().st_size if process.log else 0
        self._start_again(name, process)

    def _start_again(self, name: str, killed: Process) -> None:
        if name == "postgres":
            self.processes[name] = self._start_postgres(killed)
        elif name == "redis":
            self.redis.restart()
            assert self.redis.process is not None
            self.processes[name] = self.redis.process
        elif name == "worker":
            self.start_worker()
        else:
            port = self.ports[("web-a", "web-b").index(name)]
            self.processes[name] = self._start(name, "uvicorn", *web_options(port))

    def _start_postgres(self, killed: Process) -> Process:
        """Start it on the data that the killed one has left; it recovers by itself."""
        assert killed.log is not None
        for _try in range(5):
            process = self.shelter.start(
                [str(word) for word in killed.popen.args],  # type: ignore[union-attr]
                log=killed.log,
                directory=killed.log.parent,
                user=lesser_user(),
                polite=signal.SIGQUIT,
            )
            if comes_up(process, self.postgres.url):
                return process
            process.stop()
            time.sleep(0.2)
        raise AssertionError(f"PostgreSQL does not come back: {killed.output()[-2000:]}")

    def is_up(self, name: str) -> bool:
        """Whether a part does its work, so that it is worth killing."""
        process = self.processes[name]
        if name == "worker":
            return " ready" in process.output()[self._said.get(name, 0) :]
        if name.startswith("web"):
            port = self.ports[("web-a", "web-b").index(name)]
            with suppress(OSError):
                return visitor_at(port).get("/healthz").status == 200
            return False
        return process.running

    def stop(self) -> None:
        for process in reversed(self.processes.values()):
            process.stop()


def migrate(shelter: Shelter, database_url: str, redis_url: str) -> None:
    environment = production_environment(
        database_url=database_url, redis_url=redis_url, var_dir=shelter.room("migration")
    )
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=180)


def children_of(process: Process) -> list[psutil.Process]:
    """Those of PostgreSQL lead groups of their own: killing its group would spare them."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def shuffled_deck(chance: random.Random) -> list[str]:
    deck = [name for name, count in DECK.items() for _ in range(count)]
    chance.shuffle(deck)
    return deck


async def kill_at_random(site: Siege, chance: random.Random) -> int:
    """Kill one part after the other, each only while it does its work; return how many."""
    deck, kills = shuffled_deck(chance), 0
    while deck:
        await asyncio.sleep(chance.uniform(*SECONDS_BETWEEN_KILLS))
        name = await asyncio.to_thread(first_that_is_up, site, deck)
        if name is not None:
            deck.remove(name)
            await asyncio.to_thread(site.kill, name)
            kills += 1
    return kills


def first_that_is_up(site: Siege, deck: Sequence[str]) -> str | None:
    return next((name for name in dict.fromkeys(deck) if site.is_up(name)), None)


# --- The clients -----------------------------------------------------------------------------


@dataclass
class Wish:
    """What a seat has sent: an order, or None to withdraw it. Acknowledged, or perhaps lost."""

    turn: int
    order: Any
    sent_at: float = field(default_factory=time.monotonic)
    acknowledged: bool = False


@dataclass(eq=False)
class Client:
    """One guest at a table (or a passer-by), who comes back whatever happens."""

    ports: Sequence[int]
    code: str
    cookie: str
    chance: random.Random
    knows: dict[str, Any] = field(default_factory=dict)
    wishes: list[Wish] = field(default_factory=list)
    pending: Wish | None = None
    quiet: bool = False
    cuts: int = 0
    _next_at: float | None = None

    @property
    def seat(self) -> str | None:
        return self.knows.get("you")

    async def stay(self) -> None:
        """Connect to either node, play, and come back when it breaks; until cancelled."""
        while True:
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with self._door() as socket:
                    await self._play(socket)
            self.cuts += 1
            self.pending, self._next_at = None, None
            await asyncio.sleep(self.chance.uniform(0.05, 0.4))

    def _door(self) -> Any:
        return websockets.connect(
            f"ws://{HOST}/ws/tournaments/{self.code}/",
            host="127.0.0.1",
            port=self.chance.choice(self.ports),
            origin=f"https://{HOST}",  # type: ignore[arg-type]
            additional_headers={
                "X-Forwarded-Proto": "https",
                "X-Forwarded-For": "203.0.113.7",
                **({"Cookie": self.cookie} if self.cookie else {}),
            },
            compression=None,
            proxy=None,
            open_timeout=30,
        )

    async def _play(self, socket: Any) -> None:
        anew = True  # the first state is complete
        while True:
            if self.pending and time.monotonic() - self.pending.sent_at > PATIENCE_SECONDS:
                raise AssertionError(f"no answer to {self.pending} at {self.code}")
            try:
                async with asyncio.timeout(self._seconds_to_think()):
                    frame = json.loads(await socket.recv())
            except TimeoutError:
                await self._act(socket)
                continue
            if frame["type"] in {"state", "turn"}:
                await self._learn(socket, frame, anew=anew)
                anew = False
            elif frame["type"] == "accepted":
                self._note_acknowledged(frame)
            elif frame["type"] == "error":
                self._note_refused(frame)

    def _seconds_to_think(self) -> float:
        if self.pending or self._next_at is None:
            return 1.0
        return max(0.001, self._next_at - time.monotonic())

    def _think(self, least: float, most: float) -> None:
        self._next_at = time.monotonic() + self.chance.uniform(least, most)

    # --- What it is told --------------------------------------------------------------

    async def _learn(self, socket: Any, frame: dict[str, Any], *, anew: bool) -> None:
        known = self.knows.get("version", 0)
        if not anew and frame["version"] > known + 1:
            await socket.send(json.dumps({"type": "resume", "version": known}))
        if frame["version"] >= known:
            self.knows = frame
            self._think(0.02, 0.4)

    def _note_acknowledged(self, frame: dict[str, Any]) -> None:
        wish, self.pending = self.pending, None
        assert wish is not None, f"acknowledged, but nobody asked: {frame}"
        assert frame["ref"] == len(self.wishes), "an answer belongs to the last wish"
        assert (frame["turn"], frame["order"]) == (wish.turn, wish.order)
        wish.acknowledged = True
        if self.knows["turn"] == wish.turn:
            self.knows["order"] = wish.order
        self._think(0.1, 2.0)

    def _note_refused(self, frame: dict[str, Any]) -> None:
        assert frame["code"] in {"try-again", "wrong-turn", "too-late", "out"}, frame
        self.pending = None
        self._think(0.2, 0.6)

    # --- What it does -----------------------------------------------------------------

    async def _act(self, socket: Any) -> None:
        if self.pending or self._next_at is None or time.monotonic() < self._next_at:
            return
        self._next_at = None
        if not self.quiet and self._is_waited_for():
            await self._send(socket, self._whim())

    def _is_waited_for(self) -> bool:
        due = [each["seat"] for each in self.knows["seats"] if each["due"]]
        return self.knows["state"] == "running" and self.seat in due

    def _whim(self) -> Any:
        """An order; who has ordered already thinks again, or takes it back for a while."""
        orders = [each["order"] for each in self.knows["choices"] if each["label"] != "resign"]
        if self.knows["order"] is not None and self.chance.random() < 0.4:
            return None
        return self.chance.choice(orders or [{"hold": True}])

    async def _send(self, socket: Any, order: Any) -> None:
        self.pending = Wish(self.knows["turn"], order)
        self.wishes.append(self.pending)
        frame = {"turn": self.pending.turn, "ref": len(self.wishes)}
        if order is None:
            await socket.send(json.dumps({"type": "withdraw", **frame}))
        else:
            await socket.send(json.dumps({"type": "order", "order": order, **frame}))


def seat_clients(site: Siege, count: int, chance: random.Random) -> list[Client]:
    """Four guests and a passer-by at each of so many tables."""
    stage = site.set_tables(count)
    return [
        Client(site.ports, table["code"], cookie, random.Random(chance.random()))
        for table in stage["tables"]
        for cookie in (*(f"{stage['cookie']}={key}" for key in table["sessions"]), "")
    ]


async def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"not within {PATIENCE_SECONDS} s: {what}"
        await asyncio.sleep(0.1)


# --- What must be found ----------------------------------------------------------------------


def lost_orders(
    wishes: Sequence[Wish], seat: str, turns: Mapping[int, Mapping[str, Any]]
) -> Iterator[str]:
    """Acknowledged orders that do not stand in the turn they were given for.

    Only the seat itself replaces one: by a later wish, be it acknowledged or without an answer.
    """
    for number in {wish.turn for wish in wishes if wish.acknowledged and wish.turn in turns}:
        mine = [wish for wish in wishes if wish.turn == number]
        last = max(at for at, wish in enumerate(mine) if wish.acknowledged)
        allowed = [wish.order for wish in mine[last:]]
        found = turns[number].get(seat)
        if found not in allowed:
            yield f"turn {number}, seat {seat}: {found} instead of one of {allowed}"
