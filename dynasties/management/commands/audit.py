from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynasties.audit import all_invariants, run_audit


class Command(BaseCommand):
    help = "Check the standing world: queries that must return no row."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--strict",
            action="store_true",
            help="Ask what takes long, too: replay the record of every tournament.",
        )

    def handle(self, *args: Any, strict: bool = False, **options: Any) -> None:
        breaches, asked = run_audit(strict=strict), len(all_invariants(strict=strict))
        for breach in breaches:
            self.stderr.write(self.style.ERROR(f"  {breach}"))
        if breaches:
            raise CommandError(f"{len(breaches)} of {asked} invariants are broken.")
        self.stdout.write(f"The world is sound: {asked} invariants hold.")
