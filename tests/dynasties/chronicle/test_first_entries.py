"""Dynasties that are older than the chronicle are told of, once."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db.models import QuerySet

from dynasties.audit import run_audit
from dynasties.chronicle.models import Entry
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db

migration = import_module("dynasties.migrations.0003_the_first_entries")


def test_older_dynasties_are_told_with_their_own_times_and_only_once() -> None:
    DynastyFactory()
    DynastyFactory(fallen=True)
    DynastyFactory(held=True)
    told = ["dynasty-founded", "dynasty-fallen"]
    entries = Entry.objects.filter(kind__in=told).order_by("at")
    written = list(entries.values_list("kind", "at", "facts"))
    assert len(written) == 3
    QuerySet(Entry).filter(kind__in=told).delete()
    for _again in range(2):
        migration.tell_what_happened(apps, None)
        assert list(entries.values_list("kind", "at", "facts")) == written
    assert run_audit() == []
