"""What must hold of the chronicle at any time."""

from collections.abc import Iterable, Iterator

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from dynasties.audit import invariant
from dynasties.chronicle.facts import decode, refs_in
from dynasties.chronicle.kinds import UnknownKind, all_subjects, all_tellings, telling
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty

BATCH = 2000


@invariant("The chronicle has words for every entry.")
def entries_of_an_unknown_kind() -> Iterable[Entry]:
    return Entry.objects.exclude(kind__in=[each.kind for each in all_tellings()])


@invariant("Every entry has the facts that its sentence needs, and can be read.")
def entries_that_cannot_be_told() -> Iterable[Entry]:
    entries = Entry.objects.only("kind", "facts").iterator(BATCH)
    return (entry for entry in entries if not _can_be_told(entry))


@invariant("An entry has an owner if and only if its kind is private.")
def entries_for_the_wrong_eyes() -> Iterable[Entry]:
    private = [each.kind for each in all_tellings(private=True)]
    public = [each.kind for each in all_tellings(private=False)]
    return Entry.objects.filter(
        Q(kind__in=private, owner__isnull=True) | Q(kind__in=public, owner__isnull=False)
    )


@invariant("Everybody whom the facts of an entry refer to is mentioned by it.")
def entries_that_hide_a_mention() -> Iterator[Entry]:
    entries = Entry.objects.prefetch_related("mentions").only("facts").iterator(BATCH)
    return (entry for entry in entries if not _mentions_all(entry))


@invariant("A mention has the time and the owner of its entry.")
def mentions_unlike_their_entry() -> Iterable[Mention]:
    elsewhere = Q(private_to__isnull=True, entry__owner__isnull=False) | ~Q(
        private_to=F("entry__owner")
    )
    private = Q(private_to__isnull=False) | Q(entry__owner__isnull=False)
    return Mention.objects.filter(~Q(at=F("entry__at")) | (private & elsewhere))


@invariant("Mentions are of subjects that are registered.")
def mentions_of_unknown_subjects() -> Iterable[Mention]:
    return Mention.objects.exclude(subject__in=[each.name for each in all_subjects()])


@invariant("Every entry mentions somebody, and a private one its owner.")
def entries_about_nobody() -> Iterable[Entry]:
    mentions = Mention.objects.filter(entry=OuterRef("pk"))
    of_owner = mentions.filter(subject="dynasty", number=OuterRef("owner"))
    return Entry.objects.filter(~Exists(mentions) | (Q(owner__isnull=False) & ~Exists(of_owner)))


@invariant("The chronicle tells nothing about a dynasty that has not opened, or is not there.")
def mentions_of_unopened_dynasties() -> Iterable[Mention]:
    opened = Dynasty.objects.public().filter(pk=OuterRef("number"))
    return Mention.objects.filter(~Exists(opened), subject="dynasty")


@invariant("Every opened dynasty has one entry about its founding, of the time when it opened.")
def dynasties_whose_founding_is_untold() -> Iterable[Dynasty]:
    return _untold(Dynasty.objects.public(), "dynasty-founded", "opened_at")


@invariant("Every fallen dynasty has one entry about its fall, of the time when it fell.")
def dynasties_whose_fall_is_untold() -> Iterable[Dynasty]:
    return _untold(Dynasty.objects.filter(fallen_at__isnull=False), "dynasty-fallen", "fallen_at")


def _untold(houses: QuerySet[Dynasty], kind: str, moment: str) -> Iterable[Dynasty]:
    """Those without an entry of this kind at that moment, or with one at another."""
    told = Mention.objects.filter(
        subject="dynasty", number=OuterRef("pk"), entry__kind=kind, private_to=None
    )
    in_time = told.filter(at=OuterRef(moment))
    return houses.filter(~Exists(in_time) | Exists(told.exclude(at=OuterRef(moment))))


def _can_be_told(entry: Entry) -> bool:
    try:
        return set(decode(entry.facts)) == set(telling(entry.kind).sample)
    except UnknownKind:
        return True  # which is another invariant's concern
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _mentions_all(entry: Entry) -> bool:
    mentioned = {(each.subject, each.number) for each in entry.mentions.all()}
    try:
        return all(ref.who in mentioned for ref in refs_in(decode(entry.facts)))
    except (ValueError, KeyError, TypeError, AttributeError):
        return True  # which is another invariant's concern
