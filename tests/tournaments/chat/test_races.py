"""Many talk at once, and somebody ends it meanwhile: no number twice, and no end that stumbles."""

from functools import partial

import pytest

from tests.concurrency.rivals import all_at_once
from tests.factories import DynastyFactory
from tests.tournaments.chat.cast import a_table, ruler
from tournaments.announcements.models import Tournament
from tournaments.chat.access import SEATS
from tournaments.chat.models import Line, Report, Room
from tournaments.chat.moderation import Complaint, report_line
from tournaments.chat.services import mute, say
from tournaments.errors import Refused
from tournaments.seating.services import cancel

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]

ROUNDS = 8


def test_lines_that_are_said_at_once_are_numbered_without_gap() -> None:
    table = a_table()
    crowd = [ruler(DynastyFactory()) for _each in range(8)]
    hail = {"tournament": table.tournament, "text": "Hail!"}
    ends = all_at_once([lambda who=who: say(player=who, **hail) for who in crowd])
    assert all(isinstance(end, Line) for end in ends)
    room = Room.objects.get()
    assert sorted(room.lines.values_list("number", flat=True)) == list(range(1, 9))


def test_the_same_line_sent_five_times_at_once_is_one() -> None:
    table = a_table()
    hail = partial(say, tournament=table.tournament, player=table.one, text="Hail!")
    ends = all_at_once([hail] * 5)
    assert {end.pk for end in ends} == {Line.objects.get().pk}


def test_a_training_ends_while_everybody_talks_mutes_and_reports() -> None:
    for _round in range(ROUNDS):
        table = a_table("training")
        say(tournament=table.tournament, player=table.one, text="First.")
        about = {"tournament": table.tournament, "player": table.other}
        deeds = [
            lambda t=table: say(tournament=t.tournament, player=t.one, text="Last!"),
            lambda t=table: say(tournament=t.tournament, player=t.watcher, text="Oh!"),
            lambda a=about: mute(**a, room=SEATS, number=1),
            lambda a=about: report_line(**a, complaint=Complaint(SEATS, 1)),
            lambda t=table: cancel(tournament=t.tournament),
        ]
        ends = all_at_once(deeds)
        assert ends[-1] is True, "the end never stumbles over what came in between"
        for end in ends[:-1]:
            assert not isinstance(end, Exception) or isinstance(end, Refused), repr(end)
        assert not Tournament.objects.exists()
        assert not Line.objects.exists()
    assert Report.objects.count() <= ROUNDS
