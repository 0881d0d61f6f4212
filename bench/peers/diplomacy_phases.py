"""Movement phases a second of the `diplomacy` package: random legal orders, CPU time.

Run by `bench.battle_engine` in an environment of its own; prints one line of JSON.
"""

import json
import random
import sys
import time

from diplomacy import Game

PHASES = int(sys.argv[1])
PHASES_A_GAME = 60  # then a fresh game, for its history grows


def main() -> None:
    dice = random.Random(1)
    moved = 0
    seconds = 0.0
    while moved < PHASES:
        game = Game()
        for _ in range(PHASES_A_GAME):
            if game.is_game_done or moved >= PHASES:
                break
            is_movement = game.get_current_phase().endswith("M")
            orders = draw_orders(game, dice)
            started = time.process_time()
            for power, wanted in orders.items():
                game.set_orders(power, wanted)
            game.process()
            if is_movement:
                seconds += time.process_time() - started
                moved += 1
    print(json.dumps({"rate": moved / seconds}))


def draw_orders(game: Game, dice: random.Random) -> dict[str, list[str]]:
    possible = game.get_all_possible_orders()
    return {
        power: [
            dice.choice(possible[place])
            for place in game.get_orderable_locations(power)
            if possible[place]
        ]
        for power in game.powers
    }


main()
