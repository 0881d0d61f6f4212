"""A game's options as fields of a form, made from the game's own schema, and back again.

Any form can have them: add `OptionsForm` to its bases and call `show_options`. The fields are
called `option_<name>`; what a goal needs to know is asked in fields of its own, called
`option_goals_<goal>_<part>`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments import arena
from tournaments.announcements.option_words import (
    Text,
    refusal_words,
    value_words,
    words_for,
)

PREFIX = "option_"
Schema = Mapping[str, Any]


class OptionsForm(forms.Form):
    """A form with the options of a game among its fields.

    `leave_out` names options that are asked for in another way, as battlefields are.
    """

    game_key = ""
    leave_out: tuple[str, ...] = ("battlefield",)

    def show_options(self, game: str, options: Mapping[str, Any] | None = None) -> None:
        """Add the fields of this game's options, filled with what is already chosen."""
        self.game_key = game
        for name, field in option_fields(game, leave_out=self.leave_out).items():
            self.fields.setdefault(name, field)
        self.initial.update(initial_options(game, options or {}))

    def option_names(self) -> list[str]:
        """The names of the fields that ask for options, in the game's order."""
        return [name for name in self.fields if name.startswith(PREFIX)]

    def option_rows(self) -> list[forms.BoundField]:
        """The same as fields to be drawn."""
        return [self[name] for name in self.option_names()]

    def chosen_options(self) -> dict[str, arena.Json]:
        """The options as they were filled in; call it once the fields are clean."""
        return read_fields(self.game_key, self.cleaned_data, leave_out=self.leave_out)

    def check_options(self, drawing: str | None = None) -> None:
        """Let the game judge what was chosen, and put what it refuses at the right field.

        `drawing` is the battlefield's text, where one was chosen. Fields that are wrong by
        themselves are put right first.
        """
        for name in missing_parts(self.game_key, self.cleaned_data):
            if name not in self.errors:
                self.add_error(name, MISSING_PART)
        if any(name in self.errors for name in self.option_names()):
            return
        ground = {} if drawing is None else {"battlefield": drawing}
        try:
            arena.complete_options(self.game_key, {**self.chosen_options(), **ground})
        except arena.BadOptions as bad:
            self.refuse_option(bad)

    def refuse_option(self, bad: arena.BadOptions) -> None:
        """Put the game's refusal at the field that it is about."""
        places = (field_name(bad.option), bad.option)
        place = next((name for name in places if name in self.fields), None)
        self.add_error(place, refusal_words(bad.sentence))


def with_options(form: type[OptionsForm], game: str) -> type[OptionsForm]:
    """The same form with a game's options among its declared fields, as the admin needs it."""
    fields = option_fields(game, leave_out=form.leave_out)
    return type(form.__name__, (form,), {**fields, "game_key": game})


# --- From a schema to fields ------------------------------------------------------------


def option_fields(game: str, *, leave_out: Iterable[str] = ()) -> dict[str, forms.Field]:
    """The fields that ask for the options of a game, by their names in the form."""
    return {
        name: field
        for option in _schema(game, leave_out)
        for name, field in _fields(game, option).items()
    }


