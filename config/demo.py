"""The demo world: a few dynasties and an administrator, so that a fresh site is not empty."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from config.demo_history import YEAR, live_a_year
from config.environment import kept_secret
from dynasties.accounts.models import User
from dynasties.accounts.services import vouch_for_address
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import is_name_taken
from dynasties.houses.services import found_dynasty, open_dynasty
from dynasties.notices.models import Proclamation
from dynasties.notices.services import announce_due_proclamations

ADMIN = "admin@demo.example"
PROCLAMATION_LASTS = timedelta(days=365)


class DemoRefusedError(Exception):
    """Accounts that everybody knows have no place in production."""


@dataclass(frozen=True)
class DemoWorld:
    """How to enter the demo world: as a player or as its administrator, by one password."""

    login: str
    admin_login: str
    password: str


@dataclass(frozen=True)
class Player:
    email: str
    dynasty: str
    motto: str


PLAYERS = (
    Player("aurelia@demo.example", "House of Ashdown", "We remember, and we return"),
    Player("baltasar@demo.example", "Casa de Ordóñez", "Ni un paso atrás"),
    Player("chiyo@demo.example", "月影の家", "静かなること林の如く"),
    Player("daria@demo.example", "Дом Ветровых", "Ветер не знает стен"),
    Player("eleni@demo.example", "Οίκος Θαλασσινού", "Η θάλασσα ξεπλένει τα πάντα"),
    Player("faruq@demo.example", "بيت النخيل", "الجذور قبل الثمار"),
)


def found_demo_world() -> DemoWorld:
    """Found what is missing of the demo world and say how to enter it.

    Run again it changes nothing, but for the password if the file that keeps it was lost.
    """
    if settings.ENV.production:
        raise DemoRefusedError("The demo world is not for production: its accounts are public.")
    password = kept_secret(settings.ENV.var_dir / "demo-password", strength=12)
    with transaction.atomic():
        _found_missing(password)
        _keep_passwords_known(password)
    return DemoWorld(login=_login_of_a_player(), admin_login=ADMIN, password=password)


def _found_missing(password: str) -> None:
    """Found what was never founded: a player who left, or goes by another address, stays away."""
    if not User.objects.filter(is_superuser=True, is_active=True).exists():
        _install_admin(password)
    known = set(User.objects.values_list("email", flat=True))
    missing = [
        player
        for player in PLAYERS
        if player.email not in known and not is_name_taken(player.dynasty)
    ]
    houses = [_settle(player, password) for player in missing]
    if len(houses) == len(PLAYERS):  # a world without a past, and everybody to have one
        live_a_year(houses, until=timezone.now())


def _install_admin(password: str) -> None:
    admin, new = User.objects.get_or_create(email=ADMIN)
    admin.is_staff = admin.is_superuser = admin.is_active = True
    admin.set_password(password)
    admin.save()
    if new:
        vouch_for_address(user=admin)
        _proclaim(admin)


def _settle(player: Player, password: str) -> Dynasty:
    user = User.objects.create_user(player.email, password)
    long_ago = timezone.now() - timedelta(days=YEAR)
    house = found_dynasty(ruler=user, name=player.dynasty, motto=player.motto, at=long_ago)
    open_dynasty(ruler=user, at=long_ago)
    vouch_for_address(user=user)
    return house


def _proclaim(admin: User) -> None:
    now = timezone.now()
    Proclamation.objects.create(
        text_en="Welcome to the demo world: look around, found a dynasty, break what you can.",
        text_es="Bienvenidos al mundo de prueba: mirad, fundad una dinastía, romped lo que podáis.",
        starts_at=now,
        ends_at=now + PROCLAMATION_LASTS,
        author=admin,
    )
    announce_due_proclamations()


def _keep_passwords_known(password: str) -> None:
    """Give everybody the kept password, unless they have it: one comparison tells."""
    names = [ADMIN, *(player.email for player in PLAYERS)]
    everybody = list(User.objects.filter(email__in=names).order_by("pk"))
    if any(user.check_password(password) for user in everybody[:1]):
        return
    for user in everybody:
        user.set_password(password)
        user.save(update_fields=["password"])


def _login_of_a_player() -> str:
    """The first of the demo's players who is still there."""
    names = [player.email for player in PLAYERS]
    there = set(
        User.objects.filter(email__in=names, is_active=True).values_list("email", flat=True)
    )
    return next((name for name in names if name in there), ADMIN)
