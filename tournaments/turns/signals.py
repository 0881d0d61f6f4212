"""What this room tells floors and rooms above it, in the transaction of what happened."""

from django.dispatch import Signal

tournament_adjourned = Signal()
"""An engine broke three times, or the chancery stepped in. `tournament`."""

turn_opened = Signal()
"""Seats are waited for, and so may bots be. `tournament`, `seats`."""
