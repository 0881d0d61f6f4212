"""Everything that the site keeps about an account, in chapters that rooms and floors register."""

from collections.abc import Callable, Mapping
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.utils import timezone

from dynasties.accounts.models import Departure, FalseStart, Guest, User
from dynasties.chronicle.rendering import tell
from dynasties.chronicle.selectors import private_entries_of
from dynasties.houses.models import Dynasty
from dynasties.market.models import Offer
from dynasties.market.selectors import offers_known_to
from dynasties.relations.people import Person
from dynasties.relations.selectors import listed_blocks
from dynasties.treasury.statement import export_wealth

Chapter = Callable[[User], Any]

_chapters: dict[str, Chapter] = {}


def chapter(title: str) -> Callable[[Chapter], Chapter]:
    """Register the decorated function: it returns what one room keeps about an account.

    What it returns is written with Django's JSON encoder; None stands for nothing kept.
    """

    def register(tell: Chapter) -> Chapter:
        if title in _chapters:
            raise ValueError(f"Registered twice: {title}")
        _chapters[title] = tell
        return tell

    return register


def export_account(user: User) -> dict[str, Any]:
    """Every chapter about `user`, under its title."""
    chapters = {title: tell(user) for title, tell in _chapters.items()}
    return {"exported_at": timezone.now(), **chapters}


@chapter("account")
def account_chapter(user: User) -> dict[str, Any]:
    return {
        "number": user.pk,
        "email": user.email,
        "joined_at": user.joined_at,
        "last_login": user.last_login,
        "is_active": user.is_active,
        "is_staff": user.is_staff,
        "is_superuser": user.is_superuser,
        "groups": list(user.groups.values_list("name", flat=True)),
    }


@chapter("dynasty")
def dynasty_chapter(user: User) -> Mapping[str, Any] | None:
    house = Dynasty.objects.filter(ruler=user)
    return house.values("name", "motto", "slug", "founded_at", "opened_at", "fallen_at").first()


@chapter("chronicle")
def chronicle_chapter(user: User) -> list[dict[str, Any]]:
    """What the chronicle keeps for this account's eyes alone; the rest is open to everybody."""
    house = Dynasty.objects.filter(ruler=user).first()
    lines = tell(private_entries_of(house)) if house else []
    return [{"at": line.at, "kind": line.kind, "text": line.text} for line in lines]


@chapter("treasury")
def treasury_chapter(user: User) -> Mapping[str, Any] | None:
    house = Dynasty.objects.filter(ruler=user).first()
    return export_wealth(house) if house else None


@chapter("offers")
def offers_chapter(user: User) -> list[dict[str, Any]]:
    """Every offer that the account's dynasty made, was made, or accepted."""
    house = Dynasty.objects.filter(ruler=user).first()
    return [_offer(each) for each in offers_known_to(house)] if house else []


@chapter("blocks")
def blocks_chapter(user: User) -> list[dict[str, Any]]:
    """Whom the account's dynasty has blocked. Who blocked it is theirs to know."""
    house = Dynasty.objects.filter(ruler=user).first()
    if house is None:
        return []
    made = listed_blocks(Person(dynasty=house.pk))
    return [{"name": each.other_name, "made_at": each.made_at} for each in made]


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "made_by": offer.maker.name,
        "made_to": offer.to.name if offer.to else None,
        "accepted_by": offer.taker.name if offer.taker else None,
        "state": offer.state,
        "gives": {part.kind.code: part.amount for part in offer.gives},
        "wants": {part.kind.code: part.amount for part in offer.wants},
        "made_at": offer.made_at,
        "expires_at": offer.expires_at,
        "settled_at": offer.settled_at,
    }


@chapter("addresses")
def addresses_chapter(user: User) -> list[dict[str, Any]]:
    return list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary"))


@chapter("second_factor")
def second_factor_chapter(user: User) -> list[dict[str, Any]]:
    """That there is one and when it was used; the secret itself proves nothing about anybody."""
    return list(
        Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
    )


@chapter("sessions")
def sessions_chapter(user: User) -> list[dict[str, Any]]:
    """Where the account is logged in; without the keys, which would open the door."""
    return list(
        UserSession.objects.filter(user=user).values(
            "created_at", "last_seen_at", "ip", "user_agent"
        )
    )


@chapter("guest")
def guest_chapter(user: User) -> dict[str, Any] | None:
    guest = Guest.objects.filter(became=user).first()
    if guest is None:
        return None
    return {"name": guest.name, "came_at": guest.came_at, "seen_at": guest.seen_at}


@chapter("departure")
def departure_chapter(user: User) -> Mapping[str, Any] | None:
    return Departure.objects.filter(user=user).values("asked_at", "language").first()


@chapter("sign_ups_by_others")
def false_starts_chapter(user: User) -> list[dict[str, Any]]:
    """When somebody signed up with an address of this account, as long as it is kept."""
    addresses = [
        user.email,
        *EmailAddress.objects.filter(user=user).values_list("email", flat=True),
    ]
    starts = FalseStart.objects.filter(email__in=addresses)
    return [{"at": at} for at in starts.values_list("house__founded_at", flat=True)]
