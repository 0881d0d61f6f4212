"""What is read to tell of tournaments: many at once, with a handful of queries."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from dynasties.accounts.models import Guest
from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.consequences.afterglow import glimpse
from tournaments.seating.players import Player
from tournaments.turns.models import Order, Turn
from tournaments.turns.positions import position_of

# Whoever has missed more turns than these is told how things stand instead.
MOST_MISSED = 20


class Identity(NamedTuple):
    """Whose seat it may be, in numbers of the database; all of them None: a passer-by."""

    dynasty: int | None = None
    guest: uuid.UUID | None = None
    user: int | None = None

    @classmethod
    def of(cls, player: Player) -> "Identity":
        return cls(
            dynasty=player.dynasty.pk if player.dynasty else None,
            guest=player.guest.pk if player.guest else None,
            user=player.user.pk if player.user else None,
        )


NOBODY = Identity()


@dataclass(frozen=True, slots=True)
class Face:
    """Who sits where, in no particular language; `number` and `owner` are for the server."""

    seat: str
    emperor: str
    lodging: str
    house: Mapping[str, str] | None
    bot: str
    absences: int
    draw_turn: int | None = None
    number: int | None = None
    owner: Identity = NOBODY

    @property
    def who(self) -> str:
        """As the world says it, in the active language."""
        if self.emperor:
            return self.emperor
        if self.lodging:
            return str(Guest.Lodging(self.lodging).label)
        return _("A bot")

    def belongs_to(self, identity: Identity) -> bool:
        """The same as `seats_of` asks of the database."""
        pairs = zip(self.owner, identity, strict=True)
        return any(own is not None and own == other for own, other in pairs)


class Closed(NamedTuple):
    """A turn that was closed: its orders are open to everybody."""

    number: int
    version: int
    orders: list[Any]


@dataclass(frozen=True)
class Sight:
    """A tournament as it stands. Training that is gone is seen as it ended."""

    tournament: Tournament
    faces: tuple[Face, ...]
    turns: tuple[Closed, ...] = ()
    """The turns that somebody asked for, in order; all of them if it is gone."""
    given: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The orders of the open turn: each is shown to its own seat alone."""

    @property
    def is_gone(self) -> bool:
        return self.tournament.pk is None

    @property
    def is_running(self) -> bool:
        return self.tournament.state == Tournament.State.RUNNING

    @property
    def ready(self) -> int | None:
        """How many have ordered, where the tournament shows it."""
        return len(self.given) if self.is_running and self.tournament.shows_ready else None

    def position(self) -> arena.Position | None:
        """The position after the last closed turn; None before the start. Raises BadRecord."""
        row = self.tournament
        if not row.position:
            return None
        if not self.is_gone:
            return position_of(row)
        return arena.resume(game=row.game, written=row.position, seed=row.seed, turn=row.turn)

    def due(self) -> tuple[str, ...]:
        position = self.position() if self.is_running else None
        return position.due() if position else ()

    def face_of(self, identity: Identity) -> Face | None:
        """The seat of whoever asks."""
        return next((face for face in self.faces if face.belongs_to(identity)), None)

    def record(self, *, before: int) -> arena.Record:
        """What replays to the position before a turn."""
        row = self.tournament
        return arena.Record(
            game=row.game,
            version=row.game_version,
            seats=tuple(face.seat for face in self.faces),
            options=row.options,
            seed=row.seed,
            turns=tuple(
                tuple((seat, order) for seat, order in orders) for orders in self._until(before)
            ),
        )

    def _until(self, before: int) -> list[Any]:
        if self.is_gone:
            return [turn.orders for turn in self.turns if turn.number < before]
        turns = Turn.objects.filter(tournament=self.tournament.pk, number__lt=before)
        return list(turns.order_by("number").values_list("orders", flat=True))


# --- Reading ---------------------------------------------------------------------------


def read_sight(code: str, *, since: int | None = None) -> Sight | None:
    return read_sights({code: since}).get(code)


def read_sights(asked: Mapping[str, int | None]) -> dict[str, Sight]:
    """The tournaments of these codes, each with the turns closed since a version of it.

    None asks for no turns. What there is not, and never was, is left out.
    """
    # Options hold the whole battlefield, and only a replay needs them.
    rows = list(Tournament.objects.filter(code__in=asked).defer("options"))
    numbers = [row.pk for row in rows]
    faces, turns, given = _faces(numbers), _turns(rows, asked), _given(numbers)
    sights = {
        row.code: Sight(row, tuple(faces[row.pk]), tuple(turns[row.pk]), given[row.pk, row.turn])
        for row in rows
        if row.pk in faces or not row.position  # or it has gone while we looked
    }
    return sights | _glimpses(code for code in asked if code not in sights)


def _faces(numbers: list[int]) -> dict[int, list[Face]]:
    faces: dict[int, list[Face]] = defaultdict(list)
    seats = Seat.objects.filter(tournament__in=numbers)
    for seat in seats.select_related("emperor", "dynasty", "guest").order_by("place"):
        faces[seat.tournament_id].append(_face(seat))
    return faces


def _face(seat: Seat) -> Face:
    house, guest = seat.dynasty, seat.guest
    return Face(
        seat=seat.name,
        emperor=seat.emperor.full_name if seat.emperor else "",
        lodging=guest.lodging if guest else "",
        house={"name": house.name, "url": house.get_absolute_url()} if house else None,
        bot=seat.bot,
        absences=seat.absences,
        draw_turn=seat.draw_turn,
        number=seat.pk,
        owner=Identity(seat.dynasty_id, seat.guest_id, guest.became_id if guest else None),
    )


def _turns(rows: list[Tournament], asked: Mapping[str, int | None]) -> dict[int, list[Closed]]:
    turns: dict[int, list[Closed]] = defaultdict(list)
    missed = Q()
    for row in rows:
        since = asked[row.code]
        if since is not None and since < row.version:
            least = max(0, row.turn - MOST_MISSED - 1)
            # Another turn may have been closed since the row was read: it is for the next look.
            missed |= Q(tournament=row.pk, version__gt=since, number__range=(least, row.turn - 1))
    if missed:
        found = Turn.objects.filter(missed).order_by("number")
        for number, *turn in found.values_list("tournament", "number", "version", "orders"):
            turns[number].append(Closed(*turn))
    return turns


def _given(numbers: list[int]) -> dict[tuple[int, int], dict[str, Any]]:
    given: dict[tuple[int, int], dict[str, Any]] = defaultdict(dict)
    orders = Order.objects.filter(tournament__in=numbers)
    for number, turn, seat, content in orders.values_list(
        "tournament", "turn", "seat__name", "content"
    ):
        given[number, turn][seat] = content
    return given


# --- Training that is gone -----------------------------------------------------------------


def _glimpses(codes: Iterable[str]) -> dict[str, Sight]:
    found = ((code, glimpse(code)) for code in codes)
    return {code: _from_glimpse(seen) for code, seen in found if seen is not None}


COPIED = (
    "code", "game", "game_version", "options", "turn_seconds", "state", "version", "turn",
    "position", "seed", "winners", "ending",
)  # fmt: skip


def _from_glimpse(seen: Mapping[str, Any]) -> Sight:
    row = Tournament(
        type=Tournament.Type.TRAINING,
        name=seen["title"],
        **{name: seen[name] for name in COPIED},
    )
    return Sight(
        row,
        tuple(Face(**face) for face in seen["faces"]),
        tuple(Closed(*turn) for turn in seen["turns"]),
    )
