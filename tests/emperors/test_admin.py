"""The admin of this floor: finds, shows history, and corrects with a reason only."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from emperors.models import DecayDay, Emperor, ReputationChange
from emperors.services import let_die
from tests.factories import AdminFactory, EmperorFactory, StaffFactory

pytestmark = pytest.mark.django_db

MODELS = (
    "emperor", "reign", "reputationchange", "standing", "standingchange", "championship", "decayday"
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
    return client.post(page, {"change": 5, "reason": "lost by a fault of ours", **fields})


@pytest.mark.parametrize("model", MODELS)
def test_every_list_and_page_opens_and_changes_nothing(client: Client, model: str) -> None:
    EmperorFactory(reputation=5)
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

    EmperorFactory(reputation=5)
    count()  # what Django remembers from now on
    before = count()
    for points in range(6, 12):
        EmperorFactory(reputation=points)
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
    audit()


@pytest.mark.parametrize("fields", [{"reason": ""}, {"reason": "oops"}, {"change": 0}])
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
