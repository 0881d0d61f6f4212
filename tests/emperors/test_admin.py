"""The admin of this floor: finds, shows history, and corrects with a reason only."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from dynasties.history import HistoryIsWritten
from emperors.corrections import KeyReusedError, correct_reputation
from emperors.models import Correction, DecayDay, Emperor, ReputationChange
from emperors.reputation import change_reputation
from emperors.services import let_die
from tests.factories import AdminFactory, EmperorFactory, StaffFactory

pytestmark = pytest.mark.django_db

MODELS = (
    "emperor", "reign", "reputationchange", "correction", "standing", "standingchange",
    "championship", "decayday",
)  # fmt: skip


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(AdminFactory())
    return client


def list_of(model: str) -> str:
    return reverse(f"admin:emperors_{model}_changelist")


def correct(client: Client, emperor: Emperor, **fields: object):
    page = reverse("admin:emperors_emperor_correct", args=[emperor.pk])
    usual = {"change": 5, "reason": "lost by a fault of ours", "key": uuid4()}
    return client.post(page, {**usual, **fields})


def famous(points: int = 5) -> Emperor:
    """An emperor with reputation, some of it by a correction."""
    emperor = EmperorFactory(reputation=points)
    fix(emperor)
    return emperor


def fix(emperor: Emperor, **terms: Any) -> tuple[Correction, bool]:
    usual = {"change": 1, "reason": "a fault of ours", "key": uuid4(), "author": None}
    return correct_reputation(emperor=emperor, **{**usual, **terms})


@pytest.mark.parametrize("model", MODELS)
def test_every_list_and_page_opens_and_changes_nothing(client: Client, model: str) -> None:
    famous()
    DecayDay.objects.create(day=timezone.now().date())
    found = client.get(list_of(model), {"q": "Ama"}).context["cl"]
    row = client.get(list_of(model)).context["cl"].result_list[0]
    assert found is not None
    page = reverse(f"admin:emperors_{model}_change", args=[row.pk])
    assert client.get(page).status_code == 200
    assert client.post(page, {"reputation": 99}).status_code == 403
    assert client.get(reverse(f"admin:emperors_{model}_add")).status_code == 403
    delete = reverse(f"admin:emperors_{model}_delete", args=[row.pk])
    assert client.post(delete, {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", MODELS)
def test_lists_take_the_same_number_of_queries_however_long(client: Client, model: str) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            client.get(list_of(model))
        return len(asked)

    famous()
    count()  # what Django remembers from now on
    before = count()
    for points in range(6, 12):
        famous(points)
    assert count() == before


def test_emperors_are_found_by_name_life_and_dynasty(client: Client) -> None:
    emperor = EmperorFactory(name="Élisabeth", battles=1)
    let_die(emperor=EmperorFactory(name="Boris", battles=1))
    for asked in ({"q": "elisa"}, {"life__exact": "at-rest"}, {"house": emperor.dynasty_id}):
        found = client.get(list_of("emperor"), asked).context["cl"].result_list
        assert [each.pk for each in found] == [emperor.pk]


@pytest.mark.parametrize("house", ["x", "9" * 30, "-1", "a\0b"])
def test_a_hostile_filter_is_ignored(client: Client, house: str) -> None:
    EmperorFactory()
    assert client.get(list_of("emperor"), {"house": house}).status_code in {200, 302}


def test_a_correction_is_a_change_with_a_reason(client: Client, audit) -> None:
    emperor = EmperorFactory(reputation=5)
    correct(client, emperor, change=-3)
    assert Emperor.objects.get().reputation == 2
    assert ReputationChange.objects.first().reason == "correction"
    assert "-3: lost by a fault of ours" in LogEntry.objects.get().change_message
    kept = Correction.objects.get()
    assert (kept.asked, kept.change.change, kept.reason) == (-3, -3, "lost by a fault of ours")
    assert kept.author.is_superuser
    listed = client.get(list_of("correction"), {"emperor__id__exact": emperor.pk})
    assert "lost by a fault of ours" in listed.content.decode()
    audit()


def test_a_form_that_is_sent_twice_corrects_once(client: Client, audit) -> None:
    emperor = EmperorFactory(reputation=5)
    page = reverse("admin:emperors_emperor_correct", args=[emperor.pk])
    key = client.get(page).context["form"]["key"].value()
    for _click in range(2):
        assert correct(client, emperor, key=key).status_code == 302
    assert Emperor.objects.get().reputation == 10
    assert Correction.objects.count() == LogEntry.objects.count() == 1
    assert client.get(page).context["form"]["key"].value() != key
    audit()


@pytest.mark.parametrize("other", [{"change": 6}, {"reason": "another fault of ours"}])
def test_a_key_of_another_correction_is_refused(client: Client, other) -> None:
    emperor, key = EmperorFactory(reputation=5), uuid4()
    correct(client, emperor, key=key)
    answer = correct(client, emperor, key=key, **other)
    said = [str(message) for message in answer.wsgi_request._messages]
    assert said[-1].startswith("This form was used for another correction.")
    assert Emperor.objects.get().reputation == 10
    with pytest.raises(KeyReusedError):
        fix(emperor, key=key)


def test_two_emperors_may_share_a_key(audit) -> None:
    key = uuid4()
    for emperor in (EmperorFactory(reputation=5), EmperorFactory(reputation=5)):
        assert fix(emperor, key=key)[1]
    audit()


def test_what_could_not_be_taken_is_not_taken_later_by_the_same_form(audit) -> None:
    emperor, key = EmperorFactory(battles=1), uuid4()
    made, _is_new = fix(emperor, change=-5, key=key)
    assert made.change is None
    change_reputation(emperor=emperor, change=9, reason="gift")
    assert fix(emperor, change=-5, key=key) == (made, False)
    assert Emperor.objects.get().reputation == 9
    audit()


def test_a_retry_finds_the_correction_of_one_who_has_died_since() -> None:
    emperor, key = EmperorFactory(reputation=5), uuid4()
    made, _is_new = fix(emperor, key=key)
    let_die(emperor=emperor)
    assert fix(emperor, key=key) == (made, False)


def test_the_reason_of_a_correction_is_for_the_chancery_alone(client: Client) -> None:
    emperor = EmperorFactory(reputation=5)
    correct(client, emperor, reason="marker of the chancery")
    house = emperor.dynasty
    curves = [
        f"{house.get_absolute_url()}reputation.json",
        f"/emperors/{emperor.pk}/reputation.json",
    ]
    for page in (emperor.get_absolute_url(), house.get_absolute_url(), "/chronicle/", *curves):
        answer = Client().get(page)
        assert answer.status_code == 200, page
        assert "marker of the chancery" not in answer.content.decode()
    assert "correction by the chancery" in Client().get(emperor.get_absolute_url()).content.decode()


def test_a_correction_is_never_rewritten() -> None:
    made, _is_new = fix(EmperorFactory(reputation=5))
    for deed in (made.save, made.delete, Correction.objects.all().delete):
        with pytest.raises(HistoryIsWritten):
            deed()


@pytest.mark.parametrize(
    "fields", [{"reason": ""}, {"reason": "oops"}, {"change": 0}, {"key": "x"}]
)
def test_without_a_reason_or_a_change_nothing_is_corrected(client: Client, fields) -> None:
    emperor = EmperorFactory(reputation=5)
    assert correct(client, emperor, **fields).context["form"].errors
    assert ReputationChange.objects.count() == 1


def test_the_dead_are_not_corrected(client: Client) -> None:
    emperor = EmperorFactory(battles=1)
    let_die(emperor=emperor)
    assert correct(client, emperor).status_code == 302
    assert not ReputationChange.objects.exists()


def test_who_has_never_fought_is_not_corrected(client: Client) -> None:
    assert correct(client, EmperorFactory()).status_code == 302
    assert not ReputationChange.objects.exists()


def test_who_may_only_look_may_not_correct() -> None:
    helper, emperor = StaffFactory(), EmperorFactory(reputation=5)
    helper.user_permissions.set(Permission.objects.filter(codename="view_emperor"))
    client = Client()
    client.force_login(helper)
    assert correct(client, emperor).status_code == 403
    page = client.get(reverse("admin:emperors_emperor_change", args=[emperor.pk]))
    assert "/correct/" not in page.content.decode()
