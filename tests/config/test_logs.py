"""A log line is one event with a request id, tells no address, and joins with the answer."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import structlog
from django.test import override_settings
from django.urls import reverse

from config.logs import logging_config


@contextmanager
def listening(*, as_json: bool) -> Iterator[io.StringIO]:
    """What a site with such a log writes, from the level INFO on."""
    options = dict(logging_config(level="INFO", as_json=as_json)["formatters"]["event"])
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(options.pop("()")(**options))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel("INFO")
    yield handler.stream
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
def written() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """What production writes, decoded line by line."""
    with listening(as_json=True) as stream:
        yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.django_db
def test_every_line_of_a_request_carries_the_id_that_the_answer_has(client, written) -> None:
    answer = client.get(reverse("home"))
    lines = written()
    assert {line["event"] for line in lines} == {"request_started", "request_finished"}
    assert {line["request_id"] for line in lines} == {answer["X-Request-ID"]}


@pytest.mark.django_db
@override_settings(DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID=True)
def test_behind_a_proxy_the_id_is_the_proxys(client) -> None:
    answer = client.get(reverse("home"), headers={"X-Request-ID": "from-the-proxy"})
    assert answer["X-Request-ID"] == "from-the-proxy"


@pytest.mark.django_db
def test_otherwise_a_client_cannot_name_its_request(client) -> None:
    answer = client.get(reverse("home"), headers={"X-Request-ID": "from-the-client"})
    assert answer["X-Request-ID"] != "from-the-client"


@pytest.mark.django_db
def test_a_failure_is_told_once_with_its_traceback_and_its_id(client, written, monkeypatch) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("marker")

    client.raise_request_exception = False
    monkeypatch.setattr("dynasties.houses.selectors.newest_dynasties", fail)
    answer = client.get(reverse("home"))
    failures = [line for line in written() if "exception" in line]
    assert len(failures) == 1
    assert "marker" in failures[0]["exception"]
    assert failures[0]["request_id"] == answer["X-Request-ID"]


@pytest.mark.django_db
def test_no_line_holds_an_address(client, written) -> None:
    client.get(reverse("home"), REMOTE_ADDR="203.0.113.77")
    assert "203.0.113.77" not in json.dumps(written())


def test_a_traceback_on_one_machine_shows_no_local_variables() -> None:
    password = "-".join(["marker", "9c1d"])
    with listening(as_json=False) as stream:
        try:
            raise RuntimeError(str(len(password)))
        except RuntimeError:
            structlog.get_logger("tests").exception("it_failed")
    assert "RuntimeError: 11" in stream.getvalue()
    assert "marker-9c1d" not in stream.getvalue()


@pytest.mark.django_db
def test_the_key_of_a_challenge_link_is_not_logged(client, written) -> None:
    client.get(reverse("home"), {"key": "a1b2c3d4e5"})
    assert written()
    assert "a1b2c3d4e5" not in str(written())
