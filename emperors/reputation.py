"""What changes reputation: of an emperor, with it of his dynasty, and perhaps of the crown."""

from datetime import datetime

from emperors.crown import Shift, note_shift, one_deed
from emperors.locks import Held
from emperors.models import Emperor, ReputationChange, Standing, StandingChange
from emperors.tellings import tell_reputation

MOST_REPUTATION = 2**31 - 1


class NotAliveError(Exception):
    """He is dead, or forgotten: nothing can be given to him or taken from him."""


class UntriedError(Exception):
    """He has never fought: he could be forgotten, and reputation would leave a trace of him."""


def change_reputation(
    *, emperor: Emperor, change: int, reason: str, at: datetime | None = None
) -> int:
    """Give an emperor reputation or take it, never below 0; return what was really applied.

    He, his dynasty's standing, their history and the champion change in one transaction. Who
    changes several in one transaction wraps it all in one `emperors.crown.one_deed` that names
    everybody concerned. Raises NotAliveError, and UntriedError for a gift to who never fought.
    """
    with one_deed(at=at, emperors=[emperor]) as held:
        person = living(held, emperor)
        if change > 0 and not person.battles:
            raise UntriedError
        applied = shift_reputation(held, person, change=change, reason=reason, at=held.at)
        if applied:
            tell_reputation(emperor=person, change=applied, reason=reason, at=held.at)
    emperor.reputation = person.reputation
    return applied


def living(held: Held, emperor: Emperor) -> Emperor:
    """The locked row of an emperor, who must be alive; NotAliveError if he is not."""
    person = held.emperors.get(emperor.pk)
    if person is None or person.dynasty_id is None:
        raise NotAliveError
    return person


def shift_reputation(held: Held, person: Emperor, *, change: int, reason: str, at: datetime) -> int:
    """Change the reputation of an emperor who is held, and that of his dynasty; tell nobody."""
    applied = min(max(change, -person.reputation), MOST_REPUTATION - person.reputation)
    if applied and person.dynasty_id:
        person.reputation += applied
        person.save(update_fields=["reputation"])
        ReputationChange.objects.create(
            emperor=person,
            dynasty_id=person.dynasty_id,
            change=applied,
            after=person.reputation,
            reason=reason,
            at=at,
        )
        shift_standing(held.standings[person.dynasty_id], change=applied, reason=reason, at=at)
    return applied


def shift_standing(standing: Standing, *, change: int, reason: str, at: datetime) -> None:
    """Change a standing that is held, with its history; nothing if there is nothing to change."""
    if not change:
        return
    before, since = standing.reputation, standing.since
    standing.reputation += change
    standing.since = at
    standing.save(update_fields=["reputation", "since"])
    StandingChange.objects.create(
        dynasty_id=standing.pk, change=change, after=standing.reputation, reason=reason, at=at
    )
    note_shift(Shift(standing.pk, before, standing.reputation, since))
