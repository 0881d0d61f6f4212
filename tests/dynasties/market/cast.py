"""Merchants for tests, with something in their coffers."""

from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from dynasties.houses.models import Dynasty
from dynasties.market import services
from dynasties.market.models import Offer
from dynasties.market.services import make_offer
from dynasties.treasury.models import Kind
from dynasties.treasury.selectors import kind, wealth_of
from dynasties.treasury.services import Move, account_of, mint, post
from tests.factories import DynastyFactory, EmperorFactory

DAY = timedelta(days=1)
_keys = count(1)


def fresh_key() -> str:
    return f"request {next(_keys)}"


def wealth(**amounts: int) -> dict[Kind, int]:
    """Amounts by kind: `wealth(copper=5, bronze_key=1)`."""
    return {kind(code.replace("_", "-")): amount for code, amount in amounts.items()}


def endow(dynasty: Dynasty, **amounts: int) -> None:
    """Let the mint make wealth for a dynasty."""
    account = account_of(dynasty)
    moves = [
        move
        for each, amount in wealth(**amounts).items()
        for move in (Move(mint(), each, -amount), Move(account, each, amount))
    ]
    post(key=f"endowed {fresh_key()}", reason="mint", moves=moves)


def try_out(dynasty: Dynasty) -> None:
    """Let an emperor of the dynasty fight in a serious tournament."""
    EmperorFactory(dynasty=dynasty, battles=1)


def merchant(**amounts: int) -> Dynasty:
    """A dynasty that has been tried, with its 1,000 copper and what is given."""
    dynasty = DynastyFactory()
    try_out(dynasty)
    dynasty.refresh_from_db()
    if amounts:
        endow(dynasty, **amounts)
    return dynasty


def novice(**amounts: int) -> Dynasty:
    """A dynasty that has fought no serious tournament yet."""
    dynasty = DynastyFactory()
    if amounts:
        endow(dynasty, **amounts)
    return dynasty


def offered(maker: Dynasty, **terms: Any) -> Offer:
    """An offer; by default 100 copper for 5 silver, to all, for a day."""
    usual: dict[str, Any] = {
        "gives": wealth(copper=100),
        "wants": wealth(silver=5),
        "to": None,
        "lasts": DAY,
        "key": fresh_key(),
    }
    return make_offer(dynasty=maker, **{**usual, **terms})


def owned(dynasty: Dynasty) -> dict[str, int]:
    """What a dynasty owns, by code."""
    return {each.code: amount for each, amount in wealth_of(dynasty).items()}


def overdue(offer: Offer) -> Offer:
    """Let an offer's time be over, without anybody having noticed."""
    past = timezone.now() - timedelta(hours=2)
    Offer.objects.filter(pk=offer.pk).update(
        made_at=past, expires_at=timezone.now() - timedelta(hours=1)
    )
    offer.refresh_from_db()
    return offer


def allow_many_offers(monkeypatch: Any) -> None:
    """Let a dynasty make more offers than anybody may in a day of the world."""
    monkeypatch.setattr(services, "MOST_OFFERS_A_DAY", 10**6)
    monkeypatch.setattr(services, "MOST_OPEN_OFFERS", 10**6)
