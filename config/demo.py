"""The demo world: a small made-up one, some of whose dynasties have a ruler to log in as."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.demo_battles import fill_the_lists
from config.environment import kept_secret
from config.populate.names import ARABIC, ENGLISH, GREEK, JAPANESE, RUSSIAN, SPANISH, Ruler
from config.populate.services import Plan, populate_world
from dynasties.accounts.models import User
from dynasties.accounts.services import vouch_for_address
from dynasties.charter.selectors import charter
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import is_name_taken
from dynasties.market.services import make_offer
from dynasties.notices.hints import unheard
from dynasties.notices.models import Proclamation
from dynasties.notices.services import announce_due_proclamations
from dynasties.treasury.models import Kind
from dynasties.treasury.services import NotEnough

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


PLAYERS = (
    Ruler("aurelia@demo.example", ENGLISH, "House of Ashdown", "We remember, and we return"),
    Ruler("baltasar@demo.example", SPANISH, "Casa de Ordóñez", "Ni un paso atrás"),
    Ruler("chiyo@demo.example", JAPANESE, "月影の家", "静かなること林の如く"),
    Ruler("daria@demo.example", RUSSIAN, "Дом Ветровых", "Ветер не знает стен"),
    Ruler("eleni@demo.example", GREEK, "Οίκος Θαλασσινού", "Η θάλασσα ξεπλένει τα πάντα"),
    Ruler("faruq@demo.example", ARABIC, "بيت النخيل", "الجذور قبل الثمار"),
)
# Small enough to be there in a second or two; of the seeds, one that was kind to the players.
PLAN = Plan(dynasties=40, emperors=400, years=2, seed=22, cast=PLAYERS)
# What some of them offer to all when it begins: who, what he gives, what he wants.
OFFERS = (
    (PLAYERS[0], ("silver", 10), ("copper", 95)),
    (PLAYERS[1], ("copper", 200), ("silver", 19)),
    (PLAYERS[3], ("copper", 495), ("gold", 5)),
)


def found_demo_world() -> DemoWorld:
    """Found what is missing of the demo world and say how to enter it.

    Run again it changes nothing, but for the password if the file that keeps it was lost.
    """
    if settings.ENV.production:
        raise DemoRefusedError("The demo world is not for production: its accounts are public.")
    password = kept_secret(settings.ENV.var_dir / "demo-password", strength=12)
    with unheard(), transaction.atomic():
        _found_missing(password)
        _keep_passwords_known(password)
    return DemoWorld(login=_login_of_a_player(), admin_login=ADMIN, password=password)


def _found_missing(password: str) -> None:
    """Found what was never founded: a player who left, or goes by another address, stays away."""
    if not User.objects.filter(is_superuser=True, is_active=True).exists():
        _install_admin(password)
    if not _was_cast():
        populate_world(plan=PLAN)
        _let_in(_players(), password)
        _open_market()
        fill_the_lists(_houses())


def _houses() -> list[Dynasty]:
    """The players' dynasties, in the order of the cast."""
    by_ruler = {each.ruler.email: each for each in _ruled() if each.ruler}
    return [by_ruler[player.email] for player in PLAYERS if player.email in by_ruler]


def _ruled() -> QuerySet[Dynasty]:
    return Dynasty.objects.filter(ruler__in=_players()).select_related("ruler")


def _open_market() -> None:
    kinds = {kind.code: kind for kind in Kind.objects.all()}
    lasts = timedelta(days=charter().offer_days)
    for player, (given, amount), (wanted, price) in OFFERS:
        house = Dynasty.objects.get(ruler__email=player.email)
        # Beside another world, whose crown grants less to the founders of dynasties.
        with suppress(NotEnough):
            make_offer(
                dynasty=house,
                gives={kinds[given]: amount},
                wants={kinds[wanted]: price},
                to=None,
                lasts=lasts,
                key="demo",
            )


def _was_cast() -> bool:
    """Whether anybody of the cast is or ever was in this world: a name outlives its dynasty."""
    return _players().exists() or any(is_name_taken(player.dynasty) for player in PLAYERS)


def _install_admin(password: str) -> None:
    admin, new = User.objects.get_or_create(email=ADMIN)
    admin.is_staff = admin.is_superuser = admin.is_active = True
    admin.set_password(password)
    admin.save()
    if new:
        vouch_for_address(user=admin)
        _proclaim(admin)


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
    everybody = User.objects.filter(email=ADMIN) | _players()
    if not any(user.check_password(password) for user in everybody.order_by("pk")[:1]):
        _let_in(everybody, password)


def _let_in(users: QuerySet[User], password: str) -> None:
    users.update(password=make_password(password))


def _players() -> QuerySet[User]:
    return User.objects.filter(email__in=[player.email for player in PLAYERS])


def _login_of_a_player() -> str:
    """The first of the demo's players who is still there."""
    there = set(_players().filter(is_active=True).values_list("email", flat=True))
    return next((player.email for player in PLAYERS if player.email in there), ADMIN)
