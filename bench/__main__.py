"""Run the measurements: `python -m bench [name ...]`, all of them by default."""

import sys

from bench import (
    battle_bots,
    battle_engine,
    battle_fields,
    live_fanout,
    live_spectators,
    live_turns,
    world_decay,
    world_ranking,
)

MEASUREMENTS = {
    "battle-engine": battle_engine.main,
    "battle-bots": battle_bots.main,
    "battle-fields": battle_fields.main,
    "live-fanout": live_fanout.main,
    "live-spectators": live_spectators.main,
    "live-turns": live_turns.main,
    "world-decay": world_decay.main,
    "world-ranking": world_ranking.main,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        print(f"No such measurement: {', '.join(unknown)}. There are: {', '.join(MEASUREMENTS)}.")
        return 2
    for name in names or MEASUREMENTS:
        print(f"=== {name} ===", flush=True)
        MEASUREMENTS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
