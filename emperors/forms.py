from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from emperors.models import LONGEST_NAME
from emperors.names import clean_emperor_name


class FoundingForm(forms.Form):
    """The name of an emperor to be born."""

    name = forms.CharField(
        label=_("Name of the emperor"),
        help_text=_("2 to 30 letters of one alphabet. His number is given to him."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": LONGEST_NAME}),
    )

    def clean_name(self) -> str:
        return clean_emperor_name(self.cleaned_data["name"])


class CorrectionForm(forms.Form):
    """A change of reputation by hand, with its reason and a key that makes it happen once."""

    change = forms.IntegerField(
        label=pgettext_lazy("of a figure", "Change"),
        min_value=-1_000_000,
        max_value=1_000_000,
        help_text=_("Points to give, or with a minus to take. Nobody falls below 0."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        min_length=10,
        max_length=200,
        help_text=_("For the chancery's own records; the chronicle says that it was a correction."),
    )

    # It comes back with the form: sent twice, it is one correction.
    key = forms.UUIDField(widget=forms.HiddenInput)

    def clean_change(self) -> int:
        change: int = self.cleaned_data["change"]
        if not change:
            raise forms.ValidationError(_("Nothing would change."), code="nothing")
        return change
