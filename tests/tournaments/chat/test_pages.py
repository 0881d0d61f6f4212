"""The chat through HTTP and on the page: for whom it is, as text, also without JavaScript."""

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.relations.models import Block
from tests.tournaments.chat.cast import (
    Table,
    a_table,
    a_table_with_a_guest,
    browser_of,
)
from tournaments.chat.access import SEATS, SPECTATORS
from tournaments.chat.models import Line, Mute, Report
from tournaments.seating.services import cancel

pytestmark = pytest.mark.django_db

AS_JSON = {"headers": {"accept": "application/json"}}


def url(table: Table, name: str = "chat") -> str:
    return reverse(f"tournament-{name}", args=[table.tournament.code])


def frames(client: Client, table: Table, **since: object) -> list[dict]:
    answer = client.get(url(table), since)
    assert answer.status_code == 200
    return answer.json()["frames"]


# --- Reading ---------------------------------------------------------------------------------


def test_each_fetches_what_he_may_read() -> None:
    table = a_table()
    table.say(table.one, "at the table")
    table.say(table.watcher, "in the stands")
    (line,) = frames(browser_of(table.other), table)
    seat = table.tournament.seats.get(dynasty=table.one.dynasty)
    assert line | {"at": ""} == {
        "v": 1,
        "type": "said",
        "room": SEATS,
        "number": 1,
        "who": seat.who,
        "seat": seat.name,
        "text": "at the table",
        "at": "",
        "own": False,
    }
    (line,) = frames(browser_of(table.watcher), table)
    assert (line["text"], line["seat"], line["own"]) == ("in the stands", None, True)
    assert line["who"] == table.watcher.dynasty.name
    assert frames(Client(), table) == []
    table.become("finished")
    assert [line["text"] for line in frames(Client(), table)] == ["at the table", "in the stands"]


@pytest.mark.parametrize("since", ["", "x", "-1", "9" * 50, "\0", "٣"])
def test_a_strange_number_hurts_nobody(since: str) -> None:
    table = a_table()
    table.say(table.one)
    answer = browser_of(table.other).get(url(table), {"seats": since, "spectators": since})
    assert answer.status_code == 200


def test_a_chat_that_is_not_there_is_not_found() -> None:
    client = browser_of(a_table().one)
    assert client.get(reverse("tournament-chat", args=["nosuch"])).status_code == 404
    for name in ("say", "mute", "block", "report"):
        path = reverse(f"tournament-{name}", args=["nosuch"])
        assert client.post(path, {"room": SEATS, "number": 1}, **AS_JSON).status_code == 404


# --- Speaking --------------------------------------------------------------------------------


def test_a_form_says_a_line_and_leads_back() -> None:
    table = a_table()
    browser = browser_of(table.one)
    answer = browser.post(url(table, "say"), {"text": "Well met."})
    assert answer.status_code == 302
    assert answer["Location"] == f"{table.tournament.get_absolute_url()}#chat"
    assert Line.objects.get().text == "Well met."
    assert "Well met." in browser.get(table.tournament.get_absolute_url()).content.decode()


