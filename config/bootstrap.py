"""Makes the virtual environment and installs the lock into it. Standard library only.

Run by make with whatever Python the machine has:

    python3 config/bootstrap.py site    what the site needs
    python3 config/bootstrap.py dev     that, and what tests and checks need

Nothing is done when the lock has not changed. Every way to fail that a newcomer
can meet ends in a sentence that says what to do.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = ROOT / "requirements"
LOWEST_PYTHON = (3, 11)


def main(wanted: str) -> None:
    require_python()
    require_writable(ROOT)
    if up_to_date(wanted):
        return
    make_environment()
    install(wanted)
    stamp(wanted).write_text(fingerprint(wanted), encoding="ascii")


def fail(sentence: str) -> None:
    sys.exit("\n" + sentence + "\n")


def require_python() -> None:
    if sys.version_info < LOWEST_PYTHON:
        fail(
            "Python {}.{} or newer is needed; this is {}.{}.\n"
            "If you have one under another name: make play PYTHON=python3.11".format(
                *LOWEST_PYTHON, *sys.version_info[:2]
            )
        )


def require_writable(folder: Path) -> None:
    probe = folder / ".writable"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        fail(
            f"This folder can't be written to ({error.strerror}): move the project to one that can."
        )


def fingerprint(wanted: str) -> str:
    lock = (LOCKS / f"{wanted}.txt").read_bytes()
    return hashlib.sha256(lock + sys.version.encode()).hexdigest()


def stamp(wanted: str) -> Path:
    return VENV / f"installed-{wanted}"


def up_to_date(wanted: str) -> bool:
    """The dev lock holds the site's packages too, at the same versions."""
    enough = ("site", "dev") if wanted == "site" else ("dev",)
    return any(stamp(w).exists() and stamp(w).read_text() == fingerprint(w) for w in enough)


def make_environment() -> None:
    if python().exists() and works(python()):
        return
    print("Making the virtual environment …", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True)
    if made.returncode:
        print(made.stdout + made.stderr, file=sys.stderr)
        fail(
            "Python could not make a virtual environment.\n"
            "On Debian and Ubuntu its part for that is a package: apt install python3-venv"
        )


def python() -> Path:
    return VENV / "bin" / "python"


def works(program: Path) -> bool:
    """An environment that was copied or whose Python is gone is made anew."""
    try:
        found = subprocess.run(
            [program, "-c", "import sys; print(sys.version)"], capture_output=True
        )
    except OSError:
        return False
    return found.returncode == 0 and found.stdout.decode().strip() == sys.version


def install(wanted: str) -> None:
    print(f"Installing the {wanted} packages from the lock …", flush=True)
    lock = ["--require-hashes", "-r", str(LOCKS / f"{wanted}.txt")]
    ready_made = ["--only-binary", ":all:", *lock]
    if run(*uv_install(), *ready_made) or run(*pip_install(), *ready_made):
        return
    # Somewhere no ready-made build fits this system: it can be compiled, given a compiler.
    if not any(shutil.which(name) for name in ("cc", "gcc", "clang")):
        fail(
            "The packages could not be installed; the reason is above. If one has no ready-made "
            "build for this system,\na C compiler is needed to make it, and none was found.\n"
            "Debian, Ubuntu: apt install build-essential python3-dev. macOS: xcode-select --install"
        )
    if not run(*pip_install(), *lock, quiet=False):
        fail(
            "The packages could not be installed; the reason is above.\n"
            "Mostly it is the network: check the connection to the package index and run it again."
        )


def uv_install() -> list:
    """uv is several times quicker than pip; where it can't be had, pip does."""
    run(*pip_install(), "--only-binary", ":all:", "--require-hashes", "-r", str(LOCKS / "uv.txt"))
    return [str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--python", str(python())]


def pip_install() -> list:
    return [str(python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def run(*command: str, quiet: bool = True) -> bool:
    """Run an installer; tell whether it worked, and print what it said only if it did not."""
    environment = {**os.environ, "UV_NO_PROGRESS": "1", "VIRTUAL_ENV": str(VENV)}
    try:
        done = subprocess.run(
            command, env=environment, text=True, stderr=subprocess.STDOUT,
            stdout=subprocess.PIPE if quiet else None,
        )  # fmt: skip
    except FileNotFoundError:
        return False
    if done.returncode and quiet:
        print(done.stdout, file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["site"], ["dev"]):
        fail("Usage: python3 config/bootstrap.py site|dev")
    main(sys.argv[1])
