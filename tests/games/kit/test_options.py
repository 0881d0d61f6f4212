"""What is announced is read strictly: an unknown or bad option is named, never a silent default."""

from typing import Any

import pytest

from games.kit.errors import BadOptions
from games.kit.options import AnyOf, Flag, OneOf, Option, Several, Text, Whole, read_options

SCHEMA: tuple[Option, ...] = (
    OneOf("colour", ("red", "blue"), default="red"),
    AnyOf("extras", ("bell", "lamp", "horn")),
    Flag("night", default=False),
    Whole("size", 2, 8, default=4),
    Text("title", longest=5),
    Several("goals", {"win": (), "wait": (Whole("turns", 1, 9),)}, default=({"kind": "win"},)),
)


def test_what_is_left_out_has_its_default() -> None:
    assert read_options(SCHEMA, {"title": "x"}) == {
        "colour": "red",
        "extras": (),
        "night": False,
        "size": 4,
        "title": "x",
        "goals": ({"kind": "win"},),
    }


def test_any_of_some_is_kept_in_the_order_of_the_schema() -> None:
    assert read_options(SCHEMA, {"title": "", "extras": ["horn", "bell"]})["extras"] == (
        "bell",
        "horn",
    )


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("colour", "green", "'green' is not one of red, blue"),
        ("colour", None, "null is not one of"),
        ("colour", ["red"], r"\['red'\] is not one of"),
        ("extras", "bell", "'bell' is no list"),
        ("extras", ["bell", "gong"], "'gong' is not one of bell, lamp, horn"),
        ("extras", ["bell", "bell"], "'bell' is named twice"),
        ("extras", [["bell"]], r"\['bell'\] is not one of"),
        ("extras", {"bell": 1}, "is no list"),
        ("night", 1, "1 is neither true nor false"),
        ("night", None, "null is neither true nor false"),
        ("size", True, "true is not a whole number"),
        ("size", 3.0, "3.0 is not a whole number"),
        ("size", "3", "'3' is not a whole number"),
        ("size", 1, "1 is not from 2 to 8"),
        ("size", 10**40, "is not from 2 to 8"),
        ("title", 5, "5 is not a text"),
        ("title", "too long", "longer than 5"),
        ("goals", [], "name at least one"),
        ("goals", {"kind": "win"}, "is no list"),
        ("goals", ["win"], 'is no object with a "kind"'),
        ("goals", [{"kind": 1}], 'is no object with a "kind"'),
        ("goals", [{"kind": "lose"}], "'lose' is not one of win, wait"),
        ("goals", [{"kind": "win"}, {"kind": "win"}], "'win' is named twice"),
        ("goals", [{"kind": "win", "turns": 1}], "win: turns: there is no such option"),
        ("goals", [{"kind": "wait"}], "wait: turns: it must be given"),
        ("goals", [{"kind": "wait", "turns": 0}], "wait: turns: 0 is not from 1 to 9"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_by_name(option: str, value: Any, complaint: str) -> None:
    with pytest.raises(BadOptions, match=complaint) as refused:
        read_options(SCHEMA, {"title": "x", option: value})
    assert refused.value.option == option
    assert refused.value.code == "bad-option"


def test_an_unknown_option_is_refused_by_name() -> None:
    with pytest.raises(
        BadOptions, match="there is no such option; there are colour, extras"
    ) as refused:
        read_options(SCHEMA, {"title": "x", "color": "red"})
    assert refused.value.option == "color"


def test_what_has_no_default_must_be_given() -> None:
    with pytest.raises(BadOptions, match="title: it must be given"):
        read_options(SCHEMA, {})


@pytest.mark.parametrize("data", [None, [], "title", 5])
def test_options_are_an_object(data: Any) -> None:
    with pytest.raises(BadOptions, match="is no object"):
        read_options(SCHEMA, data)


def test_a_long_value_is_not_repeated_at_length() -> None:
    with pytest.raises(BadOptions) as refused:
        read_options(SCHEMA, {"title": "x", "colour": "x" * 100_000})
    assert len(refused.value.sentence) < 200


def test_a_form_learns_all_it_needs() -> None:
    described = {option.name: option.describe() for option in SCHEMA}
    assert described["size"] == {"name": "size", "kind": "whole", "low": 2, "high": 8, "default": 4}
    assert described["goals"]["kinds"] == {
        "win": [],
        "wait": [{"name": "turns", "kind": "whole", "low": 1, "high": 9, "default": None}],
    }
    assert {name: it["kind"] for name, it in described.items()} == {
        "colour": "one", "extras": "any", "night": "flag", "size": "whole", "title": "text",
        "goals": "several",
    }  # fmt: skip
