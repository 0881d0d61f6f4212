"""Rows by the million: gathered in sheaves, written as fast as each database takes them.

PostgreSQL copies them. For a large world its indexes and foreign keys step aside meanwhile and
come back, checked, in the same transaction: a failure leaves everything as it was.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Self

from django.core.management.color import no_style
from django.db import connection
from django.db.models import NOT_PROVIDED, Field, Model

ROWS_A_SHEAF = 10_000
# More would only wait, and take memory.
SHEAVES_IN_LINE = 8

Row = tuple[Any, ...]


class Inserter:
    """Writes rows at once, by plain INSERT: what every database understands."""

    def put(self, target: str, rows: Sequence[Row], width: int) -> None:
        places = ", ".join(["%s"] * width)
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {target} VALUES ({places})", rows)  # noqa: S608

    def finish(self) -> None:
        """Return when everything is written: nobody else asks the database before."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Leave nothing under way, whatever happened."""


class Copier(Inserter):
    """Lets PostgreSQL copy rows while the next ones are being made.

    One thread and one connection, the transaction's own: sheaves are written in their order.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._waiting: deque[Future[None]] = deque()

    def put(self, target: str, rows: Sequence[Row], width: int) -> None:
        if len(self._waiting) >= SHEAVES_IN_LINE:
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(_copy, connection.connection, target, rows, width))

    def finish(self) -> None:
        for each in self._waiting:
            each.result()
        self._waiting.clear()

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown(cancel_futures=True)


def writer() -> Inserter:
    """The fastest that the database has."""
    return Copier() if _is_postgresql() else Inserter()


def _copy(database: Any, target: str, rows: Sequence[Row], width: int) -> None:
    line = "\t".join(["%s"] * width) + "\n"
    # No text of ours is "None": what Python calls so is NULL.
    copying = f"COPY {target} FROM STDIN WITH (NULL 'None')"
    with database.cursor() as cursor, cursor.copy(copying) as copy:
        copy.write("".join(map(line.__mod__, rows)))


class Sheaf:
    """Rows for one table: plain numbers, texts without tabs or backslashes, True, False, None."""

    def __init__(self, writer: Inserter, model: type[Model], *names: str) -> None:
        fields = {field.name: field for field in model._meta.concrete_fields}
        given = [fields.pop(name) for name in names]
        filled = [field for field in fields.values() if not field.primary_key and _fills(field)]
        quote = connection.ops.quote_name
        columns = ", ".join(quote(str(field.column)) for field in (*given, *filled))
        self._target = f"{quote(model._meta.db_table)} ({columns})"
        self._rest = tuple(_default(field) for field in filled)
        self._width = len(given) + len(filled)
        self._writer = writer
        self._rows: list[Row] = []
        self.written = 0

    def add(self, *row: Any) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROWS_A_SHEAF:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            rows = [row + self._rest for row in self._rows] if self._rest else self._rows
            self._writer.put(self._target, rows, self._width)
            self.written += len(rows)
            self._rows = []


def _fills(field: "Field[Any, Any]") -> bool:
    """Whether a column must be named that the maker of the rows does not care about."""
    return field.db_default is NOT_PROVIDED


def _default(field: "Field[Any, Any]") -> Any:
    return field.get_db_prep_save(field.get_default(), connection)


def _is_postgresql() -> bool:
    return connection.vendor == "postgresql"


# --- Around the writing ---------------------------------------------------------------


def hold(models: Sequence[type[Model]], *, from_readers: bool) -> None:
    """Within a transaction: let nobody else write, nor even read if told so, until it ends.

    Rows are numbered by hand from what is there, and the mint's balances are read once: a site
    at work must not add to either. SQLite has one writer anyway, and lets readers be.
    """
    if not _is_postgresql():
        return
    tables = ", ".join(connection.ops.quote_name(each._meta.db_table) for each in models)
    mode = "ACCESS EXCLUSIVE" if from_readers else "SHARE ROW EXCLUSIVE"
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {tables} IN {mode} MODE")


def go_on_counting(models: Sequence[type[Model]]) -> None:
    """Let the database count on from the largest number that was given by hand."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def take_stock(models: Sequence[type[Model]]) -> None:
    """Let the database learn what the tables hold now, to plan by."""
    with connection.cursor() as cursor:
        for model in models:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(model._meta.db_table)}")


@contextmanager
def without_indexes(models: Sequence[type[Model]]) -> Iterator[None]:
    """Within a transaction on PostgreSQL: write without indexes, which are made anew at the end."""
    if not _is_postgresql():
        yield
        return
    tables = [model._meta.db_table for model in models]
    constraints, indexes = _constraints_of(tables), _indexes_of(tables)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
        for table, name, _definition in constraints:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        for name, _definition in indexes:
            cursor.execute(f"DROP INDEX {name}")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for _name, definition in indexes:
            cursor.execute(definition)
        for table, name, definition in constraints:
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")


def _constraints_of(tables: list[str]) -> list[tuple[str, str, str]]:
    """Foreign keys of the tables and what must be unique in them; the latter first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)"
            " FROM pg_constraint WHERE conrelid = ANY(%s::regclass[]) AND contype IN ('f', 'u')"
            " ORDER BY contype DESC, conname",
            [tables],
        )
        return cursor.fetchall()


def _indexes_of(tables: list[str]) -> list[tuple[str, str]]:
    """Indexes of the tables that stand for no constraint."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index"
            " WHERE indrelid = ANY(%s::regclass[]) AND NOT EXISTS"
            " (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))",
            [tables],
        )
        return cursor.fetchall()
