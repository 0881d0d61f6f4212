from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dynasties.chronicle.facts import Ref, Subject
from dynasties.chronicle.kinds import Telling, telling
from dynasties.chronicle.selectors import Wanted, find_subjects, name_of, parse_subject

LONGEST_QUERY = 60


def day_field(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


class FilterForm(forms.Form):
    """Which entries a reader asks for; also what the address of the page may say.

    `about` names a subject by number (`dynasty-7`). A name typed into `who` becomes one, if
    it can mean only one; else `choices` holds all whom it may mean.
    """

    about = forms.CharField(required=False, widget=forms.HiddenInput)
    who = forms.CharField(
        label=_("About whom"),
        required=False,
        max_length=LONGEST_QUERY,
        widget=forms.TextInput(attrs={"autocomplete": "off", "type": "search"}),
    )
    kind = forms.ChoiceField()
    since = day_field(_("From the day"))
    until = day_field(_("To the day"))

    def __init__(self, data: Any, *, tellings: Sequence[Telling]) -> None:
        super().__init__(data)
        self.name: str | None = None
        self.choices: list[Ref] = []
        titles = sorted(((each.kind, str(each.title)) for each in tellings), key=lambda it: it[1])
        self.fields["kind"] = forms.ChoiceField(
            label=_("What"), required=False, choices=[("", _("Everything")), *titles]
        )

    def clean_about(self) -> Subject | None:
        text = self.cleaned_data["about"]
        subject = parse_subject(text) if text else None
        self.name = name_of(subject) if subject else None
        if text and self.name is None:
            raise ValidationError(_("The chronicle knows nobody like this."))
        return subject

    def clean(self) -> dict[str, Any]:
        who = self.cleaned_data.get("who", "").strip()
        if who and who != self.name:
            self._resolve(who)
        elif "who" in self.data and not who:
            self.cleaned_data["about"] = None
        self._check_days()
        return self.cleaned_data

    @property
    def kind_title(self) -> str:
        """What the chosen kind is called; "" for all kinds."""
        kind = self.cleaned_data.get("kind")
        return str(telling(kind).title) if kind else ""

    @property
    def wanted(self) -> Wanted:
        """What a valid form asks for."""
        data = self.cleaned_data
        return Wanted(
            about=data.get("about"),
            kind=data.get("kind", ""),
            since=_moment(data.get("since"), time.min),
            until=_moment(data.get("until"), time.max),
        )

    def address(self, **other: Any) -> str:
        """The query of a page with this filter, changed by `other`; "" for none at all."""
        asked = {name: self.cleaned_data.get(name) for name in ("about", "kind", "since", "until")}
        return urlencode({name: str(value) for name, value in (asked | other).items() if value})

    def _resolve(self, who: str) -> None:
        found = find_subjects(who)
        if not found:
            self.add_error("who", _("The chronicle knows nobody who is called anything like this."))
        elif len(found) == 1:
            self.cleaned_data["about"] = found[0].who
        else:
            self.choices = found

    def _check_days(self) -> None:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day is before the first one."))


def _moment(day: date | None, clock: time) -> datetime | None:
    """The first or last moment of one of the world's days."""
    return datetime.combine(day, clock, tzinfo=UTC) if day else None
