"""The same through HTTP: for clients without a socket, and pages without a script."""

import json
import random
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.lists import announced, fight, order_all
from tests.tournaments.live.stage import Stage, set_up
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.seating.services import cancel
from tournaments.turns.models import Order

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Stage:
    return set_up()


def frames(stage: Stage, browser: Browser, query: str = "") -> list[dict[str, Any]]:
    answer = browser.get(reverse("tournament-state", args=[stage.code]) + query)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    found: list[dict[str, Any]] = answer.json()["frames"]
    return found


def post(stage: Stage, seat: str, **content: Any) -> Any:
    page = reverse("tournament-orders", args=[stage.code])
    return stage.browsers[seat].post(page, json.dumps(content), "application/json")


class TestState:
    def test_it_is_told_to_each_as_a_socket_would(self, stage: Stage) -> None:
        (mine,) = frames(stage, stage.browsers["a"])
        (theirs,) = frames(stage, Browser())
        assert (mine["type"], mine["you"], bool(mine["choices"])) == ("state", "a", True)
        assert (theirs["you"], theirs["choices"]) == (None, [])

    def test_only_what_was_missed_is_told(self, stage: Stage) -> None:
        (state,) = frames(stage, Browser())
        known = f"?since={state['version']}"
        assert frames(stage, Browser(), known) == []
        chance = random.Random(3)
        for _turn in range(2):
            order_all(stage.tournament, chance)
            stage.tournament.refresh_from_db()
        assert [frame["closed"] for frame in frames(stage, Browser(), known)] == [0, 1]

    @pytest.mark.parametrize("since", ["", "x", "-1", "1e3", "9" * 30, "%00", "²"])
    def test_a_version_that_is_none_is_taken_for_none(self, stage: Stage, since: str) -> None:
        (state,) = frames(stage, Browser(), f"?since={since}")
        assert state["type"] == "state"

    def test_whoever_looks_at_an_overdue_turn_closes_it(self, stage: Stage) -> None:
        (state,) = frames(stage, Browser())
        Tournament.objects.update(deadline=timezone.now() - timedelta(seconds=1))
        (turn,) = frames(stage, Browser(), f"?since={state['version']}")
        assert (turn["type"], turn["closed"]) == ("turn", 0)

    def test_an_unknown_tournament_is_not_found(self, client: Browser) -> None:
        assert client.get(reverse("tournament-state", args=["nowhere"])).status_code == 404

    def test_training_is_seen_for_a_while_after_its_end(
        self, django_capture_on_commit_callbacks
    ) -> None:
        stage = set_up("training", options={"turn_limit": 20})
        (state,) = frames(stage, Browser())
        with django_capture_on_commit_callbacks(execute=True):
            assert fight(stage.tournament, random.Random(2)) is None
        (over,) = frames(stage, stage.browsers["a"])
        assert (over["state"], over["kind"], over["you"]) == ("finished", "training", None)
        assert frames(stage, Browser(), f"?since={over['version'] - 1}")[0]["type"] == "turn"
        assert frames(stage, Browser(), f"?since={state['version']}")[-1]["state"] == "finished"


