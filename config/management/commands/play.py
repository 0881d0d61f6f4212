import os
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import embedded
from config.demo import DemoWorld, found_demo_world
from config.environment import bundled_socket
from config.supervisor import Supervisor

FIRST_ANSWER_SECONDS = 30


class Command(BaseCommand):
    help = "Run the whole site on this machine, with a living demo world, until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=embedded.port_number, default=8000)
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument(
            "--fresh", action="store_true", help="Forget the world, found a new one."
        )

    def handle(self, *args: Any, port: int, host: str, fresh: bool, **options: Any) -> None:
        if settings.ENV.production:
            raise CommandError(
                "play is for one machine. In production start each process by itself."
            )
        with embedded.only_one(settings.ENV.var_dir):
            embedded.require_free_port(host, port)
            if fresh:
                self._forget_world()
            self._run(host, port)

    def _forget_world(self) -> None:
        if "DATABASE_URL" in os.environ:
            raise CommandError("FRESH=1 forgets embedded worlds only, not one at DATABASE_URL.")
        embedded.forget_world(settings.ENV.var_dir)

    def _run(self, host: str, port: int) -> None:
        origin = f"http://localhost:{port}"
        embedded.children_environment(origin=origin)
        supervisor = Supervisor(say=self._say)
        supervisor.catch_signals()
        try:
            self._start_valkey(supervisor)
            world = self._prepare_world()
            supervisor.start(*embedded.site_parts(host=host, port=port))
            self._wait_for_first_answer(supervisor, f"http://{host}:{port}/healthz")
            if not supervisor.stopping:
                self._greet(origin, world)
            if not supervisor.watch():
                raise CommandError("The site could not be kept running; its last words are above.")
        finally:
            supervisor.stop()
        self._say("Good night. The world is kept for the next time.")

    def _start_valkey(self, supervisor: Supervisor) -> None:
        if "REDIS_URL" in os.environ:
            return
        supervisor.start(embedded.valkey_part(settings.ENV.var_dir))
        if not supervisor.wait_until(bundled_socket(settings.ENV.var_dir).exists, seconds=10):
            raise CommandError("Valkey did not start: see valkey.log beside the world.")

    def _prepare_world(self) -> DemoWorld:
        call_command("translations", "compile", verbosity=0)
        self._say("Preparing the world …")
        call_command("migrate", interactive=False, verbosity=0)
        return found_demo_world()

    def _wait_for_first_answer(self, supervisor: Supervisor, url: str) -> None:
        answered = supervisor.wait_until(
            lambda: embedded.answers(url), seconds=FIRST_ANSWER_SECONDS
        )
        if not answered and not supervisor.stopping:
            raise CommandError("The site did not start; its last words are above.")

    def _greet(self, origin: str, world: DemoWorld) -> None:
        self._say(
            f"\n  Emperors of the Dynasty: {self.style.SUCCESS(origin)}\n\n"
            f"  Log in as  {world.login}  (a player)  or  {world.admin_login}  (the admin)\n"
            f"  Password   {world.password}\n\n"
            f"  Letters that the site would mail lie in {settings.EMAIL_FILE_PATH}\n"
            "  Ctrl-C ends everything; the world is kept. FRESH=1 founds a new one.\n"
        )

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
