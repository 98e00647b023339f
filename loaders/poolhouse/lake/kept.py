"""DuckDB files in the user's cache, which any process makes when it first needs them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import duckdb

from poolhouse.building.project import cache_folder
from poolhouse.warehouse import schemas
from poolhouse.warehouse.file import STORAGE_VERSION

_SECONDS_OF_A_DRAFT = 3600


def kept_folder() -> Path:
    """Return the folder of these files."""
    return cache_folder() / "lakes"


@contextmanager
def new_file(file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to a new file with the schemas of a warehouse, and rename it when it is complete.

    Two processes may make the same file at the same time.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    _remove_old_drafts(file)
    draft = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        with duckdb.connect(
            str(draft), config={"storage_compatibility_version": STORAGE_VERSION}
        ) as connection:
            connection.execute(schemas.ALL)
            yield connection
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _remove_old_drafts(file: Path) -> None:
    """Remove drafts of killed processes, and no draft that another process may be writing."""
    for draft in file.parent.glob(f"*{file.suffix}.*"):
        with suppress(FileNotFoundError):
            if time.time() - draft.stat().st_mtime > _SECONDS_OF_A_DRAFT:
                draft.unlink()
