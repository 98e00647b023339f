"""Building: stale collections are built in the side file, which is then published.

Small collections are built together. A collection that cannot be built is named and keeps its old
marts; the other collections are built.
"""

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import duckdb

from poolhouse.building.defining import record_relations
from poolhouse.building.empty import empty_folder, kept_empty
from poolhouse.building.execution import Execution
from poolhouse.building.project import cache_folder
from poolhouse.building.relations import define, fill_plain_tables
from poolhouse.building.remarks import remarks_on
from poolhouse.building.runner import Runner
from poolhouse.building.settings import record_built_settings
from poolhouse.building.staleness import CollectionState
from poolhouse.building.todo import Todo, todo_of
from poolhouse.building.verdict_history import record_verdicts
from poolhouse.building.work import Work
from poolhouse.errors import BuildFailedError
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.engine_errors import is_full_disk
from poolhouse.warehouse.file import Warehouse

# With fewer lines, two threads of the engine need more time to share the work than they save.
_MOST_LINES_OF_ONE_THREAD = 200_000

_LINES_OF_COLLECTIONS = "select collection_key, sum(n_rows) from ops.files group by collection_key"


@dataclass(frozen=True)
class BuildReport:
    """The result of a build: the rebuilt collections, none if nothing changed, and removed ones.

    `failed` has a sentence for each collection that could not be built. `is_reworded` says whether
    descriptions changed of relations or columns that were not rebuilt.
    """

    built: tuple[str, ...]
    removed: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    is_reworded: bool = False


def build(
    warehouse: Warehouse,
    collections: Collection[str] = (),
    progress: Progress = no_progress,
) -> BuildReport:
    """Rebuild the marts of all stale collections, or of the named ones among them, and publish.

    After a change of models or settings, the tables that depend on them are rebuilt for every
    collection. Raise PlanError where the models cannot be built, PoolhouseError where a setting is
    not possible, and BuildFailedError where no collection can be built. Raise
    UnknownCollectionError, WarehouseMissingError or WarehouseBusyError as their names say.
    """

    def tell(text: str) -> None:
        progress(text, 0, 0)

    with warehouse.read() as connection:
        if not todo_of(connection, collections, tell):
            return BuildReport(())
    with warehouse.change() as change, warehouse.side(empty_folder()) as connection:
        # Asked again under the lock: another process may have loaded or built in the meantime.
        todo = todo_of(connection, collections, tell)
        if not todo:
            change.abandoned = True
            return BuildReport(())
        build_ = _Build(warehouse, connection, todo, progress)
        build_.run()
        return build_.report()


class _Build:
    """One build on the side file."""

    def __init__(
        self,
        warehouse: Warehouse,
        connection: duckdb.DuckDBPyConnection,
        todo: Todo,
        progress: Progress,
    ) -> None:
        self.warehouse = warehouse
        self.connection = connection
        self.todo = todo
        self.made: list[CollectionState] = []
        self.failed: list[tuple[CollectionState, BuildFailedError]] = []
        self.by_key = {each.collection_key: each for each in todo.stale}
        n_lines = dict(connection.execute(_LINES_OF_COLLECTIONS).fetchall())
        self.works = todo.works(connection, n_lines)
        if sum(n_lines.get(key, 0) for key in self.by_key) <= _MOST_LINES_OF_ONE_THREAD:
            connection.execute("set threads = 1")
        self.execution = Execution(connection, _log(warehouse))
        touched = todo.change.stale
        self.runner = Runner(todo.plan, self.execution, progress, len(self.works), touched)

    def run(self) -> None:
        """Build relations, then collections.

        Raise BuildFailedError where no collection was built.
        """
        todo = self.todo
        empty = kept_empty(todo.plan) if todo.is_first else None
        define(self.execution, todo.plan, todo.change, empty)
        for collection in todo.removed:
            self._forget(collection)
        for work in self.works:
            self._make(work)
        # Not in the order of their names if some were built together.
        self.made.sort(key=todo.stale.index)
        self.failed.sort(key=lambda failed: todo.stale.index(failed[0]))
        if self.failed and not self.made and not todo.removed:
            raise self.failed[0][1]
        fill_plain_tables(self.execution, todo.plan, self.runner.touched)
        if todo.change:
            record_relations(self.connection, todo.plan)
        record_built_settings(self.connection, todo.plan.settings)
        record_verdicts(self.connection, [each.collection_id for each in self.made])

    def _make(self, work: Work) -> None:
        """Build collections.

        If this fails, build the halves, until the failing collections are known.
        """
        collections = [self.by_key[key] for key in work.collections]
        try:
            self.runner.make(work)
        except BuildFailedError as error:
            if is_full_disk(error):
                raise
            if len(collections) > 1:
                for half in work.halves():
                    self._make(half)
                return
            self._leave(collections[0])
            self.failed.append((collections[0], error))
        else:
            for collection in collections:
                self._record(collection)
            self.made += collections

    def _leave(self, collection: CollectionState) -> None:
        """Keep a collection as published, or without marts if the models changed."""
        if self.todo.has_marts_to_keep(collection):
            self.runner.restore(collection.collection_key, self.warehouse)
        else:
            self._forget(collection)

    def _forget(self, collection: CollectionState) -> None:
        """Remove the marts of a collection."""
        self.runner.forget(collection.collection_key)
        self._forget_build(collection)

    def _record(self, collection: CollectionState) -> None:
        """Record the state and the plan of the built marts."""
        self._forget_build(collection)
        self.connection.execute(
            """
            insert into ops.builds (collection_key, fingerprint, frame_fingerprint, models_version)
            select collection_key, fingerprint, frame_fingerprint, ?
            from ops.collection_fingerprints
            where collection_key = ?
            """,
            [self.todo.plan.version, collection.collection_key],
        )

    def _forget_build(self, collection: CollectionState) -> None:
        self.connection.execute(
            "delete from ops.builds where collection_key = ?", [collection.collection_key]
        )

    def report(self) -> BuildReport:
        """Return what was done."""
        built = [each.collection_id for each in self.made]
        change = self.todo.change
        return BuildReport(
            tuple(built),
            tuple(each.collection_id for each in self.todo.removed),
            remarks_on(self.connection, built),
            tuple(
                f"collection {each.collection_id!r} cannot be built, "
                + (
                    "its marts are still those of the last build"
                    if self.todo.has_marts_to_keep(each)
                    else "and has no marts"
                )
                + f": {error.problem}"
                for each, error in self.failed
            ),
            bool(change.reworded - change.stale),
        )


def _log(warehouse: Warehouse) -> Path:
    """Return the path for the SQL of failing nodes, and empty the file."""
    name = sha256(str(warehouse.path.absolute()).encode()).hexdigest()[:16]
    log = cache_folder() / "builds" / f"{name}.log"
    log.unlink(missing_ok=True)
    return log
