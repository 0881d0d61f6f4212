"""The last letter to an account."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import translation

from dynasties.accounts.models import User
from dynasties.houses.selectors import dynasty_of


def write_farewell(*, user: User, language: str) -> None:
    """Tell the owner that the account is gone, in the language in which that was asked for.

    To be called in the transaction that removes the account: the letter is stored with it.
    """
    context = {
        "current_site": {"domain": urlsplit(settings.SITE_ORIGIN).netloc},
        "dynasty": dynasty_of(user),
    }
    with translation.override(language or settings.LANGUAGE_CODE):
        subject = render_to_string("account/email/account_deleted_subject.txt", context)
        body = render_to_string("account/email/account_deleted_message.txt", context)
    send_mail(" ".join(subject.split()), body.strip(), None, [user.email])
