"""How to draw a battle."""

from games.battle.drawing import EMPTY, draw
from games.battle.pieces import CHEST, EMPEROR, Item, Piece
from games.battle.state import State
from games.battle.views import View
from games.kit.grids import Tile, name
from games.kit.protocol import Seat
from games.kit.scene import Cell, Figure, Mark, Scene, Tray

NEUTRAL = "-"
MOST_SHOWN = 99


def scene(view: View) -> Scene:
    """The board, what stands and lies on it, and beside it what each seat has won."""
    state = view.state
    return Scene(
        grid="square",
        cells=tuple(Cell(name(tile), *tile) for tile in state.field.board.tiles),
        figures=tuple(_figure(state, piece) for piece in state.pieces),
        marks=_marks(state),
        trays=tuple(_tray(state, seat) for seat in state.seats),
        text=text(state),
    )


def _figure(state: State, piece: Piece) -> Figure:
    return Figure(piece.id, piece.kind, piece.seat, name(piece.at), str(state.xp(piece)))


def _marks(state: State) -> tuple[Mark, ...]:
    items = tuple(Mark(item.kind, name(item.at), item.seat) for item in state.items)
    return items + tuple(Mark("target", name(at), seat) for seat, at in _targets(state).items())


def _targets(state: State) -> dict[Seat, Tile]:
    """Where emperors have to go, if that is a goal."""
    if all(goal.kind != "opposite-square" for goal in state.options.goals):
        return {}
    return {seat: at for seat, at in state.field.targets.items() if seat in state.seats}


def _tray(state: State, seat: str) -> Tray:
    """The emperors that a seat took and the items that it found."""
    taken = tuple(
        Figure(loss.emperor, EMPEROR, loss.loser) for loss in state.losses if loss.taker == seat
    )
    found = {item.id: item for item in state.field.items}
    items = tuple(
        Figure(find.item, found[find.item].kind, found[find.item].seat)
        for find in state.finds
        if find.seat == seat
    )
    return Tray("won", seat, taken + items)


def text(state: State) -> str:
    """The board as a drawing, the form in which battlefields and cases are written."""
    cells = dict.fromkeys(state.field.board.tiles, EMPTY)
    cells.update({at: f">{seat}<" for seat, at in _targets(state).items()})
    cells.update({item.at: item_content(item) for item in state.items})
    cells.update({piece.at: piece_content(piece) for piece in state.pieces})
    return draw(cells)


def piece_content(piece: Piece) -> str:
    """A piece as three characters: `(a)` an emperor, ` a ` a pawn, ` a3` one with xp 3.

    There is room for two digits: `a++` has more than 99.
    """
    seat = piece.seat or NEUTRAL
    if piece.kind == EMPEROR:
        return f"({seat})"
    xp = " " if piece.xp == 1 else str(piece.xp) if piece.xp <= MOST_SHOWN else "++"
    return f"{seat}{xp}".rjust(3)


def item_content(item: Item) -> str:
    """An item as three characters: `(x)` a treasure, `[a]` a chest of seat a, `[?]` anyone's."""
    return f"[{item.seat or '?'}]" if item.kind == CHEST else "(x)"
