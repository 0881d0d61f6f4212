from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from dynasties.records import ReadOnlyAdmin, ReadOnlyInline
from dynasties.treasury import chancery
from dynasties.treasury.chancery import KindForm
from dynasties.treasury.corrections import GRANTED_TO, may_be_countered
from dynasties.treasury.kinds import add_kind, set_mint_value
from dynasties.treasury.models import Account, Balance, Kind, Leg, MintValue, Transfer
from dynasties.treasury.reasons import all_reasons, reason_for
from dynasties.treasury.seals import (
    amount_of,
    is_sealed,
    note_sealed_balances,
    note_sealed_legs,
    sealed_words,
)

# --- Kinds ------------------------------------------------------------------------------


class MintValueInline(ReadOnlyInline):
    model = MintValue
    fields = ("set_at", "value", "reason", "author")
    verbose_name_plural = _("history of its mint value")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MintValue]:
        return super().get_queryset(request).select_related("author")


@admin.register(Kind)
class KindAdmin(admin.ModelAdmin):
    """Kinds of wealth: new ones, other names, another mint value, which needs a reason."""

    form = KindForm
    list_display = ("name", "code", "family", "mint_value", "rank")
    list_filter = ("family",)
    search_fields = ("code", "name_en", "name_es")
    inlines = (MintValueInline,)

    def get_readonly_fields(self, request: HttpRequest, obj: Kind | None = None) -> tuple[str, ...]:
        return ("code", "family") if obj else ()  # the ledger and other floors know it by these

    def has_delete_permission(self, request: HttpRequest, obj: Kind | None = None) -> bool:
        return False  # history speaks of it

    def save_model(self, request: HttpRequest, obj: Kind, form: KindForm, change: bool) -> None:
        why = form.cleaned_data.get("reason", "")
        if not change:
            add_kind(kind=obj, reason=why, author=chancery.official(request))
            return
        obj.save(update_fields=["name_en", "name_es", "rank"])
        if "mint_value" in form.changed_data:
            set_mint_value(
                kind=obj, value=obj.mint_value, reason=why, author=chancery.official(request)
            )


# --- Accounts ---------------------------------------------------------------------------


