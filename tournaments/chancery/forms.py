"""What officials fill in: an announcement of the crown, and reasons."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import arena
from tournaments.announcements.forms import TERMS, TermsForm
from tournaments.announcements.models import Terms, Tournament
from tournaments.pages.forms import Names


class AnnouncementForm(TermsForm):
    """A tournament of the crown that is announced now. `form_key`: sent twice, it is one."""

    form_key = forms.UUIDField(widget=forms.HiddenInput)
    invited = Names(
        label=gettext_lazy("Invited dynasties"),
        required=False,
        help_text=gettext_lazy("Their names, one a line, where not everyone may enter."),
    )
    bots = forms.ChoiceField(
        label=gettext_lazy("Bots fill free seats"),
        required=False,
        help_text=gettext_lazy("In training only, when it starts at a time."),
    )

    class Meta:
        model = Tournament
        fields = (*TERMS, "opens_at", "starts_at", "bots")

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        bots = cast(forms.ChoiceField, self.fields["bots"])
        bots.choices = [("", _("no bots")), *((level, level) for level in arena.BOTS)]
        self.fields["opens_at"].required = False
        self.fields["opens_at"].help_text = _("Empty: at once.")
        self.initial["opens_at"] = None

    def clean(self) -> dict[str, Any]:
        typed = super().clean()
        if typed.get("bots") and typed.get("type") != Terms.Type.TRAINING:
            self.add_error("bots", _("Bots play in training only."))
        return typed


class ReasonForm(forms.Form):
    """Why an official steps in."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        help_text=gettext_lazy("It stays in the history of this page, for the chancery alone."),
        widget=forms.TextInput(attrs={"size": 80, "autocomplete": "off"}),
    )
