"""The task of a lake build: one collection is loaded, built and written, wherever the task runs.

The files of the task go to a folder that no reader reads. The driver of the build publishes them
(poolhouse.lake.publishing). So a task may be killed, or run twice at the same time.
"""

import json
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import gettempdir
from time import monotonic
from typing import Any
from uuid import uuid4

import duckdb

from poolhouse.building.build import build
from poolhouse.building.plan import Node, Plan
from poolhouse.building.settings import keep_setting, plan_by_choice
from poolhouse.errors import PoolhouseError
from poolhouse.export.copies import SOURCE, writing
from poolhouse.lake.layout import COLLECTION, INCOMING, KEY, RAW_LINES, stored_mart, stored_tables
from poolhouse.lake.manifest import Keys, Publication
from poolhouse.lake.place import Place
from poolhouse.loading.load import LoadRequest, load_collection
from poolhouse.warehouse import schemas
from poolhouse.warehouse.file import STORAGE_VERSION, Warehouse, first_line
from poolhouse.warehouse.memory import allowed
from poolhouse.warehouse.spilling import spilled_in, spilling_to
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# The file that a task writes last: its result.
DONE = "done.json"

# The name of a file on this machine.
_BEFORE_THE_HASH = "file"

_PARQUET = "format parquet, compression zstd"


@dataclass(frozen=True)
class Task:
    """The work on one collection of a lake.

    `lake` is the address of the lake, and `build` the name of the running build. `known` is the
    publication of the collection so far. `memory` and `spill` are those of the driver.
    """

    lake: str
    build: str
    request: LoadRequest
    keys: Keys
    settings: Mapping[str, Any]
    keeps_raw: bool
    known: Publication | None
    memory: str
    spill: Path | None


