from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from dynasties.market.models import Offer, OfferPart, Ware, WarePrice
from dynasties.market.services import recall_offer
from dynasties.market.wares import add_ware, set_price
from dynasties.records import ReadOnlyAdmin, ReadOnlyInline


class WareForm(forms.ModelForm):
    """A ware, with the reason for a price that is new."""

    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=200,
        help_text=_("Needed for a new ware and for another price."),
    )

    class Meta:
        model = Ware
        fields = ("item", "price", "coin", "words_en", "words_es", "on_sale")

    @property
    def sets_price(self) -> bool:
        return self.instance.pk is None or not {"price", "coin"}.isdisjoint(self.changed_data)

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if self.sets_price and not (found.get("reason") or "").strip():
            self.add_error("reason", gettext("Say why: it stays in the history."))
        return found


class PriceInline(ReadOnlyInline):
    model = WarePrice
    fields = ("set_at", "before", "now", "reason", "author")
    readonly_fields = ("before", "now")
    verbose_name_plural = _("history of its price")

    def get_queryset(self, request: HttpRequest) -> QuerySet[WarePrice]:
        prices: QuerySet[WarePrice] = super().get_queryset(request)
        return prices.select_related("coin", "was_coin", "author")

    @admin.display(description=_("from"))
    def before(self, change: WarePrice) -> str:
        return f"{change.was:,} × {change.was_coin}" if change.was else "–"

    @admin.display(description=_("to"))
    def now(self, change: WarePrice) -> str:
        return f"{change.price:,} × {change.coin}"


@admin.register(Ware)
class WareAdmin(admin.ModelAdmin):
    """The shop of the crown: what is sold, and at which price; another one needs a reason."""

    form = WareForm
    inlines = (PriceInline,)
    list_display = ("item", "price", "coin", "on_sale")
    list_filter = ("on_sale",)
    list_select_related = ("item", "coin")
    search_fields = ("item__code", "item__name_en", "item__name_es")
    fields = ("item", "price", "coin", "reason", "words_en", "words_es", "on_sale")
    ordering = ("item__rank", "item__code")

    def get_readonly_fields(self, request: HttpRequest, obj: Ware | None = None) -> tuple[str, ...]:
        return ("item",) if obj else ()  # another item is another ware

    def has_delete_permission(self, request: HttpRequest, obj: Ware | None = None) -> bool:
        return False  # taken off the shelves instead

    def save_model(self, request: HttpRequest, obj: Ware, form: WareForm, change: bool) -> None:
        author = cast(AbstractBaseUser, request.user)
        why = form.cleaned_data.get("reason", "")
        if not change:
            add_ware(ware=obj, reason=why, author=author)
            return
        obj.save(update_fields=["words_en", "words_es", "on_sale"])
        if form.sets_price:
            set_price(ware=obj, price=obj.price, coin=obj.coin, reason=why, author=author)


class PartInline(ReadOnlyInline):
    model = OfferPart
    fields = readonly_fields = ("side", "amount", "kind")

    def get_queryset(self, request: HttpRequest) -> QuerySet[OfferPart]:
        parts: QuerySet[OfferPart] = super().get_queryset(request)
        return parts.select_related("kind").order_by("side", "kind__rank")


class ReasonForm(ActionForm):
    """Whoever withdraws another's offer says why; its maker reads it."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)


@admin.register(Offer)
class OfferAdmin(ReadOnlyAdmin):
    """For support and moderation: what was offered, what became of it; withdraw what is unfit."""

    action_form = ReasonForm
    actions = ("recall",)
    list_display = ("pk", "maker", "to", "state", "made_at", "expires_at", "settled_at", "taker")
    list_filter = ("state", "made_at", ("to", admin.EmptyFieldListFilter), "parts__kind")
    list_select_related = ("maker", "to", "taker")
    search_fields = ("=id", "=code", "maker__name", "to__name", "taker__name")
    search_help_text = _("Number or code of the offer, or name of a dynasty")
    date_hierarchy = "made_at"
    ordering = ("-made_at",)
    fields = readonly_fields = (
        "code",
        "maker",
        "to",
        "state",
        "made_at",
        "expires_at",
        "settled_at",
        "taker",
        "escrow",
        "settlement",
    )
    inlines = (PartInline,)

    def has_recall_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("dynasties.change_offer"))

    @admin.action(description=_("Withdraw, for the reason given"), permissions=["recall"])
    def recall(self, request: HttpRequest, queryset: QuerySet[Offer]) -> None:
        reason = request.POST.get("reason", "").replace("\0", "").strip()[:200]
        if not reason:
            self.message_user(request, _("Say why: its maker will read it."), messages.ERROR)
            return
        recalled = [offer for offer in queryset if _recall(request, offer, reason)]
        for offer in recalled:
            self.log_change(request, offer, reason)
        self._report(request, len(recalled))

    def _report(self, request: HttpRequest, count: int) -> None:
        text = ngettext("%(count)d offer withdrawn.", "%(count)d offers withdrawn.", count)
        level = messages.SUCCESS if count else messages.WARNING
        self.message_user(request, text % {"count": count}, level)


def _recall(request: HttpRequest, offer: Offer, reason: str) -> bool:
    author = request.user
    return isinstance(author, AbstractBaseUser) and recall_offer(
        offer=offer, reason=reason, author=author
    )
