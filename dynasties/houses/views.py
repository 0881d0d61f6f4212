from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from dynasties.houses.forms import MottoForm
from dynasties.houses.selectors import dynasty_of, find_dynasties, find_dynasty
from dynasties.houses.services import change_motto

HOUSES_A_PAGE = 24
LONGEST_QUERY = 60


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def palace(request: HttpRequest) -> HttpResponse:
    """The player's own dynasty, where the motto is changed."""
    house = dynasty_of(request.user)
    if house is None:
        return render(request, "houses/no_dynasty.html")
    typed = request.POST if request.method == "POST" else None
    form = MottoForm(typed, initial={"motto": house.motto})
    if request.method == "POST" and form.is_valid():
        change_motto(dynasty=house, motto=form.cleaned_data["motto"])
        messages.success(request, _("Your shield bears its new motto."))
        return redirect("palace")
    return render(request, "houses/palace.html", {"dynasty": house, "form": form})


@require_safe
def dynasties(request: HttpRequest) -> HttpResponse:
    """All dynasties of the world, a page at a time."""
    query = request.GET.get("q", "")[:LONGEST_QUERY]
    pages = Paginator(find_dynasties(query=query), HOUSES_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(request, "houses/dynasties.html", {"page_obj": page, "q": query})


@require_safe
def dynasty(request: HttpRequest, slug: str) -> HttpResponse:
    """The public page of one dynasty. An unopened dynasty is as if it were not.

    Who wrote the address in another way is led to the right one.
    """
    if "\0" in slug:  # the database can't even be asked
        raise Http404
    house = find_dynasty(slug=slug)
    if house is None:
        raise Http404
    if house.slug != slug:
        return redirect(house)
    return render(request, "houses/dynasty.html", {"dynasty": house})
