"""Copy a SQLite database as of one moment, also while others write to it; check the copy."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path


def main(source: str, target: str) -> None:
    address = Path(source).resolve().as_uri() + "?mode=ro"
    with (
        closing(sqlite3.connect(address, uri=True)) as world,
        closing(sqlite3.connect(target)) as copy,
    ):
        world.backup(copy)
        # A backup is one file: no journal beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        sys.exit(f"The copy is damaged: {verdict}")


if __name__ == "__main__":
    main(*sys.argv[1:])
