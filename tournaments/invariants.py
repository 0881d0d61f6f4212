"""What must hold of tournaments at any time."""

from collections import Counter
from collections.abc import Iterable, Iterator

from django.db.models import CharField, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import Window
from django.db.models.functions import Cast, Concat, Lag

from dynasties.audit import invariant
from dynasties.chronicle.models import Mention
from dynasties.treasury.models import Account, Balance
from emperors.models import Emperor
from tournaments import arena
from tournaments.announcements.models import Seat, Terms, Tournament
from tournaments.consequences.purse import COPPER
from tournaments.consequences.tellings import SUBJECT
from tournaments.consequences.verdicts import Ending, captured_chests
from tournaments.turns.adjournment import TRIES
from tournaments.turns.models import Order, Turn
from tournaments.turns.records import final_position, replays_to_what_was_kept

State = Tournament.State
OVER = Q(state__in=Tournament.OVER)
BEFORE = Q(state__in=Tournament.BEFORE)
FOUGHT = Q(state__in=[State.FINISHED, State.ABANDONED])
TRAINING = Q(type=Terms.Type.TRAINING)
RESULTS = ("tournament-won", "tournament-shared", "tournament-drawn")
# Ended by the site, not by the game: the record goes no further than the last closed turn.
BY_THE_SITE = ("agreed", "all-absent", "cancelled")


# --- Turns and orders -------------------------------------------------------------------


@invariant("The turns of a tournament have no gaps: each from the first to the last one closed.")
def tournaments_with_gaps() -> Iterable[Tournament]:
    counted = Tournament.objects.annotate(
        kept=Count("turns"), first=Min("turns__number"), last=Max("turns__number")
    )
    whole = Q(turn=0, kept=0) | Q(kept=F("turn"), first=0, last=F("turn") - 1)
    return counted.exclude(whole)


@invariant("A tournament that has begun has a position, and none has one before.")
def tournaments_without_a_position() -> Iterable[Tournament]:
    begun = Tournament.objects.filter(began_at__isnull=False, position="")
    early = Tournament.objects.filter(began_at=None).exclude(position="", turn=0)
    return (*begun, *early)


@invariant("A tournament begins when it is fought, and not before.")
def tournaments_begun_too_early() -> Iterable[Tournament]:
    unbegun = Q(began_at=None) & ~BEFORE & ~Q(state=State.CANCELLED)
    return Tournament.objects.filter(unbegun | (BEFORE & Q(began_at__isnull=False)))


@invariant("A tournament that is fought has a deadline after its beginning, and no other has one.")
def tournaments_with_a_wrong_deadline() -> Iterable[Tournament]:
    wrong = Q(state=State.RUNNING) & (Q(deadline=None) | Q(deadline__lte=F("began_at")))
    return Tournament.objects.filter(wrong | (~Q(state=State.RUNNING) & Q(deadline__isnull=False)))


@invariant("A reminder comes before the deadline of a slow turn, and only there.")
def reminders_out_of_place() -> Iterable[Tournament]:
    reminding = Tournament.objects.exclude(remind_at=None)
    fits = Q(state=State.RUNNING, pace=Terms.Pace.SLOW, remind_at__lt=F("deadline"))
    return reminding.exclude(fits)


@invariant("What happens to a tournament happens in order: announced, begun, turns, ended.")
def tournaments_out_of_order() -> Iterable[Tournament | Turn]:
    yield from Tournament.objects.filter(
        Q(began_at__lt=F("announced_at")) | Q(ended_at__lt=F("began_at"))
    )
    yield from Turn.objects.filter(
        Q(closed_at__lt=F("tournament__began_at")) | Q(closed_at__gt=F("tournament__ended_at"))
    )
    before = Window(Lag("closed_at"), partition_by=F("tournament"), order_by=F("number").asc())
    yield from Turn.objects.annotate(before=before).filter(before__gt=F("closed_at"))


@invariant("An order is of the open turn of a tournament that is fought or adjourned.")
def orders_out_of_time() -> Iterable[Order]:
    alive = Q(tournament__state__in=[State.RUNNING, State.ADJOURNED])
    return Order.objects.exclude(alive & Q(turn=F("tournament__turn")))


@invariant("An order is of a seat of its tournament.")
def orders_of_strangers() -> Iterable[Order]:
    return Order.objects.exclude(seat__tournament=F("tournament"))


@invariant("No two orders of a tournament were received as the same.")
def orders_received_at_once() -> Iterable[str]:
    doubles = Order.objects.values("tournament", "receipt").annotate(of=Count("pk"))
    return (f"Tournament {each['tournament']}" for each in doubles.filter(of__gt=1).order_by())


@invariant("The version of a tournament counts at least its turns.")
def tournaments_behind_their_turns() -> Iterable[Tournament]:
    return Tournament.objects.filter(version__lte=F("turn"))


@invariant("An engine that failed too often is no longer asked.")
def tournaments_not_set_aside() -> Iterable[Tournament]:
    return Tournament.objects.filter(state=State.RUNNING, faults__gte=TRIES)


