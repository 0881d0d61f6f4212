from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.chat.models import Room
from tournaments.chat.wording import LONGEST_LINE


class LineForm(forms.Form):
    """Which line is meant, and for a report, why."""

    room = forms.ChoiceField(choices=Room.Name.choices, widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)
    why = forms.CharField(
        label=_("What is wrong with it"),
        required=False,
        max_length=LONGEST_LINE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The moderators see the lines around it, too."),
    )

    def named(self) -> dict[str, Any]:
        """Room and number, as services ask for them."""
        return {name: self.cleaned_data[name] for name in ("room", "number")}
