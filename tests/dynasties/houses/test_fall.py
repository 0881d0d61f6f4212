"""The fall of a dynasty, as far as rooms and floors above have a part in it."""

from dynasties.houses.signals import dynasty_falling


def test_a_fall_locks_standings_then_offers_then_balances() -> None:
    called = [key for (key, _sender), *_rest in dynasty_falling.receivers]
    assert called == [
        "emperors die with their dynasty",
        "offers of the falling are withdrawn",
        "the estate of the falling is held",
    ]
