"""What holds up a departure. Floors above register reasons of their own."""

from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _

from dynasties.accounts.models import User
from dynasties.accounts.selectors import is_last_administrator

Binding = Callable[[User], Iterable[str]]

_bindings: list[Binding] = []


def binds(binding: Binding) -> Binding:
    """Register the decorated function: it says, a sentence each, what binds an account.

    It is asked again under a lock on the account's row, so a floor that ties an
    account to something must lock that row too.
    """
    _bindings.append(binding)
    return binding


def ties_of(user: User) -> list[str]:
    """Every sentence that holds up the departure of `user`; none if it may go at once."""
    return [sentence for binding in _bindings for sentence in binding(user)]


@binds
def last_administrator(user: User) -> Iterable[str]:
    if is_last_administrator(user):
        yield _("The site would be left without an administrator.")
