"""What staff see of wealth, and the only ways in which they can change anything."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from dynasties.treasury.corrections import (
    AlreadyCountered,
    FoundingGrant,
    HeldInEscrow,
    counter_transfer,
    grant_from_mint,
)
from dynasties.treasury.models import Account, Kind, MintValue, Transfer
from dynasties.treasury.selectors import balances_of, kind, wealth_in_circulation
from dynasties.treasury.services import Move, account_of, crown, mint, open_escrow, post
from tests.factories import AdminFactory, DynastyFactory, StaffFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def chancellor(client: Client) -> Client:
    client.force_login(AdminFactory())
    return client


@pytest.fixture
def clerk() -> Client:
    """Staff who may look at the ledger, and nothing else."""
    staff = StaffFactory()
    looks = Permission.objects.filter(codename__in=["view_account", "view_transfer", "view_kind"])
    staff.user_permissions.set(looks)
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def house() -> Account:
    return account_of(DynastyFactory(name="House of Ash"))


def change_page(row: Account | Transfer | Kind) -> str:
    return reverse(f"admin:dynasties_{row._meta.model_name}_change", args=[row.pk])


def counter_page(transfer: Transfer) -> str:
    return reverse("admin:dynasties_transfer_counter", args=[transfer.pk])


def grant_page(account: Account) -> str:
    return reverse("admin:dynasties_account_grant", args=[account.pk])


def founding_grant() -> Transfer:
    return Transfer.objects.get(reason="grant")


def gift_to(account: Account) -> Transfer:
    ruby = kind("ruby")
    return post(key="gift", reason="mint", moves=[Move(mint(), ruby, -3), Move(account, ruby, 3)])


# --- Looking ---------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["House of Ash", "house-of-ash", "dynasty "])
def test_an_account_is_found_by_its_dynasty(chancellor, house, query) -> None:
    crown()
    page = chancellor.get(reverse("admin:dynasties_account_changelist"), {"q": query})
    assert list(page.context["cl"].queryset) == [house]
    assert "1,000 × copper coin" in page.content.decode()


def test_the_lists_ask_no_more_for_many_rows(chancellor, django_assert_max_num_queries) -> None:
    DynastyFactory.create_batch(8)
    for name in ("account", "transfer"):
        with django_assert_max_num_queries(16):
            assert chancellor.get(reverse(f"admin:dynasties_{name}_changelist")).status_code == 200


def test_a_transfer_shows_its_legs_and_the_way_back(chancellor, house) -> None:
    gift = gift_to(house)
    page = chancellor.get(change_page(gift)).content.decode()
    for words in ("Gift of the crown", "mint", "-3", counter_page(gift)):
        assert words in page
    found = chancellor.get(
        reverse("admin:dynasties_transfer_changelist"), {"legs__account__id": house.pk}
    )
    assert list(found.context["cl"].queryset) == [gift, founding_grant()]


def test_transfers_are_filtered_by_reason_and_found_by_dynasty(chancellor, house) -> None:
    listed = reverse("admin:dynasties_transfer_changelist")
    for asked, found in (
        ({"reason": "grant"}, 1),
        ({"reason": "escheat"}, 0),
        ({"reason": "no such reason"}, 1),
        ({"reason": "\0"}, 1),
        ({"q": "House of Ash"}, 1),
        ({"q": "nobody"}, 0),
    ):
        assert chancellor.get(listed, asked).context["cl"].queryset.count() == found


@pytest.mark.parametrize("model", [Transfer, Account])
def test_nothing_of_the_ledger_is_edited_added_or_deleted(chancellor, house, model) -> None:
    row = model.objects.order_by("-pk").first()
    name = f"admin:dynasties_{model._meta.model_name}"
    assert chancellor.post(change_page(row), {"note": "x"}).status_code == 403
    assert chancellor.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
    assert chancellor.post(reverse(f"{name}_add")).status_code == 403


def test_the_wealth_in_circulation_says_who_holds_how_much(chancellor, house) -> None:
    copper = kind("copper")
    post(key="fee", reason="mint", moves=[Move(house, copper, -40), Move(crown(), copper, 40)])
    row = next(row for row in wealth_in_circulation() if row.kind == copper)
    assert (row.dynasties, row.crown, row.escrow, row.total, row.minted) == (960, 40, 0, 1000, 1000)
    page = chancellor.get(reverse("admin:dynasties_account_circulation"))
    assert page.status_code == 200
    assert page.context["worth"] == 1000
    link = reverse("admin:dynasties_account_circulation")
    assert link in chancellor.get(reverse("admin:dynasties_account_changelist")).content.decode()


def test_who_may_only_look_can_not_post(clerk, house) -> None:
    assert clerk.get(reverse("admin:dynasties_account_circulation")).status_code == 200
    assert clerk.get(change_page(house)).status_code == 200
    for page in (grant_page(house), counter_page(founding_grant())):
        assert clerk.get(page).status_code == 403
        assert clerk.post(page, {"note": "x"}).status_code == 403
        assert page not in clerk.get(change_page(house)).content.decode()


def test_who_may_not_look_sees_nothing(house) -> None:
    outsider = Client()
    outsider.force_login(StaffFactory())
    for page in (
        reverse("admin:dynasties_account_circulation"),
        grant_page(house),
        counter_page(founding_grant()),
    ):
        assert outsider.get(page).status_code == 403
        assert Client().get(page).status_code == 302


# --- Counter-postings ----------------------------------------------------------------------------


def test_a_counter_posting_takes_everything_back_and_says_why(chancellor, house, audit) -> None:
    wrong = gift_to(house)
    assert chancellor.get(counter_page(wrong)).status_code == 200
    answer = chancellor.post(counter_page(wrong), {"note": " Paid by mistake "})
    assert answer.url == change_page(wrong)
    counter = wrong.countered_by
    assert (counter.reason, counter.note) == ("correction", "Paid by mistake")
    assert counter.author.is_superuser
    assert balances_of(house) == {kind("copper"): 1000}
    audit()
    assert counter_page(wrong) not in chancellor.get(change_page(wrong)).content.decode()


def test_it_is_done_once_and_says_so(chancellor, house) -> None:
    gift = gift_to(house)
    counter_transfer(transfer=gift, note="x", author=None)
    answer = chancellor.post(counter_page(gift), {"note": "again"})
    assert "taken back already" in answer.content.decode()
    with pytest.raises(AlreadyCountered):
        counter_transfer(transfer=gift, note="x", author=None)


def test_a_founding_grant_is_not_taken_back(chancellor, house, audit) -> None:
    grant = founding_grant()
    answer = chancellor.post(counter_page(grant), {"note": "Paid by mistake"})
    assert "founding grant can&#x27;t be taken back" in answer.content.decode()
    assert counter_page(grant) not in chancellor.get(change_page(grant)).content.decode()
    with pytest.raises(FoundingGrant):
        counter_transfer(transfer=grant, note="x", author=None)
    assert balances_of(house) == {kind("copper"): 1000}
    audit()


@pytest.mark.parametrize("amount", [40, -40], ids=["into", "out of"])
def test_nothing_is_taken_out_of_an_escrow_or_put_back_into_it(chancellor, house, amount) -> None:
    copper, escrow = kind("copper"), open_escrow(purpose="a wager")
    for key, moved in (("in", 40), ("out", amount)):
        moves = [Move(house, copper, -moved), Move(escrow, copper, moved)]
        last = post(key=key, reason="mint", moves=moves)
    before = balances_of(house)
    answer = chancellor.post(counter_page(last), {"note": "Paid by mistake"})
    assert "An escrow has a part in this transfer" in answer.content.decode()
    assert counter_page(last) not in chancellor.get(change_page(last)).content.decode()
    with pytest.raises(HeldInEscrow):
        counter_transfer(transfer=last, note="x", author=None)
    assert balances_of(house) == before


@pytest.mark.parametrize("note", ["", "   ", "x" * 201, "a\0b"])
def test_it_needs_a_reason(chancellor, house, note) -> None:
    answer = chancellor.post(counter_page(founding_grant()), {"note": note})
    assert answer.status_code == 200
    assert answer.context["form"].errors["note"]
    assert balances_of(house) == {kind("copper"): 1000}


def test_what_is_spent_can_not_be_taken_back(chancellor, house) -> None:
    gift, ruby = gift_to(house), kind("ruby")
    post(key="fee", reason="mint", moves=[Move(house, ruby, -2), Move(crown(), ruby, 2)])
    answer = chancellor.post(counter_page(gift), {"note": "Paid by mistake"})
    assert "lacks 2 × ruby" in answer.content.decode()
    assert balances_of(house)[ruby] == 1


def test_nothing_is_given_back_to_a_fallen_dynasty(chancellor) -> None:
    DynastyFactory(fallen=True)
    escheat = Transfer.objects.get(reason="escheat")
    answer = chancellor.post(counter_page(escheat), {"note": "Come back"})
    assert "A fallen dynasty receives nothing" in answer.content.decode()


# --- Grants of the mint -------------------------------------------------------------------------


def typed(**changes: object) -> dict[str, object]:
    return {"kind": kind("ruby").pk, "amount": 3, "note": "A prize", "key": uuid4()} | changes


def test_the_mint_grants_once_however_often_the_form_is_sent(chancellor, house, audit) -> None:
    assert grant_page(house) in chancellor.get(change_page(house)).content.decode()
    form = chancellor.get(grant_page(house)).context["form"]
    sent = typed(key=form["key"].value())
    for _ in range(2):
        assert chancellor.post(grant_page(house), sent).url == change_page(house)
    assert balances_of(house)[kind("ruby")] == 3
    assert Transfer.objects.get(reason="mint").note == "A prize"
    answer = chancellor.post(grant_page(house), {**sent, "amount": 4})
    assert "Open it anew" in answer.content.decode()
    audit()


@pytest.mark.parametrize(
    "changes",
    [{"amount": 0}, {"amount": -5}, {"amount": 10**16}, {"note": " "}, {"key": "x"}, {"kind": 0}],
)
def test_a_grant_that_can_not_be_is_explained(chancellor, house, changes) -> None:
    answer = chancellor.post(grant_page(house), typed(**changes))
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert balances_of(house) == {kind("copper"): 1000}


def test_neither_the_mint_nor_a_fallen_dynasty_gets_a_grant(chancellor) -> None:
    fallen = Account.objects.get(dynasty=DynastyFactory(fallen=True))
    answer = chancellor.post(grant_page(fallen), typed())
    assert "A fallen dynasty receives nothing" in answer.content.decode()
    assert chancellor.get(grant_page(mint())).status_code == 404


def test_an_escrow_gets_no_grant_and_the_refusal_says_so() -> None:
    with pytest.raises(ValidationError, match="an escrow can't be"):
        grant_from_mint(
            key="1",
            account=open_escrow(purpose="test"),
            kind=kind("copper"),
            amount=1,
            note="A gift that nobody could ever take out",
            author=None,
        )


# --- Kinds ----------------------------------------------------------------------------------------


def fields_of(one: Kind, **changes: object) -> dict[str, object]:
    return {
        "code": one.code,
        "family": one.family,
        "name_en": one.name_en,
        "name_es": one.name_es,
        "mint_value": one.mint_value or "",
        "rank": one.rank,
        "reason": "",
        "mintvalue_set-TOTAL_FORMS": 0,
        "mintvalue_set-INITIAL_FORMS": 0,
    } | changes


def test_another_mint_value_needs_a_reason_and_stays_in_the_history(chancellor, audit) -> None:
    ruby = kind("ruby")
    answer = chancellor.post(change_page(ruby), fields_of(ruby, mint_value=1200))
    assert answer.context["adminform"].form.errors["reason"]
    sent = fields_of(ruby, mint_value=1200, reason="Rare this year")
    assert chancellor.post(change_page(ruby), sent).status_code == 302
    assert kind("ruby").mint_value == 1200
    newest = MintValue.objects.filter(kind=ruby).first()
    assert (newest.value, newest.reason) == (1200, "Rare this year")
    assert newest.author.is_superuser
    assert "Rare this year" in chancellor.get(change_page(ruby)).content.decode()
    audit()


def test_another_name_needs_no_reason_and_the_code_stays(chancellor) -> None:
    ruby = kind("ruby")
    sent = fields_of(ruby, name_en="red ruby", code="rubin", family="coin")
    assert chancellor.post(change_page(ruby), sent).status_code == 302
    ruby.refresh_from_db()
    assert (ruby.name_en, ruby.code, ruby.family) == ("red ruby", "ruby", "gem")
    assert MintValue.objects.filter(kind=ruby).count() == 1


def test_a_new_kind_can_be_added(chancellor, audit) -> None:
    page = reverse("admin:dynasties_kind_add")
    opal = Kind(code="opal", family="gem", name_en="opal", name_es="ópalo", mint_value=300)
    assert chancellor.post(page, fields_of(opal)).status_code == 200
    assert chancellor.post(page, fields_of(opal, reason="Found in the hills")).status_code == 302
    assert kind("opal").mint_value == 300
    audit()


@pytest.mark.parametrize("value", [0, -1, "x", ""])
def test_copper_stays_the_measure_of_all(chancellor, value) -> None:
    copper = kind("copper")
    sent = fields_of(copper, mint_value=value, reason="Why not")
    assert chancellor.post(change_page(copper), sent).status_code == 200
    assert kind("copper").mint_value == 1


def test_no_kind_is_deleted(chancellor) -> None:
    page = reverse("admin:dynasties_kind_delete", args=[kind("ruby").pk])
    assert chancellor.post(page, {"post": "yes"}).status_code == 403
