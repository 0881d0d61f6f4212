"""What houses tell the rooms and floors above, inside the transaction in which it happens.

A receiver that raises undoes all of it. All carry `dynasty` and `at`; a dynasty that is
falling is locked, and still stands. Whoever has to lock something for a fall does so while it
is falling: once it has fallen, others wait for it, and it must wait for nobody.

Receivers are called as they were connected: upper floors first, and in a floor as its
`REGISTERING` says. For a fall this is the order of locks: standings and emperors, then offers,
then balances. `tests/dynasties/houses/test_fall.py` insists on it.
"""

from django.dispatch import Signal

dynasty_opened = Signal()
dynasty_falling = Signal()
dynasty_fell = Signal()
