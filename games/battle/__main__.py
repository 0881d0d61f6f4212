"""`python -m games.battle`: one case as JSON per line in, one outcome per line out."""

import sys

from games.battle.contract import answer


def main() -> None:
    for line in sys.stdin.buffer:
        sys.stdout.write(answer(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
