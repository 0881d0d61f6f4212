"""Kinds of wealth are rows: installed once, extended by admins, valued with a reason."""

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import QuerySet
from django.utils import translation

from dynasties.charter.services import amend_charter
from dynasties.chronicle.models import Entry
from dynasties.houses.models import Dynasty
from dynasties.treasury.guards import lifting
from dynasties.treasury.kinds import FIRST_KINDS, install_first_kinds, set_mint_value
from dynasties.treasury.models import Account, Balance, Kind, Leg, MintValue, Transfer
from dynasties.treasury.receivers import open_treasury
from dynasties.treasury.selectors import founding_grant_of, kind, wealth_of
from dynasties.treasury.services import pay_founding_grant
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db


def test_every_world_begins_with_the_same_kinds() -> None:
    values = {each.code: each.mint_value for each in Kind.objects.all()}
    assert list(values) == [first.code for first in FIRST_KINDS]
    assert (values["copper"], values["silver"], values["gold"]) == (1, 10, 100)
    assert values["bronze-key"] is None


def test_installing_again_keeps_what_an_admin_changed() -> None:
    Kind.objects.filter(code="ruby").update(name_en="red stone")
    set_mint_value(kind=kind("ruby"), value=7, reason="Glut")
    MintValue._base_manager.filter(kind__code="gold-bar").delete()
    Kind.objects.filter(code="gold-bar").delete()
    assert install_first_kinds() == 1
    assert install_first_kinds() == 0
    assert (kind("ruby").name, kind("ruby").mint_value) == ("red stone", 7)


def test_a_kind_has_its_name_in_the_readers_language() -> None:
    with translation.override("es"):
        assert str(kind("ruby")) == "rubí"
    with translation.override("en"):
        assert str(kind("ruby")) == "ruby"


def test_a_value_that_is_the_same_is_no_change() -> None:
    assert not set_mint_value(kind=kind("ruby"), value=kind("ruby").mint_value, reason="x")
    assert MintValue.objects.filter(kind__code="ruby").count() == 1


@pytest.mark.parametrize(("code", "value"), [("ruby", 0), ("ruby", -1), ("copper", 2)])
def test_a_value_that_can_not_be_is_refused(code: str, value: int) -> None:
    with pytest.raises(ValidationError):
        set_mint_value(kind=kind(code), value=value, reason="x")


def test_a_value_without_a_reason_is_refused() -> None:
    with pytest.raises(ValidationError):
        set_mint_value(kind=kind("ruby"), value=5, reason=" ")


# --- The founding grant -------------------------------------------------------------------


def test_a_dynasty_is_granted_what_the_charter_says_when_it_opens(audit) -> None:
    amend_charter(changes={"founding_grant": 250}, reason="Hard times", author=None)
    dynasty = DynastyFactory()
    assert wealth_of(dynasty) == {kind("copper"): 250}
    assert founding_grant_of(dynasty) == 250
    audit()


def test_the_grant_is_paid_once_whatever_the_charter_says_later(audit) -> None:
    dynasty = DynastyFactory()
    amend_charter(changes={"founding_grant": 250}, reason="Hard times", author=None)
    assert pay_founding_grant(dynasty=dynasty) == Transfer.objects.get(reason="grant")
    assert wealth_of(dynasty) == {kind("copper"): 1000}
    audit()


def test_a_name_that_is_only_held_is_granted_nothing() -> None:
    dynasty = DynastyFactory(held=True)
    assert wealth_of(dynasty) == {}
    assert not Account.objects.filter(dynasty=dynasty).exists()


def forget_the_treasury(dynasty: Dynasty) -> None:
    """As if the dynasty had opened before there was a treasury; opening it guards it again."""
    with connection.cursor() as cursor:
        for statement in lifting():
            cursor.execute(statement)
    QuerySet(Entry).filter(kind="wealth-changed").delete()
    for model in (Leg, Transfer, Balance, Account):
        rows = model._base_manager.all()
        rows._raw_delete(rows.db)


@pytest.mark.only_on("sqlite3")
def test_dynasties_that_are_older_than_the_treasury_get_their_grant_once(audit) -> None:
    dynasty = DynastyFactory()
    forget_the_treasury(dynasty)
    DynastyFactory(held=True)
    for _ in range(2):
        open_treasury()
    assert wealth_of(dynasty) == {kind("copper"): 1000}
    assert Transfer.objects.count() == 1
    audit()


@pytest.mark.only_on("sqlite3")
def test_what_is_granted_late_is_judged_by_the_charter_of_that_time(audit) -> None:
    dynasty = DynastyFactory()
    forget_the_treasury(dynasty)
    amend_charter(changes={"founding_grant": 0}, reason="Hard times", author=None)
    open_treasury()
    assert wealth_of(dynasty) == {}
    audit()


def test_who_opened_when_the_charter_granted_nothing_gets_nothing_later(audit) -> None:
    amend_charter(changes={"founding_grant": 0}, reason="Hard times", author=None)
    dynasty = DynastyFactory()
    amend_charter(changes={"founding_grant": 9}, reason="Better times", author=None)
    open_treasury()
    assert wealth_of(dynasty) == {}
    audit()


def test_a_database_without_a_treasury_is_left_alone() -> None:
    class Before:
        all_models = {"dynasties": {"dynasty": Dynasty}}

    MintValue._base_manager.filter(kind__code="gold-bar").delete()
    Kind.objects.filter(code="gold-bar").delete()
    open_treasury(apps=Before)
    assert not Kind.objects.filter(code="gold-bar").exists()
    open_treasury(apps=apps)
    assert Kind.objects.filter(code="gold-bar").exists()
