"""How many live turns a second, and how soon after the last order: ours against boardgame.io.

M four-seat tournaments at once; every client orders as soon as a turn is disclosed to it. Ours
commits every order before it is acknowledged and every turn before it is told, on a PostgreSQL
that keeps what it commits. Both servers meet the same clients (`peers/turns_load.js`), in
alternating rounds; at a human pace everybody thinks for a second on average.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bench.battle_engine import PEERS, WORKSHOP
from tests.services import Process, Shelter, start_postgres, start_redis
from tests.services.ports import free_port

CROWDS = tuple(int(each) for each in os.environ.get("TURNS_CROWDS", "10,50,200").split(","))
ROUNDS = int(os.environ.get("TURNS_ROUNDS", "3"))
SECONDS = float(os.environ.get("TURNS_SECONDS", "6"))
WARM_SECONDS = 2.0
TURNS_A_MATCH = 50
HUMAN_CROWD = 200
HUMAN_THINK_MS = 1000
WEB_PROCESSES = 2
PACKAGES = ("boardgame.io@0.50.2", "bgio-postgres@1.0.16", "ws@8")

Result = Mapping[str, float]


@dataclass(frozen=True)
class Server:
    """A server that is measured: where it listens, and what a task for its clients needs."""

    name: str
    task: dict[str, Any]
    fresh_stage: Callable[[int], list[Any]] | None = None
    processes: tuple[Process, ...] = ()


def main() -> None:
    home = install_peers()
    with Shelter() as shelter:
        postgres = start_postgres(shelter, own=True, durable=True).url
        servers = [
            our_site(shelter, "ours, PostgreSQL", database(postgres, "site")),
            our_site(shelter, "ours, embedded", None),
            boardgameio(shelter, home, "boardgame.io, PostgreSQL", database(postgres, "peer")),
            boardgameio(shelter, home, "boardgame.io, memory", None),
        ]
        for crowd in CROWDS:
            compare(shelter, home, servers, crowd, think=0)
        compare(shelter, home, servers, HUMAN_CROWD, think=HUMAN_THINK_MS)


def compare(shelter: Shelter, home: Path, servers: list[Server], crowd: int, think: int) -> None:
    pace = "one second to think" if think else "no thinking"
    print(f"  {crowd} tournaments, {pace}", flush=True)
    found: dict[str, list[Result]] = {server.name: [] for server in servers}
    for _round in range(ROUNDS):
        for server in servers:
            found[server.name].append(play(shelter, home, server, crowd, think))
    medians = {name: median(results) for name, results in found.items()}
    for name, result in medians.items():
        print(
            f"    {name:26s} {result['turns']:7.0f} turns/s   p50 {result['p50']:6.1f} ms"
            f"   p99 {result['p99']:7.1f} ms   {result['errors']:.0f} errors"
        )
    ours, peer = medians["ours, PostgreSQL"], medians["boardgame.io, PostgreSQL"]
    print(
        f"    ratio to boardgame.io on PostgreSQL: {ours['turns'] / peer['turns']:.2f} x the turns,"
        f" p99 {ours['p99'] / peer['p99']:.2f} x",
        flush=True,
    )


def median(results: list[Result]) -> Result:
    return {
        name: statistics.median(result[name] for result in results)
        for name in ("turns", "p50", "p99", "errors")
    }


# --- Playing ------------------------------------------------------------------------------


def play(shelter: Shelter, home: Path, server: Server, crowd: int, think: int) -> Result:
    """One round of one server."""
    task = {
        **server.task,
        "tournaments": crowd,
        "think": think,
        "seconds": SECONDS,
        "warm_seconds": WARM_SECONDS,
        "turns_a_match": TURNS_A_MATCH,
    }
    if server.fresh_stage:
        task["stage"] = server.fresh_stage(matches_wanted(crowd, think))
    sheet = shelter.path / "task.json"
    sheet.write_text(json.dumps(task), encoding="utf-8")
    done = subprocess.run(
        ["node", PEERS / "turns_load.js", sheet],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NODE_PATH": str(home / "node_modules")},
    )
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    if result["errors"]:
        print(f"    {server.name}: {result['examples']}", flush=True)
    return result


def matches_wanted(crowd: int, think: int) -> int:
    """Enough that no table runs out: each is changed after so many turns."""
    turns_a_second = 2 if think else 600 / crowd
    rotations = turns_a_second * (SECONDS + WARM_SECONDS) / TURNS_A_MATCH
    return crowd + int(crowd * rotations) + 10


# --- The servers --------------------------------------------------------------------------


def our_site(
    shelter: Shelter, name: str, database_url: str | None, *, processes: int = WEB_PROCESSES
) -> Server:
    """Web processes as in production, behind no proxy; without a database, the embedded one."""
    room = shelter.room(name.replace(", ", "-").replace(" ", "-"))
    ports = [free_port() for _process in range(processes)]
    origin = f"http://127.0.0.1:{ports[0]}"
    environment = {
        **os.environ,
        "VAR_DIR": str(room),
        "REDIS_URL": start_redis(shelter, own=True).url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SITE_ORIGIN": origin,
        "LOG_LEVEL": "WARNING",
    }
    if database_url:
        environment["DATABASE_URL"] = database_url

    def fresh_stage(count: int) -> list[Any]:
        command = [sys.executable, "-m", "bench.turns_stage", str(count)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        told = json.loads(done.stdout.splitlines()[-1])
        task["cookie"] = told["cookie"]
        return list(told["stage"])

    task: dict[str, Any] = {
        "server": "ours",
        "urls": [f"http://127.0.0.1:{port}" for port in ports],
        "origin": origin,
    }
    fresh_stage(1)
    started = tuple(start_web(shelter, port, environment) for port in ports)
    return Server(name, task, fresh_stage, started)


def start_web(shelter: Shelter, port: int, environment: Mapping[str, str]) -> Process:
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port),
               "--lifespan", "off", "--log-level", "warning", "--no-access-log"]  # fmt: skip
    process = shelter.start(
        command, environment=dict(environment), log=shelter.path / f"web-{port}"
    )
    until_answers(f"http://127.0.0.1:{port}/")
    return process


def boardgameio(shelter: Shelter, home: Path, name: str, database_url: str | None) -> Server:
    port = free_port()
    command = ["node", PEERS / "boardgameio_server.js", str(port), database_url or "memory"]
    environment = {**os.environ, "NODE_PATH": str(home / "node_modules")}
    shelter.start(command, environment=environment, log=shelter.path / f"peer-{port}")
    until_answers(f"http://127.0.0.1:{port}/games")
    return Server(name, {"server": "boardgame.io", "urls": [f"http://127.0.0.1:{port}"]})


def database(url: str, name: str) -> str:
    """A database of its own on the server."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return url.rsplit("/", 1)[0] + f"/{name}"


def install_peers() -> Path:
    home = WORKSHOP / "boardgameio-server"
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise SystemExit("This measurement needs node and npm.")
    if not (home / "node_modules" / "bgio-postgres").exists():
        print("  installing boardgame.io …", flush=True)
        home.mkdir(parents=True, exist_ok=True)
        # One of its parts asks for a version that is no longer to be had.
        manifest = {"overrides": {"koa-compose": "4.1.0"}}
        (home / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
        install = ["npm", "install", "--silent", "--prefix", home, *PACKAGES]
        subprocess.run(install, check=True)
    return home


def until_answers(url: str) -> None:
    for _ in range(150):
        try:
            with urlopen(url, timeout=2):
                return
        except OSError as refused:
            if getattr(refused, "code", None):
                return  # any answer is one
            time.sleep(0.1)
    raise SystemExit(f"Nothing answers at {url}.")
