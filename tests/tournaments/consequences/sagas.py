"""A small world in which tournaments of all types are fought, beside a model of it."""

import random
from collections import Counter
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Account, Balance
from dynasties.treasury.selectors import kind
from dynasties.treasury.services import Move, crown, mint, post
from emperors.models import Emperor, ReputationChange, Standing
from emperors.reputation import change_reputation
from emperors.services import bear, note_serious_tournament
from tests.factories import DynastyFactory
from tests.tournaments.consequences.pencil import (
    CROWN,
    MINT,
    Entrant,
    Notice,
    Pencil,
    Person,
    Take,
    Tale,
)
from tests.tournaments.lists import announced, enrich, seat
from tournaments.announcements.models import Seat, Tournament
from tournaments.consequences.services import call_off, conclude
from tournaments.consequences.verdicts import Ending
from tournaments.seating.services import start_or_cancel
from tournaments.turns.positions import position_of
from tournaments.turns.records import replays_to_what_was_kept
from tournaments.turns.services import Wish, close_turns, offer_draw, submit_orders

TYPES = ("training", "gift", "honour", "conquer", "death")
FATES = ("convert", "remove", "demote", "demote-veteran")
WITH_CHESTS = "four-islands"
WITHOUT = ("crossroads", "duel", "hourglass", "walled-shrine")
HOUSES = 4
QUICK = 24


