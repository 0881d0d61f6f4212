"""What the mint asks: whole numbers only, every rounding against the one who exchanges."""


def price_at_mint(*, count: int, value: int, paid_in: int, fee_percent: int) -> int:
    """How many coins worth `paid_in` the mint asks for `count` coins worth `value` each."""
    return _ceil(count * value * 100, (100 - fee_percent) * paid_in)


def price_without_fee(*, count: int, value: int, paid_in: int) -> int:
    return _ceil(count * value, paid_in)


def most_for(*, price: int, value: int, paid_in: int, fee_percent: int) -> int:
    """The most that the mint gives for the same price: it has no change to give back."""
    return price * (100 - fee_percent) * paid_in // (100 * value)


def _ceil(part: int, whole: int) -> int:
    return -(-part // whole)
