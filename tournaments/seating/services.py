"""Taking and leaving seats, and the start of a tournament that has enough of them.

Locks: the tournament, the ruler's account or the guest, the emperor, then balances; the same
order as when it ends. The clock is read once the tournament is held.
"""

from collections.abc import Iterable
from copy import copy
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Q

from dynasties.accounts.models import Guest
from dynasties.charter.selectors import charter
from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.relations.selectors import blocked_by, blockers_of
from dynasties.treasury.models import Balance, Kind
from dynasties.treasury.services import NotEnough
from emperors.models import Emperor
from emperors.services import ElsewhereError, bring_home, send_to
from tournaments import errors
from tournaments.announcements.models import Invitation, Seat, Terms, Tournament
from tournaments.announcements.news import tell_change
from tournaments.announcements.services import LONGEST_AHEAD, announce
from tournaments.consequences.purse import pay_back, pay_in
from tournaments.consequences.services import call_off
from tournaments.fields.models import Battlefield
from tournaments.seating.players import Player, seat_of
from tournaments.turns.adjournment import TRIES
from tournaments.turns.mishaps import DATABASE_AWAY, describe
from tournaments.turns.models import Order
from tournaments.turns.opening import begin_battle
from tournaments.turns.positions import position_of

log = structlog.get_logger(__name__)

# What one sweep starts or cancels; the next one goes on.
MOST_AT_ONCE = 500
# Whoever wants to play now waits this long for people before bots take the other seats.
PATIENCE = timedelta(seconds=8)
PLAY_NOW_FIELD = "crossroads"
PLAY_NOW_BOT = "page"
PLAY_NOW_SECONDS = 45


# --- Entering ----------------------------------------------------------------------------


@transaction.atomic
def enter(
    *,
    tournament: Tournament,
    player: Player,
    emperor: Emperor | None = None,
    chest: int | None = None,
    token: str = "",
) -> Seat:
    """Take a free seat: with an emperor at rest, or as a guest in training.

    Fee and chest are paid in the same transaction. Who has a seat with the same emperor gets
    it again. The last seat starts the battle. Raises Refused.
    """
    held = _hold(tournament)
    taken = seat_of(held, player)
    if taken is not None:
        return _same_seat(taken, emperor)
    now = database_now()
    _refuse_entry(held, player, token, now)
    filling = _fit_chest(held, chest)
    if emperor is not None:
        _send(held, player, emperor)
    else:
        _let_guest_in(held, player)
    seat = _sit_down(held, player, emperor, filling)
    _note_change(held)
    if len(_names_taken(held)) == len(held.seat_names):
        begin_battle(tournament=held, at=database_now())
    return seat


@transaction.atomic
def leave(*, tournament: Tournament, player: Player) -> None:
    """Give a seat up before the start; everything goes back. Raises Refused.

    Who has no seat has left already.
    """
    held = _hold(tournament)
    seat = seat_of(held, player)
    if seat is None:
        return
    if held.state not in Tournament.BEFORE:
        raise errors.BegunAlready
    if seat.emperor is not None:
        bring_home(emperor=seat.emperor, place=held.place)
    pay_back(tournament=held, seat=seat)
    seat.delete()
    _note_change(held)


def _hold(tournament: Tournament) -> Tournament:
    held = (
        Tournament.objects.select_for_update(of=("self",), no_key=True)
        .select_related("fee_kind", "key", "host")
        .filter(pk=tournament.pk)
        .first()
    )
    if held is None:
        raise errors.NotOpen
    return held


def _same_seat(taken: Seat, emperor: Emperor | None) -> Seat:
    if emperor is not None and taken.emperor_id != emperor.pk:
        raise errors.SeatedAlready
    return taken


def _refuse_entry(held: Tournament, player: Player, token: str, now: datetime) -> None:
    if not _is_open(held, now):
        raise errors.NotOpen
    if len(_names_taken(held)) >= len(held.seat_names):
        raise errors.Full
    is_host = player.dynasty is not None and held.host_id == player.dynasty.pk
    if held.access != Terms.Access.EVERYONE and not is_host:
        _refuse_uninvited(held, player, token)


def _is_open(held: Tournament, now: datetime) -> bool:
    """Whether entries are taken, by the clock: the sweeps that open and start may be late."""
    return held.state in Tournament.BEFORE and held.opens_at <= now and not _is_time(held, now)


def _refuse_uninvited(held: Tournament, player: Player, token: str) -> None:
    if held.access == Terms.Access.LINK and held.opens_with(token):
        return
    invited = Invitation.objects.filter(tournament=held, dynasty=player.dynasty)
    if player.dynasty is None or not invited.exists():
        raise errors.NotInvited


