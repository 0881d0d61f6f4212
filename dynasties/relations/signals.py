"""What this room tells those above, inside the transaction in which it happens."""

from django.dispatch import Signal

person_blocked = Signal()
"""`by` wants to hear nothing of `whom` any more, both `Person`."""
