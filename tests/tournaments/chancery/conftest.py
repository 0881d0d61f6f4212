import pytest
from django.test import Client

from tests.factories import AdminFactory
from tests.tournaments.chancery.officials import clerk_with


@pytest.fixture
def chancellor(client: Client) -> Client:
    client.force_login(AdminFactory())
    return client


@pytest.fixture
def onlooker() -> Client:
    """Staff who may look at everything of tournaments."""
    models = ("tournament", "template", "battlefield", "outage")
    return clerk_with(*(f"view_{name}" for name in models))
