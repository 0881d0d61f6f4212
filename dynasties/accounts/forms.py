from typing import Any, ClassVar

from allauth.account import forms as allauth_forms
from allauth.account.internal.flows.email_verification import (
    consume_email_verification_rate_limit,
)
from allauth.account.models import Login
from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from dynasties.accounts.models import User
from dynasties.accounts.selectors import guest_in
from dynasties.accounts.services import note_false_start, welcome_newcomer
from dynasties.houses.forms import MottoField, NameField


def code_just_sent() -> ValidationError:
    """The error for who asks for another code before the last letter can have arrived."""
    return ValidationError(
        _("We have just sent you a code. Wait ten seconds, then try again."), code="patience"
    )


class SignupForm(allauth_forms.SignupForm):
    """An account and its dynasty in one step."""

    dynasty_name = NameField()
    motto = MottoField()
    field_order: ClassVar[list[str]] = ["dynasty_name", "motto", "email", "password1"]

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Found account and dynasty, or neither. Raises NameTakenError after a lost race.

        With a taken address a stranger sees the same: the name is held, a code is said to be sent.
        """
        try:
            return self._save_whole(request)
        except IntegrityError:
            if not User.objects.filter(email=self.cleaned_data["email"]).exists():
                raise
        # Somebody signed up with this address while we were about it.
        self.account_already_exists = True
        return self._save_whole(request)

    @transaction.atomic
    def _save_whole(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            note_false_start(
                email=self.cleaned_data["email"],
                password=self.cleaned_data["password1"],
                dynasty_name=self.cleaned_data["dynasty_name"],
            )
        saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return saved

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth when the account has been saved, in the same transaction."""
        welcome_newcomer(
            user=user,
            dynasty_name=self.cleaned_data["dynasty_name"],
            motto=self.cleaned_data["motto"],
            guest=guest_in(request.session),
        )


class LoginForm(allauth_forms.LoginForm):
    """Logging in; a false start is led to the same page as an account that waits for its code."""

    def _clean_with_password(self, credentials: dict[str, str]) -> dict[str, Any]:
        try:
            cleaned: dict[str, Any] = super()._clean_with_password(credentials)
        except ValidationError as error:
            if getattr(self.request, "is_false_start", False):
                self._go_on_as_false_start(credentials["email"])
                return self.cleaned_data
            # The password is right: what else may keep out is that a code was sent just now.
            if getattr(self.request, "password_fits", False):
                raise code_just_sent() from error
            raise
        return cleaned

    def _go_on_as_false_start(self, email: str) -> None:
        if not consume_email_verification_rate_limit(self.request, email, dry_run=True):
            raise code_just_sent()
        self._login = Login(user=None, email=email)


class EndSessionForm(forms.Form):
    """Which session to end."""

    session = forms.IntegerField()


class LeaveForm(forms.Form):
    """The question before an account is deleted."""

    sure = forms.BooleanField(label=_("Yes, delete my account for good"))
