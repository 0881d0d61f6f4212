from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from dynasties.chronicle.rendering import tell
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import dynasty_of, find_dynasty
from emperors import selectors
from emperors.charts import draw
from emperors.forms import FoundingForm
from emperors.models import Emperor
from emperors.services import (
    ElsewhereError,
    FallenError,
    HasteError,
    NotAliveError,
    OfAnotherError,
    found_emperor,
    let_die,
)

EMPERORS_A_PAGE = 50
CHAMPIONS_SHOWN = 8
CHAMPIONS_A_PAGE = 50
POINTS_A_PART = 1000
# More changes than these are in the data, not in the table.
CHANGES_SHOWN = 30


# --- The world --------------------------------------------------------------------------


@require_safe
def ranking(request: HttpRequest) -> HttpResponse:
    """Who stands where, a page at a time, and where the reader does."""
    asked = request.GET.get("after", "")
    after = selectors.Cursor.parse(asked)
    if asked and after is None:
        return redirect("ranking")
    house = dynasty_of(request.user)
    own = selectors.standing_of(house) if house else None
    context = {
        "ranking": selectors.ranking(after=after),
        "after": after,
        "champion": selectors.champion(),
        "champions": selectors.champions()[: CHAMPIONS_SHOWN + 1],
        "champions_shown": CHAMPIONS_SHOWN,
        "house": house,
        "standing": own,
        "place": selectors.place_of(own) if own else None,
    }
    return render(request, "emperors/ranking.html", context)


@require_safe
def champions(request: HttpRequest) -> HttpResponse:
    """Every reign of a champion."""
    pages = Paginator(selectors.champions(), CHAMPIONS_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(request, "emperors/champions.html", {"page_obj": page})


@require_safe
def lineage(request: HttpRequest, slug: str) -> HttpResponse:
    """Every emperor who ever was of a dynasty."""
    house = _public_house(slug)
    if house.slug != slug:
        return redirect("dynasty_emperors", house.slug)
    pages = Paginator(selectors.reigns_in(house), EMPERORS_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(request, "emperors/lineage.html", {"dynasty": house, "page_obj": page})


@require_safe
def emperor(request: HttpRequest, number: int, slug: str = "") -> HttpResponse:
    """The whole life of an emperor; another way to write the address leads to the right one."""
    him = _anybody(number)
    if slug != him.slug:
        return redirect(him)
    reigns, changes = selectors.reigns_of(him), selectors.curve_of(him)
    life = selectors.biography(him)
    context = {
        "emperor": him,
        "reigns": reigns,
        "chart": draw(changes, since=him.born_at, until=him.died_at or timezone.now()),
        "changes": changes[::-1][:CHANGES_SHOWN],
        "house": reigns[-1].dynasty,
        "lines": tell(life.entries),
        "has_more": life.older is not None,
        "is_own": him.dynasty is not None and him.dynasty.ruler_id == (request.user.pk or 0),
    }
    return render(request, "emperors/emperor.html", context)


# --- Reputation over time, as data --------------------------------------------------------


@require_safe
def dynasty_reputation(request: HttpRequest, slug: str) -> HttpResponse:
    """How the reputation of a dynasty changed."""
    house = _public_house(slug)
    here = reverse("dynasty_reputation", args=[house.slug])
    before = _number(request.GET.get("before", ""))
    changes = selectors.curve(house, before=before, limit=POINTS_A_PART)
    return _curve_as_data(changes, here, dynasty=house.name)


@require_safe
def emperor_reputation(request: HttpRequest, number: int) -> HttpResponse:
    """How the reputation of an emperor changed."""
    him = _anybody(number)
    here = reverse("emperor_reputation", args=[him.pk])
    before = _number(request.GET.get("before", ""))
    changes = selectors.curve_of(him, before=before, limit=POINTS_A_PART)
    return _curve_as_data(changes, here, emperor=him.full_name)


def _curve_as_data(changes: Sequence[Any], here: str, **whose: str) -> JsonResponse:
    points = [
        {
            "at": each.at.isoformat(),
            "reputation": each.after,
            "change": each.change,
            "reason": each.reason,
        }
        for each in changes
    ]
    more = len(changes) == POINTS_A_PART
    older = f"{here}?before={changes[0].pk}" if more else None
    return JsonResponse({**whose, "points": points, "older": older})


# --- The throne room of one's own palace ------------------------------------------------


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def throne_room(request: HttpRequest) -> HttpResponse:
    """The player's emperors, where new ones are founded."""
    house = dynasty_of(request.user)
    if house is None:
        return render(request, "houses/no_dynasty.html")
    form = FoundingForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _found(request, house, form):
        return redirect("throne_room")
    pages = Paginator(selectors.emperors_of(house), EMPERORS_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {"dynasty": house, "form": form, "page_obj": page}
    return render(request, "emperors/throne_room.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deathbed(request: HttpRequest, number: int) -> HttpResponse:
    """Let an emperor of one's own die; asked first, with what would be lost."""
    him = selectors.own_emperor(dynasty_of(request.user), number)
    if him is None:
        raise Http404
    if request.method == "POST":
        _let_die(request, him)
        return redirect("throne_room")
    return render(request, "emperors/deathbed.html", {"emperor": him})


def _found(request: HttpRequest, house: Dynasty, form: FoundingForm) -> bool:
    try:
        him = found_emperor(dynasty=house, name=form.cleaned_data["name"])
    except HasteError as haste:
        form.add_error(None, words_for_haste(haste))
    except FallenError:
        form.add_error(None, _("A fallen dynasty founds nobody any more."))
    else:
        messages.success(request, _("%(emperor)s is born.") % {"emperor": him.full_name})
        return True
    return False


def words_for_haste(haste: HasteError) -> str:
    """What a dynasty is told that founds too many."""
    if haste.span.days:
        words = ngettext(
            "Your heralds announce at most %(most)d birth a day. Go on tomorrow.",
            "Your heralds announce at most %(most)d births a day. Go on tomorrow.",
            haste.most,
        )
    else:
        words = ngettext(
            "Your heralds announce at most %(most)d birth a minute. Go on in a minute.",
            "Your heralds announce at most %(most)d births a minute. Go on in a minute.",
            haste.most,
        )
    return words % {"most": haste.most}


def _let_die(request: HttpRequest, him: Emperor) -> None:
    name, remembered = him.full_name, bool(him.battles)
    try:
        let_die(emperor=him)
    except ElsewhereError:
        text = _("%(emperor)s is not in the palace: he can't die there now.")
        messages.error(request, text % {"emperor": name})
    except (NotAliveError, OfAnotherError):
        messages.error(request, _("%(emperor)s is yours no more.") % {"emperor": name})
    else:
        fate = _("%(emperor)s is dead. The chronicle keeps his name.")
        oblivion = _("%(emperor)s is dead and forgotten.")
        messages.success(request, (fate if remembered else oblivion) % {"emperor": name})


# --- Who is asked for -------------------------------------------------------------------


def _public_house(slug: str) -> Dynasty:
    house = find_dynasty(slug=slug) if "\0" not in slug else None
    if house is None:
        raise Http404
    return house


def _anybody(number: int) -> Emperor:
    him = selectors.find_emperor(number)
    if him is None:
        raise Http404
    return him


def _number(text: str) -> int | None:
    """A number that somebody wrote into an address; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
