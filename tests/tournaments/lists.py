"""Tournaments for tests, made and fought by the same services that the site uses."""

import random
from typing import Any

from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, account_of, mint, post
from emperors.models import Emperor
from tests.factories import DynastyFactory, EmperorFactory
from tournaments import arena
from tournaments.announcements.models import Seat, Terms, Tournament
from tournaments.announcements.services import announce
from tournaments.fields.models import Battlefield
from tournaments.seating.players import Player
from tournaments.seating.services import enter
from tournaments.turns.positions import position_of
from tournaments.turns.services import submit_order

WEALTHY = 100_000
STAKES: dict[str, dict[str, Any]] = {
    "honour": {"stake": 5},
    "gift": {"prize_reputation": 10},
}


def terms_of(type_: str = "honour", field: str = "duel", **terms: Any) -> Tournament:
    """Terms that can be announced."""
    battlefield = Battlefield.objects.get(key=field)
    return Tournament(type=type_, battlefield=battlefield, **{**STAKES.get(type_, {}), **terms})


def announced(type_: str = "honour", field: str = "duel", **terms: Any) -> Tournament:
    """A tournament that is open for entries."""
    times = {name: terms.pop(name) for name in ("opens_at", "starts_at") if name in terms}
    host = terms.pop("host", None)
    bots = terms.pop("bots", "")
    return announce(terms=terms_of(type_, field, **terms), host=host, bots=bots, **times)


def enrich(dynasty: Any, amount: int = WEALTHY, code: str = "copper") -> None:
    """Let the mint give a dynasty wealth."""
    given = kind(code)
    post(
        key=f"test {dynasty.pk} {code} {random.random()}",
        reason="mint",
        moves=[Move(mint(), given, -amount), Move(account_of(dynasty), given, amount)],
    )


def fighter(*, reputation: int = 50, rich: bool = False) -> Emperor:
    """An emperor at rest of a dynasty of his own."""
    emperor = EmperorFactory(dynasty=DynastyFactory(), reputation=reputation)
    if rich:
        enrich(emperor.dynasty)
    return emperor


def seat(tournament: Tournament, emperor: Emperor, **more: Any) -> Seat:
    return enter(
        tournament=tournament, player=Player(dynasty=emperor.dynasty), emperor=emperor, **more
    )


def filled(tournament: Tournament, **fighters: Any) -> list[Seat]:
    """Let fresh emperors take every seat: the battle begins."""
    chest = {"chest": 300} if tournament.chests else {}
    rich = bool(tournament.fee or tournament.chests)
    seats = [
        seat(tournament, fighter(rich=rich, **fighters), **chest) for _name in tournament.seat_names
    ]
    tournament.refresh_from_db()
    return seats


def order_all(tournament: Tournament, chance: random.Random) -> None:
    """Let every seat that is due order something that it may."""
    position = position_of(tournament)
    rows = {each.name: each.pk for each in tournament.seats.all()}
    due = list(position.due())
    chance.shuffle(due)
    for name in due:
        choice = chance.choice(
            [each for each in position.choices(name) if each["label"] != "resign"]
        )
        submit_order(seat=rows[name], turn=tournament.turn, content=choice["order"])


def fight(
    tournament: Tournament, chance: random.Random, *, most: int = 10_000
) -> Tournament | None:
    """Play at random until it is over; None if it has left no trace."""
    for _turn in range(most):
        order_all(tournament, chance)
        try:
            tournament.refresh_from_db()
        except Tournament.DoesNotExist:
            return None
        if tournament.is_over:
            break
    return tournament


__all__ = [
    "Terms",
    "announced",
    "arena",
    "enrich",
    "fight",
    "fighter",
    "filled",
    "order_all",
    "seat",
]
