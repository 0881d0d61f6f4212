"""The hub hands each message to the right sockets of its process, and notices who must go."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from dynasties.notices import hub as hub_module
from dynasties.notices.hub import Hub, get_hub
from dynasties.notices.live import frame, session_mark
from dynasties.notices.presence import Visitor, departed
from tests.factories import UserFactory


class Listener:
    """A socket as the hub sees it."""

    def __init__(self, user_id: int | None = None, session_key: str | None = None) -> None:
        self.visitor = Visitor(user_id=user_id, session_key=session_key)
        self.heard: list[dict[str, Any]] = []
        self.ended: str | None = None

    def push(self, text: str) -> None:
        self.heard.append(json.loads(text))

    def end(self, reason: str) -> None:
        self.ended = reason


async def until(condition: Any, seconds: float = 5) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.mark.asyncio
class TestThroughTheLayer:
    async def test_followers_of_a_topic_hear_it_and_others_do_not(self) -> None:
        hub, follower, other = Hub(), Listener(), Listener()
        await hub.join(follower, ["battle.1"])
        await hub.join(other, ["battle.2"])
        message = {"type": "frame", "topic": "battle.1", "frame": frame("news")}
        await self.published(hub, "battle.1", message, until_heard_by=follower)
        assert {f["type"] for f in follower.heard} == {"news"}
        assert other.heard == []
        await hub.leave(follower)
        await hub.leave(other)

    async def test_a_message_reaches_the_hubs_of_other_processes(self) -> None:
        near, far, listener, elsewhere = Hub(), Hub(), Listener(), Listener()
        await near.join(listener)
        await far.join(elsewhere)
        message = {"type": "frame", "topic": "world", "frame": frame("news")}
        await self.published(near, "world", message, until_heard_by=listener)
        await until(lambda: elsewhere.heard)
        await near.leave(listener)
        await far.leave(elsewhere)

    async def test_one_who_left_hears_nothing_more(self) -> None:
        hub, gone, stays = Hub(), Listener(), Listener()
        await hub.join(gone)
        await hub.join(stays)
        await hub.leave(gone)
        message = {"type": "frame", "topic": "world", "frame": frame("news")}
        await self.published(hub, "world", message, until_heard_by=stays)
        assert gone.heard == []
        await hub.leave(stays)

    async def test_a_strange_message_does_not_silence_the_hub(self) -> None:
        hub, listener = Hub(), Listener()
        await hub.join(listener)
        await until(lambda: hub._channel is not None)
        for strange in ({"type": "frame"}, {"type": "end", "user": "x"}, {"type": 3}, {"a": 1}):
            await get_channel_layer().group_send("world", strange)
        message = {"type": "frame", "topic": "world", "frame": frame("news")}
        await self.published(hub, "world", message, until_heard_by=listener)
        await hub.leave(listener)

    async def test_the_last_to_leave_stops_the_hubs_work(self) -> None:
        hub, listener = Hub(), Listener()
        await hub.join(listener)
        duties = list(hub._duties)
        await hub.leave(listener)
        assert all(duty.done() for duty in duties)
        assert hub._followers == {}

    async def test_sockets_stay_while_the_layer_is_away(self, monkeypatch) -> None:
        real, away = get_channel_layer(), Away()
        monkeypatch.setattr(hub_module, "RETRY_SECONDS", 0.01)
        monkeypatch.setattr(hub_module, "get_channel_layer", lambda: away)
        hub, listener = Hub(), Listener()
        await hub.join(listener)
        await until(lambda: away.asked > 2)
        monkeypatch.setattr(hub_module, "get_channel_layer", lambda: real)
        message = {"type": "frame", "topic": "world", "frame": frame("news")}
        await self.published(hub, "world", message, until_heard_by=listener)
        await hub.leave(listener)

    async def test_a_loop_has_one_hub(self) -> None:
        assert get_hub() is get_hub()

    @staticmethod
    async def published(hub: Hub, topic: str, message: dict, until_heard_by: Listener) -> None:
        """Publish until it is heard: pub/sub tells nobody when a subscription has taken hold."""
        await until(lambda: hub._channel is not None)
        async with asyncio.timeout(5):
            while not until_heard_by.heard:
                await get_channel_layer().group_send(topic, message)
                await asyncio.sleep(0.05)


@pytest.mark.asyncio
class TestUpperFloors:
    """What other floors have registered with the hub."""

    async def test_a_message_of_theirs_is_handed_to_them_and_a_fault_silences_nothing(
        self, monkeypatch
    ) -> None:
        heard: list[dict[str, Any]] = []

        def stumble(hub: Hub, message: dict[str, Any]) -> None:
            heard.append(message)
            raise RuntimeError("a fault of theirs")

        monkeypatch.setattr(hub_module, "_handlers", {})
        assert hub_module.handles("upstairs")(stumble) is stumble
        hub, listener = Hub(), Listener()
        await hub.join(listener)
        message = {"type": "frame", "topic": "world", "frame": frame("news")}
        await TestThroughTheLayer.published(hub, "world", message, until_heard_by=listener)
        listener.heard.clear()
        await get_channel_layer().group_send("world", {"type": "upstairs", "n": 1})
        await until(lambda: heard)
        await TestThroughTheLayer.published(hub, "world", message, until_heard_by=listener)
        assert heard == [{"type": "upstairs", "n": 1}]
        await hub.leave(listener)

    async def test_a_duty_of_theirs_is_done_again_and_again_while_there_are_sockets(
        self, monkeypatch
    ) -> None:
        done: list[Hub] = []

        async def duty(hub: Hub) -> None:
            done.append(hub)
            raise RuntimeError("a fault of theirs")

        monkeypatch.setattr(hub_module, "_further_duties", [])
        assert hub_module.regularly(seconds=0.01)(duty) is duty
        hub, listener = Hub(), Listener()
        await hub.join(listener)
        await until(lambda: len(done) > 2)
        await hub.leave(listener)
        count = len(done)
        await asyncio.sleep(0.05)
        assert done == [hub] * count


class Away:
    """A channel layer that can't be reached."""

    asked = 0

    async def new_channel(self) -> str:
        self.asked += 1
        raise ConnectionError

    async def flush(self) -> None:
        raise ConnectionError


