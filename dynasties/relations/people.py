"""Who can have relations: the ruler of a dynasty, or a guest. One value for every room."""

from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q


@dataclass(frozen=True)
class Person:
    """A dynasty's ruler or a guest, by number: a value that a page never shows."""

    dynasty: int | None = None
    guest: UUID | None = None

    @property
    def is_nobody(self) -> bool:
        return self.dynasty is None and self.guest is None

    def among(self, dynasty: str, guest: str) -> Q:
        """Rows whose fields of these names are this person.

        A ruler is also the guest whom he was before he had a dynasty: what bound the guest
        binds him. The reverse would tell who a guest has become.
        """
        found = Q(pk__in=[])
        if self.dynasty is not None:
            found |= Q(**{dynasty: self.dynasty})
            found |= Q(**{f"{guest}__became__dynasty": self.dynasty})
        if self.guest is not None:
            found |= Q(**{guest: self.guest})
        return found


@dataclass(frozen=True)
class People:
    """Several persons at once, to look somebody up among them without another query."""

    dynasties: frozenset[int] = field(default_factory=frozenset)
    guests: frozenset[UUID] = field(default_factory=frozenset)

    def __contains__(self, person: Person) -> bool:
        return person.dynasty in self.dynasties or person.guest in self.guests

    def __or__(self, others: "People") -> "People":
        return People(self.dynasties | others.dynasties, self.guests | others.guests)

    def among(self, dynasty: str, guest: str) -> Q:
        """Rows whose fields of these names are one of these."""
        return Q(**{f"{dynasty}__in": self.dynasties}) | Q(**{f"{guest}__in": self.guests})
