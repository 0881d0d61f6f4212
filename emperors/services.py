"""What happens in the life of an emperor: birth, leaving home and coming back, other hands, death.

Each service is one transaction. Who calls several in one begins with `emperors.crown.one_deed`
and names everybody concerned, so that all locks are taken in the order of this floor.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Greatest

from dynasties.accounts.models import User
from dynasties.chronicle.services import forget
from dynasties.houses.models import Dynasty
from dynasties.houses.names import name_key
from emperors import reasons
from emperors.crown import Shift, note_shift, one_deed
from emperors.haste import HasteError, count_birth, refuse_haste
from emperors.locks import Held, hold
from emperors.models import Emperor, Reign
from emperors.names import clean_emperor_name
from emperors.reputation import NotAliveError, living, shift_reputation, shift_standing
from emperors.tellings import SUBJECT, tell_birth, tell_death, tell_passing, tell_reputation

__all__ = [
    "ElsewhereError",
    "FallenError",
    "HasteError",
    "NotAliveError",
    "OfAnotherError",
    "bear",
    "bring_home",
    "capture",
    "cede",
    "end_line",
    "found_emperor",
    "let_die",
    "note_serious_tournament",
    "send_to",
    "slay",
]


class ElsewhereError(Exception):
    """He is not where he would have to be: he can't be in two places."""


class OfAnotherError(Exception):
    """He belongs to another dynasty than the one that was asked for him."""


class FallenError(Exception):
    """The dynasty has fallen, or never opened: nobody can be of it."""


# --- Birth -----------------------------------------------------------------------------


@transaction.atomic
def found_emperor(*, dynasty: Dynasty, name: str) -> Emperor:
    """Let an emperor be born into the dynasty. He gets the next number of his name there.

    Raises ValidationError for a name that can't be, FallenError, and HasteError for a dynasty
    that founds more of them than anybody could want.
    """
    clean = clean_emperor_name(name)
    # One birth after the other, and none during a fall: numbers and haste are counted.
    held = hold(dynasties=[dynasty])
    _stands(held, dynasty)
    refuse_haste(dynasty, held.at)
    count_birth(dynasty)
    return bear(dynasty=dynasty, name=clean, at=held.at)


@transaction.atomic
def bear(*, dynasty: Dynasty, name: str, at: datetime) -> Emperor:
    """Let an emperor be born at a moment, however many were of late: for worlds that are made."""
    clean = clean_emperor_name(name)
    _stands(hold(dynasties=[dynasty], at=at), dynasty)
    emperor = Emperor.objects.create(
        name=clean,
        name_key=name_key(clean),
        number=_next_number(dynasty, name_key(clean)),
        founder=dynasty,
        dynasty=dynasty,
        born_at=at,
        active_at=at,
    )
    Reign.objects.create(
        emperor=emperor, dynasty=dynasty, began_at=at, began_by=Reign.Beginning.BORN
    )
    tell_birth(emperor=emperor)
    return emperor


def _next_number(founder: Dynasty, key: str) -> int:
    borne = Emperor.objects.filter(founder=founder, name_key=key)
    return (borne.aggregate(last=Max("number"))["last"] or 0) + 1


# --- One place at a time ---------------------------------------------------------------


@transaction.atomic
def send_to(*, emperor: Emperor, life: str, place: str) -> None:
    """Send an emperor who is at rest to a place, to fight or to attend; ElsewhereError if not.

    His ruler's account is locked, so that it can't leave at the same moment: call this before
    anything that locks treasuries.
    """
    if life not in (Emperor.Life.FIGHTING, Emperor.Life.ATTENDING) or not place:
        raise ValueError("An emperor is sent to a place, to fight or to attend.")
    if emperor.dynasty_id is None:
        raise ElsewhereError
    ruler = User.objects.filter(dynasty=emperor.dynasty_id)
    ruler.select_for_update(no_key=True, of=("self",)).first()
    at_home = Emperor.objects.filter(
        pk=emperor.pk, life=Emperor.Life.AT_REST, dynasty=emperor.dynasty_id
    )
    if not at_home.update(life=life, place=place):
        raise ElsewhereError
    emperor.life, emperor.place = life, place


