"""Toys that are broken in what they show and tell, and to whom."""

from dataclasses import replace
from typing import Any

from games.kit.errors import Forbidden
from games.kit.protocol import Viewer
from games.kit.scene import Cell, Scene
from tests.games import promises
from tests.games.toys import camps, parley
from tests.games.toys.camps import Camps
from tests.games.toys.catching import caught_by
from tests.games.toys.parley import Parley


@caught_by(promises.reports_are_plain_and_say_what)
class DoesNotSayWhat(Parley):
    def report(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        return [{**event, "what": ""} for event in super().report(state, events, viewer, over)]


@caught_by(promises.sentences_can_be_read)
class LeavesAGapInASentence(Parley):
    def tell(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        told = super().tell(state, events, viewer, over)
        return [replace(sentence, text="%(who)s did it.") for sentence in told]


@caught_by(promises.sentences_can_be_read)
class JoinsNothingTogether(Camps):
    def tell(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        told = super().tell(state, events, viewer, over)
        return [replace(sentence, values={"it": ()}) for sentence in told]


@caught_by(promises.sentences_can_be_read)
class CountsEventsFromOne(Camps):
    def tell(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        told = super().tell(state, events, viewer, over)
        return [replace(sentence, event=sentence.event + 1) for sentence in told]


@caught_by(promises.scenes_can_be_drawn)
class DrawsOneFigureTwice(Camps):
    def scene(self, view: Any) -> Scene:
        scene = super().scene(view)
        return replace(scene, figures=scene.figures * 2)


@caught_by(promises.scenes_can_be_drawn)
class DrawsBesideTheBoard(Camps):
    def scene(self, view: Any) -> Scene:
        scene = super().scene(view)
        return replace(scene, figures=tuple(replace(f, tile="Z9") for f in scene.figures))


@caught_by(promises.scenes_can_be_drawn)
class DrawsCellsOverEachOther(Camps):
    def scene(self, view: Any) -> Scene:
        scene = super().scene(view)
        return replace(scene, cells=tuple(Cell(cell.tile, 0, cell.y) for cell in scene.cells))


@caught_by(promises.scenes_can_be_drawn)
class HasNoWords(Camps):
    def scene(self, view: Any) -> Scene:
        return replace(super().scene(view), text=" ")


@caught_by(promises.twins_look_alike)
class ShowsEveryPurse(Parley):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        return parley.View(viewer, state)


@caught_by(promises.twins_look_alike)
class ShowsTheMinesToBystanders(Camps):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        return super().view(state, viewer, over) if viewer else camps.View(viewer, state)


@caught_by(promises.twins_look_alike)
class TellsWhatWasRolled(Parley):
    def report(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        return [{"what": what, "seat": seat, "more": more} for what, seat, *more in events]


@caught_by(promises.twins_look_alike)
class WarnsOfMines(Camps):
    """The view is clean, but what it refuses is not."""

    def check(self, state: Any, seat: str, order: Any) -> None:
        super().check(state, seat, order)
        if order.to_json().get("go") in state.mines:
            raise Forbidden("mine", "Better not.")


@caught_by(promises.twins_look_alike)
class RefusesInAWordThatTells(Parley):
    def _check_offer(self, state: Any, seat: str, data: Any) -> None:
        try:
            super()._check_offer(state, seat, data)
        except Forbidden as no:
            raise Forbidden(no.code, f"{no.sentence} All have {sum(state.coins)} coins.") from no


@caught_by(promises.twins_look_alike)
class AsksOnlyTheRich(Parley):
    def due(self, state: Any) -> tuple[str, ...]:
        due = super().due(state)
        return due if sum(state.coins) % 2 else due and (state.seats[0],)


@caught_by(promises.twins_are_told_alike)
class SaysWhatWasRolled(Parley):
    def tell(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        return super().tell(state, events, viewer, True)


@caught_by(promises.twins_are_told_alike)
class SaysWhereTheMinesAre(Camps):
    """As a value that no sentence needs."""

    def tell(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        told = super().tell(state, events, viewer, over)
        return [replace(s, values={**s.values, "mines": state.mines}) for s in told]


@caught_by(promises.what_is_over_is_open)
class HidesMinesForEver(Camps):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        return super().view(state, viewer)


@caught_by(promises.what_is_over_is_open)
class HidesMinesFromEverybodyForEver(Camps):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        view = super().view(state, viewer, over)
        hidden = replace(view.state, mines=("", "")[: len(state.mines)])
        return replace(view, state=hidden) if over or state.verdict else view


@caught_by(promises.what_is_over_is_open)
class OpensOnlyWhatTheSiteEnds(Camps):
    def view(self, state: Any, viewer: Viewer, over: bool = False) -> Any:
        return super().view(state if over else replace(state, verdict=None), viewer, over)


@caught_by(promises.what_is_over_is_open)
class NeverTellsWhatWasRolled(Parley):
    def report(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        return super().report(state, events, viewer)


@caught_by(promises.what_is_over_is_open)
class NeverSaysWhatWasRolled(Parley):
    def tell(self, state: Any, events: Any, viewer: Viewer, over: bool = False) -> Any:
        return super().tell(state, events, viewer)
