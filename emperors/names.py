"""What an emperor may be called. His regnal number is not his to choose."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dynasties.houses.names import clean_name
from emperors.models import LONGEST_NAME, roman

SHORTEST_NAME = 2
MOST_NUMERAL = 3999
_NUMERALS = {roman(number): number for number in range(1, MOST_NUMERAL + 1)}


def clean_emperor_name(text: str) -> str:
    """Return a name in the form in which it is kept, or raise ValidationError."""
    name = clean_name(text, shortest=SHORTEST_NAME, longest=LONGEST_NAME)
    _first, *others = name.split(" ")
    if others and others[-1].rstrip(".") in _NUMERALS:
        raise ValidationError(_("Leave the number out: the heralds give it to him."), code="number")
    return name


def split_number(text: str) -> tuple[str, int | None]:
    """A name as somebody looks for it, and the regnal number that he wrote after it, if any."""
    name, _space, last = text.strip().rpartition(" ")
    number = _NUMERALS.get(last.rstrip(".").upper()) if name else None
    return (name, number) if number else (text, None)
