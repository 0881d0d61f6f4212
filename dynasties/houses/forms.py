from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dynasties.houses.names import LONGEST_MOTTO, LONGEST_NAME, clean_motto, clean_name
from dynasties.houses.selectors import is_name_taken


def name_taken() -> ValidationError:
    """The error for a name that is borne by another dynasty, or looks like one that is."""
    return ValidationError(
        _("Another dynasty bears this name, or one that looks like it."), code="taken"
    )


class NameField(forms.CharField):
    """A name that a new dynasty may take, as far as can be known before it is founded."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Name of your dynasty"),
            help_text=_("3 to 40 letters of one alphabet. It can't be changed later."),
            widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": LONGEST_NAME}),
        )

    def clean(self, value: object) -> str:
        name = clean_name(super().clean(value))
        if is_name_taken(name):
            raise name_taken()
        return name


class MottoField(forms.CharField):
    """A motto, or nothing."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Motto"),
            required=False,
            help_text=_("What your shield says to the world. You may leave it empty."),
            widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": LONGEST_MOTTO}),
        )

    def clean(self, value: object) -> str:
        return clean_motto(super().clean(value))


class MottoForm(forms.Form):
    motto = MottoField()
