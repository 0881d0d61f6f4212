"""Every way in which setting up can fail ends in a sentence that says what to do."""

import subprocess
import sys
from pathlib import Path

import pytest

from config import bootstrap


def failure(call, *args: object) -> str:
    with pytest.raises(SystemExit) as failed:
        call(*args)
    return str(failed.value)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder of its own, with the real locks."""
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    return tmp_path


def test_an_old_python_is_told_and_how_to_name_another(monkeypatch) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    said = failure(bootstrap.require_python)
    assert "Python 3.11 or newer is needed; this is 3.9." in said
    assert "make play PYTHON=python3.11" in said


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    said = failure(bootstrap.require_writable, tmp_path / "missing")
    assert "can't be written to" in said


def test_a_writable_folder_is_left_as_it_was(tmp_path: Path) -> None:
    bootstrap.require_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_python_without_venv_is_told_with_the_package_that_has_it(nowhere, monkeypatch) -> None:
    broken = subprocess.CompletedProcess([], 1, "", "ensurepip is not available")
    monkeypatch.setattr(bootstrap.subprocess, "run", lambda *a, **k: broken)
    assert "apt install python3-venv" in failure(bootstrap.make_environment)


def test_a_missing_compiler_is_told_where_one_would_be_needed(nowhere, monkeypatch) -> None:
    monkeypatch.setattr(bootstrap, "run", lambda *command, quiet=True: False)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    said = failure(bootstrap.install, "site")
    assert "a C compiler is needed" in said
    assert "build-essential" in said


def test_with_a_compiler_packages_may_be_built(nowhere, monkeypatch) -> None:
    tried: list[tuple[str, ...]] = []

    def only_building_works(*command: str, quiet: bool = True) -> bool:
        tried.append(command)
        return ":all:" not in command

    monkeypatch.setattr(bootstrap, "run", only_building_works)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: "/usr/bin/cc")
    bootstrap.install("site")
    assert "--require-hashes" in tried[-1]


def test_an_unchanged_lock_is_not_installed_again(nowhere, monkeypatch) -> None:
    bootstrap.VENV.mkdir()
    bootstrap.stamp("dev").write_text(bootstrap.fingerprint("dev"))
    assert bootstrap.up_to_date("dev")
    assert bootstrap.up_to_date("site"), "the dev lock holds the site's packages"
    bootstrap.stamp("dev").write_text("another lock")
    assert not bootstrap.up_to_date("dev")


def test_every_package_of_the_site_has_the_same_version_for_developers() -> None:
    def pinned(name: str) -> set[str]:
        lines = (bootstrap.LOCKS / f"{name}.txt").read_text().splitlines()
        return {line.split(" ")[0] for line in lines if "==" in line}

    assert pinned("site") <= pinned("dev")


def test_an_unknown_wish_gets_the_usage() -> None:
    script = str(Path(bootstrap.__file__))
    done = subprocess.run([sys.executable, script, "everything"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Usage:" in done.stderr


@pytest.mark.parametrize("lock", sorted(path.name for path in bootstrap.LOCKS.glob("*.txt")))
def test_locks_name_packages_and_hashes_but_no_index(lock: str) -> None:
    text = (bootstrap.LOCKS / lock).read_text()
    assert "://" not in text
    assert "--hash=sha256:" in text
