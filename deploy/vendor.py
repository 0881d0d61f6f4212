#!/usr/bin/env python
"""Bring the pinned front-end packages into `static/vendor/`, each with its licence.

Run it after changing PACKAGES: `python deploy/vendor.py`. It needs `npm`, and asks
whichever registry npm is set up for; a package whose bytes are not the pinned ones
is refused. What it writes is committed, so neither the site nor its tests need npm.
"""

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

VENDOR_DIR = Path(__file__).resolve().parent.parent / "static" / "vendor"


@dataclass(frozen=True)
class Package:
    """One npm package: where it goes, what of it we take, what its bytes must be."""

    name: str
    version: str
    integrity: str
    folder: str
    files: tuple[str, ...]


PACKAGES = (
    Package(
        name="@fontsource-variable/alegreya",
        version="5.3.0",
        integrity=(
            "sha512-K+DFrm7tnqsG6di2w3eW/o4Ic6XNFLtZCKcPldeHEnE9f8uWy4llIp1CqQAu"
            "+ByI9MFfs1C7eLv4Rv84yEIerw=="
        ),
        folder="alegreya-variable",
        files=("files/alegreya-latin-wght-normal.woff2",),
    ),
    # The italic is for mottoes and asides only: one weight is half the bytes of the variable one.
    Package(
        name="@fontsource/alegreya",
        version="5.3.0",
        integrity=(
            "sha512-YCsp9dHYfMNdggXxinMMS0nkGlZkzs2MvPL7qPVjSO4DM1uJ29hmKEdTC/fBP"
            "+2K4Aa+4Z44JuOQz05eDcvNJA=="
        ),
        folder="alegreya",
        files=("files/alegreya-latin-400-italic.woff2",),
    ),
    Package(
        name="@fontsource/grenze-gotisch",
        version="5.3.0",
        integrity=(
            "sha512-hIgb3TJWnwjiaf8FWMYfPe5PvHHnSv+VYUJI40Fj0KhjWhBhBl4LTsGrkr4MS"
            "jo6mG+znR2tBz5L++4wkEgI1A=="
        ),
        folder="grenze-gotisch",
        files=("files/grenze-gotisch-latin-500-normal.woff2",),
    ),
)


def download(package: Package, into: Path) -> Path:
    """Fetch the package's archive with npm and return its path."""
    subprocess.run(
        ["npm", "pack", "--silent", f"{package.name}@{package.version}"],
        cwd=into,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return next(into.glob("*.tgz"))


def verify(archive: Path, integrity: str) -> None:
    """Raise SystemExit unless the archive's bytes are the pinned ones."""
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != integrity:
        raise SystemExit(f"{archive.name}: expected {integrity}, got sha512-{digest}")


def unpack(archive: Path, package: Package) -> None:
    """Replace the package's folder by its chosen files, its licence and a note of its origin."""
    folder = VENDOR_DIR / package.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(archive) as tar:
        for member in (*package.files, "LICENSE"):
            source = tar.extractfile(f"package/{member}")
            if source is None:
                raise SystemExit(f"{package.name} holds no {member}")
            (folder / Path(member).name).write_bytes(source.read())
    (folder / "VERSION").write_text(f"{package.name}@{package.version}\n", encoding="utf-8")


def main() -> None:
    for package in PACKAGES:
        with tempfile.TemporaryDirectory() as scratch:
            archive = download(package, Path(scratch))
            verify(archive, package.integrity)
            unpack(archive, package)
        print(f"{package.name}@{package.version} -> static/vendor/{package.folder}")


if __name__ == "__main__":
    main()
