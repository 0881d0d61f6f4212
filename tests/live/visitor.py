"""A visitor without a browser: HTTP and WebSockets to one node, as the proxy would pass them on."""

import http.client
import json
import re
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

from websockets.sync.client import ClientConnection, connect

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Visitor:
    """Somebody with a cookie jar who speaks to the node at `port`."""

    port: int
    host: str = "localhost"
    secure: bool = False
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"https://{self.host}" if self.secure else f"http://{self.host}:{self.port}"

    def at(self, port: int) -> "Visitor":
        """The same visitor, with the same cookies, at another node."""
        return Visitor(port, self.host, self.secure, self.cookies)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self._ask("GET", path, None, headers or {})

    def post(self, path: str, fields: Mapping[str, str], *, form: str | None = None) -> Answer:
        """Fetch the page that holds the form, then send it with its token."""
        found = TOKEN.search(self.get(form or path).text)
        assert found, f"there is no form at {form or path}"
        body = urlencode({**fields, "csrfmiddlewaretoken": found[1]})
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        return self._ask("POST", path, body, {**kind, "Referer": f"{self.origin}{path}"})

    def log_in(self, email: str, password: str) -> Answer:
        answer = self.post("/account/login/", {"login": email, "password": password})
        assert answer.status == 302, f"not logged in: {answer.status} {answer.text[:2000]}"
        return answer

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        try:
            connection.request(method, path, body, {**self._headers(), **headers})
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie", []):
            self.cookies.update({key: m.value for key, m in SimpleCookie(line).items()})
        return Answer(response.status, response.headers, text)

    def _headers(self) -> dict[str, str]:
        headers = {"Host": self.host if self.secure else f"{self.host}:{self.port}"}
        if self.secure:
            headers |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        return headers

    def open_socket(self, *, origin: str | None = None) -> ClientConnection:
        address = self.host if self.secure else f"{self.host}:{self.port}"
        headers = {key: value for key, value in self._headers().items() if key != "Host"}
        return connect(
            f"ws://{address}/ws/world/",
            sock=socket.create_connection(("127.0.0.1", self.port), timeout=10),
            origin=origin or self.origin,  # type: ignore[arg-type]
            additional_headers=headers,
            proxy=None,
        )


def next_frame(connection: ClientConnection, kind: str, *, seconds: float = 10.0) -> dict[str, Any]:
    """The next frame of this type; others that come before are passed over."""
    deadline = time.monotonic() + seconds
    while True:
        text = connection.recv(timeout=max(0.01, deadline - time.monotonic()))
        content: dict[str, Any] = json.loads(text)
        if content["type"] == kind:
            return content


def wait_for_status(
    visitor: Visitor, path: str, status: int, *, seconds: float = PATIENCE_SECONDS
) -> Answer:
    """Ask again until the answer has this status; fail with the last answer."""
    deadline = time.monotonic() + seconds
    last: object = None
    while time.monotonic() < deadline:
        try:
            answer = visitor.get(path)
            if answer.status == status:
                return answer
            last = f"{answer.status} {answer.text[:500]}"
        except (OSError, http.client.HTTPException) as error:
            last = error
        time.sleep(0.1)
    raise AssertionError(f"{path} did not answer {status} within {seconds} s, but: {last}")
