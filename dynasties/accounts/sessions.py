"""Where sessions are kept: Django's table, asked only for keys that Django may have made."""

from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore


class SessionStore(DatabaseSessionStore):
    """A cookie can hold anything, and PostgreSQL can't even be asked for a NUL byte."""

    def _validate_session_key(self, key: Any) -> bool:
        return bool(key) and len(key) >= 8 and key.isascii() and key.isalnum()
