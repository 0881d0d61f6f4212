from datetime import date
from itertools import groupby
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dynasties.chronicle.forms import FilterForm
from dynasties.chronicle.kinds import all_tellings, subject_named
from dynasties.chronicle.rendering import Line, tell
from dynasties.chronicle.selectors import Place, Stretch, find_place, read, read_as_owner
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import dynasty_of

DAYS = list[tuple[date, list[Line]]]
PLACES = ("before", "after", "from")


@require_safe
def chronicle(request: HttpRequest) -> HttpResponse:
    """What the world knows, newest first, a stretch at a time."""
    form = FilterForm(request.GET, tellings=all_tellings(private=False))
    if elsewhere := _tidy(request, form):
        return redirect(elsewhere)
    stretch = Stretch([])
    if _is_clear(form):
        before, after = _places(request, reader=None)
        stretch = read(form.wanted, before=before, after=after)
    context = _context(request, form, stretch)
    feed = form.address(since=None, until=None, lang=get_language())
    context["feed"] = f"{reverse('chronicle_feed')}?{feed}"
    return render(request, "chronicle/chronicle.html", context)


@login_required
@never_cache
@require_safe
def palace_chronicle(request: HttpRequest) -> HttpResponse:
    """The player's own chronicle: what the world knows of the dynasty, and what it doesn't."""
    house = dynasty_of(request.user)
    if house is None:
        return render(request, "houses/no_dynasty.html")
    form = FilterForm(request.GET, tellings=all_tellings())
    if elsewhere := _tidy(request, form):
        return redirect(elsewhere)
    stretch = Stretch([])
    if _is_clear(form):
        before, after = _places(request, reader=house)
        stretch = read_as_owner(house, form.wanted, before=before, after=after)
    context = {"dynasty": house, **_context(request, form, stretch)}
    return render(request, "chronicle/palace.html", context)


def _tidy(request: HttpRequest, form: FilterForm) -> str | None:
    """Where a form that was just sent leads to: the address that says the same in short.

    Raises Http404 for an address that names somebody who is not there.
    """
    form.is_valid()
    if form.has_error("about"):
        raise Http404
    if "who" not in request.GET or not _is_clear(form):
        return None
    address = form.address()
    return f"{request.path}?{address}" if address else request.path


def _is_clear(form: FilterForm) -> bool:
    return form.is_valid() and not form.choices


def _places(request: HttpRequest, *, reader: Dynasty | None) -> tuple[Place | None, Place | None]:
    """Where to read on: before a place or after it; `from` is before it and with it."""
    before, after, since = (find_place(request.GET.get(name, ""), reader=reader) for name in PLACES)
    return before or (since and since.just_after), after


def _context(request: HttpRequest, form: FilterForm, stretch: Stretch) -> dict[str, Any]:
    if form.name and "who" not in request.GET:
        form.data = {**request.GET.dict(), "who": form.name}
    return {
        "form": form,
        "days": _days(tell(stretch.entries)),
        "newer": form.address(after=stretch.newer) if stretch.newer else "",
        "older": form.address(before=stretch.older) if stretch.older else "",
        "is_clear": _is_clear(form),
        "is_filtered": bool(form.address()) and _is_clear(form),
        "is_latest": not (set(PLACES) & set(request.GET)),
        "choices": [
            (ref, subject_named(ref.subject).title, form.address(about=ref.who))
            for ref in form.choices
        ],
    }


def _days(lines: list[Line]) -> DAYS:
    """The lines under the days of the world, which are UTC's."""
    return [(day, list(of_day)) for day, of_day in groupby(lines, key=lambda it: it.at.date())]
