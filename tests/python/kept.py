"""Keep what takes minutes to make in the user's cache, for all test runs and checkouts.

A file is kept under a hash of all that it is made from: the given texts and files, the installed
packages, and the sources of its maker. These are the maker's module and all modules of the project
and of the tests that it imports, directly or not.
"""

import ast
import inspect
import os
import platform
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fcntl import LOCK_EX, flock
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from shutil import copyfile, rmtree

from platformdirs import user_cache_path

import poolhouse
from poolhouse.building.plan import plan_of
from poolhouse.warehouse.file import Warehouse

# pytest's own variable for the cache is set later, when the tests begin.
CACHE = user_cache_path("poolhouse-tests")

# The folders of modules whose sources count. Of other tools' results, only those of the tests do.
OF_TESTS = Path(__file__).parent
SOURCES = (Path(poolhouse.__file__).parents[1], OF_TESTS)

# Of each name. Two checkouts take turns without making their warehouses again.
_MOST_KEPT = 2


def kept(name: str, key: str, write: Callable[[Path], None]) -> Path:
    """Return the file of this key: the kept one, or the one that `write` writes at a path.

    Nobody may change it.
    """
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{key}.kept"
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not file.exists():
            draft = folder / "draft"
            rmtree(draft, ignore_errors=True)  # of a test run that was killed
            draft.mkdir()
            write(draft / "made.duckdb")
            (draft / "made.duckdb").replace(file)
            rmtree(draft)
        os.utime(file)
        oldest_first = sorted(folder.glob("*.kept"), key=lambda each: each.stat().st_mtime)
        for old in oldest_first[:-_MOST_KEPT]:
            old.unlink()
    return file


def put_kept(
    warehouse: Warehouse, name: str, make: Callable[[Warehouse], None], files: Iterable[Path]
) -> None:
    """Put the warehouse that `make` makes from these files and the plan at its place.

    The place is a link to the kept file. A change of a warehouse replaces its file, and so leaves
    the kept one as it is. The paths in the history of its loads may be those of another checkout.
    """
    key = key_of(make, [plan_of({}).to_json(), *files])
    file = kept(name, key, lambda path: make(Warehouse(path)))
    warehouse.path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, warehouse.path)
    except OSError:  # the cache is on another disk
        copyfile(file, warehouse.path)


def share_plans(cache: Path) -> None:
    """Make the plans of this cache links to those of all checkouts: compiling takes 24 CPU s."""
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("plans", "empty"):
        shared = CACHE / name
        shared.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):  # the test run before this one, or another process, made it
            (cache / name).symlink_to(shared)


def key_of(
    make: Callable[..., object], parts: Iterable[str | Path], sources: Iterable[Path] = SOURCES
) -> str:
    """Hash the given texts and files, the installed packages, and the sources of a maker."""
    packages = sorted(f"{each.name} {each.version}" for each in distributions())
    digest = sha256(f"{platform.python_version()} {packages}".encode())
    for part in (*sources_of(make, sources), *parts):
        if isinstance(part, Path):
            digest.update(f"\0{part.name}\0".encode() + sha256(part.read_bytes()).digest())
        else:
            digest.update(b"\0" + sha256(part.encode()).digest())
    return digest.hexdigest()[:32]


def sources_of(make: Callable[..., object], folders: Iterable[Path] = SOURCES) -> list[Path]:
    """Return the module of a maker, those that it imports, directly or not, and the schemas."""
    folders = tuple(folders)
    found: set[Path] = set()
    pending = [Path(inspect.getfile(make))]
    while pending:
        module = pending.pop()
        if module not in found:
            found.add(module)
            names = list(_imported(module))
            pending += (
                file for folder in folders for name in names for file in _files_of(name, folder)
            )
    found |= {file for folder in folders for file in folder.glob("poolhouse/warehouse/*.sql")}
    return sorted(found)


def _imported(module: Path) -> Iterator[str]:
    """Yield the names that a module imports, at its top or within a function."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)


def _files_of(name: str, root: Path) -> Iterator[Path]:
    """Yield the files of a module and of its packages; the last part may name what is in it."""
    place = root
    for part in name.split("."):
        place /= part
        candidates = (place.with_suffix(".py"), place / "__init__.py")
        yield from (each for each in candidates if each.is_file())