@transaction.atomic
def bring_home(*, emperor: Emperor, place: str | None = None) -> None:
    """Let an emperor rest again; ElsewhereError if he does, is dead, or is not at `place`."""
    away = Emperor.objects.filter(
        pk=emperor.pk, life__in=[Emperor.Life.FIGHTING, Emperor.Life.ATTENDING]
    )
    if place is not None:
        away = away.filter(place=place)
    if not away.update(life=Emperor.Life.AT_REST, place=""):
        raise ElsewhereError
    emperor.life, emperor.place = Emperor.Life.AT_REST, ""


@transaction.atomic
def note_serious_tournament(*, emperor: Emperor, at: datetime) -> None:
    """Count a tournament of any type but training: he is active, and his dynasty tried.

    Several in one transaction are one deed (`emperors.crown.one_deed`) that names all of them.
    """
    hold(emperors=[emperor], at=at)
    Emperor.objects.filter(pk=emperor.pk).update(
        battles=F("battles") + 1, active_at=Greatest(F("active_at"), at)
    )
    emperor.refresh_from_db(fields=["battles", "active_at"])
    Dynasty.objects.filter(emperors=emperor, tried_at=None).update(tried_at=at)


# --- Other hands -----------------------------------------------------------------------


def capture(*, emperor: Emperor, by: Dynasty, at: datetime) -> None:
    """Let an emperor, wherever he is, go over to his captor with his reputation.

    Raises NotAliveError, OfAnotherError (somebody else was quicker) and FallenError.
    """
    _pass_on(emperor, to=by, how=Reign.Beginning.CAPTURED, at=at)


def cede(*, emperor: Emperor, to: Dynasty, at: datetime | None = None) -> None:
    """Give an emperor who is at rest to another dynasty, with his reputation.

    Raises NotAliveError, OfAnotherError, FallenError and ElsewhereError.
    """
    _pass_on(emperor, to=to, how=Reign.Beginning.CEDED, at=at)


def _pass_on(emperor: Emperor, *, to: Dynasty, how: Reign.Beginning, at: datetime | None) -> None:
    with one_deed(at=at, emperors=[emperor], dynasties=[to]) as held:
        person = _expected(held, emperor)
        if how == Reign.Beginning.CEDED:
            _at_rest(person)
        if person.dynasty_id != to.pk:
            _stands(held, to)
            tell_passing(kind=f"emperor-{how.value}", emperor=person, to=to, at=held.at)
            _change_hands(held, person, to=to, how=how)
    emperor.dynasty = to


def _change_hands(held: Held, person: Emperor, *, to: Dynasty, how: Reign.Beginning) -> None:
    at = held.at
    moment = _end_reign(person, by=Reign.Ending(how.value), at=at)
    Reign.objects.create(emperor=person, dynasty=to, began_at=moment, began_by=how)
    former = held.standings[person.dynasty_id or 0]
    person.dynasty = to
    person.save(update_fields=["dynasty"])
    shift_standing(former, change=-person.reputation, reason=how.value, at=at)
    shift_standing(held.standings[to.pk], change=person.reputation, reason=how.value, at=at)


# --- Death -----------------------------------------------------------------------------


def let_die(*, emperor: Emperor, at: datetime | None = None) -> None:
    """Let an emperor who is at rest die in his palace; his reputation is lost to his dynasty.

    Who never fought a serious tournament leaves no trace. Raises NotAliveError,
    OfAnotherError and ElsewhereError.
    """
    with one_deed(at=at, emperors=[emperor]) as held:
        now = held.at
        person = _expected(held, emperor)
        _at_rest(person)
        if person.battles:
            tell_death(kind="emperor-died", emperor=person, at=now)
            _die(held, person, ending=Reign.Ending.DIED, reason=reasons.DIED, at=now)
        else:
            _forget(held, person, reason=reasons.DIED, at=now)
    _reflect_death(emperor, now)


