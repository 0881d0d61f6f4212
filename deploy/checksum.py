"""Write or check the checksum beside a backup, in the form that sha256sum reads and writes."""

import hashlib
import sys
from pathlib import Path


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path) -> None:
    beside(path).write_text(f"{digest(path)}  {path.name}\n", encoding="utf-8")


def check(path: Path) -> None:
    if not beside(path).exists():
        sys.exit(f"{beside(path)} is missing: without it nobody knows whether the backup is whole.")
    if beside(path).read_text(encoding="utf-8").split()[:1] != [digest(path)]:
        sys.exit(f"{path} is damaged: it does not match its checksum.")


def beside(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](Path(sys.argv[2]))
