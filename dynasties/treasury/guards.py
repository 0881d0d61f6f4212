"""SQLite itself refuses to rewrite the ledger, as PostgreSQL does by its migration.

These triggers are no migration, because Django changes a table of SQLite by building another
one, and the triggers go with the old. So they are set anew after every migration.
"""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.transaction import atomic

ROWS = ("transfer", "leg")
UPDATED, DELETED = "append_only", "never_deleted"


def guards_of(vendor: str) -> set[str]:
    """The names of the triggers that a database of this vendor must have."""
    kinds = (UPDATED,) if vendor == "postgresql" else (UPDATED, DELETED)
    return {f"{row}_is_{kind}" for row in ROWS for kind in kinds}


def set_guards(database: BaseDatabaseWrapper, apps: Any) -> None:
    """Have SQLite refuse UPDATE and DELETE, on tables that look as the models of `apps` do."""
    if database.vendor == "sqlite":
        statements = [one for row in ROWS for one in _guard(apps.get_model("dynasties", row))]
        with atomic(using=database.alias), database.cursor() as cursor:
            for statement in (*lifting(), *statements):
                cursor.execute(statement)


def lifting() -> list[str]:
    """What takes the guards of SQLite away: for a test's database, which is emptied by DELETE."""
    return [f"DROP TRIGGER IF EXISTS {name}" for name in sorted(guards_of("sqlite"))]


def _guard(model: Any) -> list[str]:
    table, row = model._meta.db_table, model._meta.model_name
    return [
        f"CREATE TRIGGER {row}_is_{UPDATED} BEFORE UPDATE ON {table} "
        f"WHEN NOT ({_only_loses_its_author(model)}) BEGIN {_refuse('UPDATE', table)}; END",
        f"CREATE TRIGGER {row}_is_{DELETED} BEFORE DELETE ON {table} "
        f"BEGIN {_refuse('DELETE', table)}; END",
    ]


def _only_loses_its_author(model: Any) -> str:
    """The one change that is let through: the account of who wrote it is removed."""
    columns = [field.column for field in model._meta.concrete_fields]
    if "author_id" not in columns:
        return "0"
    same = [f'NEW."{name}" IS OLD."{name}"' for name in columns if name != "author_id"]
    return " AND ".join(["NEW.author_id IS NULL", *same])


def _refuse(deed: str, table: str) -> str:
    return f"SELECT RAISE(ABORT, 'The ledger is append-only: {deed} of {table}')"
