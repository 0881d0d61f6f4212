"""What is seen and told, and to whom."""

from collections.abc import Iterator, Sequence
from typing import Any

from games.kit.codec import dumps
from games.kit.errors import Forbidden
from games.kit.protocol import AnyGame, Resolution, Viewer
from games.kit.sentences import Sentence
from tests.games.harness import Entry, Twin, assert_plain, filled, refusal
from tests.games.promises.parts import CHANCE, look, parsed, words


def reports_are_plain_and_say_what(entry: Entry) -> None:
    for playing in entry.playings:
        for step in playing.some_steps():
            for viewer in playing.viewers:
                after = step.resolution
                report = entry.game.report(after.state, after.events, viewer)
                assert_plain(report)
                assert all(type(event["what"]) is str and event["what"] for event in report)


def scenes_can_be_drawn(entry: Entry) -> None:
    for playing in entry.playings:
        for state in playing.some_states():
            for viewer in playing.viewers:
                check_scene(entry.game, entry.game.view(state, viewer))


def check_scene(game: AnyGame, view: Any) -> None:
    scene = game.scene(view)
    assert_plain(scene.to_json())
    assert scene.grid in ("square", "hex")
    assert scene.text.strip()
    tiles = [cell.tile for cell in scene.cells]
    assert len(set(tiles)) == len(tiles)
    assert len({(cell.x, cell.y) for cell in scene.cells}) == len(tiles)
    ids = [figure.id for figure in scene.figures]
    assert len(set(ids)) == len(ids)
    places = [thing.tile for thing in (*scene.figures, *scene.marks)]
    assert set(places) <= set(tiles), "something lies beside the board"
    for choice in game.choices(view):
        assert choice.piece in {"", *ids}
        assert choice.tile in {"", *tiles}


def sentences_can_be_read(entry: Entry) -> None:
    """What is told in words is finished English, and says which of the events it tells."""
    for playing in entry.playings:
        for step in playing.some_steps():
            after = step.resolution
            for viewer in playing.viewers:
                reported = len(entry.game.report(after.state, after.events, viewer))
                for sentence in entry.game.tell(after.state, after.events, viewer):
                    check_sentence(sentence, reported)


def check_sentence(sentence: Sentence, reported: int) -> None:
    assert_plain([sentence.text, sentence.values])
    try:
        english = str(sentence)
    except (LookupError, TypeError, ValueError) as wrong:
        raise AssertionError(f"{sentence.text!r} can't be put together: {wrong!r}") from wrong
    assert english.strip()
    assert type(sentence.event) is int
    assert 0 <= sentence.event < reported


# --- Secrets ------------------------------------------------------------------------------------


def twins_look_alike(entry: Entry) -> None:
    """Two runs that differ in what somebody may not know are the same to his eyes."""
    for twin, viewer, seats in all_twins(entry):
        check_twins(entry.game, twin, viewer, seats)


def twins_are_told_alike(entry: Entry) -> None:
    """Words are a gate too: they say no more than the report."""
    for twin, viewer, _ in all_twins(entry):
        assert words(entry.game, twin.one, viewer) == words(entry.game, twin.other, viewer)


def what_is_over_is_open(entry: Entry) -> None:
    """Ended by the game or by the site alone, it has no secrets any more, for anybody."""
    for playing in entry.playings:
        for step in playing.some_steps():
            opened = [open_book(entry.game, step.resolution, it) for it in playing.viewers]
            assert len(set(opened)) == 1, "somebody knows more than others"
        for viewer in playing.viewers:
            ends = [entry.game.view(playing.last, viewer, over) for over in (False, True)]
            drawn = [dumps(entry.game.scene(view).to_json()) for view in ends]
            assert drawn[0] == drawn[1], "its own end opened less"
    for twin, viewer, _ in all_twins(entry):
        books = [open_book(entry.game, it, viewer) for it in (twin.one, twin.other)]
        assert books[0] != books[1], "something stays secret"


def open_book(game: AnyGame, after: Resolution[Any], viewer: Viewer) -> str:
    """All that these eyes see and hear of a turn after which the site has ended it."""
    report = game.report(after.state, after.events, viewer, True)
    scene = game.scene(game.view(after.state, viewer, True)).to_json()
    return dumps([scene, report, words(game, after, viewer, True)])


def all_twins(entry: Entry) -> Iterator[tuple[Twin, Viewer, tuple[str, ...]]]:
    """Each pair with each viewer who must not tell them apart, and the seats that there are."""
    met = 0
    for playing in entry.playings if entry.twins else ():
        for number, state in enumerate(playing.states):
            assert entry.twins
            for twin in entry.twins(entry.game, state, CHANCE.under(f"twins {number}")):
                met += 1
                assert entry.game.encode(twin.one.state) != entry.game.encode(twin.other.state)
                for viewer in twin.blind:
                    yield twin, viewer, playing.announcement.seats
    assert met or not entry.twins, "no twins were made"


def check_twins(game: AnyGame, twin: Twin, viewer: Viewer, seats: Sequence[str]) -> None:
    one, other = twin.one, twin.other
    assert game.due(one.state) == game.due(other.state)
    assert game.outcome(one.state) == game.outcome(other.state)
    assert look(game, one.state, viewer) == look(game, other.state, viewer)
    reports = [dumps(game.report(it.state, it.events, viewer)) for it in (one, other)]
    assert reports[0] == reports[1]
    if viewer is not None:
        tried = attempts(game, one.state, seats)
        assert heard(game, one.state, viewer, tried) == heard(game, other.state, viewer, tried)


def attempts(game: AnyGame, state: Any, seats: Sequence[str]) -> list[Any]:
    """Whatever anybody might order here, his own affair or not."""
    return [
        parsed(game, filled(choice, CHANCE.under(f"try {number}")))
        for seat in seats
        for choice in game.choices(game.view(state, seat))
        for number in range(3)
    ]


def heard(game: AnyGame, state: Any, seat: str, tried: list[Any]) -> list[Any]:
    """What a seat hears when it tries all that: a refusal is an answer too."""
    found = [refusal(Forbidden, game.check, state, seat, order) for order in tried]
    return [refused and (refused.code, refused.sentence) for refused in found]