class Saga:
    """One world. `fight` plays a tournament in it and on paper, and compares the two."""

    def __init__(self, chance: int, *, types: tuple[str, ...] = TYPES) -> None:
        self.rng, self.types = random.Random(chance), types
        self.houses = [DynastyFactory() for _ in range(HOUSES)]
        self.pencil = Pencil()
        self.names: dict[int, str] = {house.pk: f"house {house.pk}" for house in self.houses}
        for house in self.houses:
            for code in ("copper", "gold"):
                enrich(house, 10**6, code)
        self.fill_the_crown()
        self.pencil.wealth = self.balances()

    def fill_the_crown(self) -> None:
        given = [kind(code) for code in ("copper", "gold")]
        moves = [
            Move(account, each, amount)
            for each in given
            for account, amount in ((mint(), -(10**6)), (crown(), 10**6))
        ]
        post(key="saga crown", reason="mint", moves=moves)

    # --- One tournament ----------------------------------------------------------------

    def fight(self, *, really: bool = False) -> None:
        """Announce, fill and end one tournament: by random play, or by an ending made up."""
        notice, tournament = self.announce()
        self.pencil.promise(notice, tournament.place)
        entrants = self.enter(notice, tournament)
        self.start(tournament)
        self.let_some_decay(entrants)
        tale = self.play(tournament) if really else self.make_up(tournament, list(entrants))
        known = self.pencil.end(notice, tournament.place, entrants, tale)
        self.compare(tournament, known)

    def announce(self) -> tuple[Notice, Tournament]:
        rng, type_ = self.rng, self.rng.choice(self.types)
        serious, gift = type_ != "training", type_ == "gift"
        notice = Notice(
            type=type_,
            stake=rng.randint(1, 9) if type_ == "honour" else 0,
            prize=rng.randint(1, 25) if gift else 0,
            prize_wealth=rng.choice([{}, {"copper": 7}, {"copper": 100, "gold": 5}])
            if gift
            else {},
            fee=rng.choice([0, 7, 50]) if serious and not gift else 0,
            fee_kind=rng.choice(["copper", "gold"]),
            a_capture=rng.choice([0, 0, 3]) if serious else 0,
            a_treasure=rng.choice([0, 2]) if serious else 0,
        )
        return notice, self.put_up(notice, chests=serious and rng.random() < 0.6)

    def put_up(self, notice: Notice, *, chests: bool) -> Tournament:
        rules = {name: self.rng.choice(FATES) for name in TAKING}
        orphans = self.rng.choice(["fight-on", "join-captor", "neutral", "vanish"])
        return announced(
            notice.type,
            WITH_CHESTS if chests else self.rng.choice(WITHOUT),
            stake=notice.stake,
            prize_reputation=notice.prize,
            prize_wealth=dict(notice.prize_wealth),
            fee=notice.fee,
            fee_kind=kind(notice.fee_kind) if notice.fee else None,
            reputation_a_capture=notice.a_capture,
            reputation_a_treasure=notice.a_treasure,
            chests=chests,
            wealth_is_public=self.rng.random() < 0.5,
            starts_at=timezone.now() + timedelta(hours=1),
            options={**rules, "orphans": orphans, "turn_limit": QUICK},
        )

    def enter(self, notice: Notice, tournament: Tournament) -> dict[str, Entrant]:
        entrants = {}
        most = min(HOUSES, len(tournament.seat_names))
        for house in self.rng.sample(self.houses, self.rng.randint(2, most)):
            emperor = self.somebody_of(house)
            content = self.rng.choice([100, 100, 300, 1000]) if tournament.chests else None
            taken = seat(tournament, emperor, chest=content)
            entrants[taken.name] = Entrant(emperor.pk, self.names[house.pk], content or 0)
            self.pencil.enter(notice, tournament.place, entrants[taken.name])
        return entrants

    def somebody_of(self, house: Dynasty) -> Emperor:
        """One of the house, old or newly born; famous enough for any stake."""
        resting = Emperor.objects.filter(dynasty=house, life="at-rest", reputation__gte=9)
        found = resting.order_by("pk").last()
        if found is not None and self.rng.random() < 0.8:
            return found
        now = timezone.now()
        emperor = bear(dynasty=house, name="Otto", at=now)
        note_serious_tournament(emperor=emperor, at=now)
        fame = self.rng.randint(9, 40)
        change_reputation(emperor=emperor, change=fame, reason="gift", at=now)
        self.pencil.people[emperor.pk] = Person(self.names[house.pk], fame, 1)
        return emperor

    def start(self, tournament: Tournament) -> None:
        Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now())
        start_or_cancel(number=tournament.pk)
        tournament.refresh_from_db()

    def let_some_decay(self, entrants: dict[str, Entrant]) -> None:
        for entrant in entrants.values():
            if self.rng.random() < 0.2:
                person = self.pencil.people[entrant.person]
                loss = self.rng.randint(1, person.reputation)
                emperor = Emperor.objects.get(pk=entrant.person)
                change_reputation(emperor=emperor, change=-loss, reason="test")
                person.reputation -= loss

    # --- Endings made up ---------------------------------------------------------------

    def make_up(self, tournament: Tournament, seats: list[str]) -> Tale | None:
        if self.rng.random() < 0.05:
            self.end(tournament, None)
            return None
        tale, facts = Fable(self.rng, seats).tell()
        ranks = {name: 1 if name in tale.winners else 2 for name in seats}
        order = sorted(tale.winners)
        self.rng.shuffle(order)  # seat order is the site's business, whatever the game says
        ending = Ending(tuple(order), "made-up", ranks, facts)
        if not tale.winners and self.rng.random() < 0.5:
            ending = Ending.draw(self.rng.choice(["agreed", "all-absent"]))
        self.end(tournament, ending)
        return tale

    def end(self, tournament: Tournament, ending: Ending | None) -> None:
        with transaction.atomic():
            held = Tournament.objects.select_for_update().get(pk=tournament.pk)
            seats = list(held.seats.order_by("place"))
            if ending is None:
                call_off(tournament=held, seats=seats, at=timezone.now())
            else:
                held.version += 1
                conclude(tournament=held, seats=seats, ending=ending, at=timezone.now())

    # --- Battles really fought -----------------------------------------------------------

    def play(self, tournament: Tournament) -> Tale:
        """Orders at random, with a taste for what stands in the way."""
        rows = {each.name: each.pk for each in tournament.seats.all()}
        for turn in range(QUICK):
            before = position_of(tournament)
            if self.rng.random() < 0.01:
                return self.agree(tournament, [rows[name] for name in before.due()])
            wishes = {name: self.wish(before, name) for name in before.due()}
            submit_orders([Wish(rows[name], turn, order) for name, order in wishes.items()])
            kept = Tournament.objects.filter(pk=tournament.pk).first()
            if kept is None or kept.is_over:
                orders = {name: before.game.parse(order) for name, order in wishes.items()}
                return self.herald(before.close(orders).after.outcome())
            tournament = kept
        raise AssertionError("It has a turn limit.")

    def agree(self, tournament: Tournament, seats: list[int]) -> Tale:
        for number in seats:
            offer_draw(seat=number, turn=tournament.turn)
        close_turns([tournament.pk])
        return Tale()

    def wish(self, position: Any, name: str) -> Any:
        scene = position.scene(name)
        rivals = {each["tile"] for each in scene["figures"] if each["seat"] != name}
        items = {each["tile"] for each in scene["marks"]}
        choices = position.choices(name)
        if self.rng.random() > 0.01:
            choices = [each for each in choices if each["label"] != "resign"]
        tempting = [each for each in choices if each["tile"] in rivals | items]
        return self.rng.choice(tempting or choices)["order"]

    def herald(self, outcome: Any) -> Tale:
        facts = outcome.facts
        owners = {fate["piece"]: name for name, fate in facts["emperors"].items()}
        return Tale(
            winners=frozenset(outcome.winners),
            takes=tuple(Take(owners[each["emperor"]], each["taker"]) for each in facts["taken"]),
            holders={name: fate["held_by"] for name, fate in facts["emperors"].items()},
            finds=tuple((each["seat"], each["item"]) for each in facts["found"]),
        )

    # --- Comparing -----------------------------------------------------------------------

    def compare(self, tournament: Tournament, known: dict[str, int]) -> None:
        """Fail where the world differs from what is on paper."""
        found = {
            each.pk: (self.names.get(each.dynasty_id or 0), each.reputation, each.battles)
            for each in Emperor.objects.all()
        }
        people = self.pencil.people.items()
        agree(found, {pk: (each.house, each.reputation, each.battles) for pk, each in people})
        agree(Emperor.objects.exclude(place="").count(), 0)
        dead = Emperor.objects.filter(life="dead").values_list("pk", flat=True)
        agree(set(dead), set(self.pencil.deaths))
        self.compare_sums()
        self.compare_order()
        self.compare_tables(tournament, known)

    def compare_sums(self) -> None:
        standings = {self.names[each.pk]: each.reputation for each in Standing.objects.all()}
        agree(standings, {name: self.pencil.standing(name) for name in self.names.values()})
        held = {place: amount for place, amount in self.balances().items() if amount}
        agree(held, {place: amount for place, amount in self.pencil.wealth.items() if amount})

    def compare_order(self) -> None:
        """Reputation of the dead passed on in the order of the deaths."""
        passed = ReputationChange.objects.filter(reason="spoils").order_by("pk")
        agree(list(passed.values_list("emperor", "change")), self.pencil.inherited)
        gone = ReputationChange.objects.filter(reason="slain").order_by("pk")
        order = {number: place for place, number in enumerate(self.pencil.deaths)}
        lost = [order[number] for number in gone.values_list("emperor", flat=True)]
        agree(lost, sorted(lost))

    def compare_tables(self, tournament: Tournament, known: dict[str, int]) -> None:
        """What is left of the tournament itself."""
        if tournament.is_training:
            agree(Tournament.objects.filter(pk=tournament.pk).count(), 0)
            return
        tournament.refresh_from_db()
        remembered = Seat.objects.filter(tournament=tournament).exclude(chest=None)
        agree(dict(remembered.values_list("name", "chest")), known)
        agree((tournament.is_over, tournament.orders.count()), (True, 0))
        if tournament.turn:
            agree(replays_to_what_was_kept(tournament), True)

    def balances(self) -> Counter[tuple[str, str]]:
        """All that anybody owns, by names that the model has, too."""
        names = {}
        for account in Account.objects.all():
            special = {Account.Holder.CROWN: CROWN, Account.Holder.MINT: MINT}
            name = special.get(Account.Holder(account.holder), account.purpose)
            names[account.pk] = self.names.get(account.dynasty_id or 0, name)
        rows = Balance.objects.values_list("account", "kind__code", "amount")
        return Counter({(names[number], code): amount for number, code, amount in rows})


