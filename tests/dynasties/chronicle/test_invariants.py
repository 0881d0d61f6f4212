"""Every invariant of the chronicle is broken by something, and then says so."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import QuerySet

from dynasties.audit import all_invariants, run_audit
from dynasties.chronicle.models import Entry, Mention
from dynasties.chronicle.services import forget
from tests.dynasties.chronicle.words import NOON, private_entry, public_entry
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db


def change(row: Entry | Mention, **fields: Any) -> None:
    """Change history behind its back."""
    QuerySet(type(row)).filter(pk=row.pk).update(**fields)


def founding() -> Entry:
    house = DynastyFactory()
    return Entry.objects.get(kind="dynasty-founded", mentions__number=house.pk)


def write_in_no_words() -> None:
    change(founding(), kind="dragon-seen")


def lose_a_fact() -> None:
    change(founding(), facts={})


def keep_what_is_no_fact() -> None:
    change(founding(), facts={"dynasty": [1.5]})


def make_a_secret_public() -> None:
    change(private_entry(DynastyFactory()), owner=None)


def make_the_public_a_secret() -> None:
    change(founding(), owner=DynastyFactory())


def hide_a_mention() -> None:
    QuerySet(Mention).filter(entry=founding()).update(number=DynastyFactory().pk)


def mention_at_another_time() -> None:
    change(founding().mentions.get(), at=NOON)


def show_a_secret_mention() -> None:
    change(private_entry(DynastyFactory()).mentions.get(), private_to=None)


def show_a_secret_mention_to_another() -> None:
    change(private_entry(DynastyFactory()).mentions.get(), private_to=DynastyFactory().pk)


def hide_a_public_mention() -> None:
    mention = founding().mentions.get()
    change(mention, private_to=mention.number)


def mention_a_dragon() -> None:
    change(founding().mentions.get(), subject="dragon")


def mention_nobody() -> None:
    QuerySet(Mention).filter(entry=private_entry(DynastyFactory())).delete()


def mention_not_the_owner() -> None:
    change(private_entry(DynastyFactory()).mentions.get(), number=DynastyFactory().pk)


def tell_of_the_unopened() -> None:
    public_entry(DynastyFactory(held=True))


def tell_of_nobody() -> None:
    change(founding().mentions.get(), number=10**9)


def leave_a_founding_untold() -> None:
    forget(subject="dynasty", number=DynastyFactory().pk)


def tell_a_founding_twice() -> None:
    entry = founding()
    Entry.objects.create(kind=entry.kind, facts=entry.facts, at=NOON).mentions.create(
        subject="dynasty", number=entry.mentions.get().number, at=NOON
    )


def tell_a_fall_late() -> None:
    house = DynastyFactory(fallen=True)
    late = house.fallen_at + timedelta(days=1)
    entry = Entry.objects.get(kind="dynasty-fallen", mentions__number=house.pk)
    change(entry, at=late)
    change(entry.mentions.get(), at=late)


FOUNDING = "Every opened dynasty has one entry about its founding, of the time when it opened."


@pytest.mark.parametrize(
    ("misdeed", "sentence"),
    [
        (write_in_no_words, "The chronicle has words for every entry."),
        (lose_a_fact, "Every entry has the facts that its sentence needs, and can be read."),
        (
            keep_what_is_no_fact,
            "Every entry has the facts that its sentence needs, and can be read.",
        ),
        (make_a_secret_public, "An entry has an owner if and only if its kind is private."),
        (make_the_public_a_secret, "An entry has an owner if and only if its kind is private."),
        (hide_a_mention, "Everybody whom the facts of an entry refer to is mentioned by it."),
        (mention_at_another_time, "A mention has the time and the owner of its entry."),
        (show_a_secret_mention, "A mention has the time and the owner of its entry."),
        (show_a_secret_mention_to_another, "A mention has the time and the owner of its entry."),
        (hide_a_public_mention, "A mention has the time and the owner of its entry."),
        (mention_a_dragon, "Mentions are of subjects that are registered."),
        (mention_nobody, "Every entry mentions somebody, and a private one its owner."),
        (mention_not_the_owner, "Every entry mentions somebody, and a private one its owner."),
        (
            tell_of_the_unopened,
            "The chronicle tells nothing about a dynasty that has not opened, or is not there.",
        ),
        (
            tell_of_nobody,
            "The chronicle tells nothing about a dynasty that has not opened, or is not there.",
        ),
        (leave_a_founding_untold, FOUNDING),
        (tell_a_founding_twice, FOUNDING),
        (
            tell_a_fall_late,
            "Every fallen dynasty has one entry about its fall, of the time when it fell.",
        ),
    ],
)
def test_the_audit_finds(misdeed: Callable[[], object], sentence: str) -> None:
    assert sentence in {each.sentence for each in all_invariants()}
    assert run_audit() == []
    misdeed()
    assert sentence in {breach.sentence for breach in run_audit()}
