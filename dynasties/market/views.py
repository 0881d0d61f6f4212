from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from dynasties.charter.selectors import charter
from dynasties.houses.models import Dynasty
from dynasties.houses.selectors import dynasty_of
from dynasties.market import crown, selectors, services
from dynasties.market.errors import Refused
from dynasties.market.forms import BuyForm, ExchangeForm, FilterForm, OfferForm, QuoteForm
from dynasties.market.models import Offer
from dynasties.treasury.models import Kind
from dynasties.treasury.selectors import wealth_of
from dynasties.treasury.services import KeyReused, NotEnough

OFFERS_A_PAGE = 20
REFUSALS = (Refused, NotEnough, KeyReused)

takes_forms = require_http_methods(["GET", "HEAD", "POST"])


# --- The market ----------------------------------------------------------------------


@never_cache
@require_safe
def market(request: HttpRequest) -> HttpResponse:
    """The crown's shop and the offers to all; on top, the offers to the player alone."""
    trader = dynasty_of(request.user)
    filters = FilterForm(request.GET, kinds=Kind.objects.all())
    found = selectors.offers_to_all(**filters.chosen())
    context = {
        "trader": trader,
        "wares": selectors.wares_on_sale(),
        "to_me": selectors.offers_to(trader) if trader else (),
        "filters": filters,
        "page_obj": Paginator(found, OFFERS_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "market/market.html", context)


@login_required
@never_cache
@require_safe
def own_market(request: HttpRequest) -> HttpResponse:
    """What the player offers, and what became of earlier offers."""
    trader = dynasty_of(request.user)
    if trader is None:
        return render(request, "market/no_dynasty.html")
    context = {
        "trader": trader,
        "open_offers": selectors.open_offers_of(trader),
        "to_me": selectors.offers_to(trader),
        "page_obj": Paginator(selectors.trades_of(trader), OFFERS_A_PAGE).get_page(
            request.GET.get("page")
        ),
    }
    return render(request, "market/own.html", context)


# --- The shop ------------------------------------------------------------------------


@never_cache
@takes_forms
def ware(request: HttpRequest, code: str) -> HttpResponse:
    """One ware of the crown, where it is bought."""
    sold = get_object_or_404(selectors.wares_on_sale(), item__code=code)
    trader = dynasty_of(request.user)
    if request.method == "POST" and trader is None:
        return _send_away(request)
    form = BuyForm(request.POST or None, initial={"price": sold.price})
    if trader and request.method == "POST" and form.is_valid():
        return _buy(request, trader, sold, form.cleaned_data)
    owned = wealth_of(trader) if trader else {}
    context = {
        "ware": sold,
        "trader": trader,
        "form": form,
        "purse": owned.get(sold.coin, 0),
        "stock": owned.get(sold.item, 0),
    }
    return render(request, "market/ware.html", context)


def _buy(request: HttpRequest, trader: Dynasty, sold: Any, order: dict[str, Any]) -> HttpResponse:
    try:
        crown.buy_ware(dynasty=trader, ware=sold, **order)
    except REFUSALS as refusal:
        messages.error(request, words_of(refusal))
        return redirect(sold)
    messages.success(request, _("Bought, and delivered to your treasury."))
    return redirect("market")


# --- Offers --------------------------------------------------------------------------


@login_required
@never_cache
@takes_forms
def new_offer(request: HttpRequest) -> HttpResponse:
    """Where an offer is made."""
    trader = dynasty_of(request.user)
    if trader is None:
        return render(request, "market/no_dynasty.html")
    days = charter().offer_days
    form = OfferForm(
        request.POST if request.method == "POST" else None,
        initial={"to": request.GET.get("to", "").replace("\0", "")},
        maker=trader,
        owned=wealth_of(trader),
        most_days=days,
    )
    if request.method == "POST" and form.is_valid():
        made = _make(request, trader, form)
        if made is not None:
            return redirect(made)
    return render(request, "market/new_offer.html", {"form": form, "trader": trader, "days": days})


def _make(request: HttpRequest, trader: Dynasty, form: OfferForm) -> Offer | None:
    """The offer made; None, with the reason in the form, if it can't be."""
    terms = {name: form.cleaned_data[name] for name in ("gives", "wants", "to", "lasts", "key")}
    try:
        made = services.make_offer(dynasty=trader, **terms)
    except REFUSALS as refusal:
        form.add_error(None, words_of(refusal))
        return None
    messages.success(request, _("Your offer is made."))
    return made


@never_cache
@require_safe
def offer(request: HttpRequest, code: UUID) -> HttpResponse:
    """One offer, for those who may know of it."""
    trader = dynasty_of(request.user)
    found = selectors.find_offer(code=code, reader=trader)
    if found is None:
        return _gone(request, code)
    return render(request, "market/offer.html", _told(found, trader))


@login_required
@never_cache
@takes_forms
def accept(request: HttpRequest, code: UUID) -> HttpResponse:
    """Asks once more, then accepts."""
    trader = dynasty_of(request.user)
    if trader is None:
        return render(request, "market/no_dynasty.html")
    found = selectors.find_offer(code=code, reader=trader)
    if found is None:
        return _gone(request, code)
    if request.method == "POST":
        return _accept(request, trader, found)
    if found.state != Offer.State.OPEN or found.maker == trader:
        return redirect(found)
    return render(request, "market/accept.html", _told(found, trader))


def _accept(request: HttpRequest, trader: Dynasty, found: Offer) -> HttpResponse:
    try:
        services.accept_offer(offer=found, dynasty=trader)
    except REFUSALS as refusal:
        messages.error(request, words_of(refusal))
    else:
        messages.success(request, _("The trade is made."))
    return redirect(found)


@login_required
@never_cache
@takes_forms
def withdraw(request: HttpRequest, code: UUID) -> HttpResponse:
    """Asks once more, then withdraws."""
    trader = dynasty_of(request.user)
    found = selectors.find_offer(code=code, reader=trader)
    if found is None or trader is None:
        return _gone(request, code)
    if request.method == "POST":
        return _withdraw(request, trader, found)
    if found.state != Offer.State.OPEN or found.maker != trader:
        return redirect(found)
    return render(request, "market/withdraw.html", _told(found, trader))


def _withdraw(request: HttpRequest, trader: Dynasty, found: Offer) -> HttpResponse:
    try:
        services.withdraw_offer(offer=found, dynasty=trader)
    except REFUSALS as refusal:
        messages.error(request, words_of(refusal))
    else:
        messages.success(request, _("Your offer is over. What it gave is back in your treasury."))
    return redirect(found)


def _told(found: Offer, trader: Dynasty | None) -> dict[str, Any]:
    """What the pages of an offer need."""
    owned = wealth_of(trader) if trader else {}
    return {
        "offer": found,
        "trader": trader,
        "is_own": trader is not None and found.maker == trader,
        "lacking": [part for part in found.wants if owned.get(part.kind, 0) < part.amount],
    }


def _gone(request: HttpRequest, code: UUID) -> HttpResponse:
    """Too late for an offer to all; any other is as if it had never been."""
    if not selectors.was_open_to_all(code=code):
        raise Http404
    return render(request, "market/gone.html", status=410)


# --- The mint ------------------------------------------------------------------------


@never_cache
@takes_forms
def mint(request: HttpRequest) -> HttpResponse:
    """The mint values; one asks what something costs, and then confirms that price."""
    trader = dynasty_of(request.user)
    if request.method == "POST":
        return _exchange(request, trader) if trader else _send_away(request)
    kinds = selectors.exchanged_kinds()
    form = QuoteForm(request.GET if "get" in request.GET else None, kinds=kinds)
    owned = wealth_of(trader) if trader else {}
    context = {
        "trader": trader,
        "form": form,
        "quote": _quote(form),
        "key": uuid4(),
        "rows": [(kind, owned.get(kind, 0)) for kind in kinds],
        "fee": charter().mint_fee_percent,
    }
    return render(request, "market/mint.html", context)


def _quote(form: QuoteForm) -> selectors.Quote | None:
    if not (form.is_bound and form.is_valid()):
        return None
    try:
        return selectors.quote(**form.cleaned_data)
    except Refused as refusal:
        form.add_error(None, words_of(refusal))
        return None


def _exchange(request: HttpRequest, trader: Dynasty) -> HttpResponse:
    form = ExchangeForm(request.POST, kinds=selectors.exchanged_kinds())
    if not form.is_valid():
        return redirect("mint")
    order = form.cleaned_data
    try:
        crown.exchange(dynasty=trader, **order)
    except REFUSALS as refusal:
        messages.error(request, words_of(refusal))
        again = {"count": order["count"], "get": order["get"].code, "pay": order["pay"].code}
        return redirect(f"{reverse('mint')}?{urlencode(again)}")
    messages.success(request, _("Exchanged. The mint has paid into your treasury."))
    return redirect("mint")


# --- Words ---------------------------------------------------------------------------


def words_of(refusal: Exception) -> str:
    """Why the market refuses, in the player's language."""
    if isinstance(refusal, NotEnough):
        words = ngettext(
            "You have too little: %(short)d × %(kind)s is missing.",
            "You have too little: %(short)d × %(kind)s are missing.",
            refusal.short,
        )
        return words % {"short": refusal.short, "kind": refusal.kind.name}
    if isinstance(refusal, KeyReused):
        return _("This form was sent before, for something else. Open the page again.")
    return str(refusal)


def _send_away(request: HttpRequest) -> HttpResponse:
    """Who has no dynasty logs in, or is told what to do."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return render(request, "market/no_dynasty.html")
