"""Terms as a form: templates, and announcements of the crown."""

from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from dynasties.charter.models import Charter
from dynasties.charter.services import amend_charter
from dynasties.treasury.selectors import balances_of, kind
from dynasties.treasury.services import Move, crown, mint, post
from tests.factories import DynastyFactory
from tests.tournaments.chancery.officials import (
    added,
    announcement,
    errors_of,
    listed,
    page,
    template,
    words,
)
from tests.tournaments.lists import announced
from tournaments.announcements.models import Invitation, Template, Tournament
from tournaments.announcements.services import announce_from_templates

pytestmark = pytest.mark.django_db


# --- Templates and announcements: the form ---
def test_a_template_keeps_all_terms_and_the_options_of_the_game(chancellor) -> None:
    typed = template(
        option_conflict="bounce",
        option_goals=["last-emperor", "survive"],
        option_goals_survive_turns="20",
        option_goals_survive_more_than="1",
        stake="7",
    )
    assert chancellor.post(added(Template), typed).status_code == 302
    kept = Template.objects.get()
    assert (kept.stake, kept.turn_seconds, kept.options["conflict"]) == (7, 30, "bounce")
    assert {"kind": "survive", "turns": 20, "more_than": 1} in kept.options["goals"]
    shown = chancellor.get(page(kept)).context["adminform"].form
    assert shown["option_conflict"].value() == "bounce"
    assert shown["option_goals_survive_turns"].value() == 20


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"turn_seconds": "5"}, "turn_seconds"),
        ({"pace": "slow", "turn_seconds": "60"}, "turn_seconds"),
        ({"seats_least": "9"}, "seats_least"),
        ({"type": "gift", "stake": "5"}, "stake"),
        ({"prize_reputation": "5"}, "prize_reputation"),
        ({"prize_of_gold": "5"}, "prize_reputation"),
        ({"fee": "5"}, "fee"),
        ({"type": "training", "chests": "on"}, "type"),
        ({"chests": "on"}, "chests"),
        ({"reputation_least": "9", "reputation_most": "8"}, "reputation_most"),
        ({"option_goals": ["treasure"]}, "option_goals"),
        ({"option_goals": ["survive"]}, "option_goals_survive_turns"),
        ({"option_turn_limit": "x"}, "option_turn_limit"),
        ({"battlefield": ""}, "battlefield"),
        ({"game": "halma"}, "game"),
        ({"every_minutes": "1"}, "every_minutes"),
    ],
)
def test_terms_that_can_not_be_are_refused_at_their_field(chancellor, typed, field) -> None:
    answer = chancellor.post(added(Template), template(**typed))
    assert answer.status_code == 200
    assert field in errors_of(answer)
    assert not Template.objects.exists()


def test_what_is_left_empty_is_said_by_the_charter(chancellor) -> None:
    numbers = {"honour_stake": 9, "gift_reputation": 21, "live_turn_seconds": 44}
    amend_charter(changes=numbers, reason="test", author=None)
    for type_ in ("honour", "gift"):
        assert chancellor.post(added(Tournament), announcement(type=type_)).status_code == 302
    gift, honour = Tournament.objects.all()[:2]
    assert (honour.stake, honour.turn_seconds, honour.prize_reputation) == (9, 44, 0)
    assert (gift.stake, gift.turn_seconds, gift.prize_reputation) == (0, 44, 21)


def test_a_slow_tournament_takes_a_day_a_turn_where_nothing_is_said(chancellor) -> None:
    assert chancellor.post(added(Tournament), announcement(pace="slow")).status_code == 302
    assert Tournament.objects.get().turn_seconds == 86_400


def test_the_charter_in_the_admin_has_the_numbers_of_tournaments(chancellor) -> None:
    told = words(chancellor.get(added(Charter)))
    for name in ("honour_stake", "gift_reputation", "live_turn_seconds", "chest_least",
                 "chest_most", "generosity"):  # fmt: skip
        assert f'name="{name}"' in told


# --- Templates: what follows ---


@pytest.fixture
def evening(chancellor) -> Template:
    chancellor.post(added(Template), template())
    return Template.objects.get()


def test_a_template_is_announced_now_once_and_its_schedule_stays(chancellor, evening) -> None:
    url = reverse("admin:tournaments_template_announce", args=[evening.pk])
    assert chancellor.get(url).status_code == 200
    sent = {"form_key": str(uuid4())}
    for _again in range(2):
        answer = chancellor.post(url, sent)
    made = Tournament.objects.get()
    assert answer["Location"] == page(made)
    assert (made.host, made.state, made.stake) == (None, Tournament.State.OPEN, 5)
    assert made.starts_at is not None
    kept = Template.objects.get()
    assert kept.next_at == evening.next_at
    assert made.code in LogEntry.objects.filter(object_id=str(evening.pk)).first().change_message


