"""What this floor tells the chronicle: births, deaths, captures, reputation, champions."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from dynasties.chronicle.facts import Fact, Ref, Term
from dynasties.chronicle.kinds import Known, subject, tells
from dynasties.chronicle.services import ref_to, write
from dynasties.houses.models import Dynasty
from dynasties.houses.names import searchable
from emperors.models import Emperor
from emperors.names import split_number

SUBJECT = "emperor"
MOST_FOUND = 10


def know_emperors(numbers: Collection[int]) -> Mapping[int, Known]:
    known = Emperor.objects.filter(pk__in=numbers).only("name", "number")
    return {each.pk: Known(each.get_absolute_url(), each.full_name) for each in known}


def find_emperors_by_text(text: str) -> Iterable[Ref]:
    """Those who bear this name, or one that looks like it, with any number or the one given.

    Greatest first.
    """
    name, number = split_number(text)
    known = Q(name_key=searchable(text))
    if number is not None:
        known |= Q(name_key=searchable(name), number=number)
    found = Emperor.objects.filter(known).only("name", "number")
    return [person(each) for each in found.order_by("-reputation", "pk")[:MOST_FOUND]]


def person(emperor: Emperor) -> Ref:
    """The emperor by his name, for the facts of an entry."""
    return Ref(SUBJECT, emperor.pk, emperor.full_name)


# --- Telling ------------------------------------------------------------------------


def tell_birth(*, emperor: Emperor) -> None:
    write(kind="emperor-born", facts=_himself(emperor), at=emperor.born_at)


def tell_death(*, kind: str, emperor: Emperor, at: datetime, slayer: Emperor | None = None) -> None:
    """Tell a death: `emperor-died`, `emperor-fell`, `emperor-slain`, or by whom he was slain."""
    by = {"slayer": person(slayer)} if slayer else {}
    write(kind="emperor-slain-by" if slayer else kind, facts=_himself(emperor) | by, at=at)


def tell_passing(*, kind: str, emperor: Emperor, to: Dynasty, at: datetime) -> None:
    """Tell that an emperor leaves his dynasty, `emperor-captured` or `emperor-ceded`."""
    write(kind=kind, facts={**_himself(emperor), "other": ref_to(to)}, at=at)


def tell_reputation(*, emperor: Emperor, change: int, reason: str, at: datetime) -> None:
    facts: dict[str, Fact] = {"points": abs(change), "reason": Term("reputation", reason)}
    kind = "reputation-gained" if change > 0 else "reputation-lost"
    write(kind=kind, facts={**_himself(emperor), **facts}, at=at)


def tell_crowning(*, dynasty: Dynasty, points: int, at: datetime) -> None:
    write(kind="champion-crowned", facts={"dynasty": ref_to(dynasty), "points": points}, at=at)


def _himself(emperor: Emperor) -> dict[str, Fact]:
    """He and whose he is."""
    house = emperor.dynasty
    return {"emperor": person(emperor), "dynasty": ref_to(house)} if house else {}


# --- The sentences --------------------------------------------------------------------

subject(SUBJECT, title=_("Emperor"), look_up=know_emperors, find=find_emperors_by_text)

_HIM = Ref(SUBJECT, 3, "Amaterasu III")
_HOUSE = Ref("dynasty", 7, "House of Ash")
_BOTH: dict[str, Fact] = {"emperor": _HIM, "dynasty": _HOUSE}
_OTHER = Ref("dynasty", 8, "House of Oak")
_WHY: dict[str, Fact] = {"points": 5, "reason": Term("reputation", "correction")}

tells(
    "emperor-born",
    _("%(emperor)s of %(dynasty)s was born."),
    title=_("Births"),
    sample=_BOTH,
    icon="crown",
)
tells(
    "emperor-died",
    _("%(emperor)s of %(dynasty)s died in his palace."),
    title=_("Deaths in the palace"),
    sample=_BOTH,
    icon="hourglass",
)
tells(
    "emperor-fell",
    _("%(emperor)s died with the fall of %(dynasty)s."),
    title=_("Deaths with a dynasty"),
    sample=_BOTH,
    icon="tower",
)
tells(
    "emperor-slain",
    _("%(emperor)s of %(dynasty)s was slain in battle."),
    title=_("Deaths in battle"),
    sample=_BOTH,
    icon="sword",
)
tells(
    "emperor-slain-by",
    _("%(emperor)s of %(dynasty)s was slain in battle by %(slayer)s."),
    title=_("Slain by another"),
    sample={**_BOTH, "slayer": Ref(SUBJECT, 4, "Boris II")},
    icon="sword",
)
tells(
    "emperor-captured",
    _("%(emperor)s of %(dynasty)s was captured by %(other)s."),
    title=_("Captures"),
    sample={**_BOTH, "other": _OTHER},
    icon="key",
)
tells(
    "emperor-ceded",
    _("%(emperor)s of %(dynasty)s was ceded to %(other)s."),
    title=_("Cessions"),
    sample={**_BOTH, "other": _OTHER},
    icon="houses",
)
tells(
    "reputation-gained",
    ngettext_lazy(
        "%(emperor)s of %(dynasty)s gained %(points)s point of reputation: %(reason)s.",
        "%(emperor)s of %(dynasty)s gained %(points)s points of reputation: %(reason)s.",
        "points",
    ),
    title=_("Reputation gained"),
    sample={**_BOTH, **_WHY},
    icon="laurel",
)
tells(
    "reputation-lost",
    ngettext_lazy(
        "%(emperor)s of %(dynasty)s lost %(points)s point of reputation: %(reason)s.",
        "%(emperor)s of %(dynasty)s lost %(points)s points of reputation: %(reason)s.",
        "points",
    ),
    title=_("Reputation lost"),
    sample={**_BOTH, **_WHY},
    icon="laurel",
)
tells(
    "reputation-decayed",
    ngettext_lazy(
        "%(emperor)s of %(dynasty)s lost %(points)s point of reputation in a week of idleness.",
        "%(emperor)s of %(dynasty)s lost %(points)s points of reputation in a week of idleness.",
        "points",
    ),
    title=_("Reputation decayed"),
    sample={**_BOTH, "points": 5},
    icon="hourglass",
)
tells(
    "champion-crowned",
    ngettext_lazy(
        "%(dynasty)s became champion of the world with %(points)s point of reputation.",
        "%(dynasty)s became champion of the world with %(points)s points of reputation.",
        "points",
    ),
    title=_("Champions"),
    sample={"dynasty": _HOUSE, "points": 120},
    icon="crown",
)
