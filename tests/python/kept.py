"""Keep warehouses that take minutes to make in the user's cache, for all test runs and checkouts.

A warehouse is kept under a hash of all that it is made from: the plan, the content of the files
that it is loaded from, the installed packages, and the sources of its maker. These are the maker's
module and all modules of the project and of the tests that it imports, directly or not.
"""

import ast
import inspect
import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fcntl import LOCK_EX, flock
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from shutil import copyfile, rmtree

from platformdirs import user_cache_path

import poolhouse
from poolhouse.building.plan import plan_of
from poolhouse.warehouse.file import Warehouse

Maker = Callable[[Warehouse], None]

# pytest's own variable for the cache is set later, when the tests begin.
CACHE = user_cache_path("poolhouse-tests")

# The folders of modules whose sources count.
SOURCES = (Path(poolhouse.__file__).parents[1], Path(__file__).parent)

# Of each name. Two checkouts take turns without making their warehouses again.
_MOST_KEPT = 2


def put_kept(warehouse: Warehouse, name: str, make: Maker, files: Iterable[Path]) -> None:
    """Put the warehouse that `make` makes from these files at its place: a kept or a new one.

    The place is a link to the kept file. A change of a warehouse replaces its file, and so leaves
    the kept one as it is. The paths in the history of its loads may be those of another checkout.
    """
    folder = CACHE / "warehouses" / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{key_of(make, files)}.duckdb"
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not file.exists():
            _make(file, make)
        os.utime(file)
        _remove_old(folder)
        warehouse.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file, warehouse.path)
        except OSError:  # the cache is on another disk
            copyfile(file, warehouse.path)


def share_plans(place: Path) -> None:
    """Make this folder of plans a link to the one of all checkouts: compiling takes 24 CPU s."""
    shared = CACHE / "plans"
    shared.mkdir(parents=True, exist_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # the test run before this one, or another process, made it
        place.symlink_to(shared)


def key_of(make: Maker, files: Iterable[Path], sources: Iterable[Path] = SOURCES) -> str:
    """Hash all that a warehouse is made from."""
    digest = sha256(plan_of({}).to_json().encode())
    digest.update(repr(list(_packages())).encode())
    for file in (*sources_of(make, sources), *sorted(files)):
        digest.update(file.name.encode() + b"\0" + sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:32]


def _make(file: Path, make: Maker) -> None:
    draft = file.with_suffix("")
    rmtree(draft, ignore_errors=True)  # of a test run that was killed
    draft.mkdir()
    warehouse = Warehouse(draft / "poolhouse.duckdb")
    make(warehouse)
    warehouse.path.replace(file)
    rmtree(draft)


def _remove_old(folder: Path) -> None:
    oldest_first = sorted(folder.glob("*.duckdb"), key=lambda each: each.stat().st_mtime)
    for old in oldest_first[:-_MOST_KEPT]:
        old.unlink()


def _packages() -> Iterator[tuple[str, str]]:
    """Yield the versions of Python and of the packages that the project asks for."""
    yield "python", platform.python_version()
    for requirement in requires("poolhouse") or ():
        name = re.match(r"[\w.-]+", requirement)
        assert name
        try:
            yield name[0], version(name[0])
        except PackageNotFoundError:  # of an extra that is not installed
            continue


def sources_of(make: Maker, folders: Iterable[Path] = SOURCES) -> list[Path]:
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
