"""The charter: the world's numbers, amended with a reason, never rewritten."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dynasties.audit import run_audit
from dynasties.charter.models import Charter
from dynasties.charter.selectors import charter, charter_at
from dynasties.charter.services import NUMBERS, amend_charter
from dynasties.history import HistoryIsWritten
from tests.concurrency.rivals import all_at_once
from tests.factories import AdminFactory, StaffFactory

pytestmark = pytest.mark.django_db
ADD = "admin:dynasties_charter_add"


@pytest.fixture
def chancellor(client: Client) -> Client:
    client.force_login(AdminFactory())
    return client


def amend(reason: str = "Because", **changes: int) -> Charter:
    return amend_charter(changes=changes, reason=reason, author=None)


def test_before_anybody_wrote_one_the_defaults_are_in_force() -> None:
    now = charter()
    assert (now.founding_grant, now.mint_fee_percent, now.decay_after_days) == (1000, 2, 30)
    assert not Charter.objects.exists()


def test_an_amendment_changes_what_it_says_and_keeps_the_rest() -> None:
    amend(founding_grant=500)
    amend(decay_percent=2)
    assert (charter().founding_grant, charter().decay_percent) == (500, 2)
    assert Charter.objects.count() == 2


def test_what_was_in_force_at_a_time_can_be_told() -> None:
    amend(founding_grant=500)
    assert charter_at(timezone.now()).founding_grant == 500
    assert charter_at(timezone.now() - timedelta(days=1)).founding_grant == 1000


@pytest.mark.parametrize(
    "changes",
    [
        {"chest_least": 2000},
        {},
        {"founding_grant": 1000},
        {"founding_grant": -1},
        {"mint_fee_percent": 51},
        {"offer_days": 0},
        {"decay_percent": 101},
        {"price_of_bread": 3},
        {"founding_grant": 2**40},
    ],
)
def test_what_can_not_be_is_not_written(changes: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        amend(**changes)
    assert not Charter.objects.exists()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_an_amendment_has_a_reason(reason: str) -> None:
    with pytest.raises(ValidationError):
        amend(reason, founding_grant=500)


def test_no_version_is_ever_changed() -> None:
    version = amend(founding_grant=500)
    for misdeed in (version.save, version.delete, Charter.objects.all().delete):
        with pytest.raises(HistoryIsWritten):
            misdeed()


def test_a_version_outlives_its_author() -> None:
    author = AdminFactory()
    version = amend_charter(changes={"founding_grant": 5}, reason="Thrift", author=author)
    author.delete()
    version.refresh_from_db()
    assert version.author_id is None


@pytest.mark.only_on("postgresql")
@pytest.mark.django_db(transaction=True)
def test_of_two_who_amend_at_once_each_finds_his_number_in_force() -> None:
    changes = [{"founding_grant": 7}, {"decay_percent": 3}, {"offer_days": 9}]
    ends = all_at_once([lambda c=each: amend(**c) for each in changes])
    assert all(isinstance(end, Charter) for end in ends)
    assert (charter().founding_grant, charter().decay_percent, charter().offer_days) == (7, 3, 9)


# --- Admin ---------------------------------------------------------------------------------


def typed(**changes: object) -> dict[str, object]:
    now = charter()
    return {
        **{name: getattr(now, name) for name in NUMBERS},
        "based_on": now.pk or "",
        "reason": "Because",
        **changes,
    }


def test_a_new_version_begins_as_the_one_in_force(chancellor) -> None:
    amend(founding_grant=500)
    form = chancellor.get(reverse(ADD)).context["adminform"].form
    assert form["founding_grant"].value() == 500
    answer = chancellor.post(reverse(ADD), typed(mint_fee_percent=3))
    assert answer.status_code == 302
    assert (charter().founding_grant, charter().mint_fee_percent) == (500, 3)
    assert charter().author.is_superuser


@pytest.mark.parametrize(
    "changes",
    [{}, {"founding_grant": 5, "reason": " "}, {"mint_fee_percent": 99}, {"offer_days": "soon"}],
)
def test_the_admin_explains_what_can_not_be(chancellor, changes) -> None:
    answer = chancellor.post(reverse(ADD), typed(**changes))
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors
    assert not Charter.objects.exists()


def test_who_began_before_somebody_else_amended_must_look_again(chancellor) -> None:
    old = typed(mint_fee_percent=3)
    amend(founding_grant=500)
    answer = chancellor.post(reverse(ADD), old)
    assert answer.status_code == 200
    assert charter().mint_fee_percent == 2


def test_going_back_to_the_defaults_is_a_change(chancellor) -> None:
    amend(founding_grant=500)
    assert chancellor.post(reverse(ADD), typed(founding_grant=1000)).status_code == 302
    assert charter().founding_grant == 1000


def test_old_versions_are_there_to_be_read(chancellor) -> None:
    version = amend("For the poor", founding_grant=500)
    listed = chancellor.get(reverse("admin:dynasties_charter_changelist")).content.decode()
    assert "For the poor" in listed
    page = reverse("admin:dynasties_charter_change", args=[version.pk])
    assert chancellor.get(page).status_code == 200
    assert chancellor.post(page, typed(founding_grant=9)).status_code == 403
    delete = reverse("admin:dynasties_charter_delete", args=[version.pk])
    assert chancellor.post(delete, {"post": "yes"}).status_code == 403


def test_staff_without_the_right_amend_nothing(client: Client) -> None:
    client.force_login(StaffFactory())
    assert client.post(reverse(ADD), typed(founding_grant=9)).status_code == 403


# --- The audit -------------------------------------------------------------------------------


def write_a_number_beyond_its_limit() -> None:
    Charter.objects.create(mint_fee_percent=77, reason="x")


def write_without_a_reason() -> None:
    Charter.objects.create(founding_grant=1)


def write_an_older_version_after_a_newer_one() -> None:
    amend(founding_grant=5)
    Charter.objects.create(reason="x", written_at=timezone.now() - timedelta(days=1))


@pytest.mark.parametrize(
    ("misdeed", "sentence"),
    [
        (
            write_a_number_beyond_its_limit,
            "Every version of the charter keeps within the limits of its numbers.",
        ),
        (write_without_a_reason, "Every version of the charter has a reason."),
        (
            write_an_older_version_after_a_newer_one,
            "Every version of the charter is younger than the one before.",
        ),
    ],
)
def test_the_audit_finds(misdeed: Callable[[], None], sentence: str) -> None:
    assert run_audit() == []
    misdeed()
    assert sentence in {breach.sentence for breach in run_audit()}
