from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def later(now: datetime) -> Callable[..., datetime]:
    """A moment after now: `later(days=3)`."""
    return lambda **span: now + timedelta(**span)
