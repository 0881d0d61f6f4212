"""Replay a tournament from its record, verify it, and print it turn by turn."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments import arena
from tournaments.announcements.models import Tournament
from tournaments.turns.records import NotOverError, record_of

# What is no record at all is another mistake than a record that does not replay.
UNREADABLE = 2
BROKEN = 1
# Far more than the longest battle writes.
MOST_BYTES = 50_000_000
STDIN = "-"


class Command(BaseCommand):
    help = (
        "Replay a tournament: by its code, from a file with its record, or from standard input (-)."
        " Verifies it and prints it turn by turn. Exit status 1: it does not replay; 2: no record."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help="a tournament's code, a file, or - for standard input")
        parser.add_argument("--quiet", action="store_true", help="verify only, print one line")
        parser.add_argument("--json", action="store_true", help="print the record itself")

    def handle(self, *args: Any, source: str, **options: Any) -> None:
        tournament, record = _find(source)
        quiet = options["quiet"] or options["json"]
        last = self._replay(record, quiet=quiet)
        if tournament is not None and last.written() != tournament.position:
            raise CommandError("It does not lead to the position that was kept.", returncode=BROKEN)
        if options["json"]:
            self.stdout.write(record.dumps())
        else:
            self._sum_up(tournament, record, last)

    def _replay(self, record: arena.Record, *, quiet: bool) -> arena.Position:
        """Go through it, and print it unless it is to be quiet; return where it ends."""
        last, turn = None, 0
        try:
            for step in arena.replayed(record):
                last, turn = step.after, step.after.turn
                if not quiet:
                    self._print(record, step)
        except arena.BadRecord as bad:
            where = "at its start" if last is None else f"in turn {turn + 1}"
            raise CommandError(f"It does not replay, {where}: {bad}", returncode=BROKEN) from None
        if last is None:
            raise CommandError("It does not replay: nothing happened.", returncode=BROKEN)
        return last

    def _print(self, record: arena.Record, step: arena.Closing) -> None:
        turn = step.after.turn
        if turn == 0:
            self.stdout.write(f"{record.game} {record.version}, seed {record.seed}")
            self.stdout.write(f"Seats: {', '.join(record.seats)}\n")
        else:
            self.stdout.write(f"--- Turn {turn} ---\n")
            for seat, order in record.turns[turn - 1]:
                self.stdout.write(f"  {seat}: {json.dumps(order, sort_keys=True)}")
            for sentence in step.after.tell(step.events, None, over=True):
                self.stdout.write(f"  {sentence.english}")
        self.stdout.write(f"\n{step.after.scene(None, over=True)['text']}\n")

    def _sum_up(
        self, tournament: Tournament | None, record: arena.Record, last: arena.Position
    ) -> None:
        self.stdout.write(f"Verified: {len(record.turns)} turns. {_ending(tournament, last)}")


def _find(source: str) -> tuple[Tournament | None, arena.Record]:
    """The record that is meant, with its tournament if it is one of ours."""
    tournament = Tournament.objects.filter(code=source).first()
    if tournament is None:
        return None, _read(source)
    try:
        return tournament, record_of(tournament)
    except NotOverError:
        raise CommandError(
            "It is not over, or was never fought: there is no record.", returncode=UNREADABLE
        ) from None


def _read(source: str) -> arena.Record:
    try:
        return arena.Record.loads(_bytes(source))
    except OSError:
        raise CommandError(
            f"There is no tournament {source}, and no file of that name that can be read.",
            returncode=UNREADABLE,
        ) from None
    except arena.BadRecord as bad:
        raise CommandError(str(bad), returncode=UNREADABLE) from None


def _bytes(source: str) -> bytes:
    if source == STDIN:
        text = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with Path(source).open("rb") as file:
            text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise arena.BadRecord("This is no record: it is too large.")
    return text


def _ending(tournament: Tournament | None, last: arena.Position) -> str:
    """How it ended: by the game, or by the site, which the record can't know."""
    outcome = last.outcome()
    if outcome is None:
        how = tournament.ending if tournament else "not over by the game"
        return f"Nobody won ({how})."
    who = " and ".join(outcome.winners) or "Nobody"
    return f"{who} won ({outcome.reason})."