@dataclass(frozen=True)
class Result:
    """The end of a task: its collection, and one of three outcomes.

    `publication` describes files that wait in `folder`. `failure` says why there are none. The
    collection is unchanged where neither is given.
    """

    collection: str
    folder: str = ""
    publication: Publication | None = None
    failure: str | None = None

    def to_json(self) -> str:
        """Write the result; `from_json` reads it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Result":
        """Read the result of `to_json`."""
        what = json.loads(text)
        published = what.pop("publication")
        return cls(**what, publication=published and Publication.from_json(published))


def build_pickled(task: bytes) -> str:
    """Build the collection of a pickled task, and return the result as JSON, for any engine."""
    return build_collection(pickle.loads(task)).to_json()  # noqa: S301 - our own driver wrote it


def build_collection(task: Task) -> Result:
    """Build the collection of a task, and write its files and its result into the lake.

    A collection that cannot be loaded or built is a result. Raise PoolhouseError where the lake
    cannot be written.
    """
    collection, place = task.request.collection, Place(task.lake)
    started, built_at = monotonic(), datetime.now(UTC).isoformat()
    try:
        plan = plan_by_choice(task.settings, lambda _: None)
        fingerprint = _fingerprint(task, plan)
        if task.known and task.known.fingerprint == fingerprint:
            return Result(collection)
        with (
            allowed(task.memory),
            spilling_to(task.spill),
            spilled_in(task.spill or Path(gettempdir())) as scratch,
        ):
            warehouse = _empty_warehouse(scratch / "collection.duckdb", task)
            loaded = load_collection(warehouse, task.request)
            built = build(warehouse)
            files = scratch / "files"
            _write_files(warehouse, plan, task, files)
            folder = f"{INCOMING}/{task.build}/{uuid4().hex}"
            name, n_bytes = _upload(files, place, folder)
    except PoolhouseError as error:
        # The words of a load and of a build name the file or the model.
        return Result(collection, failure=str(error))
    publication = Publication(
        task.keys,
        name,
        fingerprint,
        plan.version,
        built_at,
        round(monotonic() - started, 3),
        loaded.n_rows,
        n_bytes,
        task.keeps_raw,
        {str(path): _state(path) for path in task.request.paths},
        (*loaded.rejections, *loaded.remarks, *built.remarks),
    )
    result = Result(collection, folder, publication)
    place.write(f"{folder}/{DONE}", result.to_json().encode())
    return result


def _fingerprint(task: Task, plan: Plan) -> str:
    """Hash everything that determines the files of the collection; a file may lie elsewhere."""

    def content(value: object) -> object:
        if isinstance(value, Path):
            return [value.name, _digest(value)]
        return sha256(value).hexdigest() if isinstance(value, bytes) else str(value)

    what = [asdict(task.request), plan.version, task.keeps_raw]
    return sha256(json.dumps(what, default=content, sort_keys=True).encode()).hexdigest()


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise PoolhouseError(f"{path}: cannot be read: {error.strerror}") from error


def _state(path: Path) -> tuple[int, int]:
    there = path.stat()
    return there.st_size, there.st_mtime_ns


def _empty_warehouse(path: Path, task: Task) -> Warehouse:
    """Make a warehouse that gives the collection and its runs their keys in the lake."""
    with duckdb.connect(
        str(path), config={"storage_compatibility_version": STORAGE_VERSION}
    ) as connection:
        connection.execute("create schema raw")
        for sequence, first in (
            ("collection_keys", task.keys.collection),
            ("run_keys", task.keys.first_run),
        ):
            connection.execute(f"create sequence raw.{sequence} start {first}")
        connection.execute(schemas.ALL)
        for name in task.settings:
            keep_setting(connection, name, task.settings)
    return Warehouse(path)


# ------------------------------------------------------------------------------------------ files


def _write_files(warehouse: Warehouse, plan: Plan, task: Task, folder: Path) -> None:
    """Write a Parquet file of each mart and each stored table."""
    with writing(warehouse, None, folder.parent) as connection:
        for rows, options, path in (*_marts(plan, task), *_tables(connection, plan, task)):
            file = folder / path
            file.parent.mkdir(parents=True)
            try:
                connection.execute(f"copy ({rows}) to {quoted_text(str(file))} ({options})")
            except duckdb.InterruptException:
                raise
            except duckdb.Error as error:
                raise PoolhouseError(f"{path}: {first_line(error)}") from error


def _marts(plan: Plan, task: Task) -> Iterator[tuple[str, str, str]]:
    """Return the query, the options and the path of the file of each mart."""
    for node in plan.relations:
        if mart := stored_mart(node):
            names = (quoted_name(each.name) for each in node.columns if each.name != COLLECTION)
            rows = f"select {', '.join(names)} from {SOURCE}.{node.relation} order by all"
            options = f"{_PARQUET}, {_described(node)}"
            yield rows, options, mart.path(task.request.collection, _BEFORE_THE_HASH)


def _tables(
    connection: duckdb.DuckDBPyConnection, plan: Plan, task: Task
) -> Iterator[tuple[str, str, str]]:
    """Return the same of each stored table."""
    for table in stored_tables(connection, plan, SOURCE):
        if table.relation != RAW_LINES or task.keeps_raw:
            # One table has the name of the collection, and no key.
            kept = f"columns(name -> name <> '{KEY}')"
            rows = f"select {kept} from {SOURCE}.{table.relation}"
            yield rows, _PARQUET, table.path(task.keys.collection, _BEFORE_THE_HASH)


def _described(node: Node) -> str:
    """Return the option of a Parquet file that holds the descriptions of a mart and its columns."""
    columns = {each.name: each.comment for each in node.columns}
    told = {"description": node.comment, "columns": json.dumps(columns, ensure_ascii=False)}
    pairs = ", ".join(f"{name}: {quoted_text(text)}" for name, text in told.items())
    return f"kv_metadata {{{pairs}}}"


def _upload(files: Path, place: Place, folder: str) -> tuple[str, int]:
    """Copy the files into the lake under names of their content.

    Return the name, which is a hash of all contents, and the number of bytes.
    """
    written = sorted(path for path in files.rglob("*") if path.is_file())
    contents = [(str(path.relative_to(files)), _digest(path)) for path in written]
    name = sha256(repr(contents).encode()).hexdigest()[:16]
    for path in written:
        target = path.with_name(f"{name}.parquet").relative_to(files)
        place.upload(path, f"{folder}/{target.as_posix()}")
    return name, sum(path.stat().st_size for path in written)
