"""Why wealth and reputation move on this floor."""

from django.utils.translation import gettext_lazy as _

from dynasties.treasury.reasons import tells_why
from emperors.reasons import reason

ENTRY = tells_why("entry", _("Entered a tournament"))
ENTRY_BACK = tells_why("entry-back", _("Came back from a tournament"))
# With a chest in it, how much it was is for its owner alone.
CHEST_FILLED = tells_why("chest-filled", _("Entered a tournament with a chest"), sealed=True)
CHEST_BACK = tells_why("chest-back", _("Came back from a tournament, with the chest"), sealed=True)
PRIZE = tells_why("prize", _("Prize of a tournament"))
POT = tells_why("pot", _("Won in a tournament"))
CHEST = tells_why("chest", _("Chest of a tournament"), sealed=True)

CAPTURES = reason("captures", _("emperors taken in a tournament"))
TREASURE = reason("treasure", _("treasure found in a tournament"))
GENEROSITY = reason("generosity", _("fullest chest that was captured"))
AVARICE = reason("avarice", _("emptiest chest that was captured"))
