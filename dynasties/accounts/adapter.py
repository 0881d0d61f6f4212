from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from dynasties.accounts.access import is_own_page
from dynasties.accounts.models import User
from dynasties.accounts.selectors import is_proven, opens_false_start, spend_a_comparison
from dynasties.accounts.services import hold_claimants

LONGEST_ADDRESS = 254


class AccountAdapter(DefaultAccountAdapter):
    """Where allauth asks how this site wants things done."""

    def is_safe_url(self, url: str | None) -> bool:
        """Only this very site is safe to be sent to after logging in."""
        return is_own_page(self.request, url)

    def clean_email(self, email: str) -> str:
        """Refuse what would not be kept whole: allauth cuts long addresses to fit."""
        if len(email) > LONGEST_ADDRESS:
            raise ValidationError(_("This e-mail address is too long."), code="long")
        return email

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Mark the address as verified, and all that follows from it, or nothing."""
        try:
            with transaction.atomic():
                if not hold_claimants(address=email_address):
                    return False  # cleared at this moment, as unproven for too long
                return bool(super().confirm_email(request, email_address))
        except IntegrityError:  # another account proved the same address at this moment
            return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        request.password_fits = user is not None  # type: ignore[attr-defined]
        if isinstance(user, User) and not is_proven(user):
            spend_a_comparison(credentials["password"])  # as a false start would: see below
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Tell the form about a false start, which counts as a success: see `FalseStart`."""
        email, password = credentials.get("email", ""), credentials.get("password", "")
        request.is_false_start = opens_false_start(  # type: ignore[attr-defined]
            email=email, password=password
        )
        if request.is_false_start:  # type: ignore[attr-defined]
            self._rollback_login_failed_rl_usage()
