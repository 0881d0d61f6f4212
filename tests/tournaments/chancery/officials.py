"""Officials at work: where their pages are, and what their browsers send."""

import re
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from tests.factories import StaffFactory
from tournaments.announcements.models import Tournament
from tournaments.announcements.options_form import initial_options
from tournaments.fields.models import Battlefield

CHEST = 731
QUICK = {"options": {"turn_limit": 30}}
FORD = """\
name: The Ford
idea: One narrow crossing.
opposites: a-b

+---+---+---+
|(a)| a |   |
+---+---+---+
    |   |
+---+---+---+
|   | b |(b)|
+---+---+---+
"""


def clerk_with(*rights: str) -> Client:
    """Staff who may do what is named, and nothing else."""
    staff = StaffFactory()
    staff.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client = Client()
    client.force_login(staff)
    return client


def page(row: Any) -> str:
    meta = row._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk])


def listed(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def added(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")


def deed(tournament: Tournament, key: str) -> str:
    return reverse("admin:tournaments_tournament_deed", args=[tournament.pk, key])


def words(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def errors_of(answer: Any) -> dict[str, list[str]]:
    return {name: list(found) for name, found in answer.context["adminform"].form.errors.items()}


def announcement(**typed: Any) -> dict[str, Any]:
    """What a browser sends for a tournament by honour that nobody thought long about."""
    options = {
        name: value for name, value in initial_options("battle", {}).items() if value is not None
    }
    options.pop("option_battlefield", None)
    usual = {
        "type": "honour",
        "game": "battle",
        "battlefield": Battlefield.objects.get(key="crossroads").pk,
        "seats_least": "2",
        "pace": "live",
        "access": "everyone",
        "shows_ready": "on",
        "form_key": str(uuid4()),
    }
    return {**options, **usual, **typed}


def template(**typed: Any) -> dict[str, Any]:
    schedule = {
        "name": "Evening games",
        "every_minutes": "1440",
        "entries_minutes": "60",
        "next_at_0": "2030-01-01",
        "next_at_1": "18:00",
        "is_active": "on",
    }
    return announcement(**{**schedule, **typed})
