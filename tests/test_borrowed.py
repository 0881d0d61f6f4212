"""The watch for N+1 queries looks away in borrowed views, and nowhere else."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import reverse
from zeal import zeal_context
from zeal.errors import NPlusOneError

from dynasties.accounts.models import User
from tests.borrowed import BorrowedViewsMiddleware, is_borrowed
from tests.factories import UserFactory


def test_borrowed_views_are_known_from_our_own() -> None:
    assert all(is_borrowed(reverse(name)) for name in ("account_login", "account_email"))
    assert is_borrowed(reverse("admin:dynasties_user_changelist"))
    assert not any(is_borrowed(reverse(name)) for name in ("home", "palace", "account_signup"))
    assert not is_borrowed("/no/such/page/")


def get_each(_request: HttpRequest) -> HttpResponse:
    """What a careless view does: an account at a time."""
    for user_id in list(User.objects.values_list("pk", flat=True)):
        User.objects.get(pk=user_id)
    return HttpResponse()


@pytest.mark.django_db
def test_only_a_borrowed_view_may_get_one_account_after_the_other(rf: RequestFactory) -> None:
    UserFactory.create_batch(2)
    watched = BorrowedViewsMiddleware(get_each)
    with zeal_context():
        assert watched(rf.get(reverse("account_login"))).status_code == 200
    with zeal_context(), pytest.raises(NPlusOneError):
        watched(rf.get(reverse("palace")))
