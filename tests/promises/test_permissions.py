"""Every role sees only its own: one table of routes, and no route outside of it."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.factories import AdminFactory, StaffFactory, UserFactory

pytestmark = pytest.mark.django_db

OPEN, LOGIN, POSTED, STRANGER, STAFF = "open", "log-in", "posted", "stranger", "staff"

# What a plain GET finds: a page for everybody (open), one for accounts (log-in), one for those
# who are not logged in (stranger), or the way to the form that the route takes (posted).
ROUTES = {
    "home": OPEN,
    "set_theme": POSTED,
    "set_language": OPEN,  # Django's own: a GET changes nothing and goes back
    "manifest": OPEN,
    "favicon": OPEN,
    "robots": OPEN,
    "dynasties": OPEN,
    "dynasty": OPEN,
    "dynasty_emperors": OPEN,
    "dynasty_reputation": OPEN,
    "emperor": OPEN,
    "emperor_by_number": OPEN,
    "emperor_reputation": OPEN,
    "ranking": OPEN,
    "champions": OPEN,
    "market": OPEN,
    "market_ware": OPEN,
    "mint": OPEN,
    "offer": OPEN,
    "offer_new": LOGIN,
    "offer_accept": LOGIN,
    "offer_withdraw": LOGIN,
    "palace_market": LOGIN,
    "blocks": LOGIN,
    "blocks_lift": LOGIN,
    "palace": LOGIN,
    "treasury": LOGIN,
    "treasury_csv": LOGIN,
    "throne_room": LOGIN,
    "deathbed": LOGIN,
    "palace_chronicle": LOGIN,
    "chronicle": OPEN,
    "chronicle_feed": OPEN,
    "guest_enter": POSTED,
    "tournaments": OPEN,
    "announce": LOGIN,
    "battlefield-drawing": OPEN,
    "tournament": OPEN,
    "tournament-enter": POSTED,
    "tournament-leave": POSTED,
    "tournament-invite": POSTED,
    "tournament-replay": OPEN,
    "play-now": POSTED,
    "tournament-state": OPEN,
    "tournament-orders": POSTED,
    "tournament-record": OPEN,
    "tournament-chat": OPEN,
    "tournament-line": OPEN,
    "tournament-say": POSTED,
    "tournament-mute": POSTED,
    "tournament-unmute": POSTED,
    "tournament-block": POSTED,
    "tournament-report": POSTED,
    "account": LOGIN,
    "account_export": LOGIN,
    "account_leave": LOGIN,
    "account_stay": LOGIN,
    "account_session_end": LOGIN,
    "account_signup": STRANGER,
    "account_login": STRANGER,
    "account_logout": OPEN,
    "account_inactive": OPEN,
    "account_reauthenticate": LOGIN,
    "account_email": LOGIN,
    "account_email_verification_sent": OPEN,
    "account_change_password": LOGIN,
    "account_set_password": LOGIN,
    "account_reset_password": OPEN,
    "account_confirm_login_code": STRANGER,
    "account_confirm_password_reset_code": OPEN,
    "account_complete_password_reset": OPEN,
    "account_password_reset_completed": OPEN,
    "mfa_index": LOGIN,
    "mfa_authenticate": STRANGER,
    "mfa_reauthenticate": LOGIN,
    "mfa_activate_totp": LOGIN,
    "mfa_deactivate_totp": LOGIN,
    "mfa_view_recovery_codes": LOGIN,
    "mfa_generate_recovery_codes": LOGIN,
    "mfa_download_recovery_codes": LOGIN,
    "usersessions_list": LOGIN,
}
ARGUMENTS: dict[str, list[object]] = {
    "dynasty": ["no-such-house"],
    "dynasty_emperors": ["no-such-house"],
    "dynasty_reputation": ["no-such-house"],
    "emperor": [1, "nobody"],
    "emperor_by_number": [1],
    "emperor_reputation": [1],
    "deathbed": [1],
    "battlefield-drawing": ["no-such-field"],
    **{
        f"tournament{door}": ["no-such-code"]
        for door in ("", "-enter", "-leave", "-invite", "-replay")
    },
    "tournament-state": ["no-such-code"],
    "tournament-orders": ["no-such-code"],
    "tournament-record": ["no-such-code"],
    "tournament-chat": ["no-such-code"],
    "tournament-line": ["no-such-code", "seats", 1],
    "tournament-say": ["no-such-code"],
    "tournament-mute": ["no-such-code"],
    "tournament-unmute": ["no-such-code"],
    "tournament-block": ["no-such-code"],
    "tournament-report": ["no-such-code"],
    "market_ware": ["no-such-ware"],
    "offer": ["00000000-0000-4000-8000-000000000000"],
    "offer_accept": ["00000000-0000-4000-8000-000000000000"],
    "offer_withdraw": ["00000000-0000-4000-8000-000000000000"],
}


def names(resolver: URLResolver, namespace: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern, pattern.namespace or namespace)
        elif isinstance(pattern, URLPattern):
            yield f"{namespace}:{pattern.name}" if namespace else str(pattern.name)


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def asks_to_log_in(answer) -> bool:
    return answer.status_code == 302 and answer["Location"].startswith(reverse("account_login"))


def test_every_route_is_in_the_table() -> None:
    found = {name for name in names(get_resolver()) if not name.startswith("admin:")}
    assert found == set(ROUTES)


@pytest.mark.parametrize("name", [name for name, who in ROUTES.items() if who == LOGIN])
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_a_stranger_is_asked_to_log_in(name: str, method: str, client: Client) -> None:
    page = reverse(name, args=ARGUMENTS.get(name))
    assert asks_to_log_in(getattr(client, method)(page))


@pytest.mark.parametrize("name", [name for name, who in ROUTES.items() if who != LOGIN])
def test_no_other_route_asks_a_stranger_to_log_in_or_fails(name: str, client: Client) -> None:
    answer = client.get(reverse(name, args=ARGUMENTS.get(name)))
    expected = {302} if ROUTES[name] == POSTED else {200, 302, 404}
    assert answer.status_code in expected


@pytest.mark.parametrize("name", ROUTES)
def test_no_route_fails_for_a_player(name: str) -> None:
    answer = client_of(UserFactory()).get(reverse(name, args=ARGUMENTS.get(name)))
    assert answer.status_code in {200, 302, 404}
    assert not (ROUTES[name] == LOGIN and asks_to_log_in(answer))


def admin_routes() -> list[str]:
    return sorted(
        name
        for name in names(get_resolver())
        if name.startswith("admin:") and name.endswith(("_changelist", "_add", ":index"))
    )


@pytest.mark.parametrize("name", admin_routes())
def test_the_admin_is_closed_to_strangers_and_players(name: str, client: Client) -> None:
    for visitor in (client, client_of(UserFactory())):
        answer = visitor.get(reverse(name))
        assert answer.status_code in {302, 403}
        assert not answer.content or answer.status_code == 403


@pytest.mark.parametrize("name", admin_routes())
def test_an_admin_page_works_for_the_admin_and_shows_staff_only_what_it_may(name: str) -> None:
    assert client_of(AdminFactory()).get(reverse(name)).status_code in {200, 403}
    if not name.endswith(":index"):
        assert client_of(StaffFactory()).get(reverse(name)).status_code == 403
