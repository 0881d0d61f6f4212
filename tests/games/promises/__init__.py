"""What the protocol promises of every game, one function each. Fails with AssertionErrors only."""

from tests.games.promises.ends import (
    a_clock_runs_for_those_who_are_due,
    an_outcome_ranks_every_seat,
    nobody_is_due_exactly_when_it_is_over,
    whoever_is_interrupted_is_still_due,
)
from tests.games.promises.options import (
    bad_options_are_named,
    only_seats_that_there_are_can_be_taken,
    options_are_described,
)
from tests.games.promises.orders import (
    check_junk,
    choices_are_allowed_and_complete,
    junk_is_unreadable,
    orders_after_the_end_are_forbidden,
    orders_are_read_as_they_are_written,
    orders_out_of_turn_are_forbidden,
    samples_and_defaults_are_allowed,
)
from tests.games.promises.parts import Promise, look, told
from tests.games.promises.sights import (
    reports_are_plain_and_say_what,
    scenes_can_be_drawn,
    sentences_can_be_read,
    twins_are_told_alike,
    twins_look_alike,
    what_is_over_is_open,
)
from tests.games.promises.states import (
    a_decoded_state_goes_on_alike,
    a_record_replays_to_the_same_bytes,
    bad_states_are_bad_records,
    looking_changes_nothing,
    resolve_leaves_its_arguments_alone,
    states_survive_their_encoding,
)

PROMISES: tuple[Promise, ...] = (
    nobody_is_due_exactly_when_it_is_over,
    a_clock_runs_for_those_who_are_due,
    an_outcome_ranks_every_seat,
    whoever_is_interrupted_is_still_due,
    samples_and_defaults_are_allowed,
    orders_are_read_as_they_are_written,
    choices_are_allowed_and_complete,
    junk_is_unreadable,
    orders_out_of_turn_are_forbidden,
    orders_after_the_end_are_forbidden,
    states_survive_their_encoding,
    a_decoded_state_goes_on_alike,
    bad_states_are_bad_records,
    resolve_leaves_its_arguments_alone,
    looking_changes_nothing,
    a_record_replays_to_the_same_bytes,
    reports_are_plain_and_say_what,
    sentences_can_be_read,
    scenes_can_be_drawn,
    twins_look_alike,
    twins_are_told_alike,
    what_is_over_is_open,
    options_are_described,
    bad_options_are_named,
    only_seats_that_there_are_can_be_taken,
)

__all__ = ["PROMISES", "Promise", "check_junk", "look", "told"]
