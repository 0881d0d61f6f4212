"""What changes the charter: a new version, with a reason."""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.translation import gettext as _

from dynasties.charter.models import Charter, Number
from dynasties.charter.selectors import charter
from dynasties.clock import database_now

NUMBERS = tuple(field.name for field in Charter._meta.concrete_fields if isinstance(field, Number))


@transaction.atomic
def amend_charter(
    *, changes: Mapping[str, int], reason: str, author: AbstractBaseUser | None
) -> Charter:
    """Write a new version of the charter: the one in force, but for `changes`.

    ValidationError for a number beyond its limits, one that the charter doesn't have, a
    missing reason, or changes that change nothing.
    """
    _one_at_a_time()
    now = charter()
    numbers = {name: getattr(now, name) for name in NUMBERS}
    _refuse_pointless(changes, numbers)
    version = Charter(
        **{**numbers, **changes},
        reason=reason.strip(),
        author_id=author.pk if author else None,
        written_at=database_now(),
    )
    version.full_clean(exclude=["author"])
    version.save(force_insert=True)
    return version


def _one_at_a_time() -> None:
    """Two who amend at once do it one after the other: the second builds on the first."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            table = connection.ops.quote_name(Charter._meta.db_table)
            cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def _refuse_pointless(changes: Mapping[str, int], numbers: Mapping[str, int]) -> None:
    unknown = sorted(set(changes) - set(numbers))
    if unknown:
        raise ValidationError(_("The charter has no such number: %s") % ", ".join(unknown))
    if all(numbers[name] == value for name, value in changes.items()):
        raise ValidationError(_("This is what the charter says already."), code="same")
