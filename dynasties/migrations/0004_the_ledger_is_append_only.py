"""The database itself refuses to rewrite the ledger, whoever asks and by whatever tool.

One change is let through: when an account is removed, what it wrote loses its author.
SQLite has no trigger on DELETE, because that is how a test's database is emptied there;
on PostgreSQL emptying is TRUNCATE, which no row trigger sees.
"""

from django.db import migrations

POSTGRESQL = """
CREATE FUNCTION dynasties_refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE'
        AND to_jsonb(NEW) ->> 'author_id' IS NULL
        AND to_jsonb(NEW) - 'author_id' = to_jsonb(OLD) - 'author_id'
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'The ledger is append-only: % of %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER transfer_is_append_only BEFORE UPDATE OR DELETE ON dynasties_transfer
    FOR EACH ROW EXECUTE FUNCTION dynasties_refuse_rewriting();
CREATE TRIGGER leg_is_append_only BEFORE UPDATE OR DELETE ON dynasties_leg
    FOR EACH ROW EXECUTE FUNCTION dynasties_refuse_rewriting();
"""
POSTGRESQL_BACK = """
DROP TRIGGER IF EXISTS leg_is_append_only ON dynasties_leg;
DROP TRIGGER IF EXISTS transfer_is_append_only ON dynasties_transfer;
DROP FUNCTION IF EXISTS dynasties_refuse_rewriting();
"""
SQLITE = (
    """
    CREATE TRIGGER transfer_is_append_only BEFORE UPDATE ON dynasties_transfer
    WHEN NOT (
        NEW.author_id IS NULL
        AND NEW.id IS OLD.id AND NEW.key IS OLD.key AND NEW.reason IS OLD.reason
        AND NEW.note IS OLD.note AND NEW.made_at IS OLD.made_at
        AND NEW.counters_id IS OLD.counters_id
    )
    BEGIN SELECT RAISE(ABORT, 'The ledger is append-only: UPDATE of dynasties_transfer'); END
    """,
    """
    CREATE TRIGGER leg_is_append_only BEFORE UPDATE ON dynasties_leg
    BEGIN SELECT RAISE(ABORT, 'The ledger is append-only: UPDATE of dynasties_leg'); END
    """,
)
SQLITE_BACK = (
    "DROP TRIGGER IF EXISTS leg_is_append_only",
    "DROP TRIGGER IF EXISTS transfer_is_append_only",
)


def close(apps, schema_editor):
    _run(schema_editor, {"postgresql": (POSTGRESQL,), "sqlite": SQLITE})


def open_again(apps, schema_editor):
    _run(schema_editor, {"postgresql": (POSTGRESQL_BACK,), "sqlite": SQLITE_BACK})


def _run(schema_editor, statements):
    for statement in statements.get(schema_editor.connection.vendor, ()):
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('dynasties', '0003_the_first_entries'),
    ]

    operations = [
        migrations.RunPython(close, open_again),
    ]
