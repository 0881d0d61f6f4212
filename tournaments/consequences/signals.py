"""What this room tells the floors above, in the transaction of what happened."""

from django.dispatch import Signal

tournament_over = Signal()
"""A serious tournament has ended or was cancelled: `tournament`, `ending`, `at`."""
