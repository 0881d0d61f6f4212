"""What writes the chronicle, and the one rule by which anything is taken out of it."""

from collections.abc import Iterable
from datetime import datetime

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from dynasties.chronicle.facts import Facts, Ref, Subject, Sums, Term, encode, refs_in
from dynasties.chronicle.kinds import Telling, subject_named, telling
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty

__all__ = [
    "Ref",
    "Subject",
    "UntoldError",
    "forget",
    "ref_to",
    "tell_fall",
    "tell_founding",
    "tell_wealth",
    "write",
]


class UntoldError(ValueError):
    """An entry that can't be: no transaction around it, wrong facts, or the wrong eyes."""


def write(
    *,
    kind: str,
    facts: Facts,
    about: Iterable[Subject | Ref] = (),
    owner: Dynasty | None = None,
    at: datetime | None = None,
) -> Entry:
    """Write an entry in the transaction of what it tells; with an owner, for his eyes alone.

    Everybody whom the facts refer to is mentioned, and whoever else it is `about`; a private
    entry is about its owner at least. Raises UnknownKind, UnknownSubject or UntoldError.
    """
    _check(telling(kind), facts=facts, owner=owner)
    entry = Entry.objects.create(
        kind=kind, facts=encode(facts), owner=owner, at=at or timezone.now()
    )
    subjects = {_subject(each) for each in (*about, *refs_in(facts), *_owned_by(owner))}
    for each in subjects:
        subject_named(each.subject)
    Mention.objects.bulk_create(_mention(entry, each) for each in sorted(subjects))
    return entry


@transaction.atomic
def forget(*, subject: str, number: int) -> None:
    """Oblivion: take out every entry that mentions the subject, public or private."""
    told = Mention.objects.filter(subject=subject, number=number).values_list("entry", flat=True)
    # Past the guards of the model: this is the one way out.
    QuerySet(Entry).filter(pk__in=list(told)).delete()


def tell_founding(*, dynasty: Dynasty) -> Entry:
    """Tell that a dynasty has opened, at the moment when it did."""
    return write(kind="dynasty-founded", facts={"dynasty": ref_to(dynasty)}, at=dynasty.opened_at)


def tell_fall(*, dynasty: Dynasty) -> Entry:
    """Tell that a dynasty has fallen, at the moment when it did."""
    return write(kind="dynasty-fallen", facts={"dynasty": ref_to(dynasty)}, at=dynasty.fallen_at)


def tell_wealth(
    *, dynasty: Dynasty, reason: str, sums: Iterable[tuple[str, int]], at: datetime | None = None
) -> Entry:
    """Tell a dynasty alone what came (+) to its treasury or went (-), by codes of kinds, and why.

    The words for `reason` are those of the vocabulary "transfer", for kinds those of "wealth".
    """
    facts: Facts = {"reason": Term("transfer", reason), "wealth": Sums(tuple(sums))}
    return write(kind="wealth-changed", facts=facts, owner=dynasty, at=at)


def ref_to(dynasty: Dynasty) -> Ref:
    """The dynasty by its name of today, for the facts of an entry."""
    return Ref("dynasty", dynasty.pk, dynasty.name)


def _check(telling: Telling, *, facts: Facts, owner: Dynasty | None) -> None:
    if not connection.in_atomic_block:
        raise UntoldError("An entry is written in the transaction of what it tells.")
    if telling.private != (owner is not None):
        raise UntoldError(f"{telling.kind} has an owner if and only if it is private.")
    if set(facts) != set(telling.sample):
        raise UntoldError(f"{telling.kind} needs these facts: {', '.join(telling.sample)}.")


def _subject(each: Subject | Ref) -> Subject:
    return each.who if isinstance(each, Ref) else each


def _owned_by(owner: Dynasty | None) -> tuple[Subject, ...]:
    return (Subject("dynasty", owner.pk),) if owner else ()


def _mention(entry: Entry, each: Subject) -> Mention:
    return Mention(
        entry=entry,
        subject=each.subject,
        number=each.number,
        at=entry.at,
        private_to=entry.owner_id,
    )
