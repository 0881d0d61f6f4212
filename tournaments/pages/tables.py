"""The table at which a battle is fought, as one pair of eyes sees it, without any script."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from tournaments.announcements.models import Seat, Tournament
from tournaments.pages.drawing import Drawing, draw
from tournaments.pages.selectors import own_order
from tournaments.turns.positions import position_of


@dataclass(frozen=True)
class Option:
    """An order that may be given, as a line of a form: what is sent, and what is read."""

    value: str
    text: str
    is_chosen: bool


@dataclass(frozen=True)
class Table:
    """A board, and what its viewer may order."""

    drawing: Drawing
    text: str
    options: tuple[Option, ...] = ()
    order: str = ""
    """The words of the order that stands, if there is one."""

    @classmethod
    def of_scene(cls, scene: Mapping[str, Any]) -> "Table":
        return cls(draw(scene), str(scene["text"]))


def table_for(tournament: Tournament, seat: Seat | None) -> Table:
    """The table of a tournament that has begun, for the holder of a seat or a passer-by."""
    position = position_of(tournament)
    viewer = seat.name if seat else None
    scene: Mapping[str, Any] = position.scene(viewer)
    given = own_order(seat, tournament.turn) if seat else None
    places = {figure["id"]: figure["tile"] for figure in scene["figures"]}
    options = tuple(_option(choice, given, places) for choice in position.choices(viewer))
    chosen = next((option.text for option in options if option.is_chosen), "")
    return Table(draw(scene), str(scene["text"]), options, chosen)


def _option(choice: Mapping[str, Any], given: Any, places: Mapping[str, str]) -> Option:
    value = json.dumps(choice["order"], separators=(",", ":"))
    is_chosen = given is not None and json.loads(value) == given
    return Option(value, _words(choice, places), is_chosen)


def _words(choice: Mapping[str, Any], places: Mapping[str, str]) -> str:
    if choice["piece"] and choice["tile"]:
        words = gettext("%(piece)s from %(origin)s to %(tile)s")
        origin = places.get(choice["piece"], "")
        return words % {"piece": choice["piece"], "origin": origin, "tile": choice["tile"]}
    known = {"hold": gettext("hold"), "resign": gettext("resign")}
    return known.get(choice["label"], str(choice["label"]))
