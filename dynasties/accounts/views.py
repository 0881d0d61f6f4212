from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.views import SignupView as AllauthSignupView
from allauth.core.ratelimit import consume, respond_429
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dynasties.accounts import services
from dynasties.accounts.access import account_of
from dynasties.accounts.departures import ties_of
from dynasties.accounts.export import export_account
from dynasties.accounts.forms import EndSessionForm, LeaveForm
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
@require_POST
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
@require_POST
def stay(request: HttpRequest) -> HttpResponse:
    """Take back the wish to leave."""
    if services.withdraw_departure(user=account_of(request)):
        messages.success(request, _("You stay: your account will not be deleted."))
    return redirect("account")


@login_required
@require_POST
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


@require_POST
def enter_as_guest(request: HttpRequest) -> HttpResponse:
    """Become a guest, and go on where one was."""
    target = request.POST.get("next", "")
    onward = redirect(target if get_adapter().is_safe_url(target) else "home")
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