class TestOrders:
    def test_an_order_is_kept_replaced_and_withdrawn(self, stage: Stage) -> None:
        for number in (0, 1):
            order = stage.move("a", number)
            answer = post(stage, "a", turn=0, order=order, ref=number)
            assert answer.status_code == 200
            assert answer.json() == {
                "v": 1, "type": "accepted", "ref": number, "turn": 0, "order": order
            }  # fmt: skip
        assert Order.objects.get().content == stage.move("a", 1)
        assert post(stage, "a", turn=0, withdraw=True).json()["order"] is None
        assert not Order.objects.exists()

    def test_the_last_order_closes_the_turn(self, stage: Stage) -> None:
        for seat in ("a", "b"):
            assert post(stage, seat, turn=0, order={"hold": True}).status_code == 200
        stage.tournament.refresh_from_db()
        assert stage.tournament.turn == 1

    def test_a_draw_is_offered_and_accepted(self, stage: Stage) -> None:
        for seat in ("a", "b"):
            assert post(stage, seat, turn=0, draw=True).json()["draw"] is True
        stage.tournament.refresh_from_db()
        assert (stage.tournament.state, stage.tournament.ending) == ("finished", "agreed")

    @pytest.mark.parametrize(
        ("content", "status", "code"),
        [
            ({"turn": 3, "order": {"hold": True}}, 409, "wrong-turn"),
            ({"turn": 0, "order": {"fly": 1}}, 409, "not-an-order"),
            ({"turn": 0}, 400, "unreadable"),
            ({"order": {"hold": True}}, 400, "unreadable"),
            ({"turn": 0, "order": {"piece": "\ud800", "to": [0, 0]}}, 400, "unreadable"),
            ({"turn": 0, "order": {"piece": "\x00", "to": [0, 0]}}, 400, "unreadable"),
            ({"turn": 0, "order": "x" * 20_000}, 400, "too-large"),
        ],
    )
    def test_what_cannot_be_done_gets_an_error(
        self, stage: Stage, content: dict, status: int, code: str
    ) -> None:
        answer = post(stage, "a", **content)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert not Order.objects.exists()

    @pytest.mark.parametrize("body", [b"{", b"[]", b"null", b"\xff", b"[" * 10_000])
    def test_a_body_that_is_no_object_gets_an_error(self, stage: Stage, body: bytes) -> None:
        page = reverse("tournament-orders", args=[stage.code])
        answer = stage.browsers["a"].post(page, body, "application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "unreadable")

    def test_nobody_orders_for_another_seat(self, stage: Stage, client: Browser) -> None:
        stage.browsers["crowd"] = client
        answer = post(stage, "crowd", turn=0, order={"hold": True}, you="a")
        assert (answer.status_code, answer.json()["code"]) == (403, "not-seated")

    def test_a_page_of_another_site_cannot_order(self, stage: Stage) -> None:
        strict = Browser(enforce_csrf_checks=True)
        strict.cookies = stage.browsers["a"].cookies
        page = reverse("tournament-orders", args=[stage.code])
        assert strict.post(page, "{}", "application/json").status_code == 403
        assert strict.post(page, {"turn": 0, "draw": "1"}).status_code == 403

    def test_a_form_leads_back_to_the_page_with_a_word(self, stage: Stage) -> None:
        page, browser = reverse("tournament-orders", args=[stage.code]), stage.browsers["a"]
        order = json.dumps(stage.move("a"))
        for form, kept in (
            ({"turn": 0, "order": order}, 1),
            ({"turn": 0, "withdraw": "1"}, 0),
            ({"turn": 9, "order": order}, 0),
            ({"turn": "x", "order": "{"}, 0),
            ({"turn": 0}, 0),
            ({"turn": 0, "draw": ""}, 0),
        ):
            answer = browser.post(page, form)
            assert (answer.status_code, answer["Location"]) == (
                302,
                stage.tournament.get_absolute_url(),
            )
            assert Order.objects.count() == kept
        assert Seat.objects.get(pk=stage.seats["a"].pk).draw_turn == 0


class TestRecord:
    def test_it_replays_what_was_fought(self) -> None:
        stage = set_up(options={"turn_limit": 20})
        page = reverse("tournament-record", args=[stage.code])
        assert Browser().get(page).status_code == 404
        over = fight(stage.tournament, random.Random(4))
        answer = Browser().get(page)
        assert answer["Content-Disposition"] == f'attachment; filename="{stage.code}.json"'
        record = arena.Record.loads(answer.content)
        assert record.seed == stage.tournament.seed
        *_before, last = arena.replayed(record)
        assert over is not None
        assert last.after.written() == over.position

    def test_what_was_never_fought_has_none(self) -> None:
        tournament = announced("honour")
        cancel(tournament=tournament)
        for code in (tournament.code, "nowhere"):
            page = reverse("tournament-record", args=[code])
            assert Browser().get(page).status_code == 404

    def test_no_chest_is_in_it(self) -> None:
        stage = set_up("gift", "four-islands", chests=True, options={"turn_limit": 10})
        fight(stage.tournament, random.Random(4))
        answer = Browser().get(reverse("tournament-record", args=[stage.code]))
        assert b'"chest":' not in answer.content
        assert b":300" not in answer.content
