from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.translations import site_translations


class Command(BaseCommand):
    help = "Keeps the message catalogs: update them from the sources, compile them, check them."
    # The catalogs must be made before anything else works.
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("step", choices=["update", "compile", "check"])

    def handle(self, *, step: str, verbosity: int, **_: Any) -> None:
        steps = {"update": update, "compile": compile_stale, "check": check}
        lines = steps[step]()
        if verbosity:
            self.stdout.write("\n".join(lines))


def update() -> list[str]:
    return [f"Updated {path}" for path in site_translations().update()]


def compile_stale() -> list[str]:
    written = [f"Compiled {path}" for path in site_translations().compile()]
    return written or ["The catalogs are compiled already."]


def check() -> list[str]:
    problems = site_translations().problems()
    if problems:
        raise CommandError("\n".join(problems))
    return ["Every message is translated."]
