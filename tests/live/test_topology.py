"""Production as plain processes: two web nodes, a worker, beat, real PostgreSQL, real Redis."""

import re
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dynasties.notices.models import Proclamation
from dynasties.vitals.models import Heartbeat
from tests.live.cast import PASSWORD, make_admin
from tests.live.topology import METRICS_TOKEN, Topology
from tests.live.visitor import Visitor, next_frame, wait_for_status


def admin_at(visitor: Visitor) -> Visitor:
    visitor.log_in(make_admin().email, PASSWORD)
    return visitor


def proclaim(visitor: Visitor, text: str) -> None:
    """What an admin does on the admin's page: write a proclamation that begins now."""
    now = timezone.now()
    later = now + timedelta(minutes=5)
    answer = visitor.post(
        "/admin/dynasties/proclamation/add/",
        {
            "text_en": text,
            "text_es": text,
            "starts_at_0": now.strftime("%Y-%m-%d"),
            "starts_at_1": now.strftime("%H:%M:%S"),
            "ends_at_0": later.strftime("%Y-%m-%d"),
            "ends_at_1": later.strftime("%H:%M:%S"),
        },
    )
    assert answer.status == 302, answer.text[:3000]


def test_both_nodes_become_ready_once_the_heart_beats(topology: Topology) -> None:
    for node in (topology.a, topology.b):
        answer = wait_for_status(node, "/readyz", 200)
        assert answer.json() == {
            "ready": True,
            "database": "ok",
            "timetable": "ok",
            "channel_layer": "ok",
        }


def test_a_proclamation_made_at_one_node_reaches_a_socket_at_the_other(topology: Topology) -> None:
    admin = admin_at(topology.a)
    with topology.b.open_socket() as socket:
        next_frame(socket, "hello")
        proclaim(admin, "The council meets at dusk.")
        heard = next_frame(socket, "proclamation", seconds=5)
        while heard["text"]["en"] != "The council meets at dusk.":  # those in force come first
            heard = next_frame(socket, "proclamation", seconds=5)
    assert Proclamation.objects.get(pk=heard["id"]).announced_at is not None


def test_a_task_of_the_worker_reaches_sockets_at_both_nodes(topology: Topology) -> None:
    with topology.a.open_socket() as first, topology.b.open_socket() as second:
        assert next_frame(first, "pulse", seconds=15)["at"]
        assert next_frame(second, "pulse", seconds=15)["at"]


def test_logging_out_at_one_node_ends_the_socket_at_the_other_within_five_seconds(
    topology: Topology,
) -> None:
    admin = admin_at(topology.a)
    with admin.at(topology.ports[1]).open_socket() as socket, topology.b.open_socket() as other:
        next_frame(socket, "hello")
        started = time.monotonic()
        assert admin.post("/account/logout/", {}).status == 302
        assert next_frame(socket, "farewell", seconds=5)["reason"] == "signed-out"
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=5)
        assert time.monotonic() - started < 5
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        other.ping().wait(2)  # somebody else's socket stays


def test_a_session_begun_at_one_node_is_known_at_the_other(topology: Topology) -> None:
    admin = admin_at(topology.a)
    assert admin.at(topology.ports[1]).get("/admin/").status == 200


def test_a_page_of_another_site_cannot_open_a_socket(topology: Topology) -> None:
    with pytest.raises(InvalidStatus) as refused:
        topology.a.open_socket(origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403


def test_plain_http_is_sent_to_https(topology: Topology) -> None:
    answer = topology.a.get("/dynasties/", {"X-Forwarded-Proto": "http"})
    assert answer.status == 301
    assert answer.headers["Location"] == "https://emperors.example/dynasties/"


def test_a_strange_host_is_refused(topology: Topology) -> None:
    assert topology.a.get("/", {"Host": "elsewhere.example"}).status == 400


def test_static_files_carry_their_content_in_their_name(topology: Topology) -> None:
    page = topology.a.get("/").text
    sheets = re.findall(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', page)
    assert sheets
    answer = topology.b.get(sheets[0])
    assert answer.status == 200
    assert "immutable" in answer.headers["Cache-Control"]


def test_metrics_are_shown_to_the_holder_of_the_token_only(topology: Topology) -> None:
    assert topology.a.get("/metrics").status == 404
    shown = topology.a.get("/metrics", {"Authorization": f"Bearer {METRICS_TOKEN}"})
    assert shown.status == 200
    assert "timetable_age_seconds" in shown.text


def test_a_scraper_inside_needs_no_name_of_the_site(topology: Topology) -> None:
    inside = {"Host": "web-a:8000", "Authorization": f"Bearer {METRICS_TOKEN}"}
    for probe in ("/metrics", "/healthz", "/readyz"):
        assert topology.a.get(probe, inside).status in {200, 503}


def test_the_proxys_id_of_a_request_is_in_the_answer_and_in_the_log(topology: Topology) -> None:
    answer = topology.a.get("/", {"X-Request-ID": "a-story-of-one-request"})
    assert answer.headers["X-Request-ID"] == "a-story-of-one-request"
    assert '"request_id": "a-story-of-one-request"' in topology.processes["web-a"].output()


def test_pages_go_on_after_every_connection_to_the_database_was_cut(topology: Topology) -> None:
    for _ in range(3):
        assert topology.a.get("/dynasties/").status == 200
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert cursor.rowcount > 0
    assert [topology.a.get("/dynasties/").status for _ in range(6)] == [200] * 6


def test_readiness_fails_with_a_sentence_when_beat_has_stopped(topology: Topology) -> None:
    wait_for_status(topology.a, "/readyz", 200)
    topology.processes["beat"].stop()
    try:
        # As if the limit had passed since the last beat; nobody is left to renew it.
        time.sleep(0.5)
        Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=5))
        for node in (topology.a, topology.b):
            answer = wait_for_status(node, "/readyz", 503)
            assert "is beat running" in answer.json()["timetable"]
            assert answer.json()["database"] == "ok"
            assert node.get("/healthz").status == 200
    finally:
        topology.start_beat()
    wait_for_status(topology.a, "/readyz", 200)


def test_without_redis_nodes_say_so_and_recover_with_their_sockets_when_it_is_back(
    topology: Topology,
) -> None:
    wait_for_status(topology.a, "/readyz", 200)
    with topology.b.open_socket() as socket:
        next_frame(socket, "hello")
        topology.redis.stop()
        try:
            for node in (topology.a, topology.b):
                answer = wait_for_status(node, "/readyz", 503)
                assert "does not answer" in answer.json()["channel_layer"]
                assert node.get("/healthz").status == 200
                assert node.get("/dynasties/").status == 200
        finally:
            topology.redis.restart()
        wait_for_status(topology.a, "/readyz", 200)
        assert next_frame(socket, "pulse", seconds=30)["at"]
