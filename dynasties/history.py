"""Rows that are history: written once, never changed, never deleted."""

from typing import Any, ClassVar, NoReturn

from django.db import models


class HistoryIsWritten(Exception):
    """Somebody tried to change what happened; write what happens now instead."""


class HistoryQuerySet(models.QuerySet[Any]):
    """Finds and adds, and nothing else."""

    def update(self, **fields: Any) -> NoReturn:
        raise HistoryIsWritten(self.model.__name__)

    def delete(self) -> NoReturn:
        raise HistoryIsWritten(self.model.__name__)

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise HistoryIsWritten(self.model.__name__)

    def bulk_create(self, objs: Any, *args: Any, **options: Any) -> list[Any]:
        if options.get("update_conflicts"):
            raise HistoryIsWritten(self.model.__name__)
        return super().bulk_create(objs, *args, **options)


class History(models.Model):
    """A row that can be added and read.

    What Django does on its own account still works, because it goes by the base manager:
    when an account is removed, the rows that it wrote lose their author.
    """

    objects: ClassVar[models.Manager[Any]] = HistoryQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise HistoryIsWritten(type(self).__name__)
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise HistoryIsWritten(type(self).__name__)
