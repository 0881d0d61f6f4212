"""What follows from a tournament that is over: all of it, once, in the transaction that ends it.

The tournament is locked by whoever calls. After it come the locks of the floor below
(dynasties, standings, emperors, the crown), then balances.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from dynasties.charter.selectors import charter
from dynasties.houses.models import Dynasty
from emperors import reasons as causes
from emperors.crown import one_deed
from emperors.models import Emperor
from emperors.reputation import change_reputation
from emperors.services import bring_home, capture, note_serious_tournament, slay
from tournaments import reasons
from tournaments.announcements.models import Seat, Tournament
from tournaments.announcements.news import tell_change
from tournaments.consequences.afterglow import leave_no_trace
from tournaments.consequences.purse import give_all_back, pay_out
from tournaments.consequences.signals import tournament_over
from tournaments.consequences.tellings import tell_result, tell_spoils
from tournaments.consequences.verdicts import (
    Ending,
    captives,
    captured_chests,
    captures_of,
    deaths,
    generosity,
    honour_changes,
    split,
    treasures_of,
)

People = Mapping[str, Emperor]
"""The emperors of a tournament, by their seats."""


@transaction.atomic
def conclude(
    *, tournament: Tournament, seats: Sequence[Seat], ending: Ending, at: datetime
) -> None:
    """End a tournament that was fought, with everything that follows from it.

    One that is over already stays as it is.
    """
    if tournament.is_over:
        return
    _write_result(tournament, seats, ending, at)
    if tournament.is_training:
        _send_home(tournament, _people(seats))
        leave_no_trace(tournament)
        return
    with one_deed(at=at, emperors=_people(seats).values(), dynasties=_houses(seats)):
        # Read once they are held: decay may have come in between.
        people = _people(seats)
        _tell(tournament, people, ending, at)
        for emperor in people.values():
            note_serious_tournament(emperor=emperor, at=at)
        if not ending.is_draw:
            _reward(tournament, seats, people, ending, at)
            _part(tournament, people, ending, at)
        _send_home(tournament, people)
    _settle_wealth(tournament, seats, ending, at)
    _seal_chests(seats, ending)
    tell_change(tournament)
    tournament_over.send(sender=Tournament, tournament=tournament, ending=ending, at=at)


@transaction.atomic
def call_off(*, tournament: Tournament, seats: Sequence[Seat], at: datetime) -> None:
    """Cancel a tournament: everybody goes home, and everything goes back.

    One that is over already stays as it is.
    """
    if tournament.is_over:
        return
    tournament.state, tournament.ended_at = Tournament.State.CANCELLED, at
    tournament.deadline = tournament.remind_at = None
    tournament.ending = "cancelled"
    tournament.version += 1
    tournament.save()
    tournament.orders.all().delete()
    people = _people(seats)
    if tournament.is_training:
        _send_home(tournament, people)
        leave_no_trace(tournament)
        return
    with one_deed(at=at, emperors=people.values(), dynasties=_houses(seats)):
        _send_home(tournament, people)
    give_all_back(tournament=tournament, seats=seats)
    Seat.objects.filter(tournament=tournament).update(chest=None)
    tell_change(tournament)
    tournament_over.send(
        sender=Tournament, tournament=tournament, ending=Ending.draw("cancelled"), at=at
    )


def _write_result(
    tournament: Tournament, seats: Sequence[Seat], ending: Ending, at: datetime
) -> None:
    abandoned = ending.reason == "all-absent"
    tournament.state = Tournament.State.ABANDONED if abandoned else Tournament.State.FINISHED
    tournament.ended_at, tournament.ending = at, ending.reason
    tournament.deadline = tournament.remind_at = None
    tournament.winners = _winners(seats, ending)
    tournament.ranks = dict(ending.ranks) or {seat.name: 1 for seat in seats}
    tournament.save()
    # A turn that was never closed discloses nothing: what was ordered in it stays a secret.
    tournament.orders.all().delete()


def _winners(seats: Sequence[Seat], ending: Ending) -> list[str]:
    """The winning seats in seat order, however the game lists them."""
    return [seat.name for seat in seats if seat.name in ending.winners]


def _people(seats: Sequence[Seat]) -> dict[str, Emperor]:
    chosen = Emperor.objects.select_related("dynasty").in_bulk(
        [seat.emperor_id for seat in seats if seat.emperor_id]
    )
    return {seat.name: chosen[seat.emperor_id] for seat in seats if seat.emperor_id in chosen}


def _houses(seats: Sequence[Seat]) -> list[Dynasty]:
    return list(Dynasty.objects.filter(pk__in=[seat.dynasty_id for seat in seats]))


def _tell(tournament: Tournament, people: People, ending: Ending, at: datetime) -> None:
    winners = [person for seat, person in people.items() if seat in ending.winners]
    others = [person for seat, person in people.items() if seat not in ending.winners]
    tell_result(tournament=tournament, winners=winners, others=others, at=at)


# --- Reputation ------------------------------------------------------------------------


def _reward(
    tournament: Tournament,
    seats: Sequence[Seat],
    people: People,
    ending: Ending,
    at: datetime,
) -> None:
    """What reputation everybody gains and loses, before anybody changes hands or dies."""
    changes: list[tuple[str, Mapping[str, int]]] = [
        (reasons.CAPTURES, _times(captures_of(ending), tournament.reputation_a_capture)),
        (reasons.TREASURE, _times(treasures_of(ending), tournament.reputation_a_treasure)),
        (causes.GIFT, split(tournament.prize_reputation, _winners(seats, ending))),
        (causes.HONOUR, _honour(tournament, people, _winners(seats, ending))),
        *_generosity(seats, ending),
    ]
    for reason, points in changes:
        for seat, change in points.items():
            if change and seat in people:
                change_reputation(emperor=people[seat], change=change, reason=reason, at=at)


def _times(counts: Mapping[str, int], points: int) -> dict[str, int]:
    return {seat: count * points for seat, count in counts.items()}


def _honour(tournament: Tournament, people: People, winners: Sequence[str]) -> dict[str, int]:
    """Nobody stakes more than he has left: decay may have taken some since he entered."""
    stakes = {seat: min(tournament.stake, each.reputation) for seat, each in people.items()}
    return honour_changes(stakes, winners) if tournament.stake else {}


def _generosity(seats: Sequence[Seat], ending: Ending) -> list[tuple[str, dict[str, int]]]:
    captured = captured_chests(ending)
    contents = {seat.name: seat.chest for seat in seats if seat.chest and seat.name in captured}
    most, least = generosity(contents)
    points = charter().generosity
    if most == least:  # the only one: what he gains he loses
        return []
    return [
        (reasons.GENEROSITY, {most: points} if most else {}),
        (reasons.AVARICE, {least: -points} if least else {}),
    ]


# --- Other hands, and death ----------------------------------------------------------------


def _part(tournament: Tournament, people: People, ending: Ending, at: datetime) -> None:
    """Let the taken go over to whoever holds them, or die, as the type has it."""
    if tournament.type == Tournament.Type.CONQUER:
        houses = {seat: person.dynasty for seat, person in people.items()}
        for seat, holder in captives(ending).items():
            captor = houses[holder]
            if captor is not None:
                capture(emperor=people[seat], by=captor, at=at)
    elif tournament.type == Tournament.Type.DEATH:
        for death in deaths(ending):
            heir = people[death.heir]
            lives = heir.life != Emperor.Life.DEAD
            slay(emperor=people[death.seat], at=at, heir=heir if lives else None)


def _send_home(tournament: Tournament, people: People) -> None:
    for emperor in sorted(people.values(), key=lambda each: each.pk):
        if emperor.life != Emperor.Life.DEAD:
            bring_home(emperor=emperor, place=tournament.place)


# --- Wealth --------------------------------------------------------------------------------


def _settle_wealth(
    tournament: Tournament, seats: Sequence[Seat], ending: Ending, at: datetime
) -> None:
    if ending.is_draw:
        give_all_back(tournament=tournament, seats=seats)
        return
    spoils = pay_out(tournament=tournament, seats=seats, ending=ending)
    if tournament.wealth_is_public:
        houses = Dynasty.objects.in_bulk(spoils)
        for number, sums in sorted(spoils.items()):
            tell_spoils(
                tournament=tournament, dynasty=houses[number], sums=sorted(sums.items()), at=at
            )


def _seal_chests(seats: Sequence[Seat], ending: Ending) -> None:
    """What was in a chest that nobody captured is never shown to anyone: forget it."""
    captured = {} if ending.is_draw else captured_chests(ending)
    kept = [seat.pk for seat in seats if seat.name not in captured]
    Seat.objects.filter(pk__in=kept).update(chest=None)
