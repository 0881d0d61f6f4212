"""Who has blocked whom. A block is known to the one who made it; others meet its effect."""

from django.db.models import QuerySet

from dynasties.relations.models import Block
from dynasties.relations.people import People, Person


def has_blocked(*, by: Person, whom: Person) -> bool:
    """Whether `by` wants to hear nothing of `whom`."""
    return blocks_by(by).filter(whom.among("other_dynasty", "other_guest")).exists()


def blocks_by(person: Person) -> QuerySet[Block]:
    """The blocks that a person has made, the newest first."""
    return Block.objects.filter(person.among("dynasty", "guest")).order_by("-pk")


def listed_blocks(person: Person) -> QuerySet[Block]:
    """The same, with the names that a page tells."""
    return blocks_by(person).select_related("other_dynasty", "other_guest")


def blocked_by(person: Person) -> People:
    """All of whom a person wants to hear nothing."""
    rows = blocks_by(person).values_list(
        "other_dynasty", "other_guest", "other_guest__became__dynasty"
    )
    return _people(rows)


def blockers_of(person: Person) -> People:
    """All who want to hear nothing of a person."""
    rows = Block.objects.filter(person.among("other_dynasty", "other_guest")).values_list(
        "dynasty", "guest", "guest__became__dynasty"
    )
    return _people(rows)


def _people(rows: QuerySet[Block, tuple[object, ...]]) -> People:
    """Persons from rows of a dynasty, a guest, and the dynasty that the guest founded since."""
    found = list(rows)
    dynasties = {number for row in found for number in (row[0], row[2]) if number is not None}
    guests = {row[1] for row in found if row[1] is not None}
    return People(frozenset(dynasties), frozenset(guests))  # type: ignore[arg-type]
