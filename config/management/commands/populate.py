import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from config.populate.services import Plan, PopulateRefusedError, populate_world

WIDTH = 40
SECONDS_A_LINE = 10


class Command(BaseCommand):
    help = "Make up a believable world: dynasties, emperors, battles, wealth and their chronicle."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dynasties", type=int, required=True)
        parser.add_argument("--emperors", type=int, required=True)
        parser.add_argument("--years", type=int, default=3, help="how far back it goes (3)")
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same world")
        parser.add_argument(
            "--yes-really", action="store_true", help="even in production, where it has no place"
        )

    def handle(self, **options: Any) -> None:
        plan = Plan(*(options[name] for name in ("dynasties", "emperors", "years", "seed")))
        progress = Progress(self, plan.emperors)
        try:
            rows = populate_world(plan=plan, report=progress, insist=options["yes_really"])
        except PopulateRefusedError as refusal:
            raise CommandError(str(refusal)) from refusal
        except OperationalError as busy:
            raise CommandError(
                f"The database is busy ({busy}). Nothing was made; stop the site, or try again."
            ) from busy
        progress.end(rows)


class Progress:
    """A bar on a terminal, a line now and then elsewhere."""

    def __init__(self, command: Command, total: int) -> None:
        self._out, self._total = command.stdout, total
        self._is_bar = command.stdout.isatty()
        self._began = self._said = time.monotonic()

    def __call__(self, born: int) -> None:
        # A look at the clock for every emperor would cost as much as his birth.
        if born % 1000 and born != self._total:
            return
        now = time.monotonic()
        if self._is_bar or now - self._said >= SECONDS_A_LINE:
            self._said = now
            self._say(born)

    def end(self, rows: int) -> None:
        seconds = time.monotonic() - self._began
        if self._is_bar:
            self._out.write("")
        pace = self._total / seconds
        self._out.write(
            f"{self._total} emperors, {rows} rows in {seconds:.1f} s ({pace:.0f} emperors/s)."
        )

    def _say(self, born: int) -> None:
        if self._is_bar:
            full = "█" * (WIDTH * born // self._total)
            self._out.write(f"\r{full:<{WIDTH}} {born}/{self._total}", ending="")
            self._out.flush()
        else:
            self._out.write(f"{born} of {self._total} emperors")
