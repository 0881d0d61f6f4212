"""The market in the admin: wares are kept, offers are looked at and at times withdrawn."""

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from zeal import zeal_ignore

from dynasties.history import HistoryIsWritten
from dynasties.market.models import Offer, Ware, WarePrice
from dynasties.market.wares import set_price
from dynasties.treasury.corrections import HeldInEscrow, counter_transfer
from dynasties.treasury.kinds import add_kind, set_mint_value
from dynasties.treasury.models import Kind, Transfer
from dynasties.treasury.selectors import kind
from tests.dynasties.market.cast import merchant, offered, owned
from tests.factories import AdminFactory, StaffFactory

pytestmark = pytest.mark.django_db

OFFERS = reverse("admin:dynasties_offer_changelist")


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(AdminFactory())
    return client


def recall(client: Client, offer: Offer, reason: str):
    return client.post(
        OFFERS, {"action": "recall", "_selected_action": [offer.pk], "reason": reason}, follow=True
    )


def test_an_offer_is_withdrawn_for_a_reason_and_its_maker_gets_all_back(admin, audit) -> None:
    maker = merchant()
    offer = offered(maker)
    recall(admin, offer, "  Against the law. ")
    offer.refresh_from_db()
    assert offer.state == Offer.State.WITHDRAWN
    assert owned(maker) == {"copper": 1000}
    assert Transfer.objects.get(key=f"offer {offer.pk} settled").note == "Against the law."
    audit()


def test_what_lies_in_escrow_for_an_offer_is_only_moved_by_the_offer(admin, audit) -> None:
    maker = merchant()
    offer = offered(maker)
    laid = Transfer.objects.get(key=f"offer {offer.pk} escrow")
    with pytest.raises(HeldInEscrow):
        counter_transfer(transfer=laid, note="x", author=None)
    recall(admin, offer, "Against the law.")
    settled = Transfer.objects.get(key=f"offer {offer.pk} settled")
    with pytest.raises(HeldInEscrow):
        counter_transfer(transfer=settled, note="x", author=None)
    assert owned(maker) == {"copper": 1000}
    audit()


@pytest.mark.parametrize("on_sale", [True, False])
def test_what_a_price_is_told_in_keeps_its_mint_value(admin, on_sale: bool) -> None:
    ware, ruby = Ware.objects.get(), kind("ruby")
    Ware.objects.update(coin=ruby, on_sale=on_sale)
    with pytest.raises(ValidationError, match="sells wares for it"):
        set_mint_value(kind=ruby, value=None, reason="Too rare")
    page = reverse("admin:dynasties_kind_change", args=[ruby.pk])
    names = {"name_en": "ruby", "name_es": "rubí", "rank": ruby.rank, "mint_value": ""}
    forms = {"mintvalue_set-TOTAL_FORMS": 0, "mintvalue_set-INITIAL_FORMS": 0}
    answer = admin.post(page, {**names, **forms, "reason": "Too rare"})
    assert answer.context["adminform"].form.errors["mint_value"]
    Ware.objects.update(coin=ware.coin)
    assert set_mint_value(kind=ruby, value=None, reason="Too rare")


def test_without_a_reason_nothing_is_withdrawn(admin) -> None:
    offer = offered(merchant())
    recall(admin, offer, " \0 ")
    offer.refresh_from_db()
    assert offer.state == Offer.State.OPEN


def test_who_may_only_look_withdraws_nothing(client) -> None:
    clerk = StaffFactory()
    clerk.user_permissions.add(Permission.objects.get(codename="view_offer"))
    client.force_login(clerk)
    offer = offered(merchant())
    recall(client, offer, "Because I can.")
    offer.refresh_from_db()
    assert offer.state == Offer.State.OPEN


def test_offers_can_be_searched_and_read_but_not_edited(admin) -> None:
    maker = merchant()
    offer = offered(maker)
    for query in (maker.name, str(offer.pk), str(offer.code), "no such thing"):
        assert admin.get(OFFERS, {"q": query}).status_code == 200
    there = reverse("admin:dynasties_offer_change", args=[offer.pk])
    assert "copper coin" in admin.get(there).content.decode()
    assert admin.post(there, {"state": "expired"}).status_code == 403
    assert admin.get(reverse("admin:dynasties_offer_add")).status_code == 403


def typed(ware: Ware, **changes: object) -> dict[str, object]:
    return {
        "price": ware.price,
        "coin": ware.coin_id,
        "reason": "",
        "words_en": ware.words_en,
        "words_es": ware.words_es,
        "on_sale": "on",
        "prices-TOTAL_FORMS": 0,
        "prices-INITIAL_FORMS": 0,
    } | changes


def ware_page(ware: Ware) -> str:
    return reverse("admin:dynasties_ware_change", args=[ware.pk])