def initial_options(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields show at first: what is chosen already, else the game's defaults."""
    shown: dict[str, Any] = {}
    for option in _schema(game):
        name, value = option["name"], options.get(option["name"], option["default"])
        if option["kind"] == "several":
            shown.update(_initial_several(name, value or ()))
        else:
            shown[field_name(name)] = list(value) if isinstance(value, tuple) else value
    return shown


def field_name(option: str, *parts: str) -> str:
    """What the field of an option is called, or that of a part of one of its kinds."""
    return PREFIX + "_".join((option, *parts))


def _schema(game: str, leave_out: Iterable[str] = ()) -> list[dict[str, Any]]:
    left_out = set(leave_out)
    return [dict(each) for each in arena.options_schema(game) if each["name"] not in left_out]


def _fields(game: str, option: Schema) -> dict[str, forms.Field]:
    name = option["name"]
    if option["kind"] == "several":
        return _several(game, option)
    return {field_name(name): _field(game, name, option)}


def _field(game: str, path: str, option: Schema, *, required: bool = True) -> forms.Field:
    words = words_for(game, path)
    said: dict[str, Any] = {"label": words.label, "help_text": words.help}
    if option["kind"] == "one":
        return forms.ChoiceField(choices=_choices(game, path, option["values"]), **said)
    if option["kind"] == "any":
        return _boxes(game, path, option["values"], required=False, **said)
    if option["kind"] == "flag":
        return forms.BooleanField(required=False, **said)
    if option["kind"] == "whole":
        return forms.IntegerField(
            min_value=option["low"], max_value=option["high"], required=required, **said
        )
    return forms.CharField(max_length=option.get("longest"), widget=forms.Textarea, **said)


def _several(game: str, option: Schema) -> dict[str, forms.Field]:
    """Boxes for the kinds, then the parts that some of them need."""
    name, words = option["name"], words_for(game, option["name"])
    kinds: Mapping[str, list[Schema]] = option["kinds"]
    boxes = _boxes(game, name, kinds, required=True, label=words.label, help_text=words.help)
    parts = {
        field_name(name, kind, part["name"]): _field(
            game, f"{name}.{kind}.{part['name']}", part, required=False
        )
        for kind, asked in kinds.items()
        for part in asked
    }
    return {field_name(name): boxes, **parts}


def _boxes(
    game: str, path: str, values: Iterable[str], **said: Any
) -> forms.TypedMultipleChoiceField:
    return forms.TypedMultipleChoiceField(
        choices=_choices(game, path, values),
        widget=forms.CheckboxSelectMultiple,
        coerce=str,
        empty_value=[],
        **said,
    )


def _choices(game: str, path: str, values: Iterable[str]) -> list[tuple[str, Text]]:
    return [(value, value_words(game, path, value)) for value in values]


def _initial_several(name: str, chosen: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    shown: dict[str, Any] = {field_name(name): [each["kind"] for each in chosen]}
    for each in chosen:
        parts = {part: value for part, value in each.items() if part != "kind"}
        shown.update({field_name(name, each["kind"], part): v for part, v in parts.items()})
    return shown


# --- From clean fields to options -------------------------------------------------------


def read_fields(
    game: str, cleaned: Mapping[str, Any], *, leave_out: Iterable[str] = ()
) -> dict[str, arena.Json]:
    """The options that clean fields tell; what was left empty is left to the game's default."""
    found: dict[str, Any] = {}
    for option in _schema(game, leave_out):
        value = cleaned.get(field_name(option["name"]))
        if option["kind"] == "several":
            value = list(_read_several(option, value or [], cleaned))
        if value is not None:
            found[option["name"]] = value
    return found


def _read_several(
    option: Schema, chosen: Iterable[str], cleaned: Mapping[str, Any]
) -> Iterator[dict[str, arena.Json]]:
    """The kinds that were ticked, each with the parts that were filled in for it."""
    for kind in chosen:
        parts = {
            part["name"]: cleaned.get(field_name(option["name"], kind, part["name"]))
            for part in option["kinds"][kind]
        }
        yield {"kind": kind, **{name: part for name, part in parts.items() if part is not None}}


MISSING_PART = _("Say this too: the goal needs it.")


def missing_parts(game: str, cleaned: Mapping[str, Any]) -> list[str]:
    """The fields that a chosen kind needs and that were left empty."""
    return [
        field_name(option["name"], kind, part["name"])
        for option in _schema(game)
        if option["kind"] == "several"
        for kind in cleaned.get(field_name(option["name"])) or []
        for part in option["kinds"][kind]
        if part["default"] is None
        and cleaned.get(field_name(option["name"], kind, part["name"])) is None
    ]
