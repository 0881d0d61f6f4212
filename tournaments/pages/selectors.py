"""What the pages of tournaments show: lists, one tournament for one pair of eyes, results."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from dynasties.houses.models import Dynasty
from emperors.models import Emperor, Reign, ReputationChange
from tournaments import arena
from tournaments.announcements.models import Invitation, Seat, Terms, Tournament
from tournaments.seating.players import Player, seats_of
from tournaments.turns.models import Order
from tournaments.turns.positions import position_of

OPEN, RUNNING, OVER = "open", "fought", "finished"
STATES: dict[str, tuple[str, ...]] = {
    OPEN: tuple(Tournament.BEFORE),
    RUNNING: (Tournament.State.RUNNING, Tournament.State.ADJOURNED),
    OVER: tuple(Tournament.OVER),
}
# The columns that a list needs: positions and options are long.
HEAVY = ("position", "options", "times_left", "seed", "prize_wealth")
BATTLES_SHOWN = 4


# --- Lists --------------------------------------------------------------------------------


def tournaments_in(
    tab: str, *, player: Player, type_: str = "", pace: str = ""
) -> QuerySet[Tournament]:
    """The tournaments of a tab that concern the reader; with their seats, the newest first."""
    found = Tournament.objects.filter(state__in=STATES[tab])
    if tab == OPEN:
        found = found.filter(_may_know_of(player))
    if type_:
        found = found.filter(type=type_)
    if pace:
        found = found.filter(pace=pace)
    order = ("-ended_at", "-pk") if tab == OVER else ("-pk",)
    return _with_seats(found).order_by(*order)


def live_battles(*, limit: int = BATTLES_SHOWN) -> list[Tournament]:
    """Battles that are being fought now, live ones first."""
    running = Tournament.objects.filter(state=Tournament.State.RUNNING)
    return list(_with_seats(running).order_by("pace", "-began_at", "-pk")[:limit])


def _with_seats(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    seats = Seat.objects.select_related("emperor", "dynasty", "guest").order_by("place")
    return (
        found.defer(*HEAVY)
        .select_related("host", "battlefield", "fee_kind", "key")
        .prefetch_related(Prefetch("seats", queryset=seats))
    )


def _may_know_of(player: Player) -> Q:
    """Before it begins, a list offers what the reader could enter, or has entered."""
    mine = Seat.objects.filter(seats_of(player), tournament=OuterRef("pk"))
    known = Q(access=Terms.Access.EVERYONE) | Q(Exists(mine))
    if player.dynasty is None:
        return known
    invited = Invitation.objects.filter(tournament=OuterRef("pk"), dynasty=player.dynasty)
    return known | Q(host=player.dynasty) | Q(Exists(invited))


# --- One's own battles ----------------------------------------------------------------------


@dataclass(frozen=True)
class OwnBattle:
    """A tournament in which a player has a seat, and whether it waits for him."""

    tournament: Tournament
    seat: Seat
    is_due: bool
    has_ordered: bool


def battles_of(player: Player) -> list[OwnBattle]:
    """Where the player fights or waits to: what is due first, by deadline."""
    mine = seats_of(player)
    unfinished = (*STATES[OPEN], *STATES[RUNNING])
    seats = (
        Seat.objects.filter(mine, tournament__state__in=unfinished)
        .select_related("tournament", "emperor", "guest")
        .annotate(
            ordered=Exists(
                Order.objects.filter(seat=OuterRef("pk"), turn=OuterRef("tournament__turn"))
            )
        )
    )
    battles = [_own_battle(seat) for seat in seats]
    return sorted(battles, key=_urgency)


def _own_battle(seat: Any) -> OwnBattle:
    tournament = seat.tournament
    due = not seat.bot and not seat.ordered and seat.name in _due_in(tournament)
    return OwnBattle(tournament, seat, due, seat.ordered)


def _due_in(tournament: Tournament) -> tuple[str, ...]:
    """Who is waited for; nobody where the position can't be read, which others look into."""
    if tournament.state != Tournament.State.RUNNING:
        return ()
    try:
        return position_of(tournament).due()
    except arena.BadRecord:
        return ()


