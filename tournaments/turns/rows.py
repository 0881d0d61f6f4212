"""Many rows, each with values of its own, in one round trip.

Django's `bulk_update` builds one large CASE for each field, which costs more than the rest of
a turn; a driver sends the same small statement for many rows much faster.
"""

from collections.abc import Sequence

from django.db import connection
from django.db.models import Model


def update_rows(rows: Sequence[Model], fields: Sequence[str]) -> None:
    """Write these fields of rows of one model, as `save(update_fields=fields)` would for each."""
    if not rows:
        return
    meta = rows[0]._meta
    known = {field.name: field for field in meta.concrete_fields}
    chosen = [known[name] for name in fields]
    quote = connection.ops.quote_name
    settings = ", ".join(f"{quote(str(field.column))} = %s" for field in chosen)
    key = quote(str(meta.pk.column))
    sql = f"UPDATE {quote(meta.db_table)} SET {settings} WHERE {key} = %s"  # noqa: S608
    values = [
        [
            *(field.get_db_prep_save(getattr(row, field.attname), connection) for field in chosen),
            row.pk,
        ]
        for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(sql, values)
