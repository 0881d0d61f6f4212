"""The founding grant is for playing: until its first serious tournament, a dynasty keeps it.

Otherwise a hundred dynasties could be founded to make a hundred and first one rich.
"""

from collections.abc import Mapping

from dynasties.houses.models import Dynasty
from dynasties.market.errors import GrantBound
from dynasties.market.models import Offer
from dynasties.market.selectors import sides_of
from dynasties.market.standing import purse_of
from dynasties.treasury.models import Kind
from dynasties.treasury.selectors import founding_grant_of, wealth_in_copper


def keep_grant(*, dynasty: Dynasty) -> None:
    """Raise GrantBound if an untried dynasty would now be left with less than its grant.

    To be asked after the posting and inside its transaction, with the dynasty locked: all
    that it does on the market happens one after the other.
    """
    if dynasty.tried_at is not None:
        return
    grant, left = founding_grant_of(dynasty), secure_wealth(dynasty)
    if left < grant:
        raise GrantBound(grant=grant, left=left)


def secure_wealth(dynasty: Dynasty) -> int:
    """What the dynasty has at mint values, even if each open offer goes the worse way for it.

    An offer ends with what it gives coming back, or with what it wants coming in: the lesser
    of both counts. Items without a mint value, as those of the crown's shop, count nothing.
    """
    offers = Offer.objects.filter(maker=dynasty, state=Offer.State.OPEN)
    escrows = (sides_of(offer) for offer in offers.prefetch_related("parts__kind"))
    return wealth_in_copper(purse_of(dynasty)) + sum(
        min(worth(sides.gives), worth(sides.wants)) for sides in escrows
    )


def worth(wealth: Mapping[Kind, int]) -> int:
    """What it is worth at the mint, in copper."""
    return sum(amount * (kind.mint_value or 0) for kind, amount in wealth.items())
