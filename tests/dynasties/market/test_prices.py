"""The mint never loses, and never takes more than it must."""

from hypothesis import given
from hypothesis import strategies as st

from dynasties.market.prices import most_for, price_at_mint, price_without_fee

values = st.integers(1, 2**31 - 1)
counts = st.integers(1, 10**12)
fees = st.integers(0, 50)


def test_a_hundred_copper_cost_eleven_silver_at_two_percent() -> None:
    assert price_at_mint(count=100, value=1, paid_in=10, fee_percent=2) == 11
    assert price_without_fee(count=100, value=1, paid_in=10) == 10
    assert most_for(price=11, value=1, paid_in=10, fee_percent=2) == 107


@given(counts, values, values, fees)
def test_the_price_is_the_least_whole_number_that_covers_value_and_fee(
    count: int, value: int, paid_in: int, fee: int
) -> None:
    price = price_at_mint(count=count, value=value, paid_in=paid_in, fee_percent=fee)
    due = count * value * 100
    assert (price - 1) * paid_in * (100 - fee) < due <= price * paid_in * (100 - fee)
    assert price_without_fee(count=count, value=value, paid_in=paid_in) <= price


@given(counts, values, values, fees)
def test_no_more_can_be_had_for_a_price_than_the_most(
    count: int, value: int, paid_in: int, fee: int
) -> None:
    terms = {"value": value, "paid_in": paid_in, "fee_percent": fee}
    price = price_at_mint(count=count, **terms)
    most = most_for(price=price, **terms)
    assert most >= count
    assert price_at_mint(count=most, **terms) <= price
    assert price_at_mint(count=most + 1, **terms) > price


@given(counts, values, values, fees)
def test_there_and_back_again_never_gains(count: int, value: int, paid_in: int, fee: int) -> None:
    price = price_at_mint(count=count, value=value, paid_in=paid_in, fee_percent=fee)
    assert most_for(price=count, value=paid_in, paid_in=value, fee_percent=fee) <= price