def slay(*, emperor: Emperor, at: datetime, heir: Emperor | None = None) -> None:
    """Let an emperor die in a serious tournament that has been noted; his reputation goes to
    `heir`, an emperor who lives, or to nobody.

    Raises NotAliveError and OfAnotherError.
    """
    heirs = [heir] if heir else []
    with one_deed(at=at, emperors=[emperor, *heirs]) as held:
        person = _expected(held, emperor)
        if not all(each.battles for each in held.emperors.values()):
            raise ValueError("Who slays or is slain has fought: note the tournament first.")
        points = person.reputation
        tell_death(kind="emperor-slain", emperor=person, slayer=heir, at=at)
        _die(held, person, ending=Reign.Ending.DIED, reason=reasons.SLAIN, at=at)
        if heir:
            _inherit(held, heir, points=points, at=at)
    _reflect_death(emperor, at)


def end_line(*, dynasty: Dynasty, at: datetime) -> None:
    """The dynasty is falling: its emperors die with it, and it is ranked no more.

    Raises ElsewhereError if one of them still fights or attends.
    """
    with one_deed(at=at, dynasties=[dynasty]):
        # Who is of it is asked only now: nobody comes or goes while its standing is held.
        people = Emperor.objects.filter(dynasty=dynasty)
        held = hold(emperors=people, dynasties=[dynasty], at=at)
        for person in held.emperors.values():
            _at_rest(person)
            if person.battles:
                tell_death(kind="emperor-fell", emperor=person, at=at)
                _die(held, person, ending=Reign.Ending.FELL, reason=reasons.FELL, at=at)
            else:
                _forget(held, person, reason=reasons.FELL, at=at)
        standing = held.standings[dynasty.pk]
        standing.is_ranked = False
        standing.save(update_fields=["is_ranked"])
        note_shift(Shift(dynasty.pk, standing.reputation, 0, standing.since))


def _inherit(held: Held, heir: Emperor, *, points: int, at: datetime) -> None:
    person = living(held, heir)
    gained = shift_reputation(held, person, change=points, reason=reasons.SPOILS, at=at)
    if gained:
        tell_reputation(emperor=person, change=gained, reason=reasons.SPOILS, at=at)
    heir.reputation = person.reputation


def _die(held: Held, person: Emperor, *, ending: Reign.Ending, reason: str, at: datetime) -> None:
    shift_reputation(held, person, change=-person.reputation, reason=reason, at=at)
    _end_reign(person, by=ending, at=at)
    person.life, person.place = Emperor.Life.DEAD, ""
    person.dynasty, person.died_at = None, at
    person.save(update_fields=["life", "place", "dynasty", "died_at"])


def _forget(held: Held, person: Emperor, *, reason: str, at: datetime) -> None:
    """Oblivion: he was born and died without ever having fought, so he never was."""
    standing = held.standings[person.dynasty_id or 0]
    shift_standing(standing, change=-person.reputation, reason=reason, at=at)
    forget(subject=SUBJECT, number=person.pk)
    person.delete()


def _reflect_death(emperor: Emperor, at: datetime) -> None:
    emperor.life, emperor.place, emperor.reputation = Emperor.Life.DEAD, "", 0
    emperor.dynasty, emperor.died_at = None, at


# --- What all of them ask ----------------------------------------------------------------


def _expected(held: Held, emperor: Emperor) -> Emperor:
    """The locked row of an emperor, alive and of the dynasty that the caller knows him by."""
    person = living(held, emperor)
    if person.dynasty_id != emperor.dynasty_id:
        raise OfAnotherError
    return person


def _at_rest(person: Emperor) -> None:
    if person.life != Emperor.Life.AT_REST:
        raise ElsewhereError


def _stands(held: Held, dynasty: Dynasty) -> None:
    standing = held.standings.get(dynasty.pk)
    if standing is None or not standing.is_ranked:
        raise FallenError


def _end_reign(person: Emperor, *, by: Reign.Ending, at: datetime) -> datetime:
    """End the open reign; return when, which is never before it began."""
    reign = Reign.objects.get(Q(emperor=person) & Q(ended_at=None))
    reign.ended_at, reign.ended_by = max(at, reign.began_at), by
    reign.save(update_fields=["ended_at", "ended_by"])
    return reign.ended_at
