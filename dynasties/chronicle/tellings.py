"""What the ground floor tells: dynasties that come and go, and their wealth."""

from collections.abc import Collection, Iterable, Mapping

from django.utils.translation import gettext_lazy as _

from dynasties.chronicle.facts import Ref, Sums, Term
from dynasties.chronicle.kinds import Known, subject, tells
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import find_dynasties

MOST_FOUND = 10


def know_dynasties(numbers: Collection[int]) -> Mapping[int, Known]:
    """Today's page and name: only moderation gives a dynasty another name, for good reasons."""
    known = Dynasty.objects.public().filter(pk__in=numbers).only("slug", "name")
    return {each.pk: Known(each.get_absolute_url(), each.name) for each in known}


def find_dynasties_by_text(text: str) -> Iterable[Ref]:
    found = find_dynasties(query=text).only("name")[:MOST_FOUND]
    return [Ref("dynasty", each.pk, each.name) for each in found]


subject("dynasty", title=_("Dynasty"), look_up=know_dynasties, find=find_dynasties_by_text)

_SAMPLE = Ref("dynasty", 7, "House of Ash")

tells(
    "dynasty-founded",
    _("%(dynasty)s was founded."),
    title=_("Dynasties founded"),
    sample={"dynasty": _SAMPLE},
    icon="shield",
)
tells(
    "dynasty-fallen",
    _("%(dynasty)s has fallen."),
    title=_("Dynasties fallen"),
    sample={"dynasty": _SAMPLE},
    icon="tower",
)
# The reason is a term of the treasury's vocabulary "transfer"; kinds of wealth are of "wealth".
tells(
    "wealth-changed",
    _("%(reason)s: %(wealth)s."),
    title=_("Wealth"),
    sample={
        "reason": Term("transfer", "grant"),
        "wealth": Sums((("copper", 1000), ("silver", -2))),
    },
    private=True,
    icon="key",
)
