"""What happened, turn by turn: for the replay of a tournament that is over."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext

from tournaments import arena
from tournaments.announcements.models import Seat, Tournament
from tournaments.turns.records import record_of

TURNS_A_PART = 40


@dataclass(frozen=True)
class Step:
    """How the board stands after so many turns, and what the last of them brought."""

    turn: int
    position: arena.Position
    events: Sequence[Any]
    names: Mapping[str, str]

    def scene(self) -> arena.JsonObject:
        return self.position.scene(None, over=True)

    def report(self) -> list[arena.JsonObject]:
        return self.position.report(self.events, None, over=True)

    def story(self) -> list[str]:
        return [told(each, self.names) for each in self.position.tell(self.events, None, over=True)]


def steps_of(
    tournament: Tournament, seats: Iterable[Seat], *, first: int, most: int = TURNS_A_PART
) -> list[Step]:
    """The board after `first` turns, and so on. Raises BadRecord, NotOverError."""
    names = names_of({seat.name: seat.who for seat in seats})
    steps = (
        Step(number, closing.after, closing.events, names)
        for number, closing in enumerate(_closings(tournament))
    )
    return list(islice(steps, first, first + most))


def _closings(tournament: Tournament) -> Iterator[arena.Closing]:
    return arena.replayed(record_of(tournament))


def as_json(step: Step) -> dict[str, Any]:
    """A step as the board in the browser needs it; tiles never change, so they go once."""
    scene: Mapping[str, Any] = step.scene()
    return {
        "turn": step.turn,
        "figures": scene["figures"],
        "marks": scene["marks"],
        "trays": scene["trays"],
        "report": step.report(),
        "story": step.story(),
    }


def told(sentence: arena.Sentence, names: Mapping[str, str]) -> str:
    """A sentence of a game in the reader's language, with people for seats."""
    values = {key: _told_value(value, names) for key, value in sentence.values.items()}
    return gettext(sentence.text) % values


def _told_value(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, tuple):
        return get_text_list([names.get(each, each) for each in value], gettext("and"))
    return names.get(value, value) if isinstance(value, str) else str(value)


def names_of(people: Mapping[str, str]) -> dict[str, str]:
    """What each seat is called in a story: by who sits there, and the seat where two are alike."""
    often = Counter(people.values())
    return {seat: who if often[who] == 1 else f"{who} ({seat})" for seat, who in people.items()}
