"""What this floor tells the chronicle: who fought where, against whom, and who won."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from dynasties.chronicle.facts import Fact, Ref, Refs, Sums, Term
from dynasties.chronicle.kinds import Known, subject, tells, vocabulary
from dynasties.chronicle.services import ref_to, write
from dynasties.houses.models import Dynasty
from emperors.models import Emperor
from emperors.tellings import person
from tournaments.announcements.models import Terms, Tournament

SUBJECT = "tournament"


def tell_result(
    *,
    tournament: Tournament,
    winners: Sequence[Emperor],
    others: Sequence[Emperor],
    at: datetime,
) -> None:
    """Tell who fought and who won; without winners it was a draw."""
    houses = [ref_to(each.dynasty) for each in (*winners, *others) if each.dynasty]
    where: dict[str, Fact] = {
        "tournament": the_tournament(tournament),
        "type": Term(SUBJECT, tournament.type),
    }
    if winners and others:
        facts = {"winners": _people(winners), "others": _people(others)}
        write(kind="tournament-won", facts={**where, **facts}, about=houses, at=at)
    else:
        facts = {"fighters": _people((*winners, *others))}
        kind = "tournament-shared" if winners else "tournament-drawn"
        write(kind=kind, facts={**where, **facts}, about=houses, at=at)


def tell_spoils(
    *, tournament: Tournament, dynasty: Dynasty, sums: Iterable[tuple[str, int]], at: datetime
) -> None:
    """Tell everybody what a dynasty brought home, where that was announced."""
    facts: dict[str, Fact] = {
        "dynasty": ref_to(dynasty),
        "tournament": the_tournament(tournament),
        "wealth": Sums(tuple(sums)),
    }
    write(kind="tournament-spoils", facts=facts, at=at)


def the_tournament(tournament: Tournament) -> Ref:
    """The tournament by its name, for the facts of an entry."""
    return Ref(SUBJECT, tournament.pk, tournament.title)


def _people(emperors: Iterable[Emperor]) -> Refs:
    return Refs(tuple(person(each) for each in emperors))


def know_tournaments(numbers: Collection[int]) -> Mapping[int, Known]:
    known = Tournament.objects.filter(pk__in=numbers).only("code", "name", "ground")
    return {each.pk: Known(each.get_absolute_url(), each.title) for each in known}


def find_tournaments(text: str) -> Iterable[Ref]:
    """Those of this code."""
    return [the_tournament(each) for each in Tournament.objects.filter(code=text.strip())[:1]]


def words_for_types(codes: Collection[str]) -> Mapping[str, str]:
    return {code: str(words) for code, words in Terms.Type.choices if code in codes}


subject(SUBJECT, title=_("Tournament"), look_up=know_tournaments, find=find_tournaments)
vocabulary(SUBJECT, words_for_types)

_WHERE: dict[str, Fact] = {
    "tournament": Ref(SUBJECT, 1, "Crossroads"),
    "type": Term(SUBJECT, "honour"),
}
_ONE = Refs((Ref("emperor", 3, "Amaterasu III"),))
_MORE = Refs((Ref("emperor", 4, "Boris II"), Ref("emperor", 5, "Chiyo I")))

tells(
    "tournament-won",
    _("%(winners)s won the tournament %(tournament)s (%(type)s) against %(others)s."),
    title=_("Tournaments won"),
    sample={**_WHERE, "winners": _ONE, "others": _MORE},
    icon="sword",
)
tells(
    "tournament-shared",
    _("%(fighters)s shared the victory in the tournament %(tournament)s (%(type)s)."),
    title=_("Tournaments shared"),
    sample={**_WHERE, "fighters": _MORE},
    icon="sword",
)
tells(
    "tournament-drawn",
    _("%(fighters)s fought in the tournament %(tournament)s (%(type)s), and nobody won."),
    title=_("Tournaments drawn"),
    sample={**_WHERE, "fighters": _MORE},
    icon="sword",
)
tells(
    "tournament-spoils",
    _("%(dynasty)s brought home from the tournament %(tournament)s: %(wealth)s."),
    title=_("Spoils of tournaments"),
    sample={
        "dynasty": Ref("dynasty", 7, "House of Ash"),
        "tournament": Ref(SUBJECT, 1, "Crossroads"),
        "wealth": Sums((("copper", 300),)),
    },
    icon="laurel",
)
