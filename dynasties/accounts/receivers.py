"""What follows from what allauth and Django tell."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import (
    email_confirmed,
    password_changed,
    password_reset,
    password_set,
)
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.http import HttpRequest

from dynasties.accounts.models import User
from dynasties.accounts.services import acknowledge_proof, end_sessions, keep_one_session
from dynasties.notices.live import end_session


@receiver(email_confirmed, dispatch_uid="a verified address opens the dynasty")
def open_house(email_address: EmailAddress, **_signal: Any) -> None:
    acknowledge_proof(address=email_address)


@receiver(user_logged_out, dispatch_uid="sockets end with the session")
def end_sockets_on_logout(request: HttpRequest | None, **_signal: Any) -> None:
    if request is not None and request.session.session_key:
        end_session(session_key=request.session.session_key)


@receiver(post_delete, sender=UserSession, dispatch_uid="sockets end with an ended session")
def end_sockets_of_session(instance: UserSession, **_signal: Any) -> None:
    end_session(session_key=instance.session_key)


@receiver([password_changed, password_set], dispatch_uid="a new password ends other sessions")
def end_other_sessions(request: HttpRequest, user: User, **_signal: Any) -> None:
    """The key has changed by now: the cookie of the request still has the former one."""
    keep_one_session(
        user=user,
        former_key=request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""),
        key=request.session.session_key or "",
    )


@receiver(password_reset, dispatch_uid="a reset password ends every session")
def end_every_session(user: User, **_signal: Any) -> None:
    end_sessions(user=user)