@pytest.fixture
def hub() -> Hub:
    return Hub()


def listen(hub: Hub, *listeners: Listener) -> None:
    hub._followers["world"].update(listeners)


def test_the_end_of_a_session_ends_its_sockets_only(hub: Hub) -> None:
    mine, other_browser = Listener(1, "key-a"), Listener(1, "key-b")
    listen(hub, mine, other_browser)
    hub.deliver({"type": "end", "session": session_mark("key-a")})
    assert (mine.ended, other_browser.ended) == ("signed-out", None)


def test_a_renewed_session_is_asked_to_connect_again(hub: Hub) -> None:
    mine, stranger = Listener(1, "key-a"), Listener(2, "key-b")
    listen(hub, mine, stranger)
    hub.deliver({"type": "renew", "session": session_mark("key-a")})
    assert (mine.ended, stranger.ended) == ("renewed", None)


def test_the_end_of_an_account_ends_all_its_sockets(hub: Hub) -> None:
    mine, other_browser, stranger = Listener(1, "a"), Listener(1, "b"), Listener(2, "c")
    listen(hub, mine, other_browser, stranger)
    hub.deliver({"type": "end", "user": 1})
    assert [s.ended for s in (mine, other_browser, stranger)] == ["signed-out", "signed-out", None]


def test_the_pulse_counts_people_not_tabs(hub: Hub) -> None:
    tab, other_tab, neighbour = Listener(1, "a"), Listener(1, "a"), Listener(None, None)
    listen(hub, tab, other_tab, neighbour)
    hub.deliver({"type": "pulse", "at": "2026-01-01T00:00:00+00:00"})
    assert tab.heard == [{"v": 1, "type": "pulse", "at": "2026-01-01T00:00:00+00:00", "online": 2}]


def test_the_pulse_counts_the_people_of_other_nodes_while_they_report(
    hub: Hub, monkeypatch
) -> None:
    listen(hub, Listener(1, "a"))
    hub.deliver({"type": "census", "node": "other", "visitors": 5})
    hub.deliver({"type": "census", "node": hub.node, "visitors": 1})
    assert hub.online() == 6
    later = hub_module.time.monotonic() + hub_module.CENSUS_MEMORY_SECONDS + 1
    monkeypatch.setattr(hub_module.time, "monotonic", lambda: later)
    assert hub.online() == 1


def test_a_session_s_name_among_processes_does_not_give_it_away() -> None:
    assert "secret-session-key" not in session_mark("secret-session-key")
    assert session_mark("a") != session_mark("b")
    assert "secret-session-key" not in repr(Visitor(1, "secret-session-key"))


@pytest.mark.django_db
class TestDeparted:
    def visitor(self, **session: Any) -> Visitor:
        user = UserFactory()
        store = SessionStore()
        store.create()
        return Visitor(user.pk, store.session_key)

    def test_one_who_is_signed_in_stays(self) -> None:
        assert departed({self.visitor()}) == set()

    def test_one_whose_session_is_gone_has_departed(self) -> None:
        gone, stays = self.visitor(), self.visitor()
        SessionStore(gone.session_key).delete()
        assert departed({gone, stays}) == {gone}

    def test_one_whose_session_has_expired_has_departed(self, django_user_model) -> None:
        from django.contrib.sessions.models import Session

        late = self.visitor()
        Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
        assert departed({late}) == {late}

    def test_one_who_is_banned_has_departed(self, django_user_model) -> None:
        banned = self.visitor()
        django_user_model.objects.update(is_active=False)
        assert departed({banned}) == {banned}

    def test_any_number_of_visitors_costs_two_questions(self, django_assert_num_queries) -> None:
        visitors = {self.visitor() for _ in range(5)}
        with django_assert_num_queries(2):
            departed(visitors)


class Silent:
    """A channel layer whose server accepts everything and answers nothing."""

    async def new_channel(self) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    async def group_send(self, group: str, message: dict) -> None:
        await asyncio.Event().wait()


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("layer", [None, Silent()], ids=["layer", "silent layer"])
async def test_one_who_signed_out_unheard_is_sent_away_within_five_seconds(
    layer, monkeypatch
) -> None:
    if layer:
        monkeypatch.setattr(hub_module, "get_channel_layer", lambda: layer)
    user = await sync_to_async(UserFactory)()
    store = SessionStore()
    await sync_to_async(store.create)()
    hub, listener = Hub(), Listener(user.pk, store.session_key)
    await hub.join(listener)
    await sync_to_async(store.delete)()
    await until(lambda: listener.ended == "signed-out", seconds=5)
    await hub.leave(listener)
