"""Build trec_eval from the sources beside the checkout, and run it."""

import subprocess
import tarfile
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest

from archive import SHARED

# The release of each version that the setting `trec_eval` names.
RELEASES = {9: "9.0.8", 10: "10.0"}

# The folders of the built programs. They last as long as the tests.
_FOLDERS: list[TemporaryDirectory[str]] = []


@cache
def program(version: int) -> Path:
    """Return the program of a version; or skip the test, and name what is missing."""
    name = f"trec_eval-{RELEASES[version]}"
    sources = SHARED / "tools" / f"{name}.tar.gz"
    if not sources.is_file():
        pytest.skip(f"{sources.name} is not beside the checkout")
    # The Makefiles of trec_eval call gcc.
    make, gcc = which("make"), which("gcc")
    if not (make and gcc):
        pytest.skip(f"{name} cannot be built without make and gcc")
    folder = TemporaryDirectory(prefix="trec_eval")
    _FOLDERS.append(folder)
    with tarfile.open(sources) as packed:
        packed.extractall(folder.name, filter="data")
    built = Path(folder.name) / name
    subprocess.run([make, "trec_eval"], cwd=built, check=True, capture_output=True)
    return built / "trec_eval"


def lines_of(version: int, *arguments: str | Path) -> list[tuple[str, str, str]]:
    """Return what the program prints, as measure, topic and value."""
    done = subprocess.run(
        [program(version), *arguments], check=True, capture_output=True, encoding="utf-8"
    )
    return [tuple(line.split()) for line in done.stdout.splitlines()]  # type: ignore[misc]
