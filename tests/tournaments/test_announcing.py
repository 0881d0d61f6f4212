"""Announcing: which terms can be, who may announce them, and what recurs by itself."""

from datetime import timedelta
from typing import Any

import pytest

from dynasties.clock import database_now
from dynasties.treasury.models import Balance
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, crown, mint, post
from tests.factories import DynastyFactory
from tests.tournaments.hours import ago, ahead
from tests.tournaments.lists import announced, terms_of
from tournaments import errors
from tournaments.announcements import services as announcing
from tournaments.announcements.models import Template, Tournament
from tournaments.announcements.services import (
    LONGEST_AHEAD,
    MOST_OPEN,
    announce,
    announce_from_templates,
    invite,
)
from tournaments.fields.models import Battlefield
from tournaments.seating.services import cancel, start_due

pytestmark = pytest.mark.django_db


UNFIT: list[tuple[str, dict[str, Any]]] = [
    ("type", {"type_": "tea"}),
    ("access", {"access": "nobody"}),
    ("game", {"game": "chess-boxing"}),
    ("options", {"options": []}),
    ("options", {"options": {"nonsense": 1}}),
    ("seats_least", {"seats_least": 1}),
    ("seats_least", {"seats_least": 3}),
    ("pace", {"pace": "hasty"}),
    ("turn_seconds", {"turn_seconds": 9}),
    ("turn_seconds", {"turn_seconds": 301}),
    ("turn_seconds", {"pace": "slow", "turn_seconds": 3599}),
    ("turn_seconds", {"pace": "slow", "turn_seconds": 7 * 24 * 3600 + 1}),
    ("stake", {"stake": 0}),
    ("stake", {"type_": "death", "stake": 5}),
    ("prize_reputation", {"prize_reputation": 5}),
    ("prize_reputation", {"type_": "gift", "prize_reputation": 0}),
    ("prize_wealth", {"type_": "gift", "prize_wealth": {"moons": 3}}),
    ("prize_wealth", {"type_": "gift", "prize_wealth": {"gold": -3}}),
    ("prize_wealth", {"type_": "gift", "prize_wealth": {"gold": True}}),
    ("prize_wealth", {"type_": "gift", "prize_wealth": {"gold": 10**30}}),
    ("fee", {"fee": 5}),
    ("reputation_most", {"reputation_least": 5, "reputation_most": 4}),
    ("reputation_most", {"reputation_most": 4}),
    ("chests", {"chests": True}),
    ("type", {"type_": "training", "reputation_a_capture": 5}),
    ("bots", {"bots": "page"}),
    ("bots", {"type_": "training", "bots": "cheat"}),
]


@pytest.mark.parametrize(("field", "terms"), UNFIT)
def test_terms_that_can_t_be_are_refused_by_the_field(field: str, terms: dict[str, Any]) -> None:
    with pytest.raises(errors.UnfitTerms) as refused:
        announced(**terms)
    assert (refused.value.code, refused.value.field) == ("unfit-terms", field)
    assert str(refused.value)
    assert not Tournament.objects.exists()


def test_it_starts_after_it_opens_and_not_in_a_far_future() -> None:
    for times in (
        {"opens_at": ahead(days=61)},
        {"starts_at": ahead(days=61)},
        {"starts_at": ago(minutes=1)},
        {"opens_at": ahead(hours=2), "starts_at": ahead(hours=1)},
    ):
        with pytest.raises(errors.UnfitTerms):
            announced(**times)


def test_only_the_crown_gives_gifts() -> None:
    with pytest.raises(errors.CrownOnly):
        announced("gift", host=DynastyFactory())
    announced("gift")


def test_only_the_crown_gives_reputation_out_of_nothing() -> None:
    for event in ("reputation_a_capture", "reputation_a_treasure"):
        with pytest.raises(errors.UnfitTerms):
            announced("honour", host=DynastyFactory(), **{event: 1})
        assert announced("honour", **{event: 1}).host is None


def test_what_waits_for_its_seats_does_not_wait_for_ever(audit) -> None:
    waiting = announced("honour")
    long_ago = database_now() - LONGEST_AHEAD
    Tournament.objects.filter(pk=waiting.pk).update(announced_at=long_ago, opens_at=long_ago)
    fresh = announced("honour")
    assert start_due() == 1
    waiting.refresh_from_db()
    fresh.refresh_from_db()
    assert (waiting.state, fresh.state) == ("cancelled", "open")
    audit()


