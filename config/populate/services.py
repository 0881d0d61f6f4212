"""What makes up a world and puts it beside whatever there is."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from config.populate.annals import MODELS, Annals
from config.populate.names import MOST_HOUSES, Ruler
from config.populate.sheaves import go_on_counting, hold, take_stock, without_indexes
from config.populate.world import World
from dynasties.market.models import Offer, OfferPart
from emperors.crown import reseat
from emperors.models import Championship

YEAR = timedelta(days=365)
# From so many rows on it pays to make indexes anew rather than to keep them up.
MANY = 20_000
TABLES: tuple[type[Model], ...] = (*MODELS, Offer, OfferPart)

Report = Callable[[int], None]


class PopulateRefusedError(Exception):
    """A world that can't be made, or not here."""


@dataclass(frozen=True)
class Plan:
    """How large a world, over how many years until when, and which of all possible ones.

    Those of the `cast` rule some of its dynasties.
    """

    dynasties: int
    emperors: int
    years: int
    seed: int = 1
    until: datetime | None = None
    cast: tuple[Ruler, ...] = ()

    def check(self) -> None:
        if min(self.dynasties, self.years) < 1 or self.emperors < 0:
            raise PopulateRefusedError("At least one dynasty and one year.")
        if len(self.cast) > self.dynasties:
            raise PopulateRefusedError("Each of the cast rules a dynasty of the world.")
        if self.dynasties > MOST_HOUSES // 2:
            raise PopulateRefusedError(f"There are names for {MOST_HOUSES // 2} dynasties.")


def populate_world(*, plan: Plan, report: Report = lambda _born: None, insist: bool = False) -> int:
    """Make up a world, all of it or nothing; return how many rows it took.

    `report` hears how many emperors have been born so far. Raises PopulateRefusedError, in
    production unless one insists.
    """
    if settings.ENV.production and not insist:
        raise PopulateRefusedError("A made-up world has no place in production.")
    plan.check()
    many = plan.emperors + plan.dynasties >= MANY
    with transaction.atomic():
        hold(TABLES, from_readers=many)
        with without_indexes(TABLES) if many else nullcontext():
            rows = _make(plan, report)
    take_stock(TABLES)
    return rows


def _make(plan: Plan, report: Report) -> int:
    until = plan.until or timezone.now()
    had_a_champion = Championship.objects.exists()
    annals = Annals(crowns=not had_a_champion)
    world = World(
        annals=annals,
        rng=Random(plan.seed),  # noqa: S311 no secret depends on it
        begins=_microseconds(until - plan.years * YEAR),
        ends=_microseconds(until),
    )
    world.cast(plan.cast, dynasties=plan.dynasties)
    with annals.writer:
        for born in world.live(dynasties=plan.dynasties, emperors=plan.emperors):
            report(born)
        world.close()
    go_on_counting(TABLES)
    if had_a_champion:
        reseat(at=until)
    return annals.written()


def _microseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000)
