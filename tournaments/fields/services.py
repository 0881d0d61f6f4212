"""What changes battlefields besides the chancery: those that come with the game."""

from tournaments import arena
from tournaments.fields.models import Battlefield


def install_shipped_battlefields() -> int:
    """Add the battlefields of the game that are missing; return how many. None is changed."""
    known = set(Battlefield.objects.values_list("key", flat=True))
    shipped = arena.shipped_battlefields()
    missing = [
        Battlefield(key=key, text=drawn.text, name=drawn.name[:80], seats=len(drawn.seats))
        for key, drawn in shipped.items()
        if key not in known
    ]
    Battlefield.objects.bulk_create(missing, ignore_conflicts=True)
    return len(missing)
