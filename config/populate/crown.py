"""Who stood above all others, and when, in a made-up world."""

from array import array

from config.populate.annals import Annals, ref

NOBODY = -1


class Crown:
    """Follows the champion through the years, by the world's own order.

    `reputation` and `since` are the world's figures by dynasty. Only those who have come near
    the top are looked at when a champion sinks.
    """

    def __init__(self, annals: Annals, reputation: "array[int]", since: "array[int]") -> None:
        self._annals, self._reputation, self._since = annals, reputation, since
        self._court: set[int] = set()
        self._highest = 0
        self._holder, self._held, self._began = NOBODY, 0, ""

    def settle(self, touched: list[int], first: int, names: list[str], at: str) -> None:
        """Give the crown to whom it belongs now; `touched` are those whose standing changed."""
        top = self._after(touched)
        self._held = self._reputation[top] if top != NOBODY else 0
        if top == self._holder:
            return
        self.close(first, at)
        self._holder, self._began = top, at
        if top != NOBODY:
            house = ref("dynasty", first + top, names[top])
            facts = f'{{"dynasty": {house}, "points": {self._reputation[top]}}}'
            self._annals.tell_crowning(first + top, facts, at)

    def close(self, first: int, at: str | None) -> None:
        """Write down the championship, ended or, with no time, open."""
        if self._holder != NOBODY:
            self._annals.crown(first + self._holder, self._began, at)

    def _after(self, touched: list[int]) -> int:
        for house in touched:
            self._admit(house)
        sank = self._holder != NOBODY and self._reputation[self._holder] < self._held
        if sank or self._holder == NOBODY:
            return self._top()
        return min((self._holder, *touched), key=self._order)

    def _admit(self, house: int) -> None:
        points = self._reputation[house]
        self._highest = max(self._highest, points)
        if points and points * 2 >= self._highest:
            self._court.add(house)

    def _top(self) -> int:
        top = min(self._court, key=self._order, default=NOBODY)
        # Who was never admitted had less than half of the highest ever.
        if top != NOBODY and self._reputation[top] * 2 >= self._highest:
            self._court = {each for each in self._court if self._is_near(each)}
            return top
        self._highest = max(self._reputation, default=0)
        self._court = {each for each in range(len(self._reputation)) if self._is_near(each)}
        return min(self._court, key=self._order, default=NOBODY)

    def _is_near(self, house: int) -> bool:
        points = self._reputation[house]
        return points > 0 and points * 2 >= self._highest

    def _order(self, house: int) -> tuple[int, int, int]:
        return -self._reputation[house], self._since[house], house
