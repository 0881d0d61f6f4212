from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.handlers.asgi import ASGIRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dynasties.houses.selectors import dynasty_of
from dynasties.treasury.forms import StatementForm
from dynasties.treasury.selectors import statement, wealth_of
from dynasties.treasury.statement import CsvStatement, lines_of

LINES_A_PAGE = 50


@login_required
@never_cache
@require_safe
def treasury(request: HttpRequest) -> HttpResponse:
    """What the player's dynasty owns, and every movement of it."""
    house = dynasty_of(request.user)
    if house is None:
        return render(request, "houses/no_dynasty.html")
    form = StatementForm(request.GET, dynasty=house)
    pages = Paginator(statement(house, form.chosen()), LINES_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    owned = wealth_of(house)
    context = {
        "dynasty": house,
        "form": form,
        "owned": owned.items(),
        "worth": sum(amount * (each.mint_value or 0) for each, amount in owned.items()),
        "page_obj": page,
        "lines": lines_of(page.object_list),
    }
    return render(request, "treasury/treasury.html", context)


@login_required
@never_cache
@require_safe
def treasury_csv(request: HttpRequest) -> HttpResponseBase:
    """The same statement for a spreadsheet; with filters that can't be read, the page says so."""
    house = dynasty_of(request.user)
    if house is None:
        raise Http404
    form = StatementForm(request.GET, dynasty=house)
    if not form.is_valid():
        return redirect(f"{reverse('treasury')}?{request.GET.urlencode()}")
    written = CsvStatement(house, form.chosen(), get_language() or settings.LANGUAGE_CODE)
    is_async = isinstance(request, ASGIRequest)
    answer = StreamingHttpResponse(
        written.chunks_one_by_one() if is_async else written.chunks(),
        content_type="text/csv; charset=utf-8",
    )
    answer["Content-Disposition"] = 'attachment; filename="treasury.csv"'
    return answer