class BalanceInline(ReadOnlyInline):
    model = Balance
    fields = readonly_fields = ("kind", "lies_there")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Balance]:
        held = note_sealed_balances(super().get_queryset(request)).select_related("kind")
        return held.order_by("kind__rank", "kind__code")

    @admin.display(description=_("amount"))
    def lies_there(self, balance: Balance) -> str:
        return sealed_words() if is_sealed(balance) else f"{balance.amount:,}"


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Who holds what; from here the mint can make a grant, and the wealth of all is shown."""

    change_list_template = "treasury/admin/accounts.html"
    change_form_template = "treasury/admin/account.html"
    list_display = ("purpose", "holder", "dynasty", "holdings", "opened_at")
    list_filter = ("holder", "opened_at")
    list_select_related = ("dynasty",)
    search_fields = ("purpose", "dynasty__name", "dynasty__slug", "dynasty__ruler__email")
    ordering = ("pk",)
    fields = ("purpose", "holder", "dynasty", "opened_at", "movements")
    readonly_fields = ("movements",)
    inlines = (BalanceInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        held = note_sealed_balances(Balance.objects.exclude(amount=0)).select_related("kind")
        held = held.order_by("kind__rank", "kind__code")
        prefetch = Prefetch("balance_set", held, to_attr="held")
        return super().get_queryset(request).prefetch_related(prefetch)

    @admin.display(description=_("balances"))
    def holdings(self, account: Any) -> str:
        return ", ".join(map(self._holding, account.held)) or "–"

    def _holding(self, balance: Balance) -> str:
        amount = sealed_words() if is_sealed(balance) else f"{balance.amount:,}"
        return f"{amount} × {balance.kind}"

    @admin.display(description=_("movements"))
    def movements(self, account: Account) -> SafeString:
        url = f"{reverse('admin:dynasties_transfer_changelist')}?legs__account__id={account.pk}"
        return format_html('<a href="{}">{}</a>', url, _("All transfers of this account"))

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(
                "circulation/",
                self.admin_site.admin_view(self.circulation),
                name="dynasties_account_circulation",
            ),
            path(
                "<int:number>/grant/",
                self.admin_site.admin_view(self.grant),
                name="dynasties_account_grant",
            ),
        ]
        return [*own, *super().get_urls()]

    def circulation(self, request: HttpRequest) -> HttpResponse:
        return chancery.show_circulation(self, request)

    def grant(self, request: HttpRequest, number: int) -> HttpResponse:
        return chancery.grant_from_mint_page(self, request, number)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        account = kwargs.get("obj")
        may = chancery.may_post(request) and account and account.holder in GRANTED_TO
        context["may_grant"] = bool(may)
        return super().render_change_form(request, context, *args, **kwargs)


# --- Transfers --------------------------------------------------------------------------


class LegInline(ReadOnlyInline):
    model = Leg
    fields = readonly_fields = ("account", "kind", "moved", "balance_after")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Leg]:
        legs: QuerySet[Leg] = note_sealed_legs(super().get_queryset(request))
        return legs.select_related("account", "kind", "transfer").order_by("pk")

    @admin.display(description=_("amount"))
    def moved(self, leg: Leg) -> str:
        return amount_of(leg)

    @admin.display(description=_("balance after"))
    def balance_after(self, leg: Any) -> str:
        return sealed_words() if leg.hides_after else f"{leg.after:,}"


class ReasonFilter(admin.SimpleListFilter):
    """Reasons by their words."""

    title = _("reason")
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(reason.code, reason.words) for reason in all_reasons()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Transfer]) -> QuerySet[Transfer]:
        # Only what is among the choices: no database has to bear what a browser sends.
        known = self.value() in {reason.code for reason in all_reasons()}
        return queryset.filter(reason=self.value()) if known else queryset


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    """Every movement, as it was. A mistake is taken back by its opposite, with a reason."""

    change_form_template = "treasury/admin/transfer.html"
    list_display = ("id", "made_at", "why", "movement", "counters", "author")
    list_filter = (ReasonFilter, "made_at", "legs__kind")
    list_select_related = ("author", "counters")
    search_fields: ClassVar[tuple[str, ...]] = (
        "key",
        "note",
        "legs__account__purpose",
        "legs__account__dynasty__name",
    )
    date_hierarchy = "made_at"
    fields = ("made_at", "why", "note", "key", "author", "counters", "countered_by")
    readonly_fields = ("why", "countered_by")
    inlines = (LegInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Transfer]:
        legs = Leg.objects.select_related("account", "kind", "transfer").order_by("pk")
        transfers: QuerySet[Transfer] = super().get_queryset(request)
        return transfers.prefetch_related(Prefetch("legs", legs))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if lookup == "legs__account__id":
            return True
        return super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("reason"), ordering="reason")
    def why(self, transfer: Transfer) -> str:
        return str(reason_for(transfer.reason).words)

    @admin.display(description=_("movement"))
    def movement(self, transfer: Transfer) -> str:
        legs = transfer.legs.all()
        return "; ".join(f"{leg.account}: {amount_of(leg, '{:+,}')} × {leg.kind}" for leg in legs)

    @admin.display(description=_("taken back by"))
    def countered_by(self, transfer: Transfer) -> str | SafeString:
        counter = Transfer.objects.filter(counters=transfer).first()
        if counter is None:
            return "–"
        url = reverse("admin:dynasties_transfer_change", args=[counter.pk])
        return format_html('<a href="{}">{}</a>', url, counter)

    def get_urls(self) -> list[URLPattern]:
        own = path(
            "<int:number>/counter/",
            self.admin_site.admin_view(self.counter),
            name="dynasties_transfer_counter",
        )
        return [own, *super().get_urls()]

    def counter(self, request: HttpRequest, number: int) -> HttpResponse:
        return chancery.counter_transfer_page(self, request, number)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        transfer = kwargs.get("obj")
        may = chancery.may_post(request) and transfer and may_be_countered(transfer)
        context["may_counter"] = bool(may)
        return super().render_change_form(request, context, *args, **kwargs)
