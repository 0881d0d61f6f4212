"""Why wealth moves on the market; the treasury shows these words in statements of account."""

from django.utils.translation import gettext_lazy as _

from dynasties.treasury.reasons import tells_why

SHOP = tells_why("shop", _("Bought from the crown"))
EXCHANGE = tells_why("exchange", _("Exchanged at the mint"))
OFFER = tells_why("offer", _("Laid into an offer"))
TRADE = tells_why("trade", _("Trade"), names_others=True)
RETURN = tells_why("offer-returned", _("Came back from an offer"), shows_note=True)
