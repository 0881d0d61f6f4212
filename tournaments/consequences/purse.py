"""The wealth of a tournament: fees, chests and prizes, in one escrow account until it is over."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Account, Kind
from dynasties.treasury.selectors import kind as kind_of
from dynasties.treasury.services import (
    Move,
    Place,
    account_of,
    crown,
    hold_balances,
    open_escrow,
    post,
)
from tournaments.announcements.models import Seat, Tournament
from tournaments.consequences.verdicts import Ending, captured_chests, split
from tournaments.reasons import (
    CHEST,
    CHEST_BACK,
    CHEST_FILLED,
    ENTRY,
    ENTRY_BACK,
    POT,
    PRIZE,
)

COPPER = "copper"


def pay_in(*, tournament: Tournament, seat: Seat, dynasty: Dynasty) -> None:
    """Lay a seat's fee and chest in escrow, at once. Raises NotEnough."""
    owed = what_it_owes(tournament, seat)
    if owed:
        purse, escrow = account_of(dynasty), open_escrow(purpose=tournament.place)
        moves = _hand_over(purse, escrow, owed)
        reason = CHEST_FILLED if seat.chest else ENTRY
        post(key=f"seat {seat.pk} entry", reason=reason, moves=moves)


def pay_back(*, tournament: Tournament, seat: Seat) -> None:
    """Give a seat back what it paid in, whole."""
    owed = what_it_owes(tournament, seat)
    if owed and seat.dynasty:
        escrow = open_escrow(purpose=tournament.place)
        moves = _hand_over(escrow, account_of(seat.dynasty), owed)
        reason = CHEST_BACK if seat.chest else ENTRY_BACK
        post(key=f"seat {seat.pk} back", reason=reason, moves=moves)


def give_all_back(*, tournament: Tournament, seats: Sequence[Seat]) -> None:
    """Give every seat back what it paid in, and the crown what it had promised.

    All balances are held at first, as `post` asks of whoever makes several postings.
    """
    hold_balances(places=_places(tournament, seats))
    for seat in seats:
        pay_back(tournament=tournament, seat=seat)
    prize = _prize(tournament)
    if prize:
        moves = _hand_over(open_escrow(purpose=tournament.place), crown(), prize)
        post(key=f"{tournament.place} prize back", reason=PRIZE, moves=moves)


def _places(tournament: Tournament, seats: Sequence[Seat]) -> list[Place]:
    """The balances that change when everything goes back."""
    owed = [
        (account_of(seat.dynasty), what_it_owes(tournament, seat)) for seat in seats if seat.dynasty
    ]
    owed.append((crown(), _prize(tournament)))
    moving = [(account, kind) for account, wealth in owed for kind in wealth]
    if not moving:
        return []
    escrow = open_escrow(purpose=tournament.place)
    return [(each.pk, kind.pk) for account, kind in moving for each in (account, escrow)]


def pay_out(
    *, tournament: Tournament, seats: Sequence[Seat], ending: Ending
) -> dict[int, dict[str, int]]:
    """Pay fees and prize to the winners, and chests to whom they belong.

    Returns what each dynasty (by its number) has won beyond what it had paid in.
    """
    houses = {seat.name: seat.dynasty for seat in seats if seat.dynasty}
    won = _winnings(tournament, seats, ending)
    chests = _chests(seats, ending)
    if not won and not chests:
        return {}
    escrow = open_escrow(purpose=tournament.place)
    accounts = {name: account_of(house) for name, house in houses.items()}
    pot, boxes = _moves(escrow, accounts, won), _moves(escrow, accounts, chests)
    hold_balances(places=[move.place for move in (*pot, *boxes)])
    if pot:
        post(key=f"{tournament.place} pot", reason=POT, moves=pot)
    if boxes:
        post(key=f"{tournament.place} chests", reason=CHEST, moves=boxes)
    return _spoils(houses, won, ending, seats)


def what_it_owes(tournament: Tournament, seat: Seat) -> dict[Kind, int]:
    """Fee and chest of a seat, by kind."""
    owed: dict[Kind, int] = defaultdict(int)
    if tournament.fee and tournament.fee_kind:
        owed[tournament.fee_kind] += tournament.fee
    if seat.chest:
        owed[kind_of(COPPER)] += seat.chest
    return dict(owed)


def _prize(tournament: Tournament) -> dict[Kind, int]:
    kinds = Kind.objects.filter(code__in=tournament.prize_wealth)
    return {kind: tournament.prize_wealth[kind.code] for kind in kinds}


def _winnings(
    tournament: Tournament, seats: Sequence[Seat], ending: Ending
) -> dict[str, dict[Kind, int]]:
    """What each winning seat gets of fees and prize."""
    pot = dict(_prize(tournament))
    if tournament.fee and tournament.fee_kind:
        pot[tournament.fee_kind] = pot.get(tournament.fee_kind, 0) + tournament.fee * len(seats)
    winners = [seat.name for seat in seats if seat.name in ending.winners]
    won: dict[str, dict[Kind, int]] = defaultdict(dict)
    for kind, amount in pot.items():
        for name, share in split(amount, winners).items():
            if share:
                won[name][kind] = share
    return dict(won)


def _chests(seats: Sequence[Seat], ending: Ending) -> dict[str, dict[Kind, int]]:
    """Who gets which chests: the captor, or whoever filled it."""
    captors = captured_chests(ending)
    due: dict[str, int] = defaultdict(int)
    for seat in seats:
        if seat.chest:
            due[captors.get(seat.name, seat.name)] += seat.chest
    return {name: {kind_of(COPPER): amount} for name, amount in due.items()}


def _moves(
    escrow: Account, accounts: Mapping[str, Account], due: Mapping[str, Mapping[Kind, int]]
) -> list[Move]:
    return [
        move for name, wealth in due.items() for move in _hand_over(escrow, accounts[name], wealth)
    ]


def _hand_over(giver: Account, receiver: Account, wealth: Mapping[Kind, int]) -> list[Move]:
    return [
        move
        for kind, amount in wealth.items()
        for move in (Move(giver, kind, -amount), Move(receiver, kind, amount))
    ]


def _spoils(
    houses: Mapping[str, Dynasty],
    won: Mapping[str, Mapping[Kind, int]],
    ending: Ending,
    seats: Sequence[Seat],
) -> dict[int, dict[str, int]]:
    """What is worth telling: fees and prize won, chests captured. Never a chest that went home."""
    spoils: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for name, wealth in won.items():
        for kind, amount in wealth.items():
            spoils[houses[name].pk][kind.code] += amount
    captors = captured_chests(ending)
    for seat in seats:
        if seat.chest and seat.name in captors:
            spoils[houses[captors[seat.name]].pk][COPPER] += seat.chest
    return {house: dict(wealth) for house, wealth in spoils.items()}
