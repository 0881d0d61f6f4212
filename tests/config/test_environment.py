"""Production starts from variables alone and refuses, by name, what is missing or unsafe."""

import re
import stat
from pathlib import Path

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured
from kombu import Connection
from kombu.exceptions import OperationalError
from redis import Redis

from config.environment import LONGEST_SOCKET_PATH, Environment, bundled_socket, kept_secret

GOOD = {
    "PRODUCTION": "true",
    "SECRET_KEY": "correct-horse-battery-staple-0123456789-abcdefghijklmnop",
    "ALLOWED_HOSTS": "emperors.example,www.emperors.example",
    "DATABASE_URL": "postgres://emperors:secret@db/emperors",
    "REDIS_URL": "redis://redis:6379/0",
    "EMAIL_URL": "smtp+tls://herald:secret@mail.example:587",
    "EMAIL_FROM": "herald@emperors.example",
}


def refusal(**changes: str) -> str:
    """What the site says when it is started with these variables; None removes one."""
    variables = {name: value for name, value in {**GOOD, **changes}.items() if value != "(absent)"}
    with pytest.raises(ImproperlyConfigured) as refused:
        Environment.read(variables)
    return str(refused.value)


def test_a_complete_production_environment_is_accepted() -> None:
    environment = Environment.read(GOOD)
    assert environment.production
    assert environment.site_origin == "https://emperors.example"


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "EMAIL_FROM"]
)
def test_a_missing_variable_is_named(name: str) -> None:
    assert f"{name} is missing" in refusal(**{name: "(absent)"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "a" * 80),
        ("SECRET_KEY", "django-insecure-" + "correct-horse-battery-staple-0123456789"),
        ("ALLOWED_HOSTS", "*"),
        ("ALLOWED_HOSTS", "emperors.example,.emperors.example"),
        ("SITE_ORIGIN", "http://emperors.example"),
        ("SITE_ORIGIN", "https://emperors.example/play"),
        ("DATABASE_URL", "sqlite:///world.sqlite3"),
        ("REDIS_URL", "memory://"),
        ("METRICS_TOKEN", "guess"),
        ("PRODUCTION", "ture"),
        ("ALLOWED_HOSTS", "https://emperors.example"),
        ("SITE_ORIGIN", "https://elsewhere.example"),
        ("SITE_ORIGIN", "https://emperors.example:99999"),
        ("SITE_ORIGIN", "https://[emperors.example"),
        ("DATABASE_URL", "postgres://db"),
        ("EMAIL_URL", "nonsense"),
        ("EMAIL_URL", "consolemail://"),
        ("EMAIL_URL", "dummymail://"),
        ("TRUSTED_PROXIES", "one"),
        ("TRUSTED_PROXIES", "-1"),
        ("LOG_LEVEL", "LOUD"),
    ],
)
def test_an_unsafe_variable_is_named(name: str, value: str) -> None:
    assert name in refusal(**{name: value})


def test_all_problems_are_told_at_once() -> None:
    said = refusal(SECRET_KEY="(absent)", REDIS_URL="(absent)", ALLOWED_HOSTS="*")
    assert all(name in said for name in ("SECRET_KEY", "REDIS_URL", "ALLOWED_HOSTS"))


def test_a_refusal_never_repeats_a_secret() -> None:
    said = refusal(SECRET_KEY="hunter2", METRICS_TOKEN="hunter3")
    assert "hunter" not in said


def test_one_machine_needs_no_variable_at_all(tmp_path: Path) -> None:
    environment = Environment.read({"VAR_DIR": str(tmp_path)})
    assert not environment.production
    assert environment.database_url == f"sqlite:///{tmp_path}/world.sqlite3"
    assert environment.redis_url == f"unix://{tmp_path}/valkey.sock"


@pytest.mark.parametrize("name", ["a#b", "a?b", "100%25", "a b", "ñandú", "a+b"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    var_dir = tmp_path / name
    environment = Environment.read({"VAR_DIR": str(var_dir)})
    database = environ.Env.db_url_config(environment.database_url)
    mail = environ.Env.email_url_config(environment.email_url)
    redis_settings = Redis.from_url(environment.redis_url).connection_pool.connection_kwargs
    broker = Connection(environment.redis_url.replace("unix://", "redis+socket://"))
    assert database["NAME"] == str(var_dir / "world.sqlite3")
    assert mail["EMAIL_FILE_PATH"] == str(var_dir / "mail")
    assert redis_settings["path"] == str(bundled_socket(var_dir))
    with pytest.raises(OperationalError, match=re.escape(str(bundled_socket(var_dir)))):
        broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)


def test_a_database_may_be_reached_by_a_socket() -> None:
    by_socket = GOOD | {"DATABASE_URL": "postgres:///emperors?host=/run/postgresql"}
    assert Environment.read(by_socket).production


def test_sockets_are_open_to_the_site_s_own_origins_only(tmp_path: Path) -> None:
    environment = Environment.read({"VAR_DIR": str(tmp_path), "SITE_ORIGIN": "http://localhost:81"})
    assert set(environment.sibling_origins()) == {
        "http://localhost:81",
        "http://127.0.0.1:81",
        "http://[::1]:81",
    }


def test_the_embedded_secret_is_kept_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "secret.key"
    first = kept_secret(path)
    assert kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_secret(tmp_path / "other.key") != first


def test_a_long_path_still_gets_a_socket_that_the_system_accepts() -> None:
    deep = Path("/") / "/".join(["dynasty"] * 30)
    assert len(str(bundled_socket(deep))) <= LONGEST_SOCKET_PATH
    assert bundled_socket(deep) != bundled_socket(deep / "other")
