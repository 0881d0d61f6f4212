"""Toys that are broken in how they keep their states."""

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.kit.errors import BadRecord
from games.kit.protocol import Resolution, Viewer
from games.kit.rng import Rng
from tests.games import promises
from tests.games.toys import camps, parley
from tests.games.toys.camps import Camps
from tests.games.toys.catching import caught_by
from tests.games.toys.parley import Parley


@caught_by(promises.states_survive_their_encoding)
class ForgetsTheMines(Camps):
    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "mines": ()}


@caught_by(promises.states_survive_their_encoding)
class WritesFractions(Camps):
    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "steps": state.steps / 1}


@caught_by(promises.states_survive_their_encoding)
class WritesSets(Parley):
    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "shut": set(state.shut)}


@caught_by(promises.a_decoded_state_goes_on_alike)
class RemembersMoreThanItWrites(Camps):
    """Equal states that are not alike: the mines are compared by nobody and written nowhere."""

    def encode(self, state: Any) -> Any:
        return {**super().encode(state), "mines": ["A3", "A3"] if state.mines else []}

    def decode(self, data: Any) -> Any:
        return super().decode({**data, "mines": ["C1", "C5"] if data["mines"] else []})


@caught_by(promises.bad_states_are_bad_records)
class StumblesOverBadStates(Camps):
    def decode(self, data: Any) -> Any:
        return camps.State(**{**data, "camps": tuple(data["camps"])})


@caught_by(promises.bad_states_are_bad_records)
class BelievesWhatItReads(Parley):
    """Looks for every part of a state, and at none of them."""

    def decode(self, data: Any) -> Any:
        try:
            lists = {key: tuple(data[key]) for key in ("seats", "coins", "shut")}
            return parley.State(**{**data, **lists})
        except (KeyError, TypeError) as bad:
            raise BadRecord("this is no state of parley") from bad


@caught_by(promises.bad_states_are_bad_records)
class LeavesOutWhatItDoesNotKnow(Camps):
    def decode(self, data: Any) -> Any:
        known = camps.State.__dataclass_fields__
        if isinstance(data, Mapping):
            data = {key: value for key, value in data.items() if key in known}
        return super().decode(data)


@caught_by(promises.bad_states_are_bad_records)
class FillsInWhatIsMissing(Camps):
    def decode(self, data: Any) -> Any:
        return super().decode({"limit": 12, **data} if isinstance(data, Mapping) else data)


@caught_by(promises.bad_states_are_bad_records)
class ReadsAnyTile(Camps):
    """Too late: a camp off the board is found when somebody looks for its neighbours."""

    def decode(self, data: Any) -> Any:
        match data:
            case {"camps": [str() as one, str() as other], **rest}:
                state = super().decode({**rest, "camps": ["C3", "C3"]})
                return replace(state, camps=(one, other))
        return super().decode(data)


@caught_by(promises.resolve_leaves_its_arguments_alone)
class EatsItsOrders(Parley):
    def resolve(self, state: Any, orders: Any, rng: Rng) -> Resolution[Any]:
        after = super().resolve(state, orders, rng)
        orders.clear()
        return after


@caught_by(promises.resolve_leaves_its_arguments_alone)
class ChangesItsState(Camps):
    def resolve(self, state: Any, orders: Mapping[str, Any], rng: Rng) -> Resolution[Any]:
        after = super().resolve(state, orders, rng)
        object.__setattr__(state, "steps", after.state.steps)
        return after


@caught_by(promises.looking_changes_nothing)
class CountsItsVisitors(Camps):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        object.__setattr__(state, "limit", state.limit + 1)
        return super().view(state, viewer, over)


@caught_by(promises.a_record_replays_to_the_same_bytes)
class KeepsDiceOfItsOwn(Parley):
    dice = itertools.count(1)

    def _roll(self, state: Any, seat: str, data: Any, rng: Rng) -> Resolution[Any]:
        die = next(self.dice)
        return Resolution(
            self._pay(replace(state, phase="offer"), seat, die), (("roll", seat, die),)
        )
