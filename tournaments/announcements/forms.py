"""The terms of a tournament as a form for the crown's tournament makers."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dynasties.charter.selectors import charter
from dynasties.treasury.models import Kind
from tournaments import arena
from tournaments.announcements.models import Template, Terms
from tournaments.announcements.option_words import game_words
from tournaments.announcements.options_form import OptionsForm, option_fields
from tournaments.announcements.terms import MOST_OF_A_PRIZE, check_terms, read_options
from tournaments.errors import Poor, Refused, UnfitTerms

PRIZE = "prize_of_"
SLOW_TURN = 24 * 3600
TERMS = (
    "name", "type", "game", "battlefield", "seats_least", "pace", "turn_seconds", "access",
    "stake", "prize_reputation", "fee_kind", "fee", "key", "reputation_least", "reputation_most",
    "reputation_a_capture", "reputation_a_treasure", "chests", "wealth_is_public", "shows_ready",
)  # fmt: skip
# Numbers that may be left empty: the charter says some of them, and the others are none.
LEFT_OPEN = (
    "stake", "prize_reputation", "turn_seconds", "fee", "reputation_a_capture",
    "reputation_a_treasure",
)  # fmt: skip


class TermsForm(OptionsForm, forms.ModelForm):
    """Terms that can be announced: judged as a whole, each error at its field.

    What is left empty the charter says: the stake of honour, a gift, the length of a turn.
    Use it through `terms_form`, which adds the fields that depend on the game and on the kinds
    of wealth there are.
    """

    game = forms.ChoiceField(label=gettext_lazy("Game"))

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        games = cast(forms.ChoiceField, self.fields["game"])
        games.choices = [(key, game_words(key)) for key in arena.game_keys()]
        given: dict[str, Any] = settings.get("initial") or {}
        terms: Terms = self.instance
        self.show_options(self.game_key, given.get("options") or terms.options)
        prize = given.get("prize_wealth") or terms.prize_wealth
        self.initial.update({f"{PRIZE}{kind}": amount for kind, amount in prize.items()})
        if terms._state.adding:
            self.initial.update({name: given.get(name) for name in LEFT_OPEN})
        self._leave_open()

    def _leave_open(self) -> None:
        numbers = charter()
        usual = {
            "stake": numbers.honour_stake,
            "prize_reputation": numbers.gift_reputation,
            "turn_seconds": numbers.live_turn_seconds,
        }
        for name in LEFT_OPEN:
            self.fields[name].required = False
        for name, number in usual.items():
            words = _("Empty: %(number)d, as the charter says.") % {"number": number}
            self.fields[name].help_text = f"{self.fields[name].help_text} {words}"

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        self.cleaned_data = typed
        wealth = self._prize()
        for name in LEFT_OPEN:
            if name in typed and typed[name] is None:
                typed[name] = _usual(name, typed, has_wealth=bool(wealth))
        return typed

    def _prize(self) -> dict[str, int]:
        amounts = {
            name.removeprefix(PRIZE): amount
            for name, amount in self.cleaned_data.items()
            if name.startswith(PRIZE)
        }
        return {kind: amount for kind, amount in amounts.items() if amount}

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        self.instance.options = self.chosen_options()
        self.instance.prize_wealth = self._prize()
        if not self.errors:
            field = self.instance.battlefield
            self.check_options(field.text if field else None)
        if not self.errors:
            self._judge()

    def _judge(self) -> None:
        try:
            options = read_options(self.instance)
            check_terms(self.instance, arena.seats_under(self.instance.game, options))
        except UnfitTerms as unfit:
            self.refuse(unfit)

    def refuse(self, refusal: Refused) -> None:
        """Put a refusal at the field that it is about."""
        if isinstance(refusal, Poor):
            words = _("The crown lacks %(short)d of it: %(kind)s. Let the mint pay it first.")
            self.add_error("prize_reputation", words % refusal.facts)
            return
        field = getattr(refusal, "field", None)
        prizes = [name for name in self.fields if name.startswith(PRIZE)]
        field = prizes[0] if field == "prize_wealth" and prizes else field
        self.add_error(field if field in self.fields else None, str(refusal))


def _usual(name: str, typed: dict[str, Any], *, has_wealth: bool) -> int:
    """What holds where nothing was said."""
    numbers = charter()
    if name == "turn_seconds":
        return SLOW_TURN if typed.get("pace") == Terms.Pace.SLOW else numbers.live_turn_seconds
    if name == "stake" and typed.get("type") == Terms.Type.HONOUR:
        return numbers.honour_stake
    if name == "prize_reputation" and typed.get("type") == Terms.Type.GIFT and not has_wealth:
        return numbers.gift_reputation
    return 0


def terms_form(form: type[TermsForm], game: str) -> type[TermsForm]:
    """The form with the options of a game, and an amount of a prize for every kind of wealth."""
    options = option_fields(game, leave_out=form.leave_out)
    return type(form.__name__, (form,), {**options, **prize_fields(), "game_key": game})


def prize_fields() -> dict[str, forms.Field]:
    """How much of each kind of wealth the crown gives."""
    return {
        f"{PRIZE}{kind.code}": forms.IntegerField(
            label=kind.name, required=False, min_value=0, max_value=MOST_OF_A_PRIZE
        )
        for kind in Kind.objects.all()
    }


class TemplateForm(TermsForm):
    class Meta:
        model = Template
        fields = (*TERMS, "every_minutes", "entries_minutes", "next_at", "is_active")
