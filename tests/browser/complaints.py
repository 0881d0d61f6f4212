"""Everything that a browser has to complain about: console, scripts, policies, failed requests."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# What a page that is left behind takes with it is nobody's fault.
LEFT_BEHIND = ("net::ERR_ABORTED",)


class Complaints:
    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._heard: list[str] = []
        self._expected: list[str] = []

    def listen(self, context: BrowserContext) -> None:
        """Hear every page of this context."""
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("response", self._on_response)
        context.on("request", self._on_request)
        context.on("requestfailed", self._on_failure)

    def expect(self, pattern: str) -> None:
        """Complaints that match this regular expression are part of the test."""
        self._expected.append(pattern)

    def unexpected(self) -> list[str]:
        return [said for said in self._heard if not any(re.search(p, said) for p in self._expected)]

    def _on_console(self, message: ConsoleMessage) -> None:
        # Verbose is advice of the browser's makers, hidden from everybody who does not ask for it.
        if message.type != "verbose":
            where = message.location.get("url", "")
            self._heard.append(f"console {message.type}: {message.text} ({where})")

    def _on_error(self, error: WebError) -> None:
        self._heard.append(f"script: {error.error}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 500:
            self._heard.append(f"answer {response.status}: {response.url}")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self._origin, "data:", "blob:")):
            self._heard.append(f"request to elsewhere: {request.url}")

    def _on_failure(self, request: Request) -> None:
        if request.failure not in LEFT_BEHIND:
            self._heard.append(f"request failed: {request.url} {request.failure}")
