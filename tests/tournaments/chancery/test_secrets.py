"""What even the chancery can't see: orders of an open turn, seeds, contents of chests."""

import re
from collections.abc import Iterable

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.treasury.models import Account
from dynasties.treasury.selectors import kind, wealth_of
from dynasties.treasury.services import account_of
from tests.tournaments.chancery.officials import CHEST, QUICK, added, deed, listed, page, words
from tests.tournaments.lists import announced, fighter, filled, seat
from tournaments.announcements.models import Tournament
from tournaments.seating.players import Player
from tournaments.seating.services import enter
from tournaments.turns.models import Order
from tournaments.turns.positions import position_of
from tournaments.turns.services import submit_order

pytestmark = pytest.mark.django_db


def all_admin_pages(tournament: Tournament) -> Iterable[str]:
    """Every page of the admin that knows something of a tournament or of its wealth."""
    yield listed(Tournament)
    yield page(tournament)
    yield f"{page(tournament)}?before=999"
    yield reverse("admin:tournaments_tournament_history", args=[tournament.pk])
    for key in ("cancel", "adjourn", "resume"):
        yield deed(tournament, key)
    yield f"{added(Tournament)}?like={tournament.pk}"


def test_an_order_of_the_open_turn_is_on_no_page_of_the_admin(chancellor) -> None:
    tournament = announced("honour", "crossroads", **QUICK)
    seats = filled(tournament)

    def everything() -> list[str]:
        texts = (words(chancellor.get(url)) for url in all_admin_pages(tournament))
        return [
            re.sub(r'name="(csrfmiddlewaretoken|form_key)" value="[^"]+"', "", text)
            for text in texts
        ]

    before = everything()
    row = next(each for each in seats if each.name in position_of(tournament).due())
    choice = position_of(tournament).choices(row.name)[0]["order"]
    submit_order(seat=row.pk, turn=0, content=choice)
    assert Order.objects.count() == 1
    assert everything() == before


def test_seed_and_position_of_a_running_tournament_are_on_no_page(chancellor) -> None:
    tournament = announced("honour", "duel", **QUICK)
    filled(tournament)
    for url in all_admin_pages(tournament):
        told = chancellor.get(url).content.decode()
        assert tournament.seed not in told, url
        assert tournament.position not in told, url


def chests_filled() -> Tournament:
    """A tournament with chests in which one dynasty has a seat, and a marked chest."""
    tournament = announced("honour", "four-islands", chests=True)
    emperor = fighter(rich=True)
    enter(
        tournament=tournament,
        player=Player(dynasty=emperor.dynasty),
        emperor=emperor,
        chest=CHEST,
    )
    return tournament


def told_amounts(client: Client) -> str:
    """All that the admin of the treasury tells, page by page."""
    pages = [
        listed(Account),
        reverse("admin:dynasties_account_circulation"),
        reverse("admin:dynasties_transfer_changelist"),
        *(page(account) for account in Account.objects.all()),
        *(
            reverse(f"admin:dynasties_transfer_{view}", args=[number])
            for account in Account.objects.all()
            for number in account.legs.values_list("transfer", flat=True)
            for view in ("change", "counter")
        ),
    ]
    return " ".join(words(client.get(url)) for url in pages)


def test_what_is_in_a_chest_is_sealed_on_every_page_of_the_treasury(chancellor) -> None:
    tournament = chests_filled()
    house = tournament.seats.get().dynasty
    left = wealth_of(house)[kind("copper")]
    told = told_amounts(chancellor)
    assert "sealed" in told
    for secret in (CHEST, left):
        assert str(secret) not in told
        assert f"{secret:,}" not in told


def test_two_chests_that_differ_look_alike_in_the_treasury(chancellor) -> None:
    tournament = announced("honour", "four-islands", chests=True)
    shown = []
    for content in (101, 999):
        emperor = fighter(rich=True)
        player = Player(dynasty=emperor.dynasty)
        enter(tournament=tournament, player=player, emperor=emperor, chest=content)
        told = words(chancellor.get(page(account_of(emperor.dynasty))))
        shown.append(re.findall(r'field-(?:kind|lies_there)">.*?</td>', told))
    assert shown[0] == shown[1]


def test_the_owner_reads_in_his_statement_what_he_put_into_his_chest() -> None:
    tournament = chests_filled()
    client = Client()
    client.force_login(tournament.seats.get().dynasty.ruler)
    assert str(CHEST) in words(client.get(reverse("treasury")))
    rows = client.get(reverse("treasury_csv"))
    body = b"".join(rows.streaming_content) if rows.streaming else rows.content
    assert str(CHEST) in body.decode()


def test_a_chest_that_came_back_stays_sealed_and_balances_are_open_again(chancellor) -> None:
    tournament = chests_filled()
    house = tournament.seats.get().dynasty
    chancellor.post(deed(tournament, "cancel"), {"reason": "rain"})
    assert str(CHEST) not in told_amounts(chancellor)
    assert f"{wealth_of(house)[kind('copper')]:,}" in words(chancellor.get(page(account_of(house))))


def test_a_fee_without_a_chest_is_no_secret(chancellor) -> None:
    tournament = announced("conquer", "duel", fee=417, fee_kind=kind("copper"))
    seat(tournament, fighter(rich=True))
    assert "417" in words(chancellor.get(reverse("admin:dynasties_transfer_changelist")))
