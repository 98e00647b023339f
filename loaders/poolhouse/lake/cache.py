"""DuckDB files in the user's cache, which any process makes when it first needs them."""

import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from poolhouse.building.project import cache_folder
from poolhouse.warehouse import schemas
from poolhouse.warehouse.interrupting import interruptible
from poolhouse.warehouse.side import NEW_FILES
from poolhouse.warehouse.whole import whole

# Opening a kept file takes less, and so does making one on a busy machine.
_SECONDS_OF_USE = 300


def kept_folder() -> Path:
    """Return the folder of these files."""
    return cache_folder() / "lakes"


@contextmanager
def new_file(file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to a new file with the schemas of a warehouse, which appears when it is complete."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with (
        whole(file) as draft,
        duckdb.connect(str(draft), config={**NEW_FILES}) as connection,
        interruptible(connection),
    ):
        connection.execute(schemas.ALL)
        yield connection


def remove_unused(paths: Iterable[Path]) -> None:
    """Remove files and folders that nobody has touched for some minutes.

    Another process may be making a younger one, or be about to open it.
    """
    for path in paths:
        with suppress(OSError):  # removed in the meantime
            if time.time() - path.stat().st_mtime <= _SECONDS_OF_USE:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
