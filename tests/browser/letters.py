"""The letters that the site has sent: files, where there is no mail server."""

import re
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

CODE = re.compile(r"^\s*([A-Z0-9]{3,}(?:-[A-Z0-9]{3,})*)\s*$", re.MULTILINE)
PATIENCE_SECONDS = 10.0


def letters_to(folder: Path, address: str) -> list[EmailMessage]:
    """Every letter to `address`, oldest first."""
    if not folder.is_dir():
        return []
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    letters = (message_from_bytes(file.read_bytes(), policy=policy.default) for file in files)
    return [letter for letter in letters if letter["To"] == address]


def code_in_letter(folder: Path, address: str, *, number: int = 1) -> str:
    """The code in the `number`th letter to `address` that holds one; waits for it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        bodies = (letter.get_content() for letter in letters_to(folder, address))
        codes = [match[1] for body in bodies if (match := CODE.search(body))]
        if len(codes) >= number:
            return codes[number - 1]
        time.sleep(0.05)
    raise AssertionError(f"no letter with a code came to {address}")