# --- Seats and emperors -----------------------------------------------------------------


@invariant("Seats have the names that were announced, and stand in their order.")
def seats_that_were_not_announced() -> Iterator[Seat]:
    seats = Seat.objects.select_related("tournament").only(
        "name", "place", "tournament__seat_names"
    )
    for seat in seats.iterator():
        if seat.tournament.seat_names[seat.place : seat.place + 1] != [seat.name]:
            yield seat


@invariant("A tournament that has begun has its fewest seats at least.")
def tournaments_with_too_few() -> Iterable[Tournament]:
    counted = Tournament.objects.filter(began_at__isnull=False).annotate(taken=Count("seats"))
    return counted.filter(taken__lt=F("seats_least"))


@invariant("In serious tournaments emperors sit, neither guests nor bots.")
def seats_of_nobody() -> Iterable[Seat]:
    serious = Seat.objects.exclude(tournament__type=Terms.Type.TRAINING)
    # A cancelled one forgets emperors who are forgotten: they have never fought.
    empty = Q(emperor=None) & ~Q(tournament__state=State.CANCELLED)
    return serious.filter(Q(guest__isnull=False) | ~Q(bot="") | empty)


@invariant("Whoever fights in a tournament has one seat in it, and it is not over.")
def fighters_without_a_seat() -> Iterable[Emperor]:
    here = Seat.objects.filter(emperor=OuterRef("pk")).exclude(
        tournament__state__in=Tournament.OVER
    )
    here = here.annotate(where=_place("tournament")).filter(where=OuterRef("place"))
    fighting = Emperor.objects.filter(life=Emperor.Life.FIGHTING, place__startswith=f"{SUBJECT} ")
    return fighting.exclude(Exists(here))


@invariant("Who has a seat in a tournament that is not over is there, and of its dynasty.")
def seats_whose_emperor_is_away() -> Iterable[Seat]:
    taken = Seat.objects.filter(emperor__isnull=False)
    waiting = taken.exclude(tournament__state__in=Tournament.OVER)
    there = Q(
        emperor__life=Emperor.Life.FIGHTING,
        emperor__place=F("where"),
        dynasty=F("emperor__dynasty"),
    )
    return waiting.annotate(where=_place("tournament")).exclude(there)


@invariant("Nobody has entered a tournament after his death.")
def seats_of_the_dead() -> Iterable[Seat]:
    return Seat.objects.filter(entered_at__gt=F("emperor__died_at"))


@invariant("Every serious tournament that was fought counts for those who fought it.")
def fighters_not_counted() -> Iterable[Emperor]:
    fought = Q(seats__tournament__state__in=[State.FINISHED, State.ABANDONED])
    counted = Emperor.objects.annotate(fought=Count("seats", filter=fought))
    return counted.filter(fought__gt=F("battles"))


@invariant("Training that is over is gone.")
def training_that_is_remembered() -> Iterable[Tournament]:
    return Tournament.objects.filter(TRAINING & OVER)


# --- Results ----------------------------------------------------------------------------


@invariant("Winners and ranks are of seats that were taken, and only what was fought has any.")
def results_of_nobody() -> Iterator[Tournament]:
    seats: dict[int, set[str]] = {}
    for number, name in Seat.objects.values_list("tournament", "name"):
        seats.setdefault(number, set()).add(name)
    yield from Tournament.objects.exclude(FOUGHT).exclude(winners=[], ranks={})
    for each in Tournament.objects.filter(FOUGHT).only("winners", "ranks").iterator():
        taken = seats.get(each.pk, set())
        if set(each.winners) - taken or set(each.ranks) != taken:
            yield each


@invariant("A tournament that is over says how it ended, and an abandoned one has no winner.")
def endings_untold() -> Iterable[Tournament]:
    untold = OVER & Q(ending="")
    won = Q(state=State.ABANDONED) & ~Q(winners=[])
    return Tournament.objects.filter(untold | won | (~OVER & ~Q(ending="")))


@invariant("The chronicle tells every serious tournament that was fought, once.")
def results_untold() -> Iterable[Tournament]:
    told = Mention.objects.filter(
        subject=SUBJECT, number=OuterRef("pk"), entry__kind__in=RESULTS
    ).order_by()
    serious = Tournament.objects.filter(FOUGHT).exclude(TRAINING)
    yield from serious.exclude(Exists(told))
    others = Mention.objects.filter(subject=SUBJECT, entry__kind__in=RESULTS)
    counts = others.values("number").annotate(times=Count("pk")).filter(times__gt=1).order_by()
    yield from Tournament.objects.filter(pk__in=[each["number"] for each in counts])


@invariant("The chronicle mentions no tournament that is gone.")
def mentions_of_training() -> Iterable[Mention]:
    serious = Tournament.objects.filter(pk=OuterRef("number")).exclude(TRAINING)
    return Mention.objects.filter(subject=SUBJECT).exclude(Exists(serious))


