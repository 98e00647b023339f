"""The task of a lake build: one collection is loaded, built and written, wherever the task runs.

The files of the task go to a folder that no reader reads. The driver of the build publishes them
(poolhouse.lake.publishing). So a task may be killed, or run twice at the same time.
"""

import json
import os
import pickle
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from time import monotonic
from typing import Any
from uuid import uuid4

import attrs
import duckdb

from poolhouse import __version__
from poolhouse.building.build import build
from poolhouse.building.cached_databases import made_once
from poolhouse.building.defining import define_models
from poolhouse.building.plan import Node, Plan
from poolhouse.building.settings import keep_setting, plan_by_choice
from poolhouse.errors import PoolhouseError
from poolhouse.export.copies import SOURCE, writing
from poolhouse.file_digests import digest_of
from poolhouse.lake.cache import lakes_folder
from poolhouse.lake.layout import (
    COLLECTION,
    INCOMING,
    KEY,
    RAW_LINES,
    Stored,
    is_path,
    stored_mart,
    stored_tables,
    version_of,
)
from poolhouse.lake.manifest import Keys, Publication
from poolhouse.lake.place import Place
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import SourceFile
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse import memory, spilling
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# The file that a task writes last: its result.
DONE = "done.json"

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

    `publication` describes files that wait in `folder` under numbers from 0 on, for the places in
    `paths`; `remarks` are those of the load and the build. `failure` says why there are none. The
    collection is unchanged where neither is given.
    """

    collection: str
    folder: str = ""
    paths: tuple[str, ...] = ()
    publication: Publication | None = None
    remarks: tuple[str, ...] = ()
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

    @classmethod
    def waiting(cls, place: Place, folder: str) -> "Result | None":
        """Return the result of a task that ended in a folder, or None where there is none.

        A folder may hold what another version wrote, or somebody else.
        """
        try:
            found = cls.from_json(place.read(f"{folder}/{DONE}") or "")
            is_ours = found.publication and all(map(is_path, found.paths))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
        return replace(found, folder=folder) if is_ours else None

    def is_complete(self, place: Place) -> bool:
        """Return whether each file waits, or has been moved to its place."""
        waiting = set(place.names(self.folder))
        return all(
            f"{number}.parquet" in waiting or place.has(path)
            for number, path in enumerate(self.paths)
        )


def build_on_executor(pickled: bytes) -> str:
    """Build the collection of a pickled task in a process of an engine; return the result as JSON.

    The limits of the driver become those of the process. Tasks of Sail are threads of one process,
    and a limit that ended with its task would end in the middle of another one.
    """
    task: Task = pickle.loads(pickled)  # noqa: S301 - our driver wrote it
    os.environ[memory.VARIABLE] = task.memory
    if task.spill:
        os.environ[spilling.VARIABLE] = str(task.spill)
    return build_collection(task).to_json()


def build_collection(task: Task) -> Result:
    """Build the collection of a task, and write its files and its result into the lake.

    A collection that cannot be loaded or built is a result, whatever the reason. Raise
    PoolhouseError where the lake or the scratch folder cannot be written.
    """
    with _scratch() as scratch:
        try:
            made = _made(task, scratch)
        except duckdb.InterruptException:
            raise
        except PoolhouseError as error:
            # The words of a load and of a build name the file or the model.
            return Result(task.request.collection, failure=str(error))
        except Exception as error:
            failure = f"{type(error).__name__}: {first_line(error)}"
            return Result(task.request.collection, failure=failure)
        if made is None:
            return Result(task.request.collection)
        publication, files, remarks = made
        place, folder = Place(task.lake), f"{INCOMING}/{task.build}/{uuid4().hex}"
        for number, file in enumerate(files.values()):
            place.upload(file, f"{folder}/{number}.parquet")
    keys = publication.keys.collection
    paths = tuple(each.path(task.request.collection, keys, publication.name) for each in files)
    result = Result(task.request.collection, folder, paths, publication, remarks)
    place.write(f"{folder}/{DONE}", result.to_json().encode())
    return result


@contextmanager
def _scratch() -> Iterator[Path]:
    with ExitStack() as stack:
        place = spilling.spill_folder() or Path(gettempdir())
        try:
            folder = stack.enter_context(spilling.spilled_in(place))
        except OSError as error:
            raise PoolhouseError(f"{place}: cannot be written: {error.strerror}") from error
        yield folder


def _made(
    task: Task, scratch: Path
) -> tuple[Publication, dict[Stored, Path], tuple[str, ...]] | None:
    """Load and build the collection of a task, and return its files, if anything has changed."""
    started, built_at = monotonic(), datetime.now(UTC).isoformat()
    plan = plan_by_choice(task.settings)
    try:
        fingerprint = _fingerprint(task, plan)
    except OSError as error:
        raise PoolhouseError(f"{error.filename}: cannot be read: {error.strerror}") from error
    if task.known and task.known.fingerprint == fingerprint:
        return None
    warehouse = _empty_warehouse(scratch / "collection.duckdb", task, plan)
    loaded = load_collection(warehouse, task.request)
    built = build(warehouse)
    files = _write_files(warehouse, plan, task, scratch / "files")
    publication = Publication(
        task.keys,
        _name_of(files),
        fingerprint,
        version_of(plan),
        built_at,
        round(monotonic() - started, 3),
        loaded.n_rows,
        sum(file.stat().st_size for file in files.values()),
        len(files),
        task.keeps_raw,
    )
    return publication, files, (*loaded.rejections, *loaded.remarks, *built.remarks)


def _fingerprint(task: Task, plan: Plan) -> str:
    """Hash everything that determines the files of the collection; a file may lie elsewhere."""

    def content(value: object) -> object:
        if isinstance(value, Path):
            return [value.name, digest_of(value)]
        return [value.path.name, value.sha256] if isinstance(value, SourceFile) else str(value)

    what = [
        attrs.asdict(task.request, recurse=False),
        version_of(plan),
        __version__,
        task.keeps_raw,
    ]
    return sha256(json.dumps(what, default=content, sort_keys=True).encode()).hexdigest()


def _empty_warehouse(path: Path, task: Task, plan: Plan) -> Warehouse:
    """Make a warehouse that has the models, and the keys of the collection and its runs next."""
    template = lakes_folder() / f"models-{version_of(plan)}.duckdb"

    def define(connection: duckdb.DuckDBPyConnection) -> None:
        for name in task.settings:
            keep_setting(connection, name, task.settings)
        define_models(connection, plan)

    if not template.exists():
        made_once(template, define)
    shutil.copyfile(template, path)
    with duckdb.connect(str(path)) as connection:
        for sequence, first in (
            ("collection_keys", task.keys.collection),
            ("run_keys", task.keys.first_run),
        ):
            # An unread result is not computed.
            asked = f"select max(nextval('raw.{sequence}')) from range({first - 1})"  # noqa: S608 - own words
            connection.execute(asked).fetchall()
    return Warehouse(path)


# ------------------------------------------------------------------------------------------ files


def _write_files(warehouse: Warehouse, plan: Plan, task: Task, folder: Path) -> dict[Stored, Path]:
    """Write a Parquet file of each mart and each stored table, and return the files."""
    folder.mkdir()
    files = {}
    with writing(warehouse, None, folder) as connection:
        for stored, rows, options in (*_marts(plan), *_tables(connection, plan, task)):
            files[stored] = folder / f"{stored.relation}.parquet"
            target = quoted_text(str(files[stored]))
            try:
                connection.execute(f"copy ({rows}) to {target} ({options})")
            except duckdb.InterruptException:
                raise
            except duckdb.Error as error:
                raise PoolhouseError(f"{stored.relation}: {first_line(error)}") from error
    return files


def _marts(plan: Plan) -> Iterator[tuple[Stored, str, str]]:
    """Return each mart, its query and the options of its file."""
    for node in plan.relations:
        if mart := stored_mart(node):
            names = (quoted_name(each.name) for each in node.columns if each.name != COLLECTION)
            rows = f"select {', '.join(names)} from {SOURCE}.{node.relation} order by all"  # noqa: S608 - own words
            yield mart, rows, f"{_PARQUET}, {_described(node)}"


def _tables(
    connection: duckdb.DuckDBPyConnection, plan: Plan, task: Task
) -> Iterator[tuple[Stored, str, str]]:
    """Return the same of each stored table."""
    for table in stored_tables(connection, plan, SOURCE):
        if table.relation != RAW_LINES or task.keeps_raw:
            # One table has the name of the collection, and no key.
            kept = f"columns(lambda name: name <> '{KEY}')"
            rows = f"select {kept} from {SOURCE}.{table.relation}"  # noqa: S608 - own words
            yield table, rows, _PARQUET


def _described(node: Node) -> str:
    """Return the option of a Parquet file that holds the descriptions of a mart and its columns."""
    columns = {each.name: each.comment for each in node.columns}
    told = {"description": node.comment, "columns": json.dumps(columns, ensure_ascii=False)}
    pairs = ", ".join(f"{name}: {quoted_text(text)}" for name, text in told.items())
    return f"kv_metadata {{{pairs}}}"


def _name_of(files: Mapping[Stored, Path]) -> str:
    """Return a hash of the contents of all files."""
    contents = [(stored.relation, digest_of(file)) for stored, file in files.items()]
    return sha256(repr(contents).encode()).hexdigest()[:16]
