"""Build trec_eval from the sources beside the checkout, and run it."""

import gzip
import json
import subprocess
import tarfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest

from archive import SHARED, ArchiveCollection
from kept import OF_TESTS, kept, key_of

# The release of each version that the setting `trec_eval` names.
RELEASES = {9: "9.0.8", 10: "10.0"}

# The folders of the built programs. They last as long as the tests.
_FOLDERS: list[TemporaryDirectory[str]] = []


def sources(version: int) -> Path:
    """Return the packed sources of a version; or skip the test, and name what is missing."""
    packed = SHARED / "tools" / f"trec_eval-{RELEASES[version]}.tar.gz"
    if not packed.is_file():
        pytest.skip(f"{packed.name} is not beside the checkout")
    return packed


@cache
def program(version: int) -> Path:
    """Return the program of a version; or skip the test, and name what is missing."""
    packed = sources(version)
    name = packed.name.removesuffix(".tar.gz")
    # The Makefiles of trec_eval call gcc.
    make, gcc = which("make"), which("gcc")
    if not (make and gcc):
        pytest.skip(f"{name} cannot be built without make and gcc")
    folder = TemporaryDirectory(prefix="trec_eval")
    _FOLDERS.append(folder)
    with tarfile.open(packed) as files:
        files.extractall(folder.name, filter="data")
    built = Path(folder.name) / name
    subprocess.run([make, "trec_eval"], cwd=built, check=True, capture_output=True)
    return built / "trec_eval"


def lines_of(version: int, *arguments: str | Path) -> list[tuple[str, str, str]]:
    """Return what the program prints, as measure, topic and value."""
    done = subprocess.run(
        [program(version), *arguments], check=True, capture_output=True, encoding="utf-8"
    )
    return [tuple(line.split()) for line in done.stdout.splitlines()]  # type: ignore[misc]


# What the program prints for a run, by the options of each call; None where it ends with an error.
Printed = list[str | None]


def printed(
    version: int, calls: Iterable[Sequence[str]], qrels: Path, runs: Iterable[Path]
) -> list[Printed]:
    """Call the program for each run, with each of these lists of options."""
    calls = list(calls)
    return [[_printed(version, options, qrels, run) for options in calls] for run in runs]


def _printed(version: int, options: Sequence[str], qrels: Path, run: Path) -> str | None:
    done = subprocess.run(
        [program(version), *options, qrels, run],
        check=False,
        capture_output=True,
        encoding="latin-1",
    )
    return done.stdout if done.returncode == 0 else None


def printed_of_archive(
    collection: ArchiveCollection,
    version: int,
    calls: Sequence[Sequence[str]],
    qrels: Path,
    runs: Sequence[Path],
) -> list[Printed]:
    """Do the same for unpacked runs of an archive, once: their texts are kept."""

    def write(file: Path) -> None:
        texts = json.dumps(printed(version, calls, qrels, runs))
        file.write_bytes(gzip.compress(texts.encode(), compresslevel=1))

    asked = json.dumps([calls, [run.name for run in runs]])
    name = f"{collection.name} by trec_eval {version} {' '.join(calls[0][:4])}"
    parts: list[str | Path] = [asked, sources(version), *collection.request().paths]
    key = key_of(printed, parts, [OF_TESTS])
    texts: list[Printed] = json.loads(gzip.decompress(kept(name, key, write).read_bytes()))
    return texts
