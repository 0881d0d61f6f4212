from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.demo import DemoRefusedError, found_demo_world


class Command(BaseCommand):
    help = "Found the demo world, as far as it is missing, and say how to enter it."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            world = found_demo_world()
        except DemoRefusedError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"Player: {world.login}")
        self.stdout.write(f"Admin:  {world.admin_login}")
        self.stdout.write(f"Password of both: {world.password}")