# --- Wealth -----------------------------------------------------------------------------


@invariant("The escrow of a tournament that is not over holds its fees, chests and prize exactly.")
def escrows_that_differ() -> Iterator[str]:
    held = _held()
    waiting = Tournament.objects.exclude(OVER).select_related("fee_kind").prefetch_related("seats")
    for each in waiting:
        owed = Counter(each.prize_wealth)
        for seat in each.seats.all():
            owed[each.fee_kind.code if each.fee_kind else COPPER] += each.fee
            owed[COPPER] += seat.chest or 0
        if +owed != held.get(each.place, Counter()):
            yield f"Tournament {each.pk}"


@invariant("The escrow of a tournament that is over is empty.")
def escrows_left_behind() -> Iterator[str]:
    places = [each.place for each in Tournament.objects.filter(OVER).only("pk")]
    held = _held()
    return (f"Account of {place}" for place in places if place in held)


@invariant("An escrow account for a tournament belongs to a serious one.")
def escrows_without_a_tournament() -> Iterable[Account]:
    escrows = Account.objects.filter(
        holder=Account.Holder.ESCROW, purpose__startswith=f"{SUBJECT} "
    )
    theirs = Tournament.objects.exclude(TRAINING).annotate(where=_place("pk"))
    return escrows.exclude(Exists(theirs.filter(where=OuterRef("purpose"))))


@invariant("Before the end every seat of a tournament with chests has one, and no other has.")
def chests_out_of_place() -> Iterable[Seat]:
    waiting = Seat.objects.exclude(tournament__state__in=Tournament.OVER)
    lacking = waiting.filter(tournament__chests=True, chest=None)
    return (*lacking, *Seat.objects.filter(tournament__chests=False, chest__isnull=False))


@invariant("Where nobody won, the contents of all chests are forgotten.")
def chests_remembered() -> Iterable[Seat]:
    over = Seat.objects.filter(chest__isnull=False, tournament__state__in=Tournament.OVER)
    return over.filter(Q(tournament__winners=[]) | ~Q(tournament__state=State.FINISHED))


# --- The whole past: strict ones ----------------------------------------------------------


@invariant("Every record replays to the position that was kept, to the byte.", strict=True)
def records_that_lead_elsewhere() -> Iterator[Tournament]:
    for each in _begun().iterator(chunk_size=100):
        try:
            if not replays_to_what_was_kept(each):
                yield each
        except arena.BadRecord:
            yield each


@invariant("Only seats of a tournament have ordered in its turns, each at most once.", strict=True)
def turns_with_strange_orders() -> Iterator[Turn]:
    seats: dict[int, set[str]] = {}
    for number, name in Seat.objects.values_list("tournament", "name"):
        seats.setdefault(number, set()).add(name)
    for turn in Turn.objects.only("tournament", "orders").iterator():
        names = [seat for seat, _order in turn.orders]
        if len(names) != len(set(names)) or set(names) - seats.get(turn.tournament_id, set()):
            yield turn


@invariant("The result of a tournament is the one that its game came to.", strict=True)
def results_that_differ() -> Iterator[Tournament]:
    for each, outcome in _outcomes():
        found = (outcome.reason, list(outcome.winners)) if outcome else None
        if found != (each.ending, each.winners):
            yield each


@invariant("A chest whose content is known was captured.", strict=True)
def chests_known_by_nobodys_right() -> Iterator[Seat]:
    known = Tournament.objects.filter(seats__chest__isnull=False)
    for each, outcome in _outcomes(known.distinct()):
        captured = captured_chests(Ending.of(outcome)) if outcome else {}
        yield from each.seats.filter(chest__isnull=False).exclude(name__in=captured)


# --- What several of them ask -------------------------------------------------------------


def _place(number: str) -> Concat:
    """Where the emperors of a tournament are, in a query: `Tournament.place`."""
    return Concat(Value(f"{SUBJECT} "), Cast(number, CharField()))


def _held() -> dict[str, Counter[str]]:
    """What lies in the escrows of tournaments."""
    held: dict[str, Counter[str]] = {}
    rows = Balance.objects.exclude(amount=0).filter(account__purpose__startswith=f"{SUBJECT} ")
    for place, code, amount in rows.values_list("account__purpose", "kind__code", "amount"):
        held.setdefault(place, Counter())[code] = amount
    return held


def _begun() -> QuerySet[Tournament]:
    return Tournament.objects.filter(began_at__isnull=False).order_by("pk")


def _outcomes(
    chosen: QuerySet[Tournament] | None = None,
) -> Iterator[tuple[Tournament, arena.Outcome | None]]:
    """How the game ended those tournaments that it ended."""
    rows = Tournament.objects.all() if chosen is None else chosen
    ended = rows.filter(state=State.FINISHED).exclude(ending__in=BY_THE_SITE).order_by("pk")
    for each in ended.iterator(chunk_size=100):
        position = final_position(each)
        yield each, position.outcome() if position else None
