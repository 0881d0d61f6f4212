from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.email_verification import (
    consume_email_verification_rate_limit,
)
from allauth.account.views import ConfirmEmailVerificationCodeView
from allauth.account.views import SignupView as AllauthSignupView
from allauth.core.ratelimit import consume, respond_429
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from dynasties.accounts import services
from dynasties.accounts.access import account_of, form_on, page_asked_for
from dynasties.accounts.departures import ties_of
from dynasties.accounts.export import export_account
from dynasties.accounts.forms import EndSessionForm, LeaveForm, code_just_sent
from dynasties.accounts.selectors import departure_of, has_second_factor
from dynasties.houses.forms import name_taken
from dynasties.houses.services import NameTakenError


class SignupView(AllauthSignupView):
    """allauth's sign-up, which knows nothing of names that are lost in a race."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except NameTakenError:
            form.add_error("dynasty_name", name_taken())
            return self.form_invalid(form)
        return response


signup = SignupView.as_view()


class ConfirmAddressView(ConfirmEmailVerificationCodeView):
    """allauth's page for the code, with words of its own for who is too quick or gives up.

    Nothing here asks whether there is an account: a false start goes the same way.
    """

    def _resend_form_valid(self, form: Any) -> HttpResponse:
        address = self._process.email
        if consume_email_verification_rate_limit(self.request, address, dry_run=True):
            response: HttpResponse = super()._resend_form_valid(form)
            return response
        messages.error(self.request, code_just_sent().message)
        here = reverse("account_email_verification_sent")
        return redirect(self.passthrough_next_url(here))

    def _verify_form_invalid(self, form: Any) -> HttpResponse:
        if self._process.record_invalid_attempt():
            return self.render_to_response(self.get_context_data(form=form))
        if self.request.user.is_authenticated:
            messages.error(self.request, _("Too many wrong codes. Ask for a new one."))
            return redirect("account_email")
        messages.error(self.request, _("Too many wrong codes. Log in to get a new one."))
        return redirect("account_login")


confirm_address = ConfirmAddressView.as_view()


@login_required
@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """What the player may do with the account."""
    user = account_of(request)
    context = {"departure": departure_of(user), "mfa_enabled": has_second_factor(user)}
    return render(request, "accounts/account.html", context)


@login_required
@never_cache
@form_on("account")
def export(request: HttpRequest) -> HttpResponse:
    """Everything about the account, as a file."""
    if not consume(request, action="export"):
        return respond_429(request)
    response = JsonResponse(
        export_account(account_of(request)), json_dumps_params={"ensure_ascii": False, "indent": 2}
    )
    response["Content-Disposition"] = 'attachment; filename="emperors-account.json"'
    return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def leave(request: HttpRequest) -> HttpResponse:
    """Ask for the account to be deleted; the password is asked for again."""
    user = account_of(request)
    form = LeaveForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if services.ask_departure(user=user):
            return _say_farewell(request)
        messages.info(request, _("Your account will be deleted as soon as nothing holds it."))
        return redirect("account")
    context = {"form": form, "ties": ties_of(user), "departure": departure_of(user)}
    return render(request, "accounts/leave.html", context)


@login_required
@form_on("account")
def stay(request: HttpRequest) -> HttpResponse:
    """Take back the wish to leave."""
    if services.withdraw_departure(user=account_of(request)):
        messages.success(request, _("You stay: your account will not be deleted."))
    return redirect("account")


@login_required
@form_on("usersessions_list")
def end_session(request: HttpRequest) -> HttpResponse:
    """Log out of one other place."""
    form = EndSessionForm(request.POST)
    if form.is_valid() and services.end_one_session(
        user=account_of(request),
        session_id=form.cleaned_data["session"],
        except_key=request.session.session_key,
    ):
        messages.success(request, _("That session is ended."))
    return redirect("usersessions_list")


@form_on("home")
def enter_as_guest(request: HttpRequest) -> HttpResponse:
    """Become a guest, and go on where one was."""
    onward = redirect(page_asked_for(request))
    if request.user.is_authenticated or request.guest:  # type: ignore[attr-defined]
        return onward
    if not consume(request, action="guest"):
        return respond_429(request)
    guest = services.enter_as_guest(session=request.session)
    messages.success(request, _("Welcome, %(name)s.") % {"name": guest.name})
    return onward


def _say_farewell(request: HttpRequest) -> HttpResponse:
    logout(request)
    messages.success(request, _("Your account is deleted. Farewell."))
    return redirect("home")
