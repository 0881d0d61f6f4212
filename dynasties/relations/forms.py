from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dynasties.houses.models import Dynasty
from dynasties.houses.names import LONGEST_NAME, name_key


class BlockForm(forms.Form):
    """Whom to block, by name."""

    name = forms.CharField(
        label=_("Which dynasty"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_name(self) -> Any:
        key = name_key(self.cleaned_data["name"])
        found = Dynasty.objects.public().filter(name_key=key, fallen_at=None).first()
        if found is None:
            raise ValidationError(_("No dynasty bears this name."))
        return found
