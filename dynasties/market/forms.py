from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import QuerySet
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from dynasties.houses.models import Dynasty
from dynasties.houses.names import LONGEST_NAME, name_key
from dynasties.market import errors
from dynasties.market.crown import MOST_AT_ONCE
from dynasties.market.selectors import MOST_OF_A_KIND
from dynasties.treasury.models import Kind

USUAL_DAYS = 7


class KeyField(forms.UUIDField):
    """Names a request, so that a second click or a retry of the browser acts once."""

    def __init__(self) -> None:
        super().__init__(initial=uuid4, widget=forms.HiddenInput)


class AmountField(forms.IntegerField):
    """So much of a kind, or nothing."""

    def __init__(self, label: str) -> None:
        super().__init__(label=label, required=False, min_value=0, max_value=MOST_OF_A_KIND)


class KindField(forms.ChoiceField):
    """One kind of wealth, in addresses by its code; see `KindsForm`."""

    def __init__(self, *, label: Any, empty_label: Any = None) -> None:
        super().__init__(label=label, required=empty_label is None)
        self.empty = [] if empty_label is None else [("", empty_label)]
        self.kinds: dict[str, Kind] = {}

    def offer(self, kinds: Iterable[Kind]) -> None:
        """Let these be chosen."""
        self.kinds = {kind.code: kind for kind in kinds}
        self.choices = [*self.empty, *((kind.code, kind.name) for kind in kinds)]

    def clean(self, value: Any) -> Kind | None:
        return self.kinds.get(super().clean(value))


class KindsForm(forms.Form):
    """A form whose fields all choose among the same kinds, which are fetched once."""

    def __init__(self, *args: Any, kinds: QuerySet[Kind], **options: Any) -> None:
        super().__init__(*args, **options)
        fetched = list(kinds)
        for field in self.fields.values():
            if isinstance(field, KindField):
                field.offer(fetched)


class Row(NamedTuple):
    """A line of the form of an offer."""

    kind: Kind
    owned: int
    gives: BoundField
    wants: BoundField


class OfferForm(forms.Form):
    """An offer: two amounts for every kind of wealth, what is given and what is wanted."""

    to = forms.CharField(
        label=_("To which dynasty"),
        required=False,
        max_length=LONGEST_NAME,
        validators=[ProhibitNullCharactersValidator()],
        help_text=_("Its name. Leave it empty to offer it to whoever comes first."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(label=_("For how many days"), min_value=1)
    key = KeyField()

    def __init__(
        self, *args: Any, maker: Dynasty, owned: Mapping[Kind, int], most_days: int, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.maker, self.owned, self.kinds = maker, owned, list(Kind.objects.all())
        self.fields["days"] = forms.IntegerField(
            label=_("For how many days"),
            min_value=1,
            max_value=most_days,
            initial=min(USUAL_DAYS, most_days),
            help_text=_("Then what you give comes back to you. You may withdraw it earlier."),
        )
        for kind in self.kinds:
            names = {"kind": kind.name}
            self.fields[f"gives_{kind.code}"] = AmountField(_("You give: %(kind)s") % names)
            self.fields[f"wants_{kind.code}"] = AmountField(_("You want: %(kind)s") % names)

    def rows(self) -> Iterator[Row]:
        """The two amounts of each kind, and how much of it there is."""
        for kind in self.kinds:
            gives, wants = self[f"gives_{kind.code}"], self[f"wants_{kind.code}"]
            yield Row(kind, self.owned.get(kind, 0), gives, wants)

    def clean_to(self) -> Dynasty | None:
        name = self.cleaned_data["to"]
        if not name:
            return None
        dynasty = Dynasty.objects.public().filter(name_key=name_key(name)).first()
        if dynasty is None:
            raise ValidationError(_("No dynasty bears this name."))
        if dynasty == self.maker or dynasty.fallen_at:
            raise ValidationError(str(errors.UnfitAddressee()))
        return dynasty

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        typed["gives"], typed["wants"] = self._side("gives"), self._side("wants")
        typed["lasts"] = timedelta(days=typed.get("days") or 1)
        if not self.errors and not (typed["gives"] or typed["wants"]):
            raise ValidationError(str(errors.EmptyOffer()))
        return typed

    def _side(self, side: str) -> dict[Kind, int]:
        amounts = {kind: self.cleaned_data.get(f"{side}_{kind.code}") for kind in self.kinds}
        return {kind: amount for kind, amount in amounts.items() if amount}


class FilterForm(KindsForm):
    """Which of the offers to all: those that give, or want, a kind."""

    gives = KindField(label=_("That give"), empty_label=_("anything"))
    wants = KindField(label=_("That want"), empty_label=_("anything"))

    def chosen(self) -> dict[str, Kind | None]:
        """The kinds chosen; what can't be read chooses nothing."""
        self.is_valid()
        return {name: self.cleaned_data.get(name) for name in ("gives", "wants")}


class BuyForm(forms.Form):
    """How many of a ware, at the price that was shown."""

    count = forms.IntegerField(label=_("How many"), min_value=1, max_value=MOST_AT_ONCE, initial=1)
    price = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    key = KeyField()


class QuoteForm(KindsForm):
    """What to get from the mint, and what to pay with."""

    count = forms.IntegerField(
        label=_("How many you want"), min_value=1, max_value=MOST_OF_A_KIND, initial=1
    )
    get = KindField(label=_("Of what"))
    pay = KindField(label=_("Paid in"))


class ExchangeForm(QuoteForm):
    """The same, confirmed at the price that was shown."""

    price = forms.IntegerField(min_value=1)
    key = KeyField()
