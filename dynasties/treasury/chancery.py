"""Pages of the admin: a grant of the mint, a counter-posting, the wealth in circulation."""

from typing import Any, cast
from uuid import uuid4

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dynasties.treasury import corrections
from dynasties.treasury.corrections import (
    GRANTED_TO,
    AlreadyCountered,
    FoundingGrant,
    HeldInEscrow,
)
from dynasties.treasury.flows import DAYS, wealth_that_flowed
from dynasties.treasury.kinds import refuse_mint_value
from dynasties.treasury.models import Account, Kind, Transfer
from dynasties.treasury.reasons import reason_for
from dynasties.treasury.seals import amount_of, has_sealed_balance
from dynasties.treasury.selectors import wealth_in_circulation
from dynasties.treasury.services import MOST, Fallen, KeyReused, NotEnough


def official(request: HttpRequest) -> AbstractBaseUser:
    """Who acts: the admin lets nobody in without an account."""
    return cast(AbstractBaseUser, request.user)


def may_post(request: HttpRequest) -> bool:
    return cast(Any, request.user).has_perm("dynasties.add_transfer")


class NoteField(forms.CharField):
    """Why staff do it. Players read it."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Reason"),
            max_length=200,
            help_text=gettext_lazy("The dynasties concerned read it in their statement."),
            widget=forms.TextInput(attrs={"size": 80}),
        )


class CounterForm(forms.Form):
    note = NoteField()


class GrantForm(forms.Form):
    """What the mint makes. `key` comes back with the form: sent twice, it is one grant."""

    kind = forms.ModelChoiceField(label=gettext_lazy("Kind"), queryset=Kind.objects.all())
    amount = forms.IntegerField(label=gettext_lazy("Amount"), min_value=1, max_value=MOST)
    note = NoteField()
    key = forms.UUIDField(widget=forms.HiddenInput)


class KindForm(forms.ModelForm):
    """A kind, with the reason for a mint value that is new."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Needed for a new kind and for another mint value."),
    )

    class Meta:
        model = Kind
        fields = ("code", "family", "name_en", "name_es", "mint_value", "rank")

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        is_new = self.instance.pk is None
        values = is_new or "mint_value" in self.changed_data
        if values and not (found.get("reason") or "").strip():
            self.add_error("reason", _("Say why: it stays in the history."))
        if not is_new and "mint_value" in found:
            self._refuse(found["mint_value"])
        return found

    def _refuse(self, value: int | None) -> None:
        try:
            refuse_mint_value(kind=self.instance, value=value)
        except ValidationError as refusal:
            self.add_error(None, refusal)


# --- Pages ------------------------------------------------------------------------------


def show_circulation(room: admin.ModelAdmin, request: HttpRequest) -> HttpResponse:
    """How much of everything there is, who holds it, and how it flowed of late."""
    if not room.has_view_permission(request):
        raise PermissionDenied
    rows = wealth_in_circulation()
    context = {
        "title": _("Wealth in circulation"),
        "rows": rows,
        "worth": sum(row.worth or 0 for row in rows),
        "flows": wealth_that_flowed(),
        "days": DAYS,
    }
    return _page(room, request, "treasury/admin/circulation.html", context)


def grant_from_mint_page(room: admin.ModelAdmin, request: HttpRequest, number: int) -> HttpResponse:
    """Make new wealth for one account."""
    account = get_object_or_404(Account.objects.filter(holder__in=GRANTED_TO), pk=number)
    if not may_post(request):
        raise PermissionDenied
    form = GrantForm(request.POST or None, initial={"key": uuid4()})
    if request.method == "POST" and form.is_valid() and _grant(room, request, account, form):
        return redirect("admin:dynasties_account_change", account.pk)
    context = {"title": _("Grant from the mint"), "form": form, "original": account}
    return _page(room, request, "treasury/admin/grant.html", context)


def counter_transfer_page(
    room: admin.ModelAdmin, request: HttpRequest, number: int
) -> HttpResponse:
    """Take one transfer back."""
    transfer = get_object_or_404(Transfer.objects.all(), pk=number)
    if not may_post(request):
        raise PermissionDenied
    form = CounterForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _counter(room, request, transfer, form):
        return redirect("admin:dynasties_transfer_change", transfer.pk)
    context = {
        "title": _("Take a transfer back"),
        "form": form,
        "original": transfer,
        "why": reason_for(transfer.reason).words,
        "legs": [
            (leg, amount_of(leg))
            for leg in transfer.legs.select_related("account", "kind", "transfer").order_by("pk")
        ],
    }
    return _page(room, request, "treasury/admin/counter.html", context)


def _grant(room: admin.ModelAdmin, request: HttpRequest, account: Account, form: GrantForm) -> bool:
    asked = {**form.cleaned_data, "key": str(form.cleaned_data["key"])}
    try:
        corrections.grant_from_mint(account=account, author=official(request), **asked)
    except (Fallen, KeyReused) as refusal:
        form.add_error(None, _words_for(refusal))
        return False
    room.message_user(request, _("The mint has paid."), messages.SUCCESS)
    return True


def _counter(
    room: admin.ModelAdmin, request: HttpRequest, transfer: Transfer, form: CounterForm
) -> bool:
    try:
        corrections.counter_transfer(
            transfer=transfer, author=official(request), note=form.cleaned_data["note"]
        )
    except (AlreadyCountered, HeldInEscrow, FoundingGrant, Fallen, NotEnough) as refusal:
        form.add_error(None, _words_for(refusal))
        return False
    room.message_user(request, _("The transfer is taken back."), messages.SUCCESS)
    return True


def _words_for(refusal: Exception) -> str:
    if isinstance(refusal, NotEnough):
        if has_sealed_balance(account=refusal.account, kind_id=refusal.kind.pk):
            return _("Account “%s” has not enough of it now.") % refusal.account
        return _(
            "Account “%(account)s” lacks %(short)d × %(kind)s: some of it is spent, and no "
            "balance may be negative."
        ) % {"account": refusal.account, "short": refusal.short, "kind": refusal.kind}
    if isinstance(refusal, Fallen):
        return _("A fallen dynasty receives nothing: “%s”.") % refusal.account
    return _plain_words()[type(refusal)]


def _plain_words() -> dict[type[Exception], str]:
    return {
        AlreadyCountered: _("This transfer was taken back already."),
        HeldInEscrow: _(
            "An escrow has a part in this transfer: it can't be taken back. Withdraw the offer "
            "instead, as long as it is open."
        ),
        FoundingGrant: _("A founding grant can't be taken back."),
        KeyReused: _("This form was used for another grant. Open it anew."),
    }


def _page(
    room: admin.ModelAdmin, request: HttpRequest, template: str, context: dict[str, Any]
) -> HttpResponse:
    around = {**room.admin_site.each_context(request), "opts": room.opts}
    return TemplateResponse(request, template, {**around, **context})
