"""A Chromium for the browser tests: one that starts, not merely one that is there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.services.errors import Unavailable
from tests.services.shelter import running_as_root

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FLAGS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
INSTALL_SECONDS = 300


def flags() -> list[str]:
    """How Chromium is to be started here; root has no sandbox."""
    return [*FLAGS, *(["--no-sandbox"] if running_as_root() else [])]


def find_chromium() -> tuple[Path, str]:
    """The path of a Chromium that works and where it comes from; installs one if it must."""
    named = os.environ.get("CHROMIUM", "")
    if named:
        if not starts(Path(named)):
            raise Unavailable(f"Chromium: CHROMIUM is set, but {named} does not start.")
        return Path(named), "CHROMIUM"
    found = first_that_starts()
    if found:
        return found, str(found)
    reasons = [install(command) for command in installers()]
    found = first_that_starts()
    if found:
        return found, f"{found}, installed just now"
    raise Unavailable("Chromium: none on this machine; " + "; ".join(reasons))


def first_that_starts() -> Path | None:
    return next((path for path in candidates() if starts(path)), None)


def candidates() -> Iterator[Path]:
    for name in NAMES:
        found = shutil.which(name)
        if found:
            yield Path(found)
    yield from (Path(path) for path in APPLICATIONS if Path(path).exists())
    own = playwrights_own()
    if own and own.exists():
        yield own


def playwrights_own() -> Path | None:
    """Where Playwright would keep its own Chromium; asked in a process of its own."""
    ask = (
        "from playwright.sync_api import sync_playwright as s\n"
        "with s() as p: print(p.chromium.executable_path)"
    )
    done = subprocess.run(
        [sys.executable, "-c", ask], capture_output=True, text=True, timeout=60, check=False
    )
    return Path(done.stdout.strip()) if done.returncode == 0 and done.stdout.strip() else None


def starts(path: Path) -> bool:
    command = [str(path), "--headless", *flags(), "--dump-dom", "about:blank"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and "<html" in done.stdout


def installers() -> Iterator[str]:
    """Shell commands that may bring a Chromium; the system is touched only where CI asks for it."""
    if os.environ.get("CI") == "true" and running_as_root() and shutil.which("apt-get"):
        yield "apt-get update && apt-get install -y --no-install-recommends chromium"
    yield f"{sys.executable} -m playwright install chromium"


def install(command: str) -> str:
    """Run an installer, showing what it does; return how it ended, in a few words."""
    print(f"No Chromium found. Trying: {command}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        code = subprocess.run(
            command, shell=True, env=environment, timeout=INSTALL_SECONDS, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return f"`{command}` took longer than {INSTALL_SECONDS} s"
    return f"`{command}` ended with code {code}"
