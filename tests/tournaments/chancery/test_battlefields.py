"""Battlefields as the crown's makers draw them."""

import random
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import AdminFactory
from tests.tournaments.chancery.officials import (
    FORD,
    QUICK,
    added,
    clerk_with,
    errors_of,
    page,
    words,
)
from tests.tournaments.lists import announced, fight, filled
from tournaments import arena
from tournaments.fields.models import Battlefield

pytestmark = pytest.mark.django_db


def drawing(**typed: Any) -> dict[str, Any]:
    return {"key": "ford", "text": FORD, "is_offered": "on", **typed}


def look(client: Client, text: str) -> Any:
    return client.post(reverse("admin:tournaments_battlefield_preview"), {"text": text})


def test_a_battlefield_is_drawn_and_kept_with_what_the_drawing_tells(chancellor) -> None:
    answer = chancellor.post(added(Battlefield), drawing(text=FORD.replace("\n", "\r\n")))
    assert answer.status_code == 302
    field = Battlefield.objects.get(key="ford")
    assert (field.name, field.seats, field.text) == ("The Ford", 2, FORD)


def test_a_wrong_drawing_comes_back_with_line_column_and_a_caret(chancellor) -> None:
    wrong = FORD.replace("|(a)| a |   |", "|(a)| z |   |")
    answer = chancellor.post(added(Battlefield), drawing(text=wrong))
    assert "line 6, column 6" in errors_of(answer)["text"][0]
    assert "Line 6, column 6" in words(answer)
    assert f"{' ' * 5}^</code>" in answer.content.decode()
    assert not Battlefield.objects.filter(key="ford").exists()


def test_the_preview_shows_the_board_and_what_it_has(chancellor) -> None:
    told = words(look(chancellor, FORD))
    assert told.count("<rect") == 7
    assert told.count("bf-emperor") == 2
    for fact in ("2 (a, b)", "for every seat", "a-b", "yes: every seat"):
        assert fact in told


@pytest.mark.parametrize("key", sorted(arena.shipped_battlefields()))
def test_every_shipped_battlefield_can_be_previewed(chancellor, key: str) -> None:
    drawn = arena.shipped_battlefields()[key]
    told = words(look(chancellor, drawn.text))
    assert told.count("bf-emperor") == len(drawn.seats)
    assert ("no: its shape" in told) is not arena.is_fair(drawn)


@pytest.mark.parametrize("text", ["", "\x00", "name: x", "+" * 30_000, "name: <b>\nidea: y\n\n+"])
def test_the_preview_of_nonsense_says_what_is_wrong(chancellor, text: str) -> None:
    answer = look(chancellor, text)
    assert answer.status_code == 200
    assert "mistake" in words(answer)
    assert "<b>\n" not in answer.content.decode()


def test_a_name_in_a_drawing_is_text_and_nothing_else(chancellor) -> None:
    told = words(look(chancellor, FORD.replace("The Ford", "<script>x</script>")))
    assert "<script>" not in told
    assert "&lt;script&gt;" in told


def test_the_preview_is_for_staff_who_may_look_at_battlefields(onlooker, client) -> None:
    assert look(onlooker, FORD).status_code == 200
    assert look(clerk_with("view_outage"), FORD).status_code == 403
    assert look(client, FORD).status_code == 302
    url = reverse("admin:tournaments_battlefield_preview")
    assert onlooker.get(url).status_code == 405


def test_the_preview_needs_the_token_of_the_form() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(AdminFactory())
    assert look(client, FORD).status_code == 403


def test_nothing_on_the_editor_is_inline(chancellor) -> None:
    told = chancellor.get(page(Battlefield.objects.get(key="duel"))).content.decode()
    ours = told[told.index("drawing-table") :]
    assert " style=" not in ours
    assert " onclick=" not in ours
    assert "<style" not in ours


def test_the_editor_tells_who_uses_a_battlefield(chancellor) -> None:
    field = Battlefield.objects.get(key="duel")
    announced("honour", "duel")
    told = words(chancellor.get(page(field)))
    assert "Tournaments: 1" in told
    assert "Templates: 0" in told
    link = re.search(r'href="([^"]+)">Tournaments: 1', told)
    assert link is not None
    assert chancellor.get(link[1]).context["cl"].result_count == 1


def test_a_battlefield_goes_and_its_tournament_is_fought_on(chancellor, audit) -> None:
    tournament = announced("honour", "duel", **QUICK)
    field = tournament.battlefield
    tournament.refresh_from_db()
    before = tournament.options
    confirm = chancellor.get(reverse("admin:tournaments_battlefield_delete", args=[field.pk]))
    assert "none is harmed" in words(confirm)
    url = reverse("admin:tournaments_battlefield_delete", args=[field.pk])
    assert chancellor.post(url, {"post": "yes"}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.battlefield, tournament.options) == (None, before)
    filled(tournament)
    over = fight(tournament, random.Random(1))
    assert over is not None
    assert chancellor.get(page(over)).status_code == 200
    audit()


def test_an_onlooker_sees_the_board_and_can_change_nothing(onlooker) -> None:
    field = Battlefield.objects.get(key="duel")
    assert "bf-emperor" in words(onlooker.get(page(field)))
    assert onlooker.post(page(field), drawing()).status_code == 403
