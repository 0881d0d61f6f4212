"""On SQLite the ledger's guards outlive what Django does to tables there."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection

from dynasties.audit import run_audit
from dynasties.treasury.models import Leg, Transfer
from tests.factories import DynastyFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("sqlite3")]

GUARDS = {
    "leg_is_append_only",
    "leg_is_never_deleted",
    "transfer_is_append_only",
    "transfer_is_never_deleted",
}


def guards() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return {name for (name,) in cursor.fetchall()}


def rebuild(model: type[Transfer] | type[Leg]) -> None:
    """What an AlterField of a later migration does to a table of SQLite."""
    with connection.schema_editor() as editor:
        editor._remake_table(model)


@pytest.mark.parametrize("model", [Transfer, Leg])
def test_a_table_that_is_built_anew_is_guarded_again_after_the_migration(model) -> None:
    DynastyFactory()
    rebuild(model)
    assert not guards() >= GUARDS
    assert "The database itself refuses to rewrite the ledger." in {
        breach.sentence for breach in run_audit()
    }
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default", apps=apps)
    assert guards() >= GUARDS
    assert model.objects.exists()
    for deed in (f"DELETE FROM {model._meta.db_table}", f"UPDATE {model._meta.db_table} SET id=9"):
        with pytest.raises(DatabaseError, match="append-only"), connection.cursor() as cursor:
            cursor.execute(deed)


def test_emptying_the_database_of_a_test_leaves_it_guarded() -> None:
    DynastyFactory()
    call_command("flush", interactive=False, verbosity=0)
    assert not Transfer.objects.exists()
    assert guards() >= GUARDS


def test_migrating_back_and_forth_leaves_it_guarded() -> None:
    DynastyFactory()
    call_command("migrate", "dynasties", "0003", verbosity=0)
    call_command("migrate", verbosity=0)
    assert guards() >= GUARDS
