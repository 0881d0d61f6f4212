"""The pages of the market: everybody may look, who heads a dynasty may act."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from dynasties.houses.models import Dynasty
from dynasties.market import views
from dynasties.market.models import Offer, Ware
from dynasties.market.services import accept_offer, withdraw_offer
from dynasties.treasury.kinds import set_mint_value
from dynasties.treasury.selectors import kind
from tests.dynasties.market.cast import merchant, novice, offered, overdue, owned, wealth
from tests.factories import DynastyFactory, StaffFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def maker() -> Dynasty:
    return merchant()


@pytest.fixture
def taker() -> Dynasty:
    return merchant(silver=20)


def client_of(dynasty: Dynasty) -> Client:
    client = Client()
    client.force_login(dynasty.ruler)
    return client


def text(answer) -> str:
    """What a reader sees, in one line."""
    bare = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return re.sub(r"\s+", " ", unescape(bare))


def terms(**typed: object) -> dict[str, object]:
    return {"days": 3, "to": "", "key": str(uuid4()), **typed}


def said(answer) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


# --- Looking --------------------------------------------------------------------------


def test_a_stranger_sees_shop_and_offers_and_is_told_how_to_trade(client, maker) -> None:
    offered(maker, gives=wealth(copper=123), wants=wealth(ruby=4))
    page = text(client.get(reverse("market")))
    assert "bronze key 250 × copper coin" in page
    assert "123 × copper coin" in page
    assert "4 × ruby" in page
    assert "found a dynasty or log in" in page


def test_an_account_without_a_dynasty_may_look_but_not_act(client, maker) -> None:
    offer = offered(maker)
    client.force_login(StaffFactory())
    words = "This account heads no dynasty"
    for name, args in [("market", []), ("mint", []), ("offer", [offer.code])]:
        assert words in text(client.get(reverse(name, args=args)))
    buy = client.post(reverse("market_ware", args=["bronze-key"]), {"count": 1})
    accept = client.post(reverse("offer_accept", args=[offer.code]))
    assert words in text(buy)
    assert words in text(accept)
    assert words in text(client.post(reverse("offer_new"), terms(gives_copper=1)))
    assert words in text(client.post(reverse("mint"), {}))
    assert words in text(client.get(reverse("palace_market")))
    offer.refresh_from_db()
    assert offer.state == Offer.State.OPEN


@pytest.mark.parametrize("page", ["mint", "market_ware"])
def test_a_stranger_who_would_act_is_asked_to_log_in(client, page: str) -> None:
    args = ["bronze-key"] if page == "market_ware" else []
    answer = client.post(reverse(page, args=args), {"count": 1})
    assert answer.url.startswith(reverse("account_login"))


def test_offers_are_found_by_what_they_give_and_want(client, maker) -> None:
    first = offered(maker, gives=wealth(copper=11), wants=wealth(ruby=1))
    second = offered(maker, gives=wealth(copper=12), wants=wealth(gold=1))
    third = offered(maker, gives={}, wants=wealth(gold=2, ruby=2))

    def found(**query: str) -> set[Offer]:
        return set(client.get(reverse("market"), query).context["page_obj"])

    assert found() == {first, second, third}
    assert found(gives="copper") == {first, second}
    assert found(wants="gold") == {second, third}
    assert found(gives="copper", wants="gold") == {second}
    assert found(gives="sapphire") == set()
    assert found(gives="no-such-kind", wants="\0") == {first, second, third}


def test_the_market_shows_only_what_can_still_be_accepted(client, maker, taker) -> None:
    overdue(offered(maker))
    accept_offer(offer=offered(maker), dynasty=taker)
    withdraw_offer(offer=offered(maker), dynasty=maker)
    private, open_one = offered(maker, to=taker), offered(maker)
    assert list(client.get(reverse("market")).context["page_obj"]) == [open_one]
    page = client_of(taker).get(reverse("market"))
    assert list(page.context["to_me"]) == [private]


def test_many_offers_come_in_pages_with_as_many_queries(
    client, maker, monkeypatch, django_assert_max_num_queries
) -> None:
    monkeypatch.setattr(views, "OFFERS_A_PAGE", 4)
    for _number in range(9):
        offered(maker, gives=wealth(copper=1), to=None)
    with django_assert_max_num_queries(14):
        page = client.get(reverse("market"), {"page": 2})
    assert len(page.context["page_obj"]) == 4
    assert len(client.get(reverse("market"), {"page": "99"}).context["page_obj"]) == 1


def test_names_of_dynasties_are_text(client) -> None:
    """No name can hold a mark-up, but a page that trusts them would be the first to show it."""
    maker = merchant()
    Dynasty.objects.filter(pk=maker.pk).update(name="<b>House</b>")
    offer = offered(maker)
    for page in (reverse("market"), offer.get_absolute_url()):
        assert "<b>House</b>" not in client.get(page).content.decode()


# --- Making -----------------------------------------------------------------------------


def test_an_offer_is_made_by_a_form_and_told_in_words(maker, taker) -> None:
    client = client_of(maker)
    form = terms(gives_copper=30, wants_ruby=2, wants_gold="", to=taker.name.upper())
    answer = client.post(reverse("offer_new"), form, follow=True)
    offer = Offer.objects.get()
    assert answer.redirect_chain == [(offer.get_absolute_url(), 302)]
    assert offer.to == taker
    assert "30 × copper coin" in text(answer)
    assert "2 × ruby" in text(answer)
    assert "to House" in text(answer)


def test_a_double_click_makes_one_offer(maker) -> None:
    client, form = client_of(maker), terms(gives_copper=30)
    first = client.post(reverse("offer_new"), form)
    assert client.post(reverse("offer_new"), form).url == first.url
    assert owned(maker) == {"copper": 970}


def test_each_form_has_a_key_of_its_own(maker) -> None:
    client = client_of(maker)
    keys = {client.get(reverse("offer_new")).context["form"]["key"].value() for _ in range(2)}
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({}, "gives something or wants something"),
        ({"gives_copper": 5, "wants_copper": 6}, "the same kind"),
        ({"gives_copper": 1001}, "You have too little: 1 × copper coin"),
        ({"gives_copper": -1}, "greater than or equal to 0"),
        ({"gives_copper": 10**13}, "less than or equal to"),
        ({"gives_copper": "many"}, "whole number"),
        ({"gives_copper": 1, "days": 15}, "less than or equal to 14"),
        ({"gives_copper": 1, "days": 0}, "greater than or equal to 1"),
        ({"gives_copper": 1, "to": "House of Nowhere"}, "No dynasty bears this name"),
        ({"gives_copper": 1, "to": "a\0b"}, "Null characters"),
        ({"gives_copper": 1, "key": "no-uuid"}, "valid UUID"),
    ],
)
def test_an_unfit_offer_is_explained_and_not_made(maker, typed, words: str) -> None:
    answer = client_of(maker).post(reverse("offer_new"), terms(**typed))
    assert answer.status_code == 200
    assert words in text(answer)
    assert not Offer.objects.exists()
    assert owned(maker) == {"copper": 1000}


def test_an_offer_to_oneself_or_to_the_fallen_is_explained(maker) -> None:
    for name in (maker.name, DynastyFactory(fallen=True).name):
        answer = client_of(maker).post(reverse("offer_new"), terms(gives_copper=1, to=name))
        assert "another dynasty that stands" in text(answer)


def test_an_unopened_dynasty_is_as_if_it_were_not(maker) -> None:
    held = DynastyFactory(held=True)
    answer = client_of(maker).post(reverse("offer_new"), terms(gives_copper=1, to=held.name))
    assert "No dynasty bears this name" in text(answer)


def test_who_was_never_tried_is_told_why_the_grant_stays() -> None:
    young = novice()
    client = client_of(young)
    assert "can't be given away" in text(client.get(reverse("offer_new")))
    answer = client.post(reverse("offer_new"), terms(gives_copper=5))
    assert "worth 995 copper at the mint, and 1000 must stay" in text(answer)
    assert "can't be given away" not in text(client_of(merchant()).get(reverse("offer_new")))


def test_a_link_may_name_the_addressee(maker, taker) -> None:
    page = client_of(maker).get(reverse("offer_new"), {"to": taker.name})
    assert page.context["form"]["to"].value() == taker.name


# --- Settling ---------------------------------------------------------------------------


def test_an_offer_is_accepted_after_a_second_look(maker, taker) -> None:
    offer, client = offered(maker), client_of(taker)
    assert "Accept the offer" in text(client.get(offer.get_absolute_url()))
    look = client.get(reverse("offer_accept", args=[offer.code]))
    assert "You get 100 × copper coin You pay 5 × silver coin" in text(look)
    offer.refresh_from_db()
    assert offer.state == Offer.State.OPEN
    answer = client.post(reverse("offer_accept", args=[offer.code]), follow=True)
    assert said(answer) == ["The trade is made."]
    assert "by you" in text(answer)
    assert owned(taker) == {"copper": 1100, "silver": 15}


def test_who_is_too_late_is_told_so(maker, taker) -> None:
    offer = offered(maker)
    accept_offer(offer=offer, dynasty=merchant(silver=5))
    client = client_of(taker)
    for answer in (
        client.get(offer.get_absolute_url()),
        client.get(reverse("offer_accept", args=[offer.code])),
        client.post(reverse("offer_accept", args=[offer.code])),
    ):
        assert answer.status_code == 410
        assert "no longer open" in text(answer)
    assert owned(taker) == {"copper": 1000, "silver": 20}


def test_an_overdue_offer_cannot_be_accepted_by_its_page(maker, taker) -> None:
    offer, client = overdue(offered(maker)), client_of(taker)
    assert "Its time is over" in text(client.get(offer.get_absolute_url()))
    answer = client.post(reverse("offer_accept", args=[offer.code]), follow=True)
    assert said(answer) == ["This offer has expired."]


def test_who_cannot_pay_is_told_what_is_missing(maker) -> None:
    offer, client = offered(maker), client_of(merchant(silver=3))
    assert "You don't have what it wants: 5 × silver coin" in text(
        client.get(offer.get_absolute_url())
    )
    answer = client.post(reverse("offer_accept", args=[offer.code]), follow=True)
    assert said(answer) == ["You have too little: 2 × silver coin are missing."]


def test_an_offer_is_withdrawn_after_a_second_look(maker) -> None:
    offer, client = offered(maker), client_of(maker)
    assert "Let it stand" in text(client.get(reverse("offer_withdraw", args=[offer.code])))
    answer = client.post(reverse("offer_withdraw", args=[offer.code]), follow=True)
    assert "withdrawn" in text(answer)
    assert owned(maker) == {"copper": 1000}


def test_nobody_withdraws_what_is_not_his_or_accepts_what_is(maker, taker) -> None:
    offer = offered(maker)
    there = offer.get_absolute_url()
    assert client_of(taker).get(reverse("offer_withdraw", args=[offer.code])).url == there
    assert client_of(maker).get(reverse("offer_accept", args=[offer.code])).url == there
    wrong = client_of(taker).post(reverse("offer_withdraw", args=[offer.code]), follow=True)
    assert said(wrong) == ["This offer is not yours to accept or to withdraw."]
    own = client_of(maker).post(reverse("offer_accept", args=[offer.code]), follow=True)
    assert said(own) == ["You can't accept an offer of your own."]


def test_the_palace_keeps_own_offers_and_what_became_of_them(maker, taker) -> None:
    done, private = offered(maker), offered(taker, gives=wealth(silver=1), wants={}, to=maker)
    accept_offer(offer=done, dynasty=taker)
    stands = offered(maker)
    page = client_of(maker).get(reverse("palace_market"))
    assert list(page.context["open_offers"]) == [stands]
    assert list(page.context["page_obj"]) == [done]
    assert list(page.context["to_me"]) == [private]
    assert list(client_of(taker).get(reverse("palace_market")).context["page_obj"]) == [done]


# --- The crown --------------------------------------------------------------------------


def test_a_key_is_bought_once_however_often_one_clicks(maker) -> None:
    client, there = client_of(maker), reverse("market_ware", args=["bronze-key"])
    form = client.get(there).context["form"]
    order = {"count": 2, "price": form["price"].value(), "key": form["key"].value()}
    for _click in range(3):
        assert client.post(there, order).url == reverse("market")
    assert owned(maker) == {"copper": 500, "bronze-key": 2}


def test_another_price_than_the_one_shown_is_refused(maker) -> None:
    client, there = client_of(maker), reverse("market_ware", args=["bronze-key"])
    Ware.objects.update(price=300)
    answer = client.post(there, {"count": 1, "price": 250, "key": uuid4()}, follow=True)
    assert said(answer)[0].startswith("The price has changed.")
    assert answer.context["form"]["price"].value() == 300


@pytest.mark.parametrize("count", ["", "0", "-3", "1001", "x"])
def test_an_odd_count_is_explained(maker, count: str) -> None:
    there = reverse("market_ware", args=["bronze-key"])
    answer = client_of(maker).post(there, {"count": count, "price": 250, "key": uuid4()})
    assert answer.context["form"].errors["count"]
    assert owned(maker) == {"copper": 1000}


def test_what_is_not_on_sale_has_no_page(client) -> None:
    Ware.objects.update(on_sale=False)
    assert client.get(reverse("market_ware", args=["bronze-key"])).status_code == 404
    assert "sells nothing" in text(client.get(reverse("market")))


ASKED = {"get": "silver", "count": "10", "pay": "copper"}


def test_the_mint_tells_its_price_before_anybody_pays(client) -> None:
    page = client.get(reverse("mint"), ASKED)
    assert (page.context["quote"].price, page.context["quote"].fee) == (103, 3)
    assert "You pay 103 × copper coin" in text(page)
    small = client.get(reverse("mint"), {"get": "copper", "count": "1", "pay": "gold"})
    assert "For the same price you could get 98 × copper coin" in text(small)


@pytest.mark.parametrize(
    "asked",
    [
        {"get": "copper"},
        {"get": "bronze-key"},
        {"count": "0"},
        {"count": "x"},
        {"count": str(10**12)},
        {"pay": "\0"},
    ],
)
def test_what_the_mint_does_not_do_is_explained(client, asked) -> None:
    page = client.get(reverse("mint"), {**ASKED, **asked})
    assert page.status_code == 200
    assert page.context["quote"] is None
    assert page.context["form"].errors


def test_an_exchange_is_confirmed_once(maker) -> None:
    client = client_of(maker)
    page = client.get(reverse("mint"), ASKED).content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    for _click in range(2):
        assert client.post(reverse("mint"), hidden).url == reverse("mint")
    assert owned(maker) == {"copper": 897, "silver": 10}


def test_a_value_that_changed_meanwhile_is_shown_and_not_charged(maker) -> None:
    client = client_of(maker)
    set_mint_value(kind=kind("silver"), value=20, reason="A hard winter.")
    answer = client.post(reverse("mint"), {**ASKED, "price": 103, "key": uuid4()}, follow=True)
    assert said(answer)[0].startswith("The price has changed.")
    assert answer.context["quote"].price == 205
    assert owned(maker) == {"copper": 1000}


def test_an_unreadable_confirmation_changes_nothing(maker) -> None:
    client = client_of(maker)
    for odd in ({}, {**ASKED, "price": "x", "key": "y"}, {**ASKED, "price": 0, "key": uuid4()}):
        assert client.post(reverse("mint"), odd).url == reverse("mint")
    assert owned(maker) == {"copper": 1000}


def test_no_cache_keeps_a_page_of_the_market(client) -> None:
    for name in ("market", "mint"):
        assert "no-store" in client.get(reverse(name))["Cache-Control"]