def test_another_price_needs_a_reason_and_stays_in_the_history(admin, audit) -> None:
    ware = Ware.objects.get()
    for reason in ("", "   "):
        answer = admin.post(ware_page(ware), typed(ware, price=300, reason=reason))
        assert answer.context["adminform"].form.errors["reason"]
    sent = typed(ware, price=300, reason=" Bronze is dear ")
    assert admin.post(ware_page(ware), sent).status_code == 302
    newest = ware.prices.first()
    assert (newest.was, newest.was_coin.code) == (250, "copper")
    assert (newest.price, newest.coin.code) == (300, "copper")
    assert newest.reason == "Bronze is dear"
    assert newest.author.is_superuser
    page = admin.get(ware_page(ware)).content.decode()
    for words in ("Bronze is dear", "250 × copper coin", "300 × copper coin", newest.author.email):
        assert words in page
    audit()


def test_another_coin_is_another_price(admin, audit) -> None:
    ware = Ware.objects.get()
    silver = kind("silver")
    assert admin.post(ware_page(ware), typed(ware, coin=silver.pk)).status_code == 200
    sent = typed(ware, coin=silver.pk, reason="Only the rich shall play")
    assert admin.post(ware_page(ware), sent).status_code == 302
    assert ware.prices.first().was_coin.code == "copper"
    audit()


def test_other_words_need_no_reason_and_are_no_price(admin) -> None:
    ware = Ware.objects.get()
    assert admin.post(ware_page(ware), typed(ware, words_en="A key.")).status_code == 302
    ware.refresh_from_db()
    assert ware.words_en == "A key."
    assert ware.prices.count() == 1


def test_the_history_of_a_price_is_not_edited(admin) -> None:
    ware = Ware.objects.get()
    row = ware.prices.get()
    forged = {"prices-TOTAL_FORMS": 1, "prices-INITIAL_FORMS": 1, "prices-0-id": row.pk}
    sent = typed(ware, **forged) | {"prices-0-reason": "forged", "prices-0-DELETE": "on"}
    admin.post(ware_page(ware), sent)
    assert WarePrice.objects.get().reason == "As the world began."
    for deed in (row.save, row.delete, WarePrice.objects.all().delete):
        with pytest.raises(HistoryIsWritten):
            deed()


def test_a_price_is_set_once_and_never_without_a_reason(audit) -> None:
    ware, copper = Ware.objects.get(), kind("copper")
    assert set_price(ware=ware, price=300, coin=copper, reason="Dear")
    assert not set_price(ware=ware, price=300, coin=copper, reason="Dear")
    for wrong in ({"reason": " "}, {"price": 0}, {"coin": kind("bronze-key")}):
        with pytest.raises(ValidationError):
            set_price(**{"ware": ware, "price": 9, "coin": copper, "reason": "Cheap", **wrong})
    assert ware.prices.count() == 2
    audit()


def test_a_new_ware_comes_with_a_reason(admin, audit) -> None:
    tin = add_kind(
        kind=Kind(code="tin-key", family="item", name_en="tin key", name_es="llave"), reason="New"
    )
    ware = Ware(item=tin, price=5, coin=kind("copper"))
    there, sent = reverse("admin:dynasties_ware_add"), typed(ware, item=tin.pk)
    # Django's own form asks for each of its two kinds.
    with zeal_ignore([{"model": "dynasties.Kind", "field": "*"}]):
        assert admin.post(there, sent).context["adminform"].form.errors["reason"]
        assert admin.post(there, {**sent, "reason": "For beginners"}).status_code == 302
    first = WarePrice.objects.get(ware__item=tin)
    assert (first.was, first.price, first.reason) == (None, 5, "For beginners")
    audit()


def test_a_ware_gets_another_price_and_leaves_the_shelves_but_stays_the_same_item(admin) -> None:
    ware = Ware.objects.get()
    there = reverse("admin:dynasties_ware_change", args=[ware.pk])
    form = typed(ware, item=kind("gold").pk, price=9, coin=kind("gold").pk, reason="Why not")
    del form["on_sale"]
    admin.post(there, form)
    ware.refresh_from_db()
    assert (ware.item.code, ware.price, ware.coin.code, ware.on_sale) == (
        "bronze-key",
        9,
        "gold",
        False,
    )


@pytest.mark.parametrize("wrong", [{"price": 0}, {"coin": "bronze-key"}, {"item": "gold"}])
def test_no_unfit_ware_is_sold(admin, wrong) -> None:
    Ware.objects.all().delete()
    form = {"item": "bronze-key", "price": 5, "coin": "copper", **wrong}
    sent = {name: value if name == "price" else kind(value).pk for name, value in form.items()}
    sent |= {"reason": "Why not", "prices-TOTAL_FORMS": 0, "prices-INITIAL_FORMS": 0}
    # Django's own form asks for each of its two kinds.
    with zeal_ignore([{"model": "dynasties.Kind", "field": "*"}]):
        answer = admin.post(reverse("admin:dynasties_ware_add"), sent)
    assert set(answer.context["adminform"].form.errors) == set(wrong)
    assert not Ware.objects.exists()


def test_a_ware_is_not_deleted(admin) -> None:
    there = reverse("admin:dynasties_ware_delete", args=[Ware.objects.get().pk])
    assert admin.post(there, {"post": "yes"}).status_code == 403
