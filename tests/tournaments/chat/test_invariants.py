"""The audit notices a chat that was tampered with."""

import pytest
from django.utils import timezone

from dynasties.audit import run_audit
from dynasties.houses.models import Dynasty
from dynasties.relations.models import Block
from tests.factories import DynastyFactory
from tests.tournaments.chat.cast import a_table
from tournaments.chat.models import Line, Room

pytestmark = pytest.mark.django_db


def broken() -> set[str]:
    return {breach.sentence for breach in run_audit()}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_room_that_miscounted_is_found(count: int) -> None:
    table = a_table()
    for words in ("one", "two"):
        table.say(table.one, words)
    assert broken() == set()
    Room.objects.update(said=count)
    assert broken() == {"The lines of a room are numbered from one, without gaps, up to its count."}


def test_a_gap_is_found() -> None:
    table = a_table()
    for words in ("one", "two"):
        table.say(table.one, words)
    Line.objects.filter(number=1).delete()
    Room.objects.update(said=1)
    assert broken()


def test_a_line_from_a_seat_elsewhere_is_found() -> None:
    table, elsewhere = a_table(), a_table()
    table.say(table.one)
    Line.objects.update(seat=elsewhere.tournament.seats.first())
    assert broken() == {"A line was said from a seat of the same tournament, or from none."}


def test_a_block_of_the_fallen_is_found() -> None:
    mine, other = DynastyFactory(), DynastyFactory()
    Block.objects.create(dynasty=mine, other_dynasty=other)
    ruler = other.ruler
    Dynasty.objects.filter(pk=other.pk).update(ruler=None, fallen_at=timezone.now())
    ruler.delete()
    assert "No fallen dynasty blocks anybody or is blocked." in broken()
