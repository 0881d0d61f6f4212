from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dynasties.audit import all_invariants, run_audit


class Command(BaseCommand):
    help = "Check the standing world: queries that must return no row."

    def handle(self, *args: Any, **options: Any) -> None:
        breaches = run_audit()
        for breach in breaches:
            self.stderr.write(self.style.ERROR(f"  {breach}"))
        if breaches:
            raise CommandError(f"{len(breaches)} of {len(all_invariants())} invariants are broken.")
        self.stdout.write(f"The world is sound: {len(all_invariants())} invariants hold.")