def test_a_dynasty_announces_so_many_and_no_more_until_one_is_gone() -> None:
    host = DynastyFactory()
    first, *_others = [announced(host=host) for _each in range(MOST_OPEN)]
    with pytest.raises(errors.TooManyOpen):
        announced(host=host)
    cancel(tournament=first)
    announced(host=host)


def test_the_crown_can_t_promise_what_it_lacks() -> None:
    with pytest.raises(errors.Poor):
        announced("gift", prize_wealth={"gold": 3})


def test_a_prize_that_nobody_wins_goes_back_to_the_crown(audit) -> None:
    gold = kind("gold")
    moves = [Move(mint(), gold, -10), Move(crown(), gold, 10)]
    post(key="gold for the crown", reason="mint", moves=moves)
    owned = Balance.objects.filter(account=crown(), kind=gold)
    tournament = announced("gift", prize_wealth={"gold": 3})
    assert owned.get().amount == 7
    cancel(tournament=tournament)
    assert owned.get().amount == 10
    audit()


def test_the_same_request_twice_announces_once() -> None:
    host = DynastyFactory()
    twice = [
        announce(terms=terms_of(), host=host, request_key=f"{host.pk} once") for _each in range(2)
    ]
    assert twice[0] == twice[1]
    assert Tournament.objects.count() == 1


def test_who_is_invited_twice_is_invited_once() -> None:
    tournament, dynasty = announced(access="invited"), DynastyFactory()
    for _time in range(2):
        invite(tournament=tournament, dynasties=(dynasty,))
    assert tournament.guests.count() == 1


def test_what_is_announced_keeps_the_battlefield_it_was_announced_with() -> None:
    tournament = announced()
    drawn = tournament.options["battlefield"]
    Battlefield.objects.filter(key="duel").update(text="something else", name="Elsewhere")
    tournament.refresh_from_db()
    assert tournament.options["battlefield"] == drawn
    assert tournament.ground != "Elsewhere"


# --- What recurs ------------------------------------------------------------------------------


def recurring(**more: Any) -> Template:
    terms = {"type": "honour", "stake": 5, "battlefield": Battlefield.objects.get(key="duel")}
    return Template.objects.create(**{**terms, "every_minutes": 60, "entries_minutes": 30, **more})


def test_a_template_announces_at_its_time_and_again_after_its_pause() -> None:
    template = recurring(next_at=ahead(minutes=1))
    assert announce_from_templates() == 0
    Template.objects.update(next_at=ago(minutes=1))
    assert announce_from_templates() == 1
    assert announce_from_templates() == 0
    tournament = Tournament.objects.get()
    assert (tournament.host, tournament.state) == (None, Tournament.State.OPEN)
    assert tournament.starts_at > ahead(minutes=29)
    template.refresh_from_db()
    assert timedelta(minutes=58) < template.next_at - database_now() < timedelta(minutes=60)


def test_after_days_of_downtime_a_template_announces_one_and_keeps_its_hour() -> None:
    template = recurring(next_at=ago(days=3, minutes=7))
    hour = template.next_at.minute
    assert sum(announce_from_templates() for _sweep in range(5)) == 1
    template.refresh_from_db()
    assert template.next_at > database_now()
    assert template.next_at.minute == hour


def test_a_template_that_can_t_be_announced_rests_and_holds_up_nobody() -> None:
    broken = recurring(next_at=ago(minutes=2), stake=0)
    recurring(next_at=ago(minutes=1))
    assert announce_from_templates() == 1
    broken.refresh_from_db()
    assert not broken.is_active
    assert announce_from_templates() == 0


def test_a_game_that_breaks_in_a_template_holds_up_no_other(monkeypatch) -> None:
    recurring(next_at=ago(minutes=2), name="Broken")
    recurring(next_at=ago(minutes=1))
    checks = announcing.check_terms

    def break_down(terms: Any, seats: Any) -> None:
        if terms.name == "Broken":
            raise KeyError
        checks(terms, seats)

    monkeypatch.setattr(announcing, "check_terms", break_down)
    assert announce_from_templates() == 1
    assert Template.objects.get(is_active=False).name == "Broken"


@pytest.mark.parametrize("name", ["Spring\u202egnirpS", "Spring\u200b", "Spring\ngames"])
def test_a_name_holds_nothing_that_nobody_can_see(name: str) -> None:
    with pytest.raises(errors.UnfitTerms) as refused:
        announced(name=name)
    assert refused.value.field == "name"
