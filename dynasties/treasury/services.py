"""What moves wealth. `post` is the only way: everything else is a posting with a name."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import Case, F, Q, Value, When

from dynasties.charter.selectors import charter
from dynasties.chronicle.services import tell_wealth
from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.treasury import reasons
from dynasties.treasury.models import Account, Balance, Kind, Leg, Transfer
from dynasties.treasury.selectors import kind

# More than the world will ever hold of anything, and far from the end of a database's integer.
MOST = 10**15

# A balance by the primary keys of its account and its kind.
Place: TypeAlias = tuple[int, int]


class Move(NamedTuple):
    """So much of a kind comes to an account (+) or leaves it (-)."""

    account: Account
    kind: Kind
    amount: int

    @property
    def place(self) -> Place:
        return self.account.pk, self.kind.pk


Net: TypeAlias = Mapping[Place, Move]
Held: TypeAlias = Mapping[Place, Balance]


class NotEnough(Exception):
    """An account holds less of a kind than should leave it, by `short`."""

    def __init__(self, account: Account, kind: Kind, short: int) -> None:
        super().__init__(f"{account} lacks {short} {kind.code}")
        self.account, self.kind, self.short = account, kind, short


class KeyReused(Exception):
    """The key belongs to another posting: with other legs, for another reason."""


class Fallen(Exception):
    """A fallen dynasty receives nothing: what was due to it is the crown's, see `account_of`."""

    def __init__(self, account: Account) -> None:
        super().__init__(str(account))
        self.account = account


# --- Accounts ------------------------------------------------------------------------


def account_of(dynasty: Dynasty) -> Account:
    """Where wealth for `dynasty` goes: its own account, the crown's once it has fallen."""
    if Dynasty.objects.filter(pk=dynasty.pk, fallen_at__isnull=False).exists():
        return crown()
    return _account(Account.Holder.DYNASTY, f"dynasty {dynasty.pk}", dynasty=dynasty)


def crown() -> Account:
    """The world's own account: it pays prizes, and takes fees and what has no heir."""
    return _account(Account.Holder.CROWN, "crown")


def mint() -> Account:
    """The account that all wealth comes from: its balances are the negative of all others."""
    return _account(Account.Holder.MINT, "mint")


def open_escrow(*, purpose: str) -> Account:
    """The account that keeps what belongs to nobody until `purpose` is settled: “offer 12”."""
    return _account(Account.Holder.ESCROW, purpose)


def _account(holder: Account.Holder, purpose: str, *, dynasty: Dynasty | None = None) -> Account:
    found = Account.objects.filter(purpose=purpose).first()
    account = found or _open(Account(holder=holder, purpose=purpose, dynasty=dynasty))
    if account.holder != holder:
        raise ValueError(f"Another kind of account: {purpose}")
    return account


def _open(account: Account) -> Account:
    """Open it, or find that somebody has done so meanwhile."""
    with suppress(IntegrityError), transaction.atomic():
        account.save(force_insert=True)
        return account
    return Account.objects.get(purpose=account.purpose)


# --- Posting -------------------------------------------------------------------------


@transaction.atomic
def post(
    *,
    key: str,
    reason: str,
    moves: Iterable[Move],
    note: str = "",
    author: AbstractBaseUser | None = None,
    counters: Transfer | None = None,
) -> Transfer:
    """Move wealth, once: the same key again finds the posting made, and moves nothing.

    Moves of one account and kind are taken together; each kind must sum to zero. Raises
    KeyReused (same key; other legs, reason or `counters`), NotEnough, Fallen, and leaves
    nothing done.

    Who makes several postings in one transaction locks them all at first, by
    `hold_balances`: otherwise two such transactions might wait for each other.
    """
    reasons.known_reason(reason)
    net = _balanced(moves)
    draft = Transfer(key=key, reason=reason, note=note, author_id=_pk(author), counters=counters)
    held = hold_balances(places=net)
    # Asked once the locks are held: the same posting, if under way, has been waited for.
    made = Transfer.objects.filter(key=key).first()
    if made is None:
        made = _carry_out(draft, net, held)
    if made is not draft:
        _insist_on_the_same(made, draft, net)
    return made


