"""Tells the backup scripts where the world is: shell variables made from DATABASE_URL.

The password goes into the environment of PostgreSQL's tools, never onto a command
line that other users of the machine could read.
"""

import os
import shlex
import sys
from urllib.parse import parse_qs, unquote, urlsplit


def variables(url: str) -> dict[str, str]:
    """The variables for `url`, or ValueError with a sentence."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and parts.path.strip("/"):
        return {"KIND": "sqlite", "WORLD": parts.path.removeprefix("/")}
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError("DATABASE_URL must be postgres://user:password@host:5432/name.")
    given = {
        "PGHOST": unquote(parts.hostname or ""),
        "PGPORT": str(parts.port or ""),
        "PGUSER": unquote(parts.username or ""),
        "PGPASSWORD": unquote(parts.password or ""),
        "PGDATABASE": unquote(parts.path.removeprefix("/")),
        "PGSSLMODE": parse_qs(parts.query).get("sslmode", [""])[0],
    }
    if not given["PGDATABASE"]:
        raise ValueError("DATABASE_URL names no database: postgres://user:password@host:5432/name.")
    return {"KIND": "postgres", **{name: value for name, value in given.items() if value}}


def main() -> None:
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        sys.exit("DATABASE_URL is not set: it names the world to work on.")
    try:
        found = variables(url)
    except ValueError as error:
        sys.exit(str(error))
    for name, value in found.items():
        print(f"export {name}={shlex.quote(value)}")


if __name__ == "__main__":
    main()
