"""Wealth in a made-up world: granted, won, exchanged and traded, each time in a double entry."""

from array import array
from collections import defaultdict
from collections.abc import Mapping
from itertools import count
from random import Random
from uuid import NAMESPACE_URL, uuid5

from config.populate.annals import Annals, next_number
from config.populate.sheaves import Sheaf
from dynasties.charter.selectors import charter
from dynasties.market.models import Offer, OfferPart
from dynasties.market.reasons import EXCHANGE, OFFER, TRADE
from dynasties.market.selectors import quote
from dynasties.treasury.models import Account, Balance, Kind, Transfer
from dynasties.treasury.reasons import GRANT
from dynasties.treasury.reasons import MINT as GIFT
from dynasties.treasury.services import crown, mint

CODES = ("copper", "silver", "gold")
COPPER, SILVER, GOLD = range(3)
GOLD_FOR_SILVER = 2
# The mint gives one gold coin for so many silver ones; two dynasties meet in the middle.
PRICE_OF_A_GOLD_COIN = 10

# What a posting moves: by account, and there by place in CODES.
Moves = Mapping[int, Mapping[int, int]]


class Ledger:
    """Every account of the made-up world, and the crown's and the mint's own."""

    def __init__(self, annals: Annals, rng: Random) -> None:
        self._annals, self._rng = annals, rng
        self._offers = Sheaf(
            annals.writer, Offer, "id", "maker", "key", "code", "state", "made_at", "expires_at",
            "settled_at", "taker", "escrow", "settlement",
        )  # fmt: skip
        self._parts = Sheaf(annals.writer, OfferPart, "offer", "side", "kind", "amount")
        found = {each.code: each for each in Kind.objects.filter(code__in=CODES)}
        self._kinds = [found[code] for code in CODES]
        self._grant = charter().founding_grant
        self._quote = quote(get=self._kinds[GOLD], count=GOLD_FOR_SILVER, pay=self._kinds[SILVER])
        self._mint, self._crown = mint().pk, crown().pk
        self._common = self._balances_of(self._mint, self._crown)
        self._purses = [array("q") for _code in CODES]
        self._emptied: set[tuple[int, int]] = set()
        self._accounts: array[int] = array("q")
        self._transfer, self._offer = count(next_number(Transfer)), count(next_number(Offer))
        self._account = count(next_number(Account))

    def _balances_of(self, *accounts: int) -> dict[int, dict[int, int]]:
        places = {each.pk: place for place, each in enumerate(self._kinds)}
        common: dict[int, dict[int, int]] = {each: defaultdict(int) for each in accounts}
        rows = Balance.objects.filter(account__in=accounts, kind__in=self._kinds)
        for row in rows:
            common[row.account_id][places[row.kind_id]] = row.amount
        return common

    # --- Deeds ---------------------------------------------------------------------------

    def open_account(self, house: int, number: int, at: str) -> None:
        """The account of the next dynasty, with its founding grant."""
        account = next(self._account)
        self._accounts.append(account)
        for purse in self._purses:
            purse.append(0)
        self._annals.accounts.add(account, "dynasty", number, f"dynasty {number}", at)
        if self._grant:
            moves = {self._mint: {COPPER: -self._grant}, account: {COPPER: self._grant}}
            self._post(f"grant dynasty {number}", GRANT, moves, {account: (house, number)}, at)

    def give_prize(self, house: int, number: int, at: str) -> None:
        """Silver from the crown's mint for the winner of a battle."""
        account, amount = self._accounts[house], 5 + int(self._rng.random() * 20)
        moves = {self._mint: {SILVER: -amount}, account: {SILVER: amount}}
        self._post("", GIFT, moves, {account: (house, number)}, at, note="Prize of a tournament")

    def exchange(self, house: int, number: int, at: str) -> None:
        """Gold for silver at the mint, if there is enough of it."""
        account, price, fee = self._accounts[house], self._quote.price, self._quote.fee
        if self._purses[SILVER][house] < price:
            return
        moves = {
            self._mint: {SILVER: price - fee, GOLD: -GOLD_FOR_SILVER},
            self._crown: {SILVER: fee},
            account: {SILVER: -price, GOLD: GOLD_FOR_SILVER},
        }
        self._post("", EXCHANGE, moves, {account: (house, number)}, at)

    def trade(self, maker: tuple[int, int], taker: tuple[int, int], at: str, until: str) -> None:
        """A gold coin of one dynasty for silver of another, by an offer that is accepted."""
        giving, paying = self._accounts[maker[0]], self._accounts[taker[0]]
        gold, silver = self._purses[GOLD][maker[0]], self._purses[SILVER][taker[0]]
        if maker == taker or gold < 1 or silver < PRICE_OF_A_GOLD_COIN:
            return
        offer, escrow = next(self._offer), next(self._account)
        self._common[escrow] = {GOLD: 0}
        self._annals.accounts.add(escrow, "escrow", None, f"offer {offer}", at)
        laid = {giving: {GOLD: -1}, escrow: {GOLD: 1}}
        self._post(f"offer {offer} escrow", OFFER, laid, {giving: maker}, at)
        settled = {
            giving: {SILVER: PRICE_OF_A_GOLD_COIN},
            escrow: {GOLD: -1},
            paying: {SILVER: -PRICE_OF_A_GOLD_COIN, GOLD: 1},
        }
        whose = {giving: maker, paying: taker}
        transfer = self._post(f"offer {offer} settled", TRADE, settled, whose, at)
        self._annals.balances.add(escrow, self._kinds[GOLD].pk, self._common.pop(escrow)[GOLD])
        self._write_offer(offer, maker[1], taker[1], escrow, transfer, at, until)

    def _write_offer(
        self, offer: int, maker: int, taker: int, escrow: int, transfer: int, at: str, until: str
    ) -> None:
        code = uuid5(NAMESPACE_URL, f"populate offer {offer}").hex
        self._offers.add(
            offer, maker, f"offer {maker} populate {offer}", code, "accepted", at, until, at, taker,
            escrow, transfer,
        )  # fmt: skip
        self._parts.add(offer, "gives", self._kinds[GOLD].pk, 1)
        self._parts.add(offer, "wants", self._kinds[SILVER].pk, PRICE_OF_A_GOLD_COIN)

    # --- The double entry ------------------------------------------------------------------

    def _post(
        self,
        key: str,
        reason: str,
        moves: Moves,
        whose: Mapping[int, tuple[int, int]],
        at: str,
        *,
        note: str = "",
    ) -> int:
        """Post what sums to zero, and tell the dynasties `whose` accounts it concerns."""
        transfer = next(self._transfer)
        self._annals.transfers.add(transfer, key or f"populate {transfer}", reason, note, at)
        for account in sorted(moves):
            for place, amount in moves[account].items():
                after = self._move(account, whose.get(account), place, amount)
                self._annals.legs.add(transfer, account, self._kinds[place].pk, amount, after)
        for account, (_house, number) in whose.items():
            sums = ", ".join(f'["{CODES[place]}", {n}]' for place, n in moves[account].items())
            why = f'{{"term": "transfer", "code": "{reason}"}}'
            facts = f'{{"reason": {why}, "wealth": {{"sums": [{sums}]}}}}'
            self._annals.tell_alone(number, "wealth-changed", facts, at)
        return transfer

    def _move(self, account: int, owner: tuple[int, int] | None, place: int, amount: int) -> int:
        if owner is None:
            self._common[account][place] += amount
            return self._common[account][place]
        purse, house = self._purses[place], owner[0]
        purse[house] += amount
        if not purse[house]:
            self._emptied.add((place, house))
        return purse[house]

    def close(self) -> None:
        """Write down what every account holds at last."""
        self._offers.flush()
        self._parts.flush()
        for place, purse in enumerate(self._purses):
            for house, amount in enumerate(purse):
                if amount or (place, house) in self._emptied:
                    account, kind = self._accounts[house], self._kinds[place].pk
                    self._annals.balances.add(account, kind, amount)

    def settle(self) -> None:
        """Write down what the crown and the mint hold; all else is written."""
        for account, purse_of in self._common.items():
            for place, amount in purse_of.items():
                Balance.objects.update_or_create(
                    account_id=account,
                    kind=self._kinds[place],
                    defaults={"amount": amount, "is_mint": account == self._mint},
                )
