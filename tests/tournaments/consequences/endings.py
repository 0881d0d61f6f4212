"""Endings as a battle tells them, for tests that need a certain one."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from tests.tournaments.lists import fighter
from tests.tournaments.lists import seat as sit_down
from tournaments.announcements.models import Seat, Tournament
from tournaments.consequences.services import conclude
from tournaments.consequences.verdicts import Ending


def ending(
    *winners: str,
    seats: Sequence[str] = ("a", "b", "c", "d"),
    takes: Sequence[str] = (),
    held: Mapping[str, str] | None = None,
    finds: Sequence[tuple[str, str]] = (),
    forfeited: Sequence[str] = (),
) -> Ending:
    """`takes`: "ab" is the emperor of a, taken by b. `held`: who holds whom in the end, if that
    is not whoever took him last. `finds`: seat and item."""
    last = {take[0]: take[1] for take in takes}
    holders = {**{name: last.get(name, name) for name in seats}, **(held or {})}
    facts: dict[str, Any] = {
        "turns": len(takes),
        "emperors": {
            name: {"piece": f"{name}0", "taken_by": last.get(name), "held_by": holders[name]}
            for name in seats
        },
        "taken": [
            {"turn": turn, "emperor": f"{take[0]}0", "loser": take[0], "taker": take[1], "by": "x"}
            for turn, take in enumerate(takes, start=1)
        ],
        "found": [{"turn": 1, "item": item, "seat": name, "by": "x"} for name, item in finds],
        "forfeited": list(forfeited),
    }
    return Ending(winners, "made-up", {name: 1 if name in winners else 2 for name in seats}, facts)


def end(tournament: Tournament, how: Ending) -> Tournament:
    """End a tournament as a closed turn does."""
    with transaction.atomic():
        held = Tournament.objects.select_for_update().get(pk=tournament.pk)
        held.version += 1
        seats = list(held.seats.order_by("place"))
        conclude(tournament=held, seats=seats, ending=how, at=timezone.now())
    tournament.refresh_from_db()
    return tournament


def gather(
    tournament: Tournament, reputations: Sequence[int], chests: Sequence[int] = ()
) -> list[Seat]:
    """Fresh emperors with these reputations take all seats, with these chests."""
    rich = bool(tournament.fee or tournament.chests)
    contents = chests or [None] * len(reputations)
    seats = [
        sit_down(tournament, fighter(reputation=points, rich=rich), chest=content)
        for points, content in zip(reputations, contents, strict=True)
    ]
    tournament.refresh_from_db()
    return seats


def fame(seats: Sequence[Seat]) -> list[int]:
    """What reputation the emperors of these seats have now."""
    for each in seats:
        each.emperor.refresh_from_db()  # type: ignore[union-attr]
    return [each.emperor.reputation for each in seats if each.emperor]
