"""A made-up world is sound to the last invariant, the same for a seed, and not for production."""

import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction

from config.populate import names, services, sheaves
from config.populate.names import Ruler
from config.populate.services import Plan, populate_world
from config.populate.world import NAMES_A_HOUSE
from dynasties.accounts.models import User
from dynasties.chronicle.models import Entry
from dynasties.houses.models import Dynasty
from dynasties.houses.names import clean_motto, clean_name, name_key
from dynasties.market.models import Offer
from dynasties.treasury.models import Transfer
from emperors import decay
from emperors.models import (
    Championship,
    Emperor,
    Reign,
    ReputationChange,
    Standing,
    StandingChange,
)
from emperors.names import clean_emperor_name
from emperors.reputation import change_reputation
from emperors.selectors import champion
from emperors.services import bear, note_serious_tournament
from tests.factories import DynastyFactory

pytestmark = pytest.mark.django_db

UNTIL = datetime(2026, 6, 1, tzinfo=UTC)
SMALL = Plan(dynasties=40, emperors=300, years=2, until=UNTIL)


def portrait() -> list[object]:
    """What a world looks like, whatever its rows are numbered."""
    return [
        list(Dynasty.objects.order_by("pk").values_list("name", "motto", "opened_at", "tried_at")),
        list(Emperor.objects.order_by("pk").values_list("name", "number", "reputation", "life")),
        list(StandingChange.objects.order_by("pk").values_list("change", "after", "reason", "at")),
        list(Championship.objects.order_by("pk").values_list("began_at", "ended_at")),
        list(Transfer.objects.order_by("pk").values_list("reason", "made_at")),
        list(Entry.objects.order_by("pk").values_list("kind", "at")),
    ]


def made_and_undone(plan: Plan) -> list[object]:
    """The portrait of a world that is gone again."""
    with transaction.atomic():
        populate_world(plan=plan)
        seen = portrait()
        transaction.set_rollback(True)
    return seen


# --- The world --------------------------------------------------------------------------------


def test_it_is_as_large_as_was_asked_for_and_sound(audit) -> None:
    populate_world(plan=SMALL)
    assert (Dynasty.objects.count(), Emperor.objects.count()) == (40, 300)
    audit()


def test_it_has_all_that_happens_in_a_world() -> None:
    populate_world(plan=Plan(dynasties=60, emperors=900, years=2, until=UNTIL))
    assert {"gift", "honour", "slain", "spoils", "died"} <= set(
        ReputationChange.objects.values_list("reason", flat=True)
    )
    assert Reign.objects.filter(began_by="captured", ended_at=None).exists()
    assert Emperor.objects.filter(life="dead").exists()
    assert Championship.objects.filter(ended_at__isnull=False).exists()
    assert {"grant", "mint", "exchange", "offer", "trade"} == set(
        Transfer.objects.values_list("reason", flat=True)
    )
    assert Offer.objects.filter(state="accepted").exists()


def test_a_fifth_or_so_of_its_emperors_would_lose_by_decay(audit) -> None:
    populate_world(plan=Plan(dynasties=100, emperors=1000, years=2, until=UNTIL))
    decay.apply_due_decay(now=UNTIL)
    idle = ReputationChange.objects.filter(reason="decay").count()
    assert 130 < idle < 260
    audit()


def test_its_years_are_the_last_ones() -> None:
    populate_world(plan=SMALL)
    born = Emperor.objects.order_by("born_at").values_list("born_at", flat=True)
    assert born[0].year == 2024
    assert born.last() <= UNTIL


def test_the_same_seed_makes_the_same_world_and_another_seed_another() -> None:
    first, again, other = (made_and_undone(plan) for plan in (SMALL, SMALL, replace(SMALL, seed=2)))
    assert first == again
    assert first != other


def test_a_world_without_emperors_has_its_dynasties(audit) -> None:
    populate_world(plan=Plan(dynasties=3, emperors=0, years=1))
    assert Standing.objects.count() == 3
    audit()


def test_it_stands_beside_what_was_there_before(audit) -> None:
    _tongue, taken = names.house_name(0)
    house = DynastyFactory(name=taken)
    emperor = bear(dynasty=house, name="Otto", at=UNTIL)
    note_serious_tournament(emperor=emperor, at=UNTIL)
    change_reputation(emperor=emperor, change=100_000, reason="test", at=UNTIL)
    populate_world(plan=SMALL)
    populate_world(plan=SMALL)
    assert champion().dynasty == house
    assert Dynasty.objects.count() == 81
    audit()


def test_those_of_the_cast_rule_some_of_its_dynasties(audit) -> None:
    cast = tuple(
        Ruler(f"{each.lower()}@cast.example", names.ENGLISH, f"House {each}", "By request")
        for each in ("Anvil", "Bellows")
    )
    populate_world(plan=replace(SMALL, cast=cast))
    for ruler in cast:
        house = Dynasty.objects.get(ruler__email=ruler.email)
        assert (house.name, house.motto) == (ruler.dynasty, "By request")
        assert Emperor.objects.filter(founder=house).exists()
    assert Dynasty.objects.count() == SMALL.dynasties
    audit()


