from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Kind
from dynasties.treasury.reasons import reason_for
from dynasties.treasury.selectors import StatementFilter, reasons_met

# Days that every database and every timezone can count with.
DAYS = (MinValueValidator(date(2000, 1, 1)), MaxValueValidator(date(2999, 12, 31)))


class DayField(forms.DateField):
    def __init__(self, **options: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(
            required=False, widget=widget, input_formats=["%Y-%m-%d"], validators=DAYS, **options
        )


class StatementForm(forms.Form):
    """Which movements the owner wants to see: what can't be read is explained, and ignored."""

    kind = forms.ModelChoiceField(
        label=_("Kind"),
        queryset=Kind.objects.all(),
        to_field_name="code",
        required=False,
        empty_label=_("all"),
    )
    reason = forms.ChoiceField(label=_("Reason"), required=False)
    since = DayField(label=_("From"))
    until = DayField(label=_("To"))

    def __init__(self, data: Any, *, dynasty: Dynasty) -> None:
        super().__init__(data)
        reason = self.fields["reason"]
        assert isinstance(reason, forms.ChoiceField)  # noqa: S101 - for mypy
        known = [(code, reason_for(code).words) for code in reasons_met(dynasty)]
        reason.choices = [("", _("all")), *known]

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        since, until = found.get("since"), found.get("until")
        if since and until and since > until:
            self.add_error("until", _("This is before the first day."))
        return found

    @property
    def is_used(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def chosen(self) -> StatementFilter:
        """The filter, without what can't be read."""
        self.is_valid()
        found = self.cleaned_data
        until = found.get("until")
        return StatementFilter(
            kind=found.get("kind"),
            reason=found.get("reason") or None,
            since=_midnight(found.get("since")),
            until=_midnight(until + timedelta(days=1) if until else None),
        )


def _midnight(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None
