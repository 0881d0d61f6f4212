"""What must hold of relations at any time."""

from collections.abc import Iterable

from django.db.models import Q

from dynasties.audit import invariant
from dynasties.relations.models import Block


@invariant("No fallen dynasty blocks anybody or is blocked.")
def blocks_of_the_fallen() -> Iterable[Block]:
    return Block.objects.filter(
        Q(dynasty__fallen_at__isnull=False) | Q(other_dynasty__fallen_at__isnull=False)
    )