def test_life_goes_on_in_it(audit) -> None:
    populate_world(plan=SMALL)
    house = Dynasty.objects.order_by("pk").first()
    emperor = bear(dynasty=house, name="Otto", at=UNTIL)
    note_serious_tournament(emperor=emperor, at=UNTIL)
    change_reputation(emperor=emperor, change=5, reason="test", at=UNTIL)
    DynastyFactory()
    audit()


def test_nobody_can_log_in_as_one_of_its_rulers() -> None:
    populate_world(plan=SMALL)
    rulers = User.objects.all()
    assert all(ruler.email.endswith("@populate.example") for ruler in rulers)
    assert not any(ruler.has_usable_password() for ruler in rulers)


def test_a_failure_leaves_nothing(monkeypatch) -> None:
    def fail(self: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(services.World, "close", fail)
    with pytest.raises(RuntimeError):
        populate_world(plan=SMALL)
    assert not Dynasty.objects.exists()
    assert not Entry.objects.exists()


@pytest.mark.only_on("postgresql")
def test_indexes_and_constraints_that_stepped_aside_are_all_back(monkeypatch, audit) -> None:
    def guards() -> set[tuple[str, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL "
                "SELECT conname, conrelid::regclass::text || ' ' || pg_get_constraintdef(oid)"
                " FROM pg_constraint"
            )
            # PostgreSQL reads its own conditions back in other words: that there is one must do.
            return {(name, *definition.partition(" WHERE ")[:2]) for name, definition in cursor}

    before = guards()
    monkeypatch.setattr(services, "MANY", 0)
    populate_world(plan=SMALL)
    assert guards() == before
    audit()


@pytest.mark.only_on("postgresql")
@pytest.mark.parametrize(
    ("from_readers", "mode"), [(False, "ShareRowExclusiveLock"), (True, "AccessExclusiveLock")]
)
def test_nobody_writes_what_it_counts_on(from_readers, mode) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        sheaves.hold(services.TABLES, from_readers=from_readers)
        cursor.execute(
            "SELECT relation::regclass::text FROM pg_locks WHERE mode = %s"
            " AND pid = pg_backend_pid() AND locktype = 'relation'",
            [mode],
        )
        held = {name for (name,) in cursor}
    assert held >= {model._meta.db_table for model in services.TABLES}


@pytest.mark.only_on("postgresql")
def test_rows_are_written_while_indexes_are_aside() -> None:
    with transaction.atomic(), sheaves.without_indexes([Emperor]), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_indexes WHERE tablename = 'emperors_emperor'")
        assert cursor.fetchone() == (1,)  # the primary key


# --- Names ------------------------------------------------------------------------------------


def test_every_name_and_motto_is_one_that_a_player_could_have_chosen() -> None:
    for tongue in names.tongues():
        for number in range(0, tongue.capacity, max(tongue.capacity // 500, 1)):
            assert clean_name(tongue.name(number)) == tongue.name(number)
        assert [clean_motto(motto) for motto in tongue.mottoes] == list(tongue.mottoes)
        assert [clean_emperor_name(name) for name in tongue.people] == list(tongue.people)


def test_no_two_dynasties_look_alike_even_where_a_language_runs_out_of_names() -> None:
    keys = {name_key(names.house_name(number).name) for number in range(20_000)}
    assert len(keys) == 20_000


def test_no_two_emperors_names_of_a_language_look_alike() -> None:
    for tongue in names.tongues():
        assert len({name_key(name) for name in tongue.people}) == len(tongue.people)
        assert len(tongue.people) > 3 * NAMES_A_HOUSE


# --- The command ----------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def populate(*options: str, out: io.StringIO) -> str:
    call_command("populate", "--dynasties=5", "--emperors=20", "--years=1", *options, stdout=out)
    return out.getvalue()


def test_elsewhere_than_on_a_terminal_the_command_writes_lines() -> None:
    printed = populate(out=io.StringIO())
    assert "20 emperors" in printed
    assert "\r" not in printed


def test_on_a_terminal_the_command_draws_a_bar() -> None:
    assert "█ 20/20" in populate(out=Terminal())


def test_a_busy_database_is_named_and_nothing_is_made(monkeypatch) -> None:
    def wait_in_vain(models: object, *, from_readers: bool) -> None:
        raise OperationalError("canceling statement due to lock timeout")

    monkeypatch.setattr(services, "hold", wait_in_vain)
    with pytest.raises(CommandError, match=r"lock timeout.*Nothing was made"):
        populate(out=io.StringIO())
    assert not Dynasty.objects.exists()


def test_production_refuses_it_unless_one_insists(settings) -> None:
    settings.ENV = replace(settings.ENV, production=True)
    with pytest.raises(CommandError, match="no place in production"):
        populate(out=io.StringIO())
    assert not Dynasty.objects.exists()
    populate("--yes-really", out=io.StringIO())
    assert Dynasty.objects.count() == 5


SOMEBODY = Ruler("somebody@cast.example", names.ENGLISH, "House Somebody", "")


@pytest.mark.parametrize(
    "plan",
    [
        Plan(0, 1, 1),
        Plan(1, -1, 1),
        Plan(1, 1, 0),
        Plan(10**6, 1, 1),
        Plan(1, 1, 1, cast=(SOMEBODY, SOMEBODY)),
    ],
)
def test_a_world_that_cannot_be_is_refused(plan: Plan) -> None:
    with pytest.raises(services.PopulateRefusedError):
        populate_world(plan=plan)
