"""The compose file, the container file and the proxy's file agree with the site and each other."""

import re
import shutil
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.environment import BASE_DIR, Environment

DEPLOY = BASE_DIR / "deploy"
SITE_SERVICES = ("web-a", "web-b", "worker", "beat", "migrate", "backup")
INTERPOLATED = re.compile(r"\$\{(\w+)(:[-?][^}]*)?\}")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return content


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = compose["services"]
    return found


def example_variables() -> dict[str, str]:
    lines = (DEPLOY / "env.example").read_text().splitlines()
    pairs = (line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return {pair[0]: pair[1] for pair in pairs}


def interpolated(text: str, values: dict[str, str]) -> str:
    """What compose makes of `${NAME}`, `${NAME:-default}` and `${NAME:?message}`."""

    def fill(match: re.Match[str]) -> str:
        default = (match[2] or "").removeprefix(":-") if (match[2] or "").startswith(":-") else ""
        return values.get(match[1]) or default

    return INTERPOLATED.sub(fill, text)


def test_the_topology_has_two_web_nodes_and_one_of_each_other_part(
    services: dict[str, Any],
) -> None:
    assert set(services) == {*SITE_SERVICES, "postgres", "redis", "proxy"}


@pytest.mark.parametrize("name", SITE_SERVICES)
def test_every_variable_that_a_service_sets_is_one_that_the_site_reads(
    services: dict[str, Any], name: str
) -> None:
    known = {field.name.upper() for field in fields(Environment)}
    assert set(services[name]["environment"]) <= known


def test_the_filled_in_example_starts_the_site(services: dict[str, Any]) -> None:
    filled = {
        name: value or "Aa0_" * 16 + "zyxwvutsrq" for name, value in example_variables().items()
    }
    filled["EMAIL_URL"] = "smtp+tls://herald:secret@mail.example:587"
    given = services["web-a"]["environment"].items()
    environment = Environment.read({name: interpolated(value, filled) for name, value in given})
    assert environment.production
    assert environment.site_origin == "https://emperors.example"


def test_the_example_names_every_variable_that_compose_asks_for() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    asked = {match[1] for match in INTERPOLATED.finditer(text)}
    assert asked == set(example_variables())


def test_no_secret_has_a_default() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    defaults = {
        match[1] for match in INTERPOLATED.finditer(text) if (match[2] or "").startswith(":-")
    }
    assert not defaults & {"SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "EMAIL_URL"}
    assert all(not example_variables()[n] for n in ("SECRET_KEY", "POSTGRES_PASSWORD"))


@pytest.mark.parametrize("name", ["worker", "beat", "migrate", "backup"])
def test_every_command_starts_a_program_that_the_image_holds(
    services: dict[str, Any], name: str
) -> None:
    program, *words = services[name]["command"]
    is_ours = (BASE_DIR / program).is_file()
    assert is_ours or shutil.which(program, path=str(Path(sys.executable).parent))
    assert all((BASE_DIR / word).is_file() for word in words if word.endswith((".py", ".sh")))


def test_celery_is_told_where_the_application_is(services: dict[str, Any]) -> None:
    from config import celery_app

    for name in ("worker", "beat"):
        command = services[name]["command"]
        assert command[command.index("--app") + 1] == "config"
    assert celery_app.main == "emperors"


def test_only_the_proxy_can_be_reached_from_outside(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_database_and_redis_have_no_way_out(compose: dict[str, Any]) -> None:
    assert compose["networks"]["inside"]["internal"] is True
    for name in ("postgres", "redis"):
        assert compose["services"][name]["networks"] == ["inside"]


def test_the_site_starts_only_after_the_migrations(services: dict[str, Any]) -> None:
    for name in ("web-a", "web-b", "worker", "beat"):
        wanted = services[name]["depends_on"]["migrate"]["condition"]
        assert wanted == "service_completed_successfully"


def test_every_volume_and_network_that_is_used_is_declared(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        named = {str(volume).split(":")[0] for volume in service.get("volumes", [])}
        assert {v for v in named if v.isidentifier()} <= set(compose["volumes"])
        assert set(service["networks"]) <= set(compose["networks"])


def test_the_proxy_knows_every_web_node(services: dict[str, Any]) -> None:
    nodes = services["proxy"]["environment"]["SITE_NODES"].split()
    assert nodes == [f"{name}:8000" for name in services if name.startswith("web-")]


def test_the_proxy_gets_every_variable_that_its_file_reads(services: dict[str, Any]) -> None:
    read = set(re.findall(r"\{\$(\w+)", (DEPLOY / "Caddyfile").read_text()))
    assert read == set(services["proxy"]["environment"])


def test_the_proxy_keeps_metrics_inside() -> None:
    text = (DEPLOY / "Caddyfile").read_text()
    assert re.search(r"@inside path /metrics /metrics/\*\s+respond @inside 404", text)


def test_the_image_holds_every_package_of_the_site() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    copied = {
        word for line in text.splitlines() if line.startswith("COPY") for word in line.split()
    }
    packages = {path.parent.name for path in BASE_DIR.glob("*/__init__.py")} - {"tests", "bench"}
    assert packages | {"templates", "static", "locale", "deploy", "manage.py"} <= copied


def test_what_the_image_copies_is_sent_to_the_builder() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    sent = set((DEPLOY / "Containerfile.dockerignore").read_text().split())
    for line in text.splitlines():
        if line.startswith("COPY") and "--from" not in line:
            assert all(f"!{word.split('/')[0]}" in sent for word in line.split()[1:-1])


def test_the_site_in_the_image_is_nobodys_root() -> None:
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    assert [line for line in lines if line.startswith("USER")] == ["USER emperors"]


def test_the_images_python_is_the_one_of_the_lock() -> None:
    images = re.findall(r"^FROM (\S+)", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    assert {image.split(":")[1][:4] for image in images} == {"3.11"}


def test_the_backups_tools_are_as_new_as_the_database(services: dict[str, Any]) -> None:
    server = re.match(r"postgres:(\d+)", services["postgres"]["image"])
    tools = re.search(r"postgresql-client-(\d+)", (DEPLOY / "Containerfile").read_text())
    assert server
    assert tools
    assert int(tools[1]) >= int(server[1])