def _send(held: Tournament, player: Player, emperor: Emperor) -> None:
    """Let the emperor leave home for the tournament; held by that, he is looked at."""
    if player.dynasty is None or emperor.dynasty_id != player.dynasty.pk:
        raise errors.NotYourEmperor
    # A copy: if he is refused in the end, the caller's has never left.
    sent = copy(emperor)
    try:
        send_to(emperor=sent, life=Emperor.Life.FIGHTING, place=held.place)
    except ElsewhereError:
        raise errors.Away from None
    _refuse_reputation(held, sent)
    if held.key is not None and not _owns(player.dynasty, held.key):
        raise errors.NoKey(key=held.key.name)


def _refuse_reputation(held: Tournament, emperor: Emperor) -> None:
    emperor.refresh_from_db(fields=["reputation"])
    least = max(held.stake, held.reputation_least or 0)
    if emperor.reputation < least:
        raise errors.TooLowly(least=least)
    if held.reputation_most is not None and emperor.reputation > held.reputation_most:
        raise errors.TooFamed(most=held.reputation_most)


def _owns(dynasty: Dynasty, key: Kind) -> bool:
    return Balance.objects.filter(account__dynasty=dynasty, kind=key, amount__gt=0).exists()


def _let_guest_in(held: Tournament, player: Player) -> None:
    """A guest plays in training, and has one emperor: he is in one place at a time, too."""
    if player.guest is None:
        raise errors.NotYourEmperor
    if not held.is_training:
        raise errors.TrainingOnly
    guest = Guest.objects.select_for_update(no_key=True).filter(pk=player.guest.pk).first()
    if guest is None or guest.became_id is not None:
        raise errors.NotYourEmperor
    if any(map(_is_fought_from, guest.seats.select_related("tournament"))):
        raise errors.Away


def _is_fought_from(seat: Seat) -> bool:
    """Whether somebody may still be waited for in this seat."""
    if seat.tournament.state in Tournament.BEFORE:
        return True
    return seat.name in position_of(seat.tournament).living([seat.name])


def _fit_chest(held: Tournament, chest: int | None) -> int | None:
    if not held.chests:
        return None
    numbers = charter()
    if type(chest) is not int or not numbers.chest_least <= chest <= numbers.chest_most:
        raise errors.UnfitChest(least=numbers.chest_least, most=numbers.chest_most)
    return chest


def _sit_down(held: Tournament, player: Player, emperor: Emperor | None, chest: int | None) -> Seat:
    name = next(each for each in held.seat_names if each not in _names_taken(held))
    seat = Seat.objects.create(
        tournament=held,
        name=name,
        place=held.seat_names.index(name),
        emperor=emperor,
        dynasty=player.dynasty if emperor else None,
        guest=None if emperor else player.guest,
        chest=chest,
        entered_at=database_now(),
    )
    if emperor is not None and player.dynasty is not None:
        try:
            pay_in(tournament=held, seat=seat, dynasty=player.dynasty)
        except NotEnough as lacking:
            raise errors.Poor(short=lacking.short, kind=lacking.kind.name) from None
    return seat


def _names_taken(held: Tournament) -> set[str]:
    return set(held.seats.values_list("name", flat=True))


def _note_change(held: Tournament) -> None:
    held.state = Tournament.State.OPEN if held.opens_at <= database_now() else held.state
    held.version += 1
    held.save(update_fields=["state", "version"])
    tell_change(held)


# --- Starting and calling off --------------------------------------------------------------


@transaction.atomic
def start_or_cancel(*, number: int) -> bool:
    """Start a tournament whose time has come, or cancel it for want of seats; False if neither.

    In training bots take the seats that are free, if it was announced so.
    """
    held = Tournament.objects.select_for_update(no_key=True).filter(pk=number).first()
    now = database_now()
    if held is None or held.state not in Tournament.BEFORE or not _is_time(held, now):
        return False
    if held.bots and held.seats.exists():
        _seat_bots(held)
    if held.seats.count() >= held.seats_least:
        begin_battle(tournament=held, at=now)
    else:
        call_off(tournament=held, seats=list(held.seats.all()), at=now)
    return True


def start_due() -> int:
    """Start or cancel all tournaments whose time has come; return how many."""
    now = database_now()
    has_come = Q(starts_at__lte=now) | Q(starts_at=None, announced_at__lte=now - LONGEST_AHEAD)
    due = Tournament.objects.filter(has_come, state__in=Tournament.BEFORE)
    due = due.order_by("starts_at", "pk")
    return sum(map(_start_or_log, due.values_list("pk", flat=True)[:MOST_AT_ONCE]))


