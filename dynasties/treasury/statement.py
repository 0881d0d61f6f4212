"""The statement of account, line by line: on the page, as CSV, in the export."""

import csv
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import override

from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Account, Kind, Leg
from dynasties.treasury.reasons import Reason, reason_for
from dynasties.treasury.selectors import StatementFilter, statement, wealth_of

LINES_A_CHUNK = 1000
# A spreadsheet takes a text that begins so for a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Line:
    """One movement as its owner may read it."""

    at: datetime
    kind: Kind
    amount: int
    after: int
    reason: str
    words: str | Promise
    note: str
    others: tuple[Dynasty, ...]


def lines_of(legs: Iterable[Leg]) -> list[Line]:
    """The lines for some legs of one account, with a query at most whatever their number."""
    chosen = list(legs)
    shared = [leg for leg in chosen if reason_for(leg.transfer.reason).names_others]
    others = _others(shared)
    return [_line(leg, others.get(leg.transfer_id, ())) for leg in chosen]


def _line(leg: Leg, others: Iterable[Dynasty]) -> Line:
    reason: Reason = reason_for(leg.transfer.reason)
    return Line(
        at=leg.transfer.made_at,
        kind=leg.kind,
        amount=leg.amount,
        after=leg.after,
        reason=reason.code,
        words=reason.words,
        note=leg.transfer.note if reason.shows_note else "",
        others=tuple(others),
    )


def _others(legs: list[Leg]) -> Mapping[int, list[Dynasty]]:
    """By transfer, the other dynasties that took part in it."""
    found: dict[int, list[Dynasty]] = defaultdict(list)
    if not legs:
        return found
    theirs = Leg.objects.filter(transfer__in={leg.transfer_id for leg in legs})
    theirs = theirs.exclude(account=legs[0].account_id).filter(account__dynasty__isnull=False)
    for leg in theirs.select_related("account__dynasty").order_by("pk"):
        dynasty = leg.account.dynasty
        if dynasty and dynasty not in found[leg.transfer_id]:
            found[leg.transfer_id].append(dynasty)
    return found


# --- CSV -----------------------------------------------------------------------------------


class _Echo:
    """A file for csv.writer that returns what is written to it."""

    def write(self, text: str) -> str:
        return text


@dataclass(frozen=True)
class CsvStatement:
    """The statement as CSV, some thousand lines at a time: memory does not grow with it.

    In the language of whoever asked: it is written after the request has been answered.
    """

    dynasty: Dynasty
    chosen: StatementFilter
    language: str

    def header(self) -> str:
        with override(self.language):
            return "\ufeff" + _row(
                _("time"),
                _("code"),
                _("kind"),
                _("amount"),
                _("balance after"),
                _("reason"),
                _("with"),
                _("note"),
            )

    def chunk(self, before: int | None) -> tuple[str, int | None]:
        """The lines older than leg `before`, and after which one to go on; None at the end."""
        legs: QuerySet[Leg] = statement(self.dynasty, self.chosen)
        if before is not None:
            legs = legs.filter(pk__lt=before)
        page = list(legs[:LINES_A_CHUNK])
        with override(self.language):
            text = "".join(_row(*_cells(line)) for line in lines_of(page))
        return text, page[-1].pk if len(page) == LINES_A_CHUNK else None

    def chunks(self) -> Iterator[str]:
        yield self.header()
        text, before = self.chunk(None)
        yield text
        while before is not None:
            text, before = self.chunk(before)
            yield text

    async def chunks_one_by_one(self) -> AsyncIterator[str]:
        """For ASGI, where a plain iterator is gathered into a list before anything is sent."""
        yield self.header()
        text, before = await sync_to_async(self.chunk)(None)
        yield text
        while before is not None:
            text, before = await sync_to_async(self.chunk)(before)
            yield text


def _cells(line: Line) -> tuple[str | int, ...]:
    return (
        line.at.isoformat(timespec="seconds"),
        line.kind.code,
        line.kind.name,
        line.amount,
        line.after,
        str(line.words),
        ", ".join(other.name for other in line.others),
        line.note,
    )


def _row(*cells: str | int) -> str:
    row: str = csv.writer(_Echo()).writerow(map(harmless, cells))
    return row


def harmless(cell: str | int) -> str | int:
    """The cell as a spreadsheet may read it: numbers as they are, no text as a formula."""
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell


# --- Export ----------------------------------------------------------------------------------


def export_wealth(dynasty: Dynasty) -> dict[str, Any] | None:
    """Everything that the treasury keeps about a dynasty; None if it never had an account."""
    if not Account.objects.filter(dynasty=dynasty).exists():
        return None
    return {
        "owned": {each.code: amount for each, amount in wealth_of(dynasty).items()},
        "movements": [
            {
                "at": line.at,
                "kind": line.kind.code,
                "amount": line.amount,
                "after": line.after,
                "reason": line.reason,
                "note": line.note,
                "with": [other.name for other in line.others],
            }
            for line in lines_of(statement(dynasty))
        ],
    }
