"""What a visitor does at the gate, step by step, as the tests of accounts need it."""

import re
from typing import Any

from django.core import mail
from django.test import Client
from django.urls import reverse

PASSWORD = "an-honest-passphrase"
CODE = re.compile(r"^\s*([A-Z0-9]{4}-[A-Z0-9]{4}|[A-Z0-9]{6,9})\s*$", re.MULTILINE)
# What differs from one page to the next without telling anything.
VARYING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]+"|<time data-live-clock.*?</time>|[\w.]+@example\.org'
)


def sign_up(client: Client, **fields: str) -> Any:
    typed = {
        "email": "new@example.org",
        "password1": PASSWORD,
        "dynasty_name": "House of Ash",
        "motto": "",
    }
    return client.post(reverse("account_signup"), typed | fields)


def log_in(client: Client, email: str, password: str = PASSWORD, **fields: str) -> Any:
    return client.post(reverse("account_login"), {"login": email, "password": password} | fields)


def last_code(to: str = "new@example.org") -> str:
    """The code in the last letter to this address."""
    letter = next(message for message in reversed(mail.outbox) if message.to == [to])
    found = CODE.search(letter.body)
    assert found, letter.body
    return found[1]


def type_code(client: Client, code: str) -> Any:
    return client.post(reverse("account_email_verification_sent"), {"code": code})


def seen(client: Client, answer: Any) -> list[Any]:
    """All that a stranger can tell of an answer and of the page that it leads to."""
    pages = [answer.status_code, sorted(answer.cookies), answer.headers.get("Location")]
    pages.append(VARYING.sub("", answer.content.decode()))
    if answer.status_code == 302:
        onward = client.get(answer.url)
        pages += [onward.status_code, VARYING.sub("", onward.content.decode())]
    return pages
