"""Statements that write any number of rows at once, in words that both databases understand.

Django writes what it has read, or one expression for all; it can't insert what it selects nor
join what it updates. These can: `{Emperor}` in them is the table of that model, and `{least}`,
`{greatest}` and `{json}` (an object of names and values) go by the database's own name.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.db import connection
from django.db.models import Model

WORDS = {
    "postgresql": {"least": "least", "greatest": "greatest", "json": "jsonb_build_object"},
    "sqlite": {"least": "min", "greatest": "max", "json": "json_object"},
}


def write(sql: str, models: Iterable[type[Model]], facts: Mapping[str, Any]) -> int:
    """Run a statement with `%(name)s` for each of the facts; return how many rows it wrote."""
    tables = {each.__name__: connection.ops.quote_name(each._meta.db_table) for each in models}
    with connection.cursor() as cursor:
        cursor.execute(sql.format(**tables, **WORDS[connection.vendor]), _adapted(facts))
        return cursor.rowcount


def _adapted(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _adapt(value) for name, value in facts.items()}


def _adapt(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return connection.ops.adapt_datefield_value(value) if isinstance(value, date) else value
