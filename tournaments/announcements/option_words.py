"""The options of games in plain words: what a form asks, and what an announcement says.

An option or a value that has no words here is shown by its code: a new game can be announced
before anybody has found words for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments import arena

Text: TypeAlias = str | Promise


@dataclass(frozen=True)
class Words:
    """What an option is called, what it is about, and what its values mean."""

    label: Text
    help: Text = ""
    values: Mapping[str, Text] = field(default_factory=dict)


FATES: Mapping[str, Text] = {
    "convert": _("he goes on fighting, as an emperor of the taker"),
    "remove": _("he leaves the board, and the taker has his tile"),
    "demote": _("he becomes a pawn of the taker, with xp 1"),
    "demote-veteran": _("he becomes a pawn of the taker and keeps his xp"),
}

BATTLE: Mapping[str, Words] = {
    "conflict": Words(
        _("When several aim at one tile"),
        _("Who comes first is decided by the order in which the orders were received."),
        {
            "rollback": _("all return home"),
            "bounce": _("all spring back along their way"),
            "rollback-and-stay": _("the first goes on, the others return home"),
            "bounce-and-stay": _("the first goes on, the others spring back"),
        },
    ),
    "passage": Words(
        _("Pieces in between"),
        "",
        {"blocked": _("block the way"), "open": _("are leapt over")},
    ),
    "emperor_takes_pawn": Words(
        _("When an emperor takes a pawn"),
        _("None of them: as when a pawn takes a pawn."),
        {
            "push": _("he lands, and the pawn is pushed to the next free tile"),
            "precedence": _("springing back from it, he goes first in a conflict"),
            "toll": _("the best of his other pawns falls to xp 1"),
        },
    ),
    "pawn_takes_emperor": Words(_("When a pawn takes an emperor"), "", FATES),
    "emperor_takes_emperor": Words(_("When an emperor takes an emperor"), "", FATES),
    "orphans": Words(
        _("Pieces that have lost their emperor"),
        "",
        {
            "fight-on": _("fight on"),
            "join-captor": _("join whoever took him"),
            "neutral": _("stand still for ever and may be taken"),
            "vanish": _("leave the board"),
        },
    ),
    "pickup": Words(
        _("Who picks up treasures and chests"),
        "",
        {"any": _("any piece"), "emperor": _("emperors only")},
    ),
    "goals": Words(
        _("Goals"),
        _("The first that is met ends the battle. Who meets one at the same time shares it."),
        {
            "opposite-square": _("an emperor reaches his target"),
            "last-emperor": _("only one seat has an emperor left"),
            "survive": _("keep an emperor and enough pieces for some turns"),
            "take-superior": _("take an emperor of more xp than one's own has"),
            "emperor-strike": _("one's own emperor takes the one of the opposite seat"),
            "treasure": _("find the treasure"),
        },
    ),
    "goals.survive.turns": Words(_("To survive: turns"), _("If that is a goal.")),
    "goals.survive.more_than": Words(
        _("To survive: with more pieces than"), _("If that is a goal.")
    ),
    "turn_limit": Words(
        _("Turn limit"),
        _("After it the most pieces win, then the most xp; else the victory is shared."),
    ),
    "battlefield": Words(_("Battlefield")),
}

REFUSALS: Mapping[str, Text] = {
    "goals: opposite-square: not every seat here has a target": _(
        "Not every seat of this battlefield has a target to reach."
    ),
    "goals: emperor-strike: not every seat here has an opposite": _(
        "Not every seat of this battlefield has an opposite seat."
    ),
    "goals: treasure: there is none on this field": _("This battlefield has no treasure."),
    "goals: survive: there are not so many pieces on this field": _(
        "This battlefield has not so many pieces to survive with."
    ),
    "goals: survive: the turn limit comes before its turns are over": _(
        "The turn limit comes before the turns to survive are over."
    ),
    "battlefield: it must be given": _("Choose a battlefield."),
}
"""What games refuse, in the reader's language; the rest is said in the game's own words."""

WORDS: Mapping[str, Mapping[str, Words]] = {"battle": BATTLE}
GAMES: Mapping[str, Text] = {"battle": _("Battle")}


def words_for(game: str, option: str) -> Words:
    """The words of an option; its code if nobody has found any."""
    plain = option.replace("_", " ").replace(".", ": ").capitalize()
    return WORDS.get(game, {}).get(option) or Words(plain)


def value_words(game: str, option: str, value: str) -> Text:
    """The words of one value of an option; its code if nobody has found any."""
    return words_for(game, option).values.get(value, value)


def game_words(game: str) -> Text:
    """What a game is called."""
    return GAMES.get(game, game.capitalize())


def refusal_words(sentence: str) -> str:
    """Why options are refused, for the one who chose them."""
    known = REFUSALS.get(sentence)
    return str(known) if known is not None else sentence[:1].upper() + sentence[1:]


def options_in_words(game: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was announced, option by option; a drawing is left out, for it is shown as a board."""
    return [
        (str(words_for(game, name).label), _told(game, name, options[name]))
        for name in (str(option["name"]) for option in _schema(game) if option["kind"] != "text")
        if name in options
    ]


def _schema(game: str) -> Sequence[Mapping[str, Any]]:
    return arena.options_schema(game) if game in arena.game_keys() else []


def _told(game: str, name: str, value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, str):
        return str(value_words(game, name, value))
    if isinstance(value, list | tuple):
        return "; ".join(_told(game, name, each) for each in value) or gettext("none")
    if isinstance(value, Mapping) and "kind" in value:
        return _told_object(game, name, value)
    return str(value)


def _told_object(game: str, name: str, value: Mapping[str, Any]) -> str:
    kind = str(value["kind"])
    parts = [
        f"{words_for(game, f'{name}.{kind}.{part}').label} {_told(game, part, number)}"
        for part, number in value.items()
        if part != "kind"
    ]
    told = str(value_words(game, name, kind))
    return f"{told} ({', '.join(parts)})" if parts else told
