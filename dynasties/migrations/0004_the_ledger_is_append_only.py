"""The database itself refuses to rewrite the ledger, whoever asks and by whatever tool.

One change is let through: when an account is removed, what it wrote loses its author.
Emptying the database of a test is TRUNCATE, which no row trigger sees. SQLite's triggers are in
`dynasties/treasury/guards.py`: there they have to be set after every migration.
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


def close(apps, schema_editor):
    _run(schema_editor, POSTGRESQL)


def open_again(apps, schema_editor):
    _run(schema_editor, POSTGRESQL_BACK)


def _run(schema_editor, statement):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [
        ('dynasties', '0003_the_first_entries'),
    ]

    operations = [
        migrations.RunPython(close, open_again),
    ]
