"""Decay does what a plain model does, emperor by emperor and day by day; wrong ones do not."""

from datetime import datetime

import pytest
from django.db import DatabaseError, transaction

from emperors import decay, decay_weeks
from tests.concurrency.rivals import all_at_once
from tests.emperors.saga import Saga, run_once
from tests.scale import figure

anywhere = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)
on_postgresql = pytest.mark.only_on("postgresql")


@anywhere
@pytest.mark.parametrize("seed", range(figure(20, soak=500)))
def test_late_or_twice_it_takes_what_a_model_takes_day_by_day(seed: int, audit) -> None:
    Saga(seed).live().check()
    audit()


@committed
@on_postgresql
@pytest.mark.parametrize("seed", range(figure(5, soak=100)))
def test_in_parallel_it_takes_what_a_model_takes_day_by_day(seed: int) -> None:
    def run_at_once(now: datetime) -> None:
        ends = all_at_once([lambda: run_once(now)] * 4)
        assert all(isinstance(end, int) for end in ends), ends

    Saga(1000 + seed, runner=run_at_once).live(days=8).check()


PART = "CAST(reputation AS bigint) * %(percent)s / 100"
ONCE_HAD = (
    "(SELECT after FROM {ReputationChange} AS had WHERE had.emperor_id = {Emperor}.id"
    " AND had.day IS NULL ORDER BY had.id DESC LIMIT 1)"
)
MUTANTS = {
    "takes twice": (decay, "TAKE_FROM_EMPERORS", "+ lost.change", "+ 2 * lost.change"),
    "forgets the minimum": (decay, "LOG", f"{{greatest}}({PART}, %(minimum)s)", PART),
    "forgets the part": (decay, "LOG", PART, "0"),
    "takes the same every day, not a part of what is left": (
        decay, "LOG", PART, PART.replace("reputation", ONCE_HAD, 1),
    ),
    "rounds up": (decay, "LOG", "/ 100", "/ 100 + 1"),
    "takes more than there is": (decay, "LOG", "{least}(", "{greatest}("),
    "begins a microsecond late": (decay, "LOG", "<= %(idle_since)s", "< %(idle_since)s"),
    "takes from the active": (decay, "LOG", "<= %(idle_since)s", "<= %(now)s"),
    "leaves standings alone": (decay, "TAKE_FROM_DYNASTIES", "+ lost.change", "+ 0"),
    "tells every day": (decay_weeks, "TELL", "emperor_id %% 7 = %(weekday)s", "1 = 1"),
    "tells a day, not a week": (decay_weeks, "TELL", "%(first)s AND", "%(day)s AND"),
    "tells the first of his dynasties": (decay_weeks, "TELL", "MAX(id)", "MIN(id)"),
}  # fmt: skip


@anywhere
@pytest.mark.unaudited
@pytest.mark.parametrize("mutant", sorted(MUTANTS))
def test_the_model_tells_a_wrong_decay_from_the_right_one(mutant: str, monkeypatch) -> None:
    module, name, right, wrong = MUTANTS[mutant]
    statement = getattr(module, name)
    assert right in statement
    monkeypatch.setattr(module, name, statement.replace(right, wrong, 1))
    assert any(is_caught(seed) for seed in range(20))


@anywhere
@pytest.mark.unaudited
def test_the_model_tells_a_decay_that_skips_missed_days(monkeypatch) -> None:
    monkeypatch.setattr(decay, "due_days", lambda now: iter([now.date()]))
    assert any(is_caught(seed) for seed in range(10))


def is_caught(seed: int) -> bool:
    """Whether a saga goes otherwise than its model; it leaves nothing behind."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                Saga(seed).live().check()
        except (AssertionError, DatabaseError):
            return True
        finally:
            transaction.set_rollback(True)
    return False
