"""Whether a battlefield favours a seat where no symmetry forbids it: win shares among knights."""

from collections import defaultdict
from multiprocessing import get_context

from bench.battle_bots import play, share, wilson
from games.battle.battlefields import keys, load
from games.battle.battlefields.fairness import is_fair
from games.battle.bots import BOTS
from games.battle.game import BATTLE
from games.kit.protocol import Seat
from games.kit.rng import HashRng

BOT = "knight"
GAMES = 500
PROCESSES = 2
PROGRESS = 50


def main() -> None:
    uneven = [key for key in keys() if not is_fair(load(key))]
    print(f"  {len(keys()) - len(uneven)} battlefields are fair by symmetry", flush=True)
    for key in uneven:
        print(f"  {key}: {GAMES} games of {BOT}s", flush=True)
        report(shares(key))


def shares(key: str) -> dict[Seat, float]:
    """How many victories each seat has won, a shared one by its part."""
    total: dict[Seat, float] = defaultdict(float)
    with get_context("spawn").Pool(PROCESSES) as pool:
        jobs = [(key, number) for number in range(GAMES)]
        for number, result in enumerate(pool.imap_unordered(play_one, jobs), start=1):
            for seat, part in result.items():
                total[seat] += part
            if number % PROGRESS == 0:
                print(f"    {number} of {GAMES}: {_shown(total, number)}", flush=True)
    return total


def play_one(job: tuple[str, int]) -> dict[Seat, float]:
    key, seed = job
    field = load(key)
    start = BATTLE.setup(field.seats, {"battlefield": field.text}, HashRng(seed, "start"))
    end, _ = play(start, dict.fromkeys(field.seats, BOTS[BOT]), field.seats[0], seed)
    return {seat: share(end, seat) for seat in field.seats}


def report(total: dict[Seat, float]) -> None:
    seat, best = max(total.items(), key=lambda item: item[1])
    low, high = wilson(best / GAMES, GAMES)
    fair = 1 / len(total)
    print(f"    {_shown(total, GAMES)}")
    print(
        f"    best seat: {seat} with {best / GAMES:.1%} [{low:.1%}, {high:.1%}], "
        f"{best / GAMES / fair:.2f} of its share of {fair:.1%}",
        flush=True,
    )


def _shown(total: dict[Seat, float], games: int) -> str:
    return ", ".join(f"{seat} {total[seat] / games:.1%}" for seat in sorted(total))
