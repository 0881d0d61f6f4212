"""Entries for tests, written as rooms write them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from dynasties.chronicle.models import Entry
from dynasties.chronicle.services import ref_to, tell_wealth, write
from dynasties.houses.models import Dynasty

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@transaction.atomic
def public_entry(house: Dynasty, **fields: Any) -> Entry:
    """A line about a house that everybody may read; what it says is of no concern."""
    facts = {"dynasty": ref_to(house)} | fields.pop("facts", {})
    return write(kind=fields.pop("kind", "dynasty-fallen"), facts=facts, **fields)


@transaction.atomic
def private_entry(house: Dynasty, *, copper: int = 5, **fields: Any) -> Entry:
    reason = fields.pop("reason", "grant")
    return tell_wealth(dynasty=house, reason=reason, sums=[("copper", copper)], **fields)