def start_if_due(tournament: Tournament) -> bool:
    """Whoever looks at a tournament whose time has come starts it; True if that did something."""
    is_before = tournament.state in Tournament.BEFORE
    return is_before and _is_time(tournament, database_now()) and _start_or_log(tournament.pk)


def _start_or_log(number: int) -> bool:
    try:
        return start_or_cancel(number=number)
    except DATABASE_AWAY as away:
        log.warning("start_put_off", tournament=number, **describe(away))
    except Exception as broken:  # nobody else is held up
        log.error("start_failed", tournament=number, **describe(broken))
        _count_failure(number)
    return False


@transaction.atomic
def _count_failure(number: int) -> None:
    """A tournament that can't be begun is tried some times, then called off."""
    held = Tournament.objects.select_for_update(no_key=True).filter(pk=number).first()
    if held is None or held.state not in Tournament.BEFORE:
        return
    held.faults += 1
    held.save(update_fields=["faults"])
    if held.faults >= TRIES:
        call_off(tournament=held, seats=list(held.seats.all()), at=database_now())


@transaction.atomic
def cancel(*, tournament: Tournament) -> bool:
    """Cancel a tournament by office, before its end: everything goes back; False if it is over."""
    held = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament.pk).first()
    if held is None or held.is_over:
        return False
    # What was ordered in a turn that will never be resolved stays secret for ever.
    Order.objects.filter(tournament=held).delete()
    seats = list(held.seats.select_related("dynasty"))
    call_off(tournament=held, seats=seats, at=database_now())
    return True


def _is_time(held: Tournament, now: datetime) -> bool:
    """Its own time; what waits for its seats to fill does not wait for ever."""
    return (held.starts_at or held.announced_at + LONGEST_AHEAD) <= now


def _seat_bots(held: Tournament) -> None:
    taken = _names_taken(held)
    Seat.objects.bulk_create(
        Seat(tournament=held, name=name, place=place, bot=held.bots)
        for place, name in enumerate(held.seat_names)
        if name not in taken
    )


# --- Play now ------------------------------------------------------------------------------


@transaction.atomic
def play_now(*, player: Player, emperor: Emperor | None = None) -> Seat:
    """A seat in a training battle that begins within seconds, with people who wait or bots.

    A guest who plays already gets the seat that he has. Raises Refused, as `enter` does.
    """
    # One after the other: of those who come at the same moment the first convenes, and the
    # others find him waiting.
    list(Battlefield.objects.select_for_update(no_key=True).filter(key=PLAY_NOW_FIELD))
    seat = _seat_at_play(player) if emperor is None else None
    if seat is not None:
        return seat
    for waiting in _waiting(player):
        try:
            with transaction.atomic():
                return enter(tournament=waiting, player=player, emperor=emperor)
        except (errors.Away, errors.NotYourEmperor):
            raise  # as it would be everywhere
        except errors.Refused:
            continue  # somebody was quicker, or it is not for him
    return enter(tournament=_convene(), player=player, emperor=emperor)


def _seat_at_play(player: Player) -> Seat | None:
    if player.guest is None:
        return None
    mine = Seat.objects.filter(guest=player.guest).select_related("tournament").order_by("-pk")
    return next(filter(_is_fought_from, mine), None)


def _waiting(player: Player) -> Iterable[Tournament]:
    """Those that wait for players, the one that begins first at the head.

    Nobody is seated beside one whom he has blocked, or who has blocked him.
    """
    shunned = blocked_by(player.person) | blockers_of(player.person)
    open_ones = Tournament.objects.filter(
        state=Tournament.State.OPEN,
        type=Terms.Type.TRAINING,
        access=Terms.Access.EVERYONE,
        starts_at__gt=database_now(),
        starts_at__lte=database_now() + PATIENCE,
    ).exclude(bots="")
    beside = Seat.objects.filter(shunned.among("dynasty", "guest"))
    open_ones = open_ones.exclude(pk__in=beside.values("tournament"))
    return open_ones.order_by("starts_at", "pk")[:5]


def _convene() -> Tournament:
    field = Battlefield.objects.filter(key=PLAY_NOW_FIELD).first()
    field = field or Battlefield.objects.filter(is_offered=True, seats__gte=2).first()
    terms = Tournament(
        type=Terms.Type.TRAINING, battlefield=field, turn_seconds=PLAY_NOW_SECONDS, seats_least=2
    )
    return announce(terms=terms, host=None, starts_at=database_now() + PATIENCE, bots=PLAY_NOW_BOT)
