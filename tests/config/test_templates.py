"""Templates and static files as a whole: what holds for each of them."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage
from django.template.loader import get_template
from django.test import Client

from config.environment import BASE_DIR
from config.static import HashedFiles
from dynasties.houses import arms
from tests.factories import DynastyFactory

TEMPLATES = BASE_DIR / "templates"
STATIC = BASE_DIR / "static"
PAGES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))
EVERYTHING = sorted(
    path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*") if path.is_file()
)

FORBIDDEN = {
    "an inline style": re.compile(r"\sstyle\s*=|<style", re.IGNORECASE),
    "an inline script": re.compile(r"<script(?![^>]*\ssrc=)", re.IGNORECASE),
    "an event attribute": re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "an address elsewhere": re.compile(r"""(?:src|href|action)\s*=\s*["'](?:https?:)?//"""),
}

# A page's own files: on disk, and as they travel in production.
LARGEST_PAGE = 150_000
LARGEST_TRANSFER = 115_000


def source(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_template_can_be_read(name: str) -> None:
    assert get_template(name)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_page_holds_what_the_content_policy_forbids(name: str, what: str) -> None:
    assert not FORBIDDEN[what].search(source(name))


@pytest.mark.parametrize("name", PAGES)
def test_every_static_file_that_a_page_names_exists(name: str) -> None:
    for path in re.findall(r"""{%\s*static\s+["']([^"']+)["']""", source(name)):
        assert finders.find(path), path


def drawn() -> set[str]:
    return set(re.findall(r'id="([^"]+)"', (STATIC / "img/sprite.svg").read_text("utf-8")))


@pytest.mark.parametrize("name", PAGES)
def test_every_icon_that_a_page_shows_is_drawn(name: str) -> None:
    shown = re.findall(r'shell/icon\.html" with name="([^"]+)"', source(name))
    assert set(shown) <= drawn()


def test_every_part_of_a_coat_of_arms_is_drawn() -> None:
    figures = {f"figure-{figure}" for figure in arms.PARTITIONS + arms.RIMS + arms.BANDS if figure}
    assert figures | set(arms.CHARGES) <= drawn()


# --- Weight ---------------------------------------------------------------------------


def files_of(page: str) -> set[Path]:
    """Every file of ours that a browser fetches to show `page`, and what these fetch in turn."""
    named = re.findall(r'/static/([^"#\s?]+)', re.sub(r"<meta[^>]*>", "", page))
    waiting = [STATIC / path for path in named if not path.endswith((".png", ".ico"))]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop().resolve()
        if path not in found:
            found.add(path)
            waiting.extend(fetched_by(path))
    return found


def fetched_by(path: Path) -> Iterator[Path]:
    if path.suffix == ".css":
        for target in re.findall(r'url\("([^")]+)"\)', path.read_text("utf-8")):
            yield path.parent / target
    if path.suffix == ".js":
        for target in re.findall(r'from "([^"]+)"', path.read_text("utf-8")):
            yield path.parent / target


def transferred(path: Path) -> int:
    packed = path.suffix in {".css", ".js", ".svg"}
    return len(gzip.compress(path.read_bytes())) if packed else path.stat().st_size


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/account/signup/"])
def test_a_page_stays_light(client: Client, address: str) -> None:
    DynastyFactory(motto="In italics")
    files = files_of(client.get(address).content.decode())
    assert {path.name for path in files} >= {"site.js", "live.js", "tokens.css", "sprite.svg"}
    assert any(path.suffix == ".woff2" for path in files)
    assert sum(path.stat().st_size for path in files) < LARGEST_PAGE
    assert sum(transferred(path) for path in files) < LARGEST_TRANSFER


def test_the_social_preview_is_small() -> None:
    assert (STATIC / "img/preview.png").stat().st_size < LARGEST_PAGE


def test_everything_vendored_keeps_its_licence_and_origin() -> None:
    for folder in (STATIC / "vendor").iterdir():
        assert "Licen" in (folder / "LICENSE").read_text("utf-8")
        assert re.fullmatch(r"\S+@\d+\.\d+\.\d+\n", (folder / "VERSION").read_text("utf-8"))


def test_production_names_modules_by_content_even_in_imports(tmp_path: Path) -> None:
    ours = FileSystemStorage(location=STATIC)
    target = HashedFiles(location=tmp_path, base_url="/static/")
    names = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]
    for name in names:
        with ours.open(name) as file:
            target.save(name, file)
    for _name, _hashed, problem in target.post_process({name: (target, name) for name in names}):
        assert problem in (True, False), problem
    entry = (tmp_path / target.stored_name("js/site.js")).read_text("utf-8")
    assert Path(target.stored_name("js/live.js")).name in entry
    assert '"./live.js"' not in entry
