"""What may be written into the chronicle, by whom it can be read, and how it is taken out."""

import pytest
from django.db import transaction

from dynasties.chronicle.facts import Ref, Subject, Sums, Term, UnfitFact, decode, encode
from dynasties.chronicle.kinds import UnknownKind, UnknownSubject
from dynasties.chronicle.models import Entry, Mention
from dynasties.chronicle.services import UntoldError, forget, ref_to, write
from dynasties.history import HistoryIsWritten
from dynasties.houses.models import Dynasty
from dynasties.houses.services import found_dynasty, open_dynasty
from tests.dynasties.chronicle.words import NOON, private_entry, public_entry
from tests.factories import DynastyFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> Dynasty:
    return DynastyFactory(name="House of Ash")


@pytest.mark.django_db(transaction=True)
@pytest.mark.unaudited
def test_outside_of_a_transaction_nothing_is_written() -> None:
    house = DynastyFactory()
    before = Entry.objects.count()
    with pytest.raises(UntoldError, match="transaction"):
        write(kind="dynasty-fallen", facts={"dynasty": ref_to(house)})
    assert Entry.objects.count() == before


def test_an_entry_is_undone_with_what_it_tells(house: Dynasty) -> None:
    before = Entry.objects.count()
    with transaction.atomic():
        public_entry(house)
        transaction.set_rollback(True)
    assert Entry.objects.count() == before


def test_an_unknown_kind_is_refused(house: Dynasty) -> None:
    with pytest.raises(UnknownKind):
        write(kind="dragon-seen", facts={"dynasty": ref_to(house)})


@pytest.mark.parametrize("facts", [{}, {"dynasty": 1, "more": 2}, {"house": 1}])
def test_an_entry_has_the_facts_of_its_sentence_and_no_others(facts: dict[str, int]) -> None:
    with pytest.raises(UntoldError, match="needs these facts"):
        write(kind="dynasty-fallen", facts=facts)


@pytest.mark.parametrize("fact", [1.5, None, True, ["a"], {"a": 1}, object()])
def test_only_what_json_and_readers_understand_is_a_fact(fact: object) -> None:
    with pytest.raises(UnfitFact):
        write(kind="dynasty-fallen", facts={"dynasty": fact})  # type: ignore[dict-item]


def test_a_private_kind_needs_an_owner_and_a_public_one_has_none(house: Dynasty) -> None:
    with pytest.raises(UntoldError, match="owner"):
        write(kind="wealth-changed", facts={"reason": "x", "wealth": "y"})
    with pytest.raises(UntoldError, match="owner"):
        write(kind="dynasty-fallen", facts={"dynasty": ref_to(house)}, owner=house)


def test_nobody_is_mentioned_of_whose_kind_nobody_has_heard(house: Dynasty) -> None:
    with pytest.raises(UnknownSubject), transaction.atomic():
        public_entry(house, about=[Subject("dragon", 1)])


def test_facts_come_back_as_they_were() -> None:
    facts = {
        "number": 7,
        "text": "a & b",
        "ref": Ref("dynasty", 7, "House of Ash"),
        "term": Term("transfer", "grant"),
        "sums": Sums((("copper", 1000), ("gold", -2))),
    }
    assert decode(encode(facts)) == facts


def test_everybody_in_the_facts_is_mentioned_once_at_the_time_of_the_entry(house: Dynasty) -> None:
    other = DynastyFactory()
    entry = public_entry(house, about=[ref_to(house), ref_to(other)], at=NOON)
    told = Mention.objects.filter(entry=entry)
    assert {(each.number, each.at, each.private_to) for each in told} == {
        (house.pk, NOON, None),
        (other.pk, NOON, None),
    }


def test_a_private_entry_mentions_its_owner_and_is_marked_as_his(house: Dynasty) -> None:
    entry = private_entry(house)
    mention = Mention.objects.get(entry=entry)
    assert (mention.subject, mention.number) == ("dynasty", house.pk)
    assert mention.private_to == entry.owner_id == house.pk


# --- What is written stays ----------------------------------------------------------------


def test_an_entry_cannot_be_changed_or_deleted(house: Dynasty) -> None:
    entry = public_entry(house)
    entry.kind = "dynasty-founded"
    for misdeed in (
        entry.save,
        entry.delete,
        Entry.objects.filter(pk=entry.pk).delete,
        lambda: Entry.objects.filter(pk=entry.pk).update(kind="dynasty-founded"),
        lambda: Entry.objects.bulk_update([entry], ["kind"]),
        Mention.objects.filter(entry=entry).delete,
        lambda: Mention.objects.filter(entry=entry).update(number=1),
    ):
        with pytest.raises(HistoryIsWritten):
            misdeed()
    entry.refresh_from_db()
    assert entry.kind == "dynasty-fallen"


def test_oblivion_takes_out_all_that_mentions_one_and_nothing_else(house: Dynasty) -> None:
    other = DynastyFactory()
    public_entry(other, about=[Subject("dynasty", house.pk)])
    private_entry(house)
    kept = public_entry(other)
    forget(subject="dynasty", number=house.pk)
    assert not Mention.objects.filter(subject="dynasty", number=house.pk).exists()
    assert "House of Ash" not in str(list(Entry.objects.values_list("facts", flat=True)))
    assert Entry.objects.filter(pk=kept.pk).exists()
    assert Mention.objects.filter(entry=kept).exists()


# --- Dynasties ----------------------------------------------------------------------------


def test_a_dynasty_is_told_when_it_opens_and_not_before() -> None:
    ruler = UserFactory(dynasty_name=None)
    house = found_dynasty(ruler=ruler, name="House of Ash")
    assert not Entry.objects.filter(kind="dynasty-founded").exists()
    open_dynasty(ruler=ruler)
    open_dynasty(ruler=ruler)
    entry = Entry.objects.get(kind="dynasty-founded")
    house.refresh_from_db()
    assert entry.at == house.opened_at
    assert entry.facts == {
        "dynasty": {"subject": "dynasty", "number": house.pk, "name": "House of Ash"}
    }


def test_a_dynasty_that_falls_is_told_and_stays_told() -> None:
    house = DynastyFactory(fallen=True)
    kinds = Entry.objects.filter(owner=None, mentions__number=house.pk).values_list("kind", "at")
    assert set(kinds) >= {
        ("dynasty-founded", house.opened_at),
        ("dynasty-fallen", house.fallen_at),
    }


def test_one_who_never_opened_leaves_no_trace() -> None:
    user = UserFactory(verified=False)
    user.delete()
    DynastyFactory(held=True)
    assert not Entry.objects.exists()