def hold_balances(*, places: Iterable[Place]) -> dict[Place, Balance]:
    """Lock balances, by (account, kind) as primary keys, until the transaction ends.

    Always in the order of account, then kind: whoever locks in another order may wait in
    a circle. Those that are missing are made, empty.
    """
    wanted = sorted(set(places))
    chosen = Balance.objects.filter(_at(wanted))
    _make_missing(wanted, set(chosen.values_list("account_id", "kind_id")))
    locked = chosen.select_for_update().order_by("account_id", "kind_id")
    return {(each.account_id, each.kind_id): each for each in locked}


def _at(places: Iterable[Place]) -> Q:
    kinds: dict[int, list[int]] = defaultdict(list)
    for account_id, kind_id in places:
        kinds[account_id].append(kind_id)
    condition = Q(pk__in=[])
    for account_id, kind_ids in kinds.items():
        condition |= Q(account_id=account_id, kind_id__in=kind_ids)
    return condition


def _make_missing(wanted: list[Place], there: set[Place]) -> None:
    missing = [place for place in wanted if place not in there]
    if not missing:
        return
    mints = set(Account.objects.filter(holder=Account.Holder.MINT).values_list("pk", flat=True))
    rows = [
        Balance(account_id=account_id, kind_id=kind_id, is_mint=account_id in mints)
        for account_id, kind_id in missing
    ]
    Balance.objects.bulk_create(rows, ignore_conflicts=True)


def _balanced(moves: Iterable[Move]) -> dict[Place, Move]:
    """One move an account and kind, in the order of locking; ValueError if it can't be posted."""
    net: dict[Place, Move] = {}
    for move in moves:
        if type(move.amount) is not int or abs(move.amount) > MOST:
            raise ValueError(f"No amount: {move.amount!r}")
        before = net[move.place].amount if move.place in net else 0
        net[move.place] = move._replace(amount=before + move.amount)
    sums: dict[int, int] = defaultdict(int)
    for move in net.values():
        sums[move.kind.pk] += move.amount
    if any(sums.values()):
        raise ValueError("What leaves one account must arrive in another.")
    moving = {place: move for place, move in sorted(net.items()) if move.amount}
    if not moving:
        raise ValueError("Nothing moves.")
    return moving


def _carry_out(draft: Transfer, net: Net, held: Held) -> Transfer:
    houses = Dynasty.objects.in_bulk({move.account.dynasty_id for move in net.values()} - {None})
    _refuse_overdraft(net, held)
    _refuse_gifts_to_the_fallen(net, houses)
    made = _write(draft, net, held)
    if made is draft:
        _tell(made, net, houses)
    return made


def _refuse_overdraft(net: Net, held: Held) -> None:
    for place, move in net.items():
        left = held[place].amount + move.amount
        if left < 0 and not held[place].is_mint:
            raise NotEnough(move.account, move.kind, -left)


def _refuse_gifts_to_the_fallen(net: Net, houses: Mapping[int, Dynasty]) -> None:
    for move in net.values():
        house = houses.get(move.account.dynasty_id or 0)
        if move.amount > 0 and house and house.fallen_at:
            raise Fallen(move.account)


def _write(draft: Transfer, net: Net, held: Held) -> Transfer:
    draft.made_at = database_now()
    try:
        with transaction.atomic():
            draft.save(force_insert=True)
    except IntegrityError:
        # Another posting, of other accounts, had the same key at the same moment.
        rival: Transfer | None = Transfer.objects.filter(key=draft.key).first()
        if rival is None:
            raise
        return rival
    _move(net, held)
    Leg.objects.bulk_create(
        Leg(
            transfer=draft,
            account=move.account,
            kind=move.kind,
            amount=move.amount,
            after=held[place].amount + move.amount,
        )
        for place, move in net.items()
    )
    return draft


