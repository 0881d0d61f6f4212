from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone


@pytest.fixture
def later() -> Iterator[Callable[..., None]]:
    """Let time pass, and with it the patience that throttles ask for."""
    with time_machine.travel(timezone.now(), tick=True) as traveller:
        yield lambda **span: traveller.shift(timedelta(**span))