def agree(found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"The world has {found!r}, the paper {expected!r}")


TAKING = ("pawn_takes_emperor", "emperor_takes_emperor")


class Fable:
    """A battle that nobody fought: who took whom, who picked up what, who holds whom at last."""

    def __init__(self, rng: random.Random, seats: list[str]) -> None:
        self.rng, self.seats = rng, seats
        self.owner = {name: name for name in seats}
        self.kind = dict.fromkeys(seats, "emperor")
        self.losses: list[dict[str, Any]] = []
        self.finds: list[dict[str, Any]] = []
        self.forfeited: list[str] = []

    def tell(self) -> tuple[Tale, dict[str, Any]]:
        for turn in range(1, self.rng.randint(2, 9)):
            self.rng.choice([self.take, self.take, self.take, self.find, self.forfeit])(turn)
        count = self.rng.choice([0, 1, 1, 1, 2, 3, 4])
        winners = frozenset(self.rng.sample(self.seats, min(count, len(self.seats))))
        tale = Tale(
            winners,
            tuple(Take(each["emperor"][0], each["taker"]) for each in self.losses),
            {name: self.holder(name) for name in self.seats},
            tuple((each["seat"], each["item"]) for each in self.finds),
        )
        return tale, self.facts()

    def take(self, turn: int) -> None:
        """Somebody takes an emperor, or what has become of him, from whoever has him."""
        victim = self.rng.choice(self.seats)
        takers = [name for name in self.seats if name != self.owner[victim]]
        if self.kind[victim] == "gone" or not takers:
            return
        taker = self.rng.choice(takers)
        if self.kind[victim] == "emperor":
            self.lose(turn, victim, taker)
            self.kind[victim] = self.rng.choice(["emperor", "emperor", "pawn", "gone"])
        self.owner[victim] = taker

    def lose(self, turn: int, victim: str, taker: str) -> None:
        loss = {"turn": turn, "emperor": f"{victim}0", "loser": self.owner[victim]}
        self.losses.append({**loss, "taker": taker, "by": f"{taker}1"})

    def find(self, turn: int) -> None:
        items = {"treasure", *(f"chest-{name}" for name in self.seats)}
        lying = sorted(items - {each["item"] for each in self.finds})
        if lying:
            who, item = self.rng.choice(self.seats), self.rng.choice(lying)
            self.finds.append({"turn": turn, "item": item, "seat": who, "by": f"{who}1"})

    def forfeit(self, turn: int) -> None:
        """Neither taken nor dead: he leaves, if he still obeys his own seat."""
        name = self.rng.choice(self.seats)
        self.forfeited = [*self.forfeited, name]
        if self.owner[name] == name and self.kind[name] == "emperor":
            self.kind[name] = "gone"

    def holder(self, name: str) -> str:
        return self.owner[name]

    def facts(self) -> dict[str, Any]:
        takers = {each["emperor"]: each["taker"] for each in self.losses}
        return {
            "turns": 9,
            "emperors": {
                name: {
                    "piece": f"{name}0",
                    "taken_by": takers.get(f"{name}0"),
                    "held_by": self.holder(name),
                }
                for name in self.seats
            },
            "taken": self.losses,
            "found": self.finds,
            "forfeited": self.forfeited,
        }
