"""How fast Battle is resolved: whole turns a second, trace included, against two peers.

`diplomacy` (PyPI) adjudicates movement phases; boardgame.io (npm) reduces the turns of a small
simultaneous board game. Both are installed into `var/bench` for measuring only. All of it runs
in one go on one core, in alternating rounds, and is counted in CPU time.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from games.battle import battlefields, orders
from games.battle.game import BATTLE
from games.battle.orders import Order
from games.battle.state import State
from games.kit.rng import HashRng

ROOT = Path(__file__).resolve().parent.parent
WORKSHOP = ROOT / "var" / "bench"
PEERS = Path(__file__).resolve().parent / "peers"
ROUNDS = 5
TURNS = 5_000
EIGHT_SEATS = "great-court"
FOUR_SEATS = "crossroads"

Turns = list[tuple[State, dict[str, Order]]]


def main() -> None:
    stay_on_one_core()
    eight, four = random_turns(EIGHT_SEATS), random_turns(FOUR_SEATS)
    contestants: dict[str, Callable[[], float]] = {
        "ours, eight seats": lambda: turns_a_second(eight),
        "ours, four seats": lambda: turns_a_second(four),
    }
    contestants |= peers()
    rates = measure(contestants)
    for name, rate in rates.items():
        print(f"  {name}: {rate:,.0f} turns/s")
    tell_ratio(rates, "ours, eight seats", "diplomacy", goal=40)
    tell_ratio(rates, "ours, four seats", "boardgame.io", goal=6)
    tell_enumeration(eight)
    tell_memory(eight)


def stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


# --- Ours -------------------------------------------------------------------------------------


def random_turns(field: str) -> Turns:
    """Turns of random battles in which every seat has an order, from beginnings to ends."""
    dice = Random(1)
    options = {"battlefield": battlefields.load(field).text}
    start = BATTLE.setup(BATTLE.seats(options), options, HashRng("bench", "start"))
    turns: Turns = []
    state = start
    while len(turns) < TURNS:
        wanted = random_orders(state, dice)
        if len(wanted) == len(state.seats):
            turns.append((state, wanted))
        state = BATTLE.resolve(state, wanted).state
        if state.verdict or len(state.left()) < len(state.seats):
            state = start
    return turns


def random_orders(state: State, dice: Random) -> dict[str, Order]:
    """A random move of every seat that has one, in a random order of receipt."""
    seats = list(state.left())
    dice.shuffle(seats)
    moves = {seat: orders.moves(state, seat) for seat in seats}
    return {seat: dice.choice(options) for seat, options in moves.items() if options}


def turns_a_second(turns: Turns) -> float:
    started = time.process_time()
    for state, wanted in turns:
        BATTLE.resolve(state, wanted)
    return len(turns) / (time.process_time() - started)


def tell_enumeration(turns: Turns) -> None:
    """Legal orders of a seat, and with them what a bot needs for a thousand joint moves."""
    seats = [(state, seat) for state, _ in turns for seat in state.seats]
    started = time.process_time()
    found = sum(len(orders.moves(state, seat)) for state, seat in seats)
    seconds = (time.process_time() - started) / len(seats)
    print(
        f"  legal orders of a seat: {1 / seconds:,.0f} lists/s of {found / len(seats):.0f} orders"
    )
    thousand = 1000 / turns_a_second(turns) + 8 * seconds
    print(f"  a thousand joint moves of eight seats: {thousand * 1000:.0f} ms")


def tell_memory(turns: Turns) -> None:
    """What one more state costs, with whatever it does not share with the one before."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [BATTLE.resolve(state, wanted).state for state, wanted in turns[:1000]]
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"  memory of an eight-seat state: {(after - before) / len(kept) / 1024:.1f} KiB")


# --- Peers ------------------------------------------------------------------------------------


def peers() -> dict[str, Callable[[], float]]:
    """What can be measured here; what can't says why."""
    found: dict[str, Callable[[], float]] = {}
    for name, prepare in (("diplomacy", prepare_diplomacy), ("boardgame.io", prepare_boardgameio)):
        try:
            found[name] = prepare()
        except (OSError, subprocess.CalledProcessError) as reason:
            print(f"  {name} is left out: {reason}")
    return found


def prepare_diplomacy() -> Callable[[], float]:
    home = WORKSHOP / "diplomacy"
    python = home / "bin" / "python"
    if not python.exists():
        print("  installing diplomacy …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([python, "-m", "pip", "-q", "install", "diplomacy==1.1.2"], check=True)
    return lambda: rate_of([python, PEERS / "diplomacy_phases.py", "400"])


def prepare_boardgameio() -> Callable[[], float]:
    home = WORKSHOP / "boardgameio"
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise FileNotFoundError("it needs node and npm")
    if not (home / "node_modules" / "boardgame.io").exists():
        print("  installing boardgame.io …", flush=True)
        home.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--silent", "--prefix", home, "boardgame.io@0.50.2"]
        subprocess.run(install, check=True)
    environment = {**os.environ, "NODE_PATH": str(home / "node_modules")}
    return lambda: rate_of(["node", PEERS / "boardgameio_turns.js", "3000"], environment)


def rate_of(command: list[str | Path], environment: Mapping[str, str] | None = None) -> float:
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(json.loads(done.stdout.splitlines()[-1])["rate"])


# --- Rounds -----------------------------------------------------------------------------------


def measure(contestants: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """The median rate of each, in alternating rounds so that nobody has luck."""
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(ROUNDS):
        for name, run in contestants.items():
            rates[name].append(run())
        seen = ", ".join(f"{name} {found[-1]:,.0f}" for name, found in rates.items())
        print(f"  round {number + 1} of {ROUNDS}: {seen}", flush=True)
    return {name: statistics.median(found) for name, found in rates.items()}


def tell_ratio(rates: Mapping[str, float], ours: str, peer: str, goal: int) -> None:
    if peer in rates:
        print(f"  ratio, {ours} to {peer}: {rates[ours] / rates[peer]:.1f} (goal: {goal})")