def test_templates_are_switched_off_and_on_and_it_is_noted(chancellor, evening) -> None:
    chosen = {"_selected_action": [evening.pk]}
    chancellor.post(listed(Template), {"action": "deactivate", **chosen})
    assert not Template.objects.get().is_active
    assert announce_from_templates() == 0
    chancellor.post(listed(Template), {"action": "activate", **chosen})
    assert Template.objects.get().is_active
    noted = [entry.change_message for entry in LogEntry.objects.filter(action_flag=2)]
    assert sorted(noted) == ["Activated.", "Deactivated."]


def test_a_template_that_can_not_be_announced_says_why(chancellor, evening) -> None:
    Template.objects.update(battlefield=None)
    told = words(chancellor.get(page(evening)))
    assert "As it is kept now, it can&#x27;t be announced" in told or "can't be announced" in told
    url = reverse("admin:tournaments_template_announce", args=[evening.pk])
    chancellor.post(url, {"form_key": str(uuid4())})
    assert not Tournament.objects.exists()


def test_an_onlooker_can_neither_switch_nor_announce_a_template(onlooker, evening) -> None:
    url = reverse("admin:tournaments_template_announce", args=[evening.pk])
    assert onlooker.get(page(evening)).status_code == 200
    assert onlooker.get(url).status_code == 403
    assert onlooker.post(url, {"form_key": str(uuid4())}).status_code == 403
    onlooker.post(listed(Template), {"action": "deactivate", "_selected_action": [evening.pk]})
    assert Template.objects.get().is_active
    assert not Tournament.objects.exists()


# --- Announcing for the crown ---


def endow_crown(**amounts: int) -> None:
    for code, amount in amounts.items():
        given = kind(code)
        moves = [Move(mint(), given, -amount), Move(crown(), given, amount)]
        post(key=f"endow {code}", reason="mint", moves=moves)


def test_the_crown_announces_a_gift_and_the_prize_leaves_its_account(chancellor, audit) -> None:
    endow_crown(gold=5)
    typed = announcement(type="gift", prize_of_gold="3", prize_reputation="10")
    assert chancellor.post(added(Tournament), typed).status_code == 302
    made = Tournament.objects.get()
    assert (made.host, made.prize_wealth, made.prize_reputation) == (None, {"gold": 3}, 10)
    assert balances_of(crown())[kind("gold")] == 2
    audit()


def test_a_prize_that_the_crown_lacks_is_refused_at_the_prize(chancellor) -> None:
    endow_crown(gold=2)
    answer = chancellor.post(added(Tournament), announcement(type="gift", prize_of_gold="3"))
    assert "The crown lacks 1" in errors_of(answer)["prize_reputation"][0]
    assert not Tournament.objects.exists()
    assert balances_of(crown())[kind("gold")] == 2


def test_an_announcement_sent_twice_is_one_tournament(chancellor) -> None:
    typed = announcement()
    answers = [chancellor.post(added(Tournament), typed) for _again in range(2)]
    assert {answer["Location"] for answer in answers} == {page(Tournament.objects.get())}


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"starts_at_0": "2020-01-01", "starts_at_1": "10:00"}, "starts_at"),
        ({"opens_at_0": "2099-01-01", "opens_at_1": "10:00"}, "opens_at"),
        ({"bots": "page"}, "bots"),
        ({"invited": "House of Nobody"}, "invited"),
    ],
)
def test_times_bots_and_guests_that_can_not_be_are_refused(chancellor, typed, field) -> None:
    answer = chancellor.post(added(Tournament), announcement(**typed))
    assert field in errors_of(answer)
    assert not Tournament.objects.exists()


def test_dynasties_can_be_invited_with_the_announcement(chancellor) -> None:
    house = DynastyFactory(name="House of Ash")
    typed = announcement(access="invited", invited="House of Ash")
    assert chancellor.post(added(Tournament), typed).status_code == 302
    assert Invitation.objects.get().dynasty == house
    assert "House of Ash" in words(chancellor.get(page(Tournament.objects.get())))


def test_one_like_another_begins_with_all_its_terms(chancellor) -> None:
    model = announced(
        "honour", "crossroads", name="Spring", stake=8, options={"conflict": "bounce"}
    )
    answer = chancellor.get(added(Tournament), {"like": model.pk})
    form = answer.context["adminform"].form
    shown = {name: form[name].value() for name in ("name", "stake", "type", "option_conflict")}
    assert shown == {"name": "Spring", "stake": 8, "type": "honour", "option_conflict": "bounce"}
    assert form["battlefield"].value() == model.battlefield_id
    for nonsense in ("x", "-1", "99999999", "9" * 40):
        assert chancellor.get(added(Tournament), {"like": nonsense}).status_code == 200


def test_who_may_not_announce_finds_no_form(onlooker) -> None:
    assert onlooker.get(added(Tournament)).status_code == 403
    assert onlooker.post(added(Tournament), announcement()).status_code == 403
