"""The tiles of a battlefield and the straight lines between them."""

from collections.abc import Iterable
from functools import cached_property

from games.kit.grids import SQUARE_STEPS, Rays, Tile

UP, RIGHT, DOWN, LEFT = range(len(SQUARE_STEPS))


class Board:
    """A set of square tiles of any shape, holes included. Never changes once it is made."""

    def __init__(self, tiles: Iterable[Tile]) -> None:
        self.rays = Rays(tiles, SQUARE_STEPS)

    def __contains__(self, tile: object) -> bool:
        return tile in self.rays.tiles

    def __len__(self) -> int:
        return len(self.rays.tiles)

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles, row by row."""
        return tuple(sorted(self.rays.tiles, key=lambda tile: (tile[1], tile[0])))

    def path(self, origin: Tile, to: Tile) -> tuple[Tile, ...]:
        """The tiles after `origin` up to `to`; empty if no unbroken straight line joins them."""
        x, y = origin
        to_x, to_y = to
        if x == to_x:
            direction, distance = (DOWN, to_y - y) if to_y > y else (UP, y - to_y)
        elif y == to_y:
            direction, distance = (RIGHT, to_x - x) if to_x > x else (LEFT, x - to_x)
        else:
            return ()
        ray = self.rays[origin][direction]
        return ray[:distance] if distance <= len(ray) else ()

    def beyond(self, origin: Tile, to: Tile) -> tuple[Tile, ...]:
        """The tiles that follow after `to`, seen from `origin`, up to where the board ends."""
        direction = (
            (RIGHT if to[0] > origin[0] else LEFT)
            if origin[1] == to[1]
            else (DOWN if to[1] > origin[1] else UP)
        )
        return self.rays[to][direction]
