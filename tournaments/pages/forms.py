"""What players fill in: an announcement, an entry, invitations, and filters of the list."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _

from dynasties.charter.selectors import charter
from dynasties.houses.models import Dynasty
from dynasties.houses.names import name_key
from dynasties.treasury.models import Kind
from emperors.models import Emperor
from tournaments.announcements.models import LIVE_SECONDS, MOST_POINTS, Terms, Tournament
from tournaments.announcements.options_form import PREFIX, OptionsForm
from tournaments.errors import UnfitTerms
from tournaments.fields.models import Battlefield
from tournaments.pages.words import TYPES

GAME = "battle"
# The options that say how a battle ends.
GOALS = (f"{PREFIX}goals", f"{PREFIX}turn_limit")
PLAYERS_TYPES = ("training", "honour", "conquer", "death")
SLOW_HOURS = (1, 7 * 24)
MOST_INVITED = 50
MOST_OF_A_FEE = 1_000_000_000

BOTS = {
    "": _("stay free"),
    "page": _("are taken by pages: bots who learn"),
    "knight": _("are taken by knights: bots who know how to play"),
    "regent": _("are taken by regents: the strongest bots"),
}


class Names(forms.CharField):
    """Names of dynasties, one a line."""

    def __init__(self, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 3, "autocomplete": "off"})
        no_null = [ProhibitNullCharactersValidator()]
        super().__init__(widget=widget, max_length=4000, validators=no_null, **options)

    def clean(self, value: Any) -> tuple[Dynasty, ...]:
        text = super().clean(value)
        names = [line.strip() for line in text.splitlines() if line.strip()]
        if len(names) > MOST_INVITED:
            raise ValidationError(_("That are too many at once."))
        return tuple(_dynasty_called(name) for name in dict.fromkeys(names))


def _dynasty_called(name: str) -> Dynasty:
    standing = Dynasty.objects.public().filter(fallen_at=None)
    dynasty = standing.filter(name_key=name_key(name)).first()
    if dynasty is None:
        raise ValidationError(_("No dynasty bears the name %(name)s."), params={"name": name})
    return dynasty


class AnnounceForm(OptionsForm):
    """All terms that a player can announce."""

    type = forms.ChoiceField(
        label=_("Type"),
        choices=[(code, Terms.Type(code).label) for code in PLAYERS_TYPES],
        widget=forms.RadioSelect,
        initial="training",
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        required=False,
        help_text=_("Empty: that of its battlefield."),
        validators=[ProhibitNullCharactersValidator()],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    battlefield = forms.ModelChoiceField(
        label=_("Battlefield"),
        queryset=Battlefield.objects.filter(is_offered=True),
        to_field_name="key",
        widget=forms.RadioSelect,
        empty_label=None,
        initial="duel",
    )
    pace = forms.ChoiceField(
        label=_("Pace"), choices=Terms.Pace.choices, widget=forms.RadioSelect, initial="live"
    )
    live_seconds = forms.IntegerField(
        label=_("Seconds a turn"),
        required=False,
        min_value=LIVE_SECONDS[0],
        max_value=LIVE_SECONDS[1],
        help_text=_("Where it is live. A turn closes earlier when everybody has ordered."),
    )
    slow_hours = forms.IntegerField(
        label=_("Hours a turn"),
        required=False,
        min_value=SLOW_HOURS[0],
        max_value=SLOW_HOURS[1],
        initial=24,
        help_text=_("Where it is slow: an hour to 7 days."),
    )
    begins = forms.ChoiceField(
        label=_("It begins"),
        choices=[("full", _("when all seats are taken")), ("at", _("at a time"))],
        widget=forms.RadioSelect,
        initial="full",
    )
    starts_at = forms.DateTimeField(
        label=_("At which time (UTC)"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        help_text=_("Earlier if all seats are taken before."),
    )
    seats_least = forms.IntegerField(
        label=_("Fewest seats"),
        required=False,
        min_value=2,
        max_value=8,
        initial=2,
        help_text=_("With fewer at its time it is cancelled, and everything goes back."),
    )
    bots = forms.ChoiceField(
        label=_("Seats that are free at that time"),
        choices=list(BOTS.items()),
        required=False,
        help_text=_("Bots play in training only."),
    )
    access = forms.ChoiceField(
        label=_("Who may enter"),
        choices=Terms.Access.choices,
        widget=forms.RadioSelect,
        initial="everyone",
    )
    invited = Names(
        label=_("Invited dynasties"),
        required=False,
        help_text=_("Their names, one a line. You may invite more later."),
    )
    stake = forms.IntegerField(
        label=_("Stake"),
        required=False,
        min_value=1,
        max_value=MOST_POINTS,
        help_text=_("By honour: points of reputation from each. Who has less can't enter."),
    )
    fee = forms.IntegerField(
        label=_("Entry fee"), required=False, min_value=0, max_value=MOST_OF_A_FEE
    )
    fee_kind = forms.ModelChoiceField(
        label=_("Paid in"),
        queryset=Kind.objects.none(),
        required=False,
        empty_label=_("no fee"),
        to_field_name="code",
    )
    key = forms.ModelChoiceField(
        label=_("Key that is needed"),
        queryset=Kind.objects.none(),
        required=False,
        empty_label=_("none"),
        to_field_name="code",
    )
    reputation_least = forms.IntegerField(
        label=_("Least reputation"), required=False, min_value=0, max_value=MOST_POINTS
    )
    reputation_most = forms.IntegerField(
        label=_("Most reputation"), required=False, min_value=0, max_value=MOST_POINTS
    )
    chests = forms.BooleanField(
        label=_("Secret chests"),
        required=False,
        help_text=_("Only on a battlefield with a chest for every seat."),
    )
    wealth_is_public = forms.BooleanField(
        label=_("The chronicle tells who won which wealth"), required=False
    )
    shows_ready = forms.BooleanField(
        label=_("Show how many seats have ordered"), required=False, initial=True
    )
    form_key = forms.UUIDField(initial=uuid4, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        numbers = charter()
        self.fields["live_seconds"].initial = numbers.live_turn_seconds
        self.fields["stake"].initial = numbers.honour_stake
        kinds = Kind.objects.all()
        self.fields["fee_kind"].queryset = kinds.exclude(family="item")  # type: ignore[attr-defined]
        self.fields["key"].queryset = kinds.filter(family="item")  # type: ignore[attr-defined]
        self.show_options(GAME)

    def type_choices(self) -> list[tuple[Any, Any]]:
        """The types with what they mean, for the template."""
        return [(box, TYPES[str(box.data["value"])]) for box in self["type"]]

    def goal_rows(self) -> list[forms.BoundField]:
        """What ends a battle: asked of everybody."""
        return [row for row in self.option_rows() if row.name.startswith(GOALS)]

    def rule_rows(self) -> list[forms.BoundField]:
        """All other options of the game: most leave them as they are."""
        return [row for row in self.option_rows() if not row.name.startswith(GOALS)]

    def has_unusual_rules(self) -> bool:
        """Whether the rules are worth a look: somebody has changed them, or one is wrong."""
        looked_at = (*self.changed_data, *self.errors) if self.is_bound else ()
        return any(name.startswith(PREFIX) for name in looked_at)

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        is_timed = typed.get("begins") == "at"
        if is_timed and not typed.get("starts_at") and "starts_at" not in self.errors:
            self.add_error("starts_at", _("Say when."))
        field = typed.get("battlefield")
        self.check_options(field.text if field else None)
        return typed

    def terms(self) -> Tournament:
        """What was filled in, as terms to announce."""
        typed = self.cleaned_data
        is_honour = typed["type"] == Terms.Type.HONOUR
        copied = ("type", "name", "battlefield", "pace", "access", "fee_kind", "key",
                  "reputation_least", "reputation_most", "chests", "wealth_is_public",
                  "shows_ready")  # fmt: skip
        return Tournament(
            **{name: typed[name] for name in copied},
            fee=typed["fee"] or 0,
            game=GAME,
            seats_least=typed["seats_least"] or 2,
            stake=(typed["stake"] or 0) if is_honour else 0,
            turn_seconds=self._turn_seconds(),
            options=self.chosen_options(),
        )

    def _turn_seconds(self) -> int:
        typed = self.cleaned_data
        if typed["pace"] == Terms.Pace.SLOW:
            return (typed["slow_hours"] or 0) * 3600
        return typed["live_seconds"] or 0

    def starts(self) -> datetime | None:
        """When it begins at the latest; None if it waits for all seats."""
        typed = self.cleaned_data
        return typed["starts_at"].replace(tzinfo=UTC) if typed["begins"] == "at" else None

    def chosen_bots(self) -> str:
        """The bots that fill free seats, where there can be any."""
        typed = self.cleaned_data
        fits = typed["type"] == Terms.Type.TRAINING and typed["begins"] == "at"
        return typed["bots"] if fits else ""

    def refuse(self, unfit: UnfitTerms) -> None:
        """Put a refusal at the field that it is about."""
        paces = {Terms.Pace.LIVE: "live_seconds", Terms.Pace.SLOW: "slow_hours"}
        field = unfit.field
        if field == "turn_seconds":
            field = paces[Terms.Pace(self.cleaned_data["pace"])]
        self.add_error(field if field in self.fields else None, str(unfit))


class EnterForm(forms.Form):
    """Whom to send, and what to put into the chest."""

    emperor = forms.ModelChoiceField(
        label=_("Whom you send"), queryset=Emperor.objects.none(), empty_label=None
    )
    chest = forms.IntegerField(label=_("Copper coins in your chest"))

    def __init__(self, *args: Any, tournament: Tournament, emperors: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        chosen = self.fields["emperor"]
        chosen.queryset = emperors  # type: ignore[attr-defined]
        chosen.label_from_instance = _emperor_label  # type: ignore[attr-defined]
        if tournament.chests:
            numbers = charter()
            self.fields["chest"] = forms.IntegerField(
                label=_("Copper coins in your chest"),
                min_value=numbers.chest_least,
                max_value=numbers.chest_most,
                initial=numbers.chest_least,
                help_text=_("Nobody else ever learns how many, unless the chest is captured."),
            )
        else:
            del self.fields["chest"]


def _emperor_label(emperor: Emperor) -> str:
    return f"{emperor.full_name} ({emperor.reputation})"


class InviteForm(forms.Form):
    """Whom the host invites."""

    invited = Names(label=_("Dynasties to invite"), help_text=_("Their names, one a line."))


class FilterForm(forms.Form):
    """Which tournaments of a list."""

    type = forms.ChoiceField(
        label=_("Type"), required=False, choices=[("", _("any")), *Terms.Type.choices]
    )
    pace = forms.ChoiceField(
        label=_("Pace"), required=False, choices=[("", _("any")), *Terms.Pace.choices]
    )

    def chosen(self) -> dict[str, str]:
        """What is chosen; what can't be read chooses nothing."""
        self.is_valid()
        typed = self.cleaned_data
        return {"type_": typed.get("type", ""), "pace": typed.get("pace", "")}
