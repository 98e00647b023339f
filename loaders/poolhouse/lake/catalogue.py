"""The catalogue of a lake: a small DuckDB file of views over the Parquet files, and of all macros.

With it a lake is read like a warehouse. It is made from the manifest, and kept in the user's cache
until the manifest changes. Marts whose rows belong to collections are read as they were written;
everything else is computed by the models from the stored tables, as in a warehouse.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, TypeVar

import duckdb
from fsspec.spec import AbstractFileSystem

from poolhouse import __version__
from poolhouse.building.cached_databases import made_once
from poolhouse.building.defining import define_models
from poolhouse.building.plan import Kind, Node, Plan
from poolhouse.building.settings import keep_setting, plan_by_choice
from poolhouse.errors import PoolhouseError
from poolhouse.lake.addresses import MANIFEST
from poolhouse.lake.cache import lakes_folder, remove_unused
from poolhouse.lake.layout import (
    KEY,
    RAW_LINES,
    SUPERSEDED,
    Stored,
    stored_mart,
    stored_tables,
    version_of,
)
from poolhouse.lake.manifest import Manifest, Publication, existing_manifest, read_manifest
from poolhouse.lake.place import Place
from poolhouse.warehouse.engine_errors import first_line
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# The files of the lake for the engine, wherever the lake is.
PROTOCOL = "lake"

_T = TypeVar("_T")

_NO_RAW = "the lake keeps no lines of runs: build it with --raw"


def catalogue_of(place: Place) -> Path:
    """Return the catalogue of the current manifest. Make it if this machine does not have it.

    Raise PoolhouseError where there is no lake, or where no collection was built by the models of
    this version.
    """
    while True:
        manifest, text = existing_manifest(place)
        try:
            return _catalogue_of(place, manifest, text)
        except (PoolhouseError, duckdb.Error) as error:
            # Two builds in the meantime remove the files of the manifest that was read.
            if (place.read(MANIFEST) or b"") == text:
                if isinstance(error, PoolhouseError):
                    raise
                raise PoolhouseError(f"{place.address}: {first_line(error)}") from error


def _catalogue_of(place: Place, manifest: Manifest, text: bytes) -> Path:
    plan = plan_by_choice(manifest.settings)
    current, others = _by_models(manifest, version_of(plan))
    if others and not current:
        raise PoolhouseError(
            f"{place.address}: was built by other models than the ones of this version "
            f"({__version__}): read it with that version, or build it again"
        )
    of_lake = _hash(place.address.encode())
    # The engine names the database after the file.
    folder = lakes_folder() / f"{of_lake}-{_hash(text, version_of(plan).encode())}"
    file = folder / "lake.duckdb"

    def define(connection: duckdb.DuckDBPyConnection) -> None:
        connection.register_filesystem(LakeFiles(place))
        for name in manifest.settings:
            keep_setting(connection, name, manifest.settings)
        _define(connection, plan, current)

    if not file.exists():
        made_once(file, define)
        # A reader that has an old one open keeps it.
        remove_unused(each for each in lakes_folder().glob(f"{of_lake}-*") if each != folder)
    else:
        folder.touch()
    return file


def _by_models(
    manifest: Manifest, version: str
) -> tuple[dict[str, Publication], dict[str, Publication]]:
    """Return the published collections of these models, and the others."""
    current: dict[str, Publication] = {}
    others: dict[str, Publication] = {}
    for name, each in manifest.published().items():
        (current if each.models_version == version else others)[name] = each
    return current, others


def left_out_of(place: Place) -> list[str]:
    """Return a remark if readers do not see all collections, because other models built some."""
    manifest, _ = read_manifest(place)
    version = version_of(plan_by_choice(manifest.settings))
    current, others = _by_models(manifest, version)
    if not current or not others:
        return []
    return [
        f"{place.address}: {len(others)} of {len(current) + len(others)} collections are left out, "
        f"because other models or settings built them ({', '.join(others)}): poolhouse lake build"
    ]


def _hash(*parts: bytes) -> str:
    return sha256(b"\0".join(parts)).hexdigest()[:16]


def _define(
    connection: duckdb.DuckDBPyConnection, plan: Plan, current: dict[str, Publication]
) -> None:
    """Make the relations of the plan, with views in place of what the lake stores."""
    tables = {each.relation: each for each in stored_tables(connection, plan, _name(connection))}
    loaded = tables.keys() - {node.relation for node in plan.of_collections}
    for relation in sorted(loaded):
        columns = connection.execute(
            "select column_name, data_type from duckdb_columns() "
            "where schema_name || '.' || table_name = ? order by column_index",
            [relation],
        ).fetchall()
        view = _view(tables[relation], columns, current)
        if relation == RAW_LINES and not all(each.has_raw for each in current.values()):
            view = f"select {_typed(columns)} where error('{_NO_RAW}') is not null"
        connection.execute(f"drop table {relation}")
        connection.execute(f"create view {relation} as {view}")
    nodes = tuple(_read_from_lake(node, tables, current) for node in plan.nodes)
    define_models(connection, plan, Plan(nodes, plan.settings))


def _name(connection: duckdb.DuckDBPyConnection) -> str:
    [(name,)] = connection.execute("select current_database()").fetchall()
    return str(name)


def _read_from_lake(node: Node, tables: dict[str, Stored], current: dict[str, Publication]) -> Node:
    stored = stored_mart(node) or (tables.get(node.relation) if node.rule else None)
    if stored is None:
        return node
    columns = [(each.name, each.type) for each in node.columns]
    return replace(
        node,
        kind=Kind.VIEW,
        rule=None,
        numbering=None,
        before=(),
        after=(),
        sql=_view(stored, columns, current),
    )


def _view(
    stored: Stored, columns: Iterable[tuple[str, str]], current: dict[str, Publication]
) -> str:
    """Select the rows of the files that the manifest names."""
    columns = list(columns)
    if not current:
        return f"select {_typed(columns)} where false"
    names = ", ".join(
        f"{quoted_name(name)}::{type_} as {quoted_name(name)}" for name, type_ in columns
    )
    type_ = "integer" if stored.partition == KEY else "varchar"
    paths = (stored.path(name, each.keys.collection, each.name) for name, each in current.items())
    files = ", ".join(quoted_text(f"{PROTOCOL}://{path}") for path in paths)
    options = f"hive_partitioning = true, hive_types = {{{stored.partition}: {type_}}}"
    return f"select {names} from read_parquet([{files}], {options})"  # noqa: S608 - quoted


def _typed(columns: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"null::{type_} as {quoted_name(name)}" for name, type_ in columns)


class LakeFiles(AbstractFileSystem):  # type: ignore[misc]
    """The files of a lake, for the engine to read. Nothing else can be read, and nothing written.

    A file that was replaced since the manifest was read is found among the superseded ones.
    """

    protocol = PROTOCOL
    cachable = False

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place
        self._infos: dict[str, dict[str, object]] = {}

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path.removeprefix(f"{PROTOCOL}://")

    def glob(self, path: str, **_: object) -> list[str]:
        """Return the path itself, because the manifest names each file."""
        return [self._strip_protocol(path)]

    def info(self, path: str, **_: object) -> dict[str, object]:
        """Return what fsspec tells about a file. The engine asks for it twenty times in a read."""
        path = self._strip_protocol(path)
        if path not in self._infos:
            self._infos[path] = self._there(self._place.info, path)
        return self._infos[path]

    def modified(self, _path: str) -> datetime:
        """Return the same time for each file: its name is a hash of its content."""
        return datetime.fromtimestamp(0, UTC)

    def _open(self, path: str, mode: str = "rb", **_: object) -> BinaryIO:
        if mode != "rb":
            raise PermissionError("a lake is read-only")
        return self._there(self._place.open, self._strip_protocol(path))

    def _there(self, ask: Callable[[str], _T], path: str) -> _T:
        for place in (path, f"{SUPERSEDED}/{path}"):
            with suppress(FileNotFoundError):
                return ask(place)
        raise FileNotFoundError(
            f"{self._place.address}/{path}: is missing; poolhouse lake build makes it again"
        )