def test_a_program_gets_the_line_or_the_reason() -> None:
    table = a_table()
    browser = browser_of(table.one)
    answer = browser.post(url(table, "say"), {"text": "Well met."}, **AS_JSON)
    assert (answer.status_code, answer.json()["text"]) == (200, "Well met.")
    cases = [("", 409, "unspeakable"), ("\0", 409, "unspeakable"), ("x" * 501, 409, "too-long")]
    for text, status, code in cases:
        answer = browser.post(url(table, "say"), {"text": text}, **AS_JSON)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    answer = Client().post(url(table, "say"), {"text": "Hello"}, **AS_JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-heard")
    for number in range(4):
        browser.post(url(table, "say"), {"text": f"line {number}"}, **AS_JSON)
    answer = browser.post(url(table, "say"), {"text": "one more"}, **AS_JSON)
    assert (answer.status_code, answer.json()["code"]) == (429, "too-talkative")


def test_a_stranger_who_speaks_is_told_to_log_in() -> None:
    table = a_table()
    page = Client().post(url(table, "say"), {"text": "Hello"}, follow=True)
    assert "Log in to talk with the other spectators." in page.content.decode()
    assert not Line.objects.exists()


def test_words_reach_the_page_as_text() -> None:
    table = a_table()
    table.say(table.one, "<script>alert('marker')</script><img src=x onerror=alert(1)>")
    content = browser_of(table.other).get(table.tournament.get_absolute_url()).content.decode()
    assert "<script>alert(" not in content
    assert "<img src=x" not in content
    assert "&lt;script&gt;alert(" in content


# --- The page --------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["open", "running", "finished"])
def test_the_page_shows_each_his_own_room(state: str) -> None:
    table = a_table()
    table.say(table.one, "marker-table")
    table.say(table.watcher, "marker-stands")
    table.become(state)
    page, over = table.tournament.get_absolute_url(), state == "finished"
    readers = {
        table.other: (True, over),
        table.watcher: (over, True),
        table.passer_by: (over, over),
    }
    for player, (hears_table, hears_stands) in readers.items():
        content = browser_of(player).get(page).content.decode()
        assert ("marker-table" in content) == hears_table
        assert ("marker-stands" in content) == hears_stands
        assert 'id="chat"' in content


def test_a_guest_at_the_table_uses_the_same_forms() -> None:
    table, browser = a_table_with_a_guest()
    table.say(table.one, "Hello, guest.")
    assert "Hello, guest." in browser.get(table.tournament.get_absolute_url()).content.decode()
    browser.post(url(table, "say"), {"text": "Hello, ruler."})
    assert Line.objects.filter(guest=table.other.guest).exists()
    browser.post(url(table, "mute"), {"room": SEATS, "number": 1})
    assert Mute.objects.get().guest == table.other.guest


# --- What can be done about a line ---------------------------------------------------------------


def test_a_line_has_a_page_with_what_can_be_done_about_it() -> None:
    table = a_table()
    table.say(table.one, "marker-insult")
    page = reverse("tournament-line", args=[table.tournament.code, SEATS, 1])
    assert "marker-insult" in browser_of(table.other).get(page).content.decode()
    for nobody in (table.watcher, table.passer_by):
        assert browser_of(nobody).get(page).status_code == 404
    strange = reverse("tournament-line", args=[table.tournament.code, "cellar", 10**30])
    assert browser_of(table.other).get(strange).status_code == 404
    huge = reverse("tournament-line", args=[table.tournament.code, SEATS, 10**30])
    assert browser_of(table.other).get(huge).status_code == 404


def test_mute_block_and_report_work_as_plain_forms() -> None:
    table = a_table()
    table.say(table.one, "marker-insult")
    browser, about = browser_of(table.other), {"room": SEATS, "number": "1"}
    for name, model in (("report", Report), ("mute", Mute), ("block", Block)):
        answer = browser.post(url(table, name), about, follow=True)
        assert answer.status_code == 200
        assert model.objects.count() == 1
    page = table.tournament.get_absolute_url()
    assert "marker-insult" not in browser.get(page).content.decode()
    mute = Mute.objects.get()
    assert table.one.dynasty.name in browser.get(page).content.decode()
    browser.post(url(table, "unmute"), {"mute": mute.pk})
    assert not Mute.objects.exists()


@pytest.mark.parametrize("name", ["mute", "block", "report"])
@pytest.mark.parametrize(
    ("room", "number"),
    [("", ""), (SPECTATORS, "1"), ("cellar", "1"), (SEATS, "0"), (SEATS, "9" * 99), ("\0", "\0")],
)
def test_a_form_about_no_line_is_refused_in_words(name: str, room: str, number: str) -> None:
    table = a_table()
    table.say(table.one)
    answer = browser_of(table.other).post(
        url(table, name), {"room": room, "number": number}, **AS_JSON
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "no-such-line")


@pytest.mark.parametrize("mute", ["", "x", "9" * 50, "\0"])
def test_a_strange_mute_is_not_taken_back(mute: str) -> None:
    table = a_table()
    answer = browser_of(table.one).post(url(table, "unmute"), {"mute": mute})
    assert answer.status_code == 302


def test_a_line_of_a_training_that_is_just_gone_can_still_be_reported(
    django_capture_on_commit_callbacks,
) -> None:
    table = a_table("training")
    table.say(table.one, "marker-insult")
    with django_capture_on_commit_callbacks(execute=True):
        cancel(tournament=table.tournament)
    page = reverse("tournament-line", args=[table.tournament.code, SEATS, 1])
    browser = browser_of(table.other)
    assert "marker-insult" in browser.get(page).content.decode()
    assert Client().get(page).status_code == 404
    browser.post(url(table, "report"), {"room": SEATS, "number": 1})
    assert Report.objects.get().text == "marker-insult"