def _move(net: Net, held: Held) -> None:
    """Add to what the database holds, whatever we have read: CHECK has the last word."""
    steps = [When(pk=held[place].pk, then=Value(move.amount)) for place, move in net.items()]
    rows = Balance.objects.filter(pk__in=[held[place].pk for place in net])
    rows.update(amount=F("amount") + Case(*steps))


def _insist_on_the_same(made: Transfer, draft: Transfer, net: Net) -> None:
    legs = {(leg.account_id, leg.kind_id): leg.amount for leg in made.legs.all()}
    asked = {place: move.amount for place, move in net.items()}
    same = (made.reason, made.counters_id, legs) == (draft.reason, draft.counters_id, asked)
    if not same:
        raise KeyReused(draft.key)


def _tell(made: Transfer, net: Net, houses: Mapping[int, Dynasty]) -> None:
    """Tell each dynasty concerned, and nobody else."""
    changes: dict[int, list[Move]] = defaultdict(list)
    for move in net.values():
        if move.account.dynasty_id:
            changes[move.account.dynasty_id].append(move)
    for dynasty_id, changed in changes.items():
        in_order = sorted(changed, key=lambda move: (move.kind.rank, move.kind.code))
        sums = [(move.kind.code, move.amount) for move in in_order]
        tell_wealth(dynasty=houses[dynasty_id], reason=made.reason, sums=sums, at=made.made_at)


def _pk(author: AbstractBaseUser | None) -> int | None:
    return author.pk if author is not None else None


# --- The first and the last posting of a dynasty ---------------------------------------


@transaction.atomic
def pay_founding_grant(*, dynasty: Dynasty) -> Transfer | None:
    """Open the dynasty's account and pay what the charter grants, once; None if that is nothing.

    It comes from the mint, not from the crown: what the crown owns is limited, and nobody
    should come into the world poorer because others came first.
    """
    account = account_of(dynasty)
    key, amount = f"grant dynasty {dynasty.pk}", charter().founding_grant
    paid = Transfer.objects.filter(key=key).first()
    if paid is not None or not amount:
        return paid
    copper = kind("copper")
    moves = [Move(mint(), copper, -amount), Move(account, copper, amount)]
    return post(key=key, reason=reasons.GRANT, moves=moves)


def hold_estate(*, dynasty: Dynasty) -> list[Balance]:
    """Lock, in the transaction of its fall and before it, all that a dynasty may own.

    Of every kind, whether it has any or not: so a posting that comes to it at the same
    moment is either taken along by `escheat`, or waits, sees the fall and is refused.
    """
    account = Account.objects.filter(dynasty=dynasty).first()
    if account is None:
        return []
    kinds = list(Kind.objects.values_list("pk", flat=True))
    places = [(holder, kind_id) for holder in (account.pk, crown().pk) for kind_id in kinds]
    held = hold_balances(places=places)
    return [held[account.pk, kind_id] for kind_id in kinds]


@transaction.atomic
def escheat(*, dynasty: Dynasty) -> Transfer | None:
    """Give everything that a fallen dynasty owns to the crown, once; None if it owns nothing."""
    owned = [each for each in hold_estate(dynasty=dynasty) if each.amount]
    if not owned:
        return None
    kinds, heir = Kind.objects.in_bulk([each.kind_id for each in owned]), crown()
    account = Account.objects.get(dynasty=dynasty)
    moves = [
        move
        for each in owned
        for move in (
            Move(account, kinds[each.kind_id], -each.amount),
            Move(heir, kinds[each.kind_id], each.amount),
        )
    ]
    return post(key=f"escheat dynasty {dynasty.pk}", reason=reasons.ESCHEAT, moves=moves)
