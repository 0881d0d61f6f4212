"""A game's options as a form: made from the schema, and read back into the same options."""

from typing import Any

import pytest
from django import forms

from tournaments import arena
from tournaments.announcements import options_form
from tournaments.announcements.option_words import options_in_words, words_for
from tournaments.announcements.options_form import OptionsForm, initial_options, option_fields

DUEL = arena.shipped_battlefields()["duel"].text
TOY = [
    {"name": "is_dark", "kind": "flag", "default": False},
    {"name": "rounds", "kind": "whole", "low": 1, "high": 9, "default": 3},
    {"name": "wind", "kind": "one", "values": ("north", "south"), "default": "south"},
]


def shown(options: dict[str, Any] | None = None, **typed: Any) -> OptionsForm:
    """The form as a browser sends it back, with some fields typed over."""
    data = {**initial_options("battle", options or {}), **typed}
    form = OptionsForm({name: value for name, value in data.items() if value is not None})
    form.show_options("battle", options)
    return form


def test_what_nobody_touched_reads_back_as_the_defaults_of_the_game() -> None:
    form = shown()
    assert form.is_valid(), form.errors
    ground = {"battlefield": DUEL}
    plain = arena.complete_options("battle", ground)
    assert arena.complete_options("battle", {**form.chosen_options(), **ground}) == plain


def test_chosen_options_are_shown_and_read_back_unchanged() -> None:
    chosen: dict[str, Any] = {
        "conflict": "bounce-and-stay",
        "emperor_takes_pawn": ["push", "toll"],
        "goals": [{"kind": "last-emperor"}, {"kind": "survive", "turns": 20, "more_than": 2}],
        "turn_limit": 40,
    }
    form = shown(chosen)
    assert form.is_valid(), form.errors
    assert chosen.items() <= form.chosen_options().items()


def test_every_option_of_the_game_has_words_in_the_form() -> None:
    for name, field in option_fields("battle", leave_out=("battlefield",)).items():
        assert str(field.label) != words_for("another game", name).label, name
        for value, words in getattr(field, "choices", ()):
            assert str(words) != value, (name, value)


def test_the_battlefield_is_left_to_a_field_of_its_own() -> None:
    assert "option_battlefield" not in shown().fields


def test_a_goal_that_needs_numbers_asks_for_them_at_their_fields() -> None:
    form = shown(option_goals=["survive"], option_goals_survive_turns="7")
    assert form.is_valid()
    form.check_options(DUEL)
    assert set(form.errors) == {"option_goals_survive_more_than"}


def test_a_goal_that_the_field_does_not_allow_is_refused_at_the_goals() -> None:
    form = shown(option_goals=["treasure"])
    assert form.is_valid()
    form.check_options(DUEL)
    assert form.errors["option_goals"] == ["This battlefield has no treasure."]


def test_no_goal_at_all_is_refused_at_the_goals() -> None:
    assert "option_goals" in shown(option_goals=[]).errors


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("option_turn_limit", "0"),
        ("option_turn_limit", "9" * 400),
        ("option_conflict", "explode"),
        ("option_goals", ["explode"]),
        ("option_emperor_takes_pawn", ["push", "explode"]),
    ],
)
def test_a_value_that_is_none_is_refused_at_its_field(field: str, typed: Any) -> None:
    form = shown(**{field: typed})
    assert set(form.errors) == {field}


def test_a_game_without_words_is_asked_for_by_its_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options_form.arena, "options_schema", lambda _game: TOY)
    fields = option_fields("toy")
    assert [str(field.label) for field in fields.values()] == ["Is dark", "Rounds", "Wind"]
    assert isinstance(fields["option_is_dark"], forms.BooleanField)
    form = OptionsForm({"option_rounds": "5", "option_wind": "north"})
    form.show_options("toy")
    assert form.is_valid(), form.errors
    assert form.chosen_options() == {"is_dark": False, "rounds": 5, "wind": "north"}


def test_what_was_announced_is_told_in_words_without_the_drawing() -> None:
    options = arena.complete_options(
        "battle", {"battlefield": DUEL, "goals": [{"kind": "survive", "turns": 9, "more_than": 1}]}
    )
    told = dict(options_in_words("battle", options))
    assert told["When several aim at one tile"] == "all return home"
    assert told["When an emperor takes a pawn"] == "none"
    assert "9" in told["Goals"]
    assert "Battlefield" not in told