def _urgency(battle: OwnBattle) -> tuple[bool, bool, float, int]:
    deadline = battle.tournament.deadline
    when = deadline.timestamp() if deadline else 0.0
    return not battle.is_due, deadline is None, when, battle.tournament.pk


# --- One tournament -------------------------------------------------------------------------


def find_tournament(code: str) -> Tournament | None:
    """The tournament of this code."""
    related = ("host", "battlefield", "fee_kind", "key")
    return Tournament.objects.select_related(*related).filter(code=code).first()


def seats_in(tournament: Tournament) -> list[Seat]:
    """Who sits there, in the order of seats."""
    people = tournament.seats.select_related("emperor", "dynasty", "guest")
    return list(people.order_by("place"))


def own_order(seat: Seat, turn: int) -> Any:
    """What a seat has ordered in the open turn: for the eyes of whoever has the seat alone."""
    return Order.objects.filter(seat=seat, turn=turn).values_list("content", flat=True).first()


def may_enter(tournament: Tournament, player: Player, token: str) -> bool:
    """Whether the access of a tournament lets the player in; `enter` decides."""
    if tournament.access == Terms.Access.EVERYONE:
        return True
    if tournament.access == Terms.Access.LINK and tournament.opens_with(token):
        return True
    return player.dynasty is not None and (
        tournament.host_id == player.dynasty.pk or is_invited(tournament, player.dynasty)
    )


def is_invited(tournament: Tournament, dynasty: Dynasty) -> bool:
    return Invitation.objects.filter(tournament=tournament, dynasty=dynasty).exists()


def invited_to(tournament: Tournament) -> list[Dynasty]:
    """The dynasties that were invited, by name."""
    return list(Dynasty.objects.filter(invitations__tournament=tournament).order_by("name"))


def emperors_at_rest(dynasty: Dynasty) -> QuerySet[Emperor]:
    """Whom a dynasty could send, the greatest first."""
    rested = Emperor.objects.filter(dynasty=dynasty, life=Emperor.Life.AT_REST)
    return rested.order_by("-reputation", "pk")


def first_at_rest(dynasty: Dynasty) -> Emperor | None:
    """Whom a dynasty sends if it does not choose: the least known risks the least."""
    return emperors_at_rest(dynasty).order_by("reputation", "pk").first()


# --- What followed --------------------------------------------------------------------------


@dataclass(frozen=True)
class Fate:
    """What a tournament that is over has brought to a seat."""

    seat: Seat
    rank: int
    has_won: bool
    changes: tuple[ReputationChange, ...]
    became: str
    """`dead`, `captured`, or nothing."""


def fates_of(tournament: Tournament, seats: Iterable[Seat]) -> list[Fate]:
    """What became of everybody, the first in rank at the head."""
    changes, captured = _changes_at_the_end(tournament), _captured_at_the_end(tournament)
    fates = [
        Fate(
            seat=seat,
            rank=tournament.ranks.get(seat.name, 1),
            has_won=seat.name in tournament.winners,
            changes=tuple(each for each in changes if each.emperor_id == seat.emperor_id),
            became=_what_became(tournament, seat, captured),
        )
        for seat in seats
    ]
    return sorted(fates, key=lambda fate: (fate.rank, fate.seat.place))


def _changes_at_the_end(tournament: Tournament) -> list[ReputationChange]:
    people = tournament.seats.exclude(emperor=None).values("emperor")
    changes = ReputationChange.objects.filter(emperor__in=people, at=tournament.ended_at)
    return list(changes.order_by("pk"))


def _captured_at_the_end(tournament: Tournament) -> set[int]:
    """The emperors who went over to another dynasty, by their numbers."""
    if tournament.type != Terms.Type.CONQUER or tournament.ended_at is None:
        return set()
    people = tournament.seats.exclude(emperor=None).values("emperor")
    reigns = Reign.objects.filter(emperor__in=people, began_at=tournament.ended_at)
    return set(reigns.values_list("emperor", flat=True))


def _what_became(tournament: Tournament, seat: Seat, captured: set[int]) -> str:
    if seat.emperor is None:
        return ""
    if seat.emperor.died_at is not None and seat.emperor.died_at == tournament.ended_at:
        return "dead"
    return "captured" if seat.emperor.pk in captured else ""
