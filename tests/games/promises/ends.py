"""Who is due, and how it ends."""

from tests.games.harness import Entry, assert_plain
from tests.games.promises.parts import all_steps


def nobody_is_due_exactly_when_it_is_over(entry: Entry) -> None:
    for playing in entry.playings:
        for state in playing.states:
            due = entry.game.due(state)
            assert len(set(due)) == len(due)
            assert set(due) <= set(playing.announcement.seats)
            assert bool(due) == (entry.game.outcome(state) is None)


def a_clock_runs_for_those_who_are_due(entry: Entry) -> None:
    """A clock that runs on does so for the same seats: nobody inherits another's lost time."""
    for playing in entry.playings:
        clocks: dict[str, tuple[str, ...]] = {}
        for state in playing.states:
            due = entry.game.due(state)
            if due:
                clock = entry.game.clock(state)
                assert clock.key
                assert clock.kind
                assert clocks.setdefault(clock.key, due) == due


def an_outcome_ranks_every_seat(entry: Entry) -> None:
    for playing in entry.playings:
        outcome = entry.game.outcome(playing.last)
        assert outcome is not None
        assert outcome.reason
        assert set(outcome.ranks) == set(playing.announcement.seats)
        best = {seat for seat, rank in outcome.ranks.items() if rank == 1}
        assert best, "somebody must be first, all of them in a draw"
        assert all(rank >= 1 for rank in outcome.ranks.values())
        assert not outcome.winners or set(outcome.winners) == best
        assert_plain([outcome.winners, outcome.reason, outcome.ranks, outcome.facts])


def whoever_is_interrupted_is_still_due(entry: Entry) -> None:
    """An interrupting order is nobody's absence: the others are asked again, if it goes on."""
    for step in all_steps(entry):
        if any(order.interrupts for order in step.orders.values()):
            silent = set(entry.game.due(step.before)) - set(step.orders)
            due = entry.game.due(step.resolution.state)
            assert not due or silent <= set(due)
