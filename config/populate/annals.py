"""The rows that a made-up world leaves: one sheaf for each table, one method for each deed.

What is written here is what the services would have written, entry by entry.
"""

from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import count

from allauth.account.models import EmailAddress
from django.db.models import Max, Model

from config.populate.sheaves import Sheaf, writer
from dynasties.accounts.models import User
from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Account, Balance, Leg, Transfer
from emperors.models import (
    Championship,
    Emperor,
    Reign,
    ReputationChange,
    Standing,
    StandingChange,
)

# In the order in which they are written out at last.
MODELS: tuple[type[Model], ...] = (
    User, EmailAddress, Dynasty, Standing, Account, Emperor, Reign, ReputationChange,
    StandingChange, Championship, Transfer, Leg, Balance, Entry, Mention,
)  # fmt: skip


def next_number(model: type[Model]) -> int:
    return (model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1


def moment(microseconds: int) -> str:
    """A time as both databases read it: UTC, without saying so."""
    minute, rest = divmod(microseconds, 60_000_000)
    return f"{_minute(minute)}:{rest // 1_000_000:02d}.{rest % 1_000_000:06d}"


@lru_cache(maxsize=50_000)
def _minute(minutes: int) -> str:
    return datetime.fromtimestamp(minutes * 60, UTC).strftime("%Y-%m-%d %H:%M")


def ref(subject: str, number: int, name: str) -> str:
    """A reference, as JSON: no name has a quotation mark or a backslash in it."""
    return f'{{"subject": "{subject}", "number": {number}, "name": "{name}"}}'


class Annals:
    """Sheaves for every table that a world is made of.

    Without `crowns` nobody in it was ever champion: the world has its own history of them.
    """

    def __init__(self, *, crowns: bool = True) -> None:
        self._crowns = crowns
        self.writer = writer()
        sheaf = partial(Sheaf, self.writer)
        self.users = sheaf(User, "id", "password", "email", "is_active", "joined_at")
        self.addresses = sheaf(EmailAddress, "email", "verified", "primary", "user")
        self.houses = sheaf(
            Dynasty, "id", "ruler", "name", "name_key", "slug", "motto", "founded_at", "opened_at",
            "tried_at",
        )  # fmt: skip
        self.standings = sheaf(Standing, "dynasty", "reputation", "since")
        self.accounts = sheaf(Account, "id", "holder", "dynasty", "purpose", "opened_at")
        self.emperors = sheaf(
            Emperor, "id", "name", "name_key", "number", "founder", "dynasty", "life", "place",
            "reputation", "born_at", "died_at", "battles", "active_at",
        )  # fmt: skip
        self.reigns = sheaf(
            Reign, "emperor", "dynasty", "began_at", "began_by", "ended_at", "ended_by"
        )
        self.changes = sheaf(
            ReputationChange, "emperor", "dynasty", "change", "after", "reason", "at"
        )
        self.curves = sheaf(StandingChange, "dynasty", "change", "after", "reason", "at")
        self._championships = sheaf(Championship, "dynasty", "began_at", "ended_at")
        self.transfers = sheaf(Transfer, "id", "key", "reason", "note", "made_at")
        self.legs = sheaf(Leg, "transfer", "account", "kind", "amount", "after")
        self.balances = sheaf(Balance, "account", "kind", "amount")
        self.entries = sheaf(Entry, "id", "kind", "at", "facts", "owner")
        self.mentions = sheaf(Mention, "entry", "subject", "number", "at", "private_to")
        self._entry = count(next_number(Entry))

    def flush(self) -> None:
        """Return when everything is written."""
        for each in vars(self).values():
            if isinstance(each, Sheaf):
                each.flush()
        self.writer.finish()

    def written(self) -> int:
        return sum(each.written for each in vars(self).values() if isinstance(each, Sheaf))

    def crown(self, house: int, began_at: str, ended_at: str | None) -> None:
        if self._crowns:
            self._championships.add(house, began_at, ended_at)

    def tell_crowning(self, house: int, facts: str, at: str) -> None:
        if self._crowns:
            self.tell("champion-crowned", facts, at, dynasty=house)

    def tell(self, kind: str, facts: str, at: str, **about: int) -> None:
        """A public entry; `about` is a dynasty, an emperor, and at most one more of each."""
        entry = next(self._entry)
        self.entries.add(entry, kind, at, facts, None)
        for subject, number in about.items():
            self.mentions.add(entry, subject.removeprefix("other_"), number, at, None)

    def tell_alone(self, house: int, kind: str, facts: str, at: str) -> None:
        """A private entry, for the ruler of a dynasty."""
        entry = next(self._entry)
        self.entries.add(entry, kind, at, facts, house)
        self.mentions.add(entry, "dynasty", house, at, house)
