"""`manage.py replay`: a record is verified and told, and whatever is none is refused clearly."""

import json
import random
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.scale import figure
from tests.tournaments.consequences.endings import end, gather
from tests.tournaments.lists import announced, fight, filled, order_all
from tournaments import arena
from tournaments.announcements.models import Tournament
from tournaments.consequences.verdicts import Ending
from tournaments.turns.records import (
    NotOverError,
    final_position,
    record_of,
    replays_to_what_was_kept,
)

pytestmark = pytest.mark.django_db

QUICK = {"turn_limit": 6}


@pytest.fixture
def over() -> Tournament:
    tournament = announced("honour", "duel", options=QUICK)
    filled(tournament)
    fought = fight(tournament, random.Random(3))
    assert fought is not None
    return fought


def replayed(source: object, *options: str) -> str:
    out = StringIO()
    call_command("replay", str(source), *options, stdout=out)
    return out.getvalue()


def refused(source: object) -> CommandError:
    with pytest.raises(CommandError) as refusal:
        replayed(source)
    return refusal.value


@pytest.fixture
def written(over: Tournament, tmp_path: Path) -> Path:
    file = tmp_path / "record.json"
    file.write_text(record_of(over).dumps())
    return file


def spoil(file: Path, **changes: object) -> Path:
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, **changes}))
    return file


class TestByCode:
    def test_it_prints_the_board_and_the_story_of_every_turn(self, over) -> None:
        told = replayed(over.code)
        assert [f"--- Turn {turn} ---" in told for turn in range(1, 8)] == [True] * 6 + [False]
        assert told.count("(a") >= 7
        assert "Verified: 6 turns." in told
        assert over.ending in told

    def test_quietly_it_says_one_line(self, over) -> None:
        assert replayed(over.code, "--quiet").count("\n") == 1

    def test_the_record_it_prints_is_read_back_to_the_same(self, over) -> None:
        record = record_of(over)
        assert arena.Record.loads(replayed(over.code, "--json").strip()) == record

    def test_a_position_that_differs_by_a_byte_is_reported(self, over) -> None:
        Tournament.objects.filter(pk=over.pk).update(position=over.position + " ")
        refusal = refused(over.code)
        assert (refusal.returncode, "position that was kept" in str(refusal)) == (1, True)

    def test_an_order_that_was_changed_afterwards_is_reported(self, over) -> None:
        over.turns.filter(number=2).update(orders=[["a", {"piece": "a1", "to": [99, 99]}]])
        refusal = refused(over.code)
        assert refusal.returncode == 1
        assert "in turn 3" in str(refusal)

    def test_nothing_is_told_of_one_that_is_not_over(self) -> None:
        tournament = announced("honour", "duel")
        filled(tournament)
        refusal = refused(tournament.code)
        assert (refusal.returncode, tournament.seed in str(refusal)) == (2, False)
        with pytest.raises(NotOverError):
            record_of(tournament)

    def test_an_agreed_draw_ends_with_the_last_closed_turn(self) -> None:
        tournament = announced("honour", "duel")
        filled(tournament)
        order_all(tournament, random.Random(1))
        tournament.refresh_from_db()
        end(tournament, Ending.draw("agreed"))
        assert "Verified: 1 turns. Nobody won (agreed)." in replayed(tournament.code)


class TestFromAFile:
    def test_it_verifies_without_the_tournament(self, over, written) -> None:
        Tournament.objects.all().delete()
        assert "Verified: 6 turns." in replayed(written)

    @pytest.mark.parametrize(
        "text", [b"", b"{", b"[]", b"\xff\xfe", b"null", b"[" * 100_000, b'{"game": "battle"}']
    )
    def test_what_is_no_record_is_refused(self, tmp_path, text) -> None:
        file = tmp_path / "something"
        file.write_bytes(text)
        assert refused(file).returncode == 2

    def test_a_missing_file_is_refused(self, tmp_path) -> None:
        refusal = refused(tmp_path / "nowhere")
        assert refusal.returncode == 2
        assert "no file of that name" in str(refusal)

    def test_a_folder_is_refused(self, tmp_path) -> None:
        assert refused(tmp_path).returncode == 2

    @pytest.mark.parametrize(
        "changes",
        [
            {"game": "draughts"},
            {"version": 999},
            {"seats": []},
            {"seats": ["a", "a"]},
            {"seats": ["x", "y"]},
            {"options": {}},
            {"options": {"battlefield": "?"}},
            {"turns": [[["a", {"hold": True}], ["a", {"hold": True}]]]},
            {"turns": [[["z", {"hold": True}]]]},
            {"turns": [[["a", {"piece": "b1", "to": [0, 0]}]]]},
        ],
        ids=str,
    )
    def test_what_can_not_have_happened_is_refused(self, written, changes) -> None:
        assert refused(spoil(written, **changes)).returncode == 1

    def test_it_can_not_go_on_after_its_end(self, over, written) -> None:
        turns = json.loads(written.read_text())["turns"]
        refusal = refused(spoil(written, turns=[*turns, []]))
        assert "after its end" in str(refusal)


def test_spoilt_records_are_refused_and_never_break_it(over, written) -> None:
    """Bytes changed at random: it replays, or is refused, and nothing else happens."""
    chance, text = random.Random(7), written.read_bytes()
    for _record in range(figure(60, soak=5000)):
        spoilt = bytearray(text)
        for _byte in range(chance.randint(1, 4)):
            spoilt[chance.randrange(len(spoilt))] = chance.choice(b'0123456789abz[]{}",:-')
        written.write_bytes(bytes(spoilt))
        with suppress(CommandError):
            replayed(written, "--quiet")


@pytest.mark.parametrize("type_", ["gift", "honour", "conquer", "death"])
def test_every_finished_tournament_replays_to_the_byte(type_) -> None:
    for number in range(figure(5, soak=5000)):
        tournament = announced(type_, "crossroads", options={"turn_limit": 10})
        filled(tournament)
        over = fight(tournament, random.Random(number))
        assert over is not None
        assert replays_to_what_was_kept(over)
        position = final_position(over)
        assert position is not None
        assert position.outcome().reason == over.ending


def test_a_record_never_tells_what_was_in_a_chest() -> None:
    tournament = announced("conquer", "four-islands", chests=True, options={"turn_limit": 2})
    gather(tournament, [1, 1, 1, 1], [777, 777, 777, 777])
    order_all(tournament, random.Random(1))
    tournament.refresh_from_db()
    end(tournament, Ending.draw("agreed"))
    assert "777" not in record_of(tournament).dumps().replace(tournament.seed, "")
    assert "777" not in replayed(tournament.code).replace(tournament.seed, "")
