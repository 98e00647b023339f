"""Building: stale collections are built in the side file, which is then published.

Small collections are built together. A collection that cannot be built is named and keeps its old
marts; the other collections are built.
"""

import os
import shlex
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import duckdb

from poolhouse.building.changes import changed_runs
from poolhouse.building.empty import empty_folder, kept_empty
from poolhouse.building.plan import Change, Kind, Plan
from poolhouse.building.plan.statements import making
from poolhouse.building.pooling_orders import better_orders
from poolhouse.building.project import cache_folder
from poolhouse.building.runner import Progress, Runner
from poolhouse.building.settings import chosen_settings, plan_by_choice, record_built_settings
from poolhouse.building.staleness import CollectionState, State, built_relations, collection_states
from poolhouse.building.verdict_history import record_verdicts
from poolhouse.building.work import Work, put_together
from poolhouse.errors import BuildFailedError, UnknownCollectionError
from poolhouse.loading.mismatches import in_words, mismatches_of_loaded
from poolhouse.warehouse.engine_errors import is_full_disk
from poolhouse.warehouse.file import Warehouse

# An inferred pool depth that is less probable is weak (docs/decisions/depth_inference.md).
_SURE_DEPTH = 0.95

# With fewer lines, two threads of the engine need more time to share the work than they save.
_MOST_LINES_OF_ONE_THREAD = 200_000

_ORDERS = {"file": "line of the file", "rank": "given rank"}

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
    progress: Progress = lambda _name, _done, _total: None,
) -> BuildReport:
    """Rebuild the marts of all stale collections, or of the named ones among them, and publish.

    After a change of models or settings, the tables that depend on them are rebuilt for every
    collection. Raise PlanError where the models cannot be built, PoolhouseError where a setting is
    not possible, and BuildFailedError where no collection can be built. Raise
    UnknownCollectionError, WarehouseMissingError or WarehouseBusyError as their names say.
    """
    with warehouse.read() as connection:
        if not _Todo.of(connection, collections, progress):
            return BuildReport(())
    with warehouse.change() as change, warehouse.side(empty_folder()) as connection:
        # Asked again under the lock: another process may have loaded or built in the meantime.
        todo = _Todo.of(connection, collections, progress)
        if not todo:
            change.abandoned = True
            return BuildReport(())
        build_ = _Build(warehouse, connection, todo, progress)
        build_.run()
        return build_.report()


@dataclass(frozen=True)
class _Todo:
    """The work of a build: the change of the models since the last build, and the collections."""

    plan: Plan
    change: Change
    stale: list[CollectionState]
    is_first: bool

    def __bool__(self) -> bool:
        return bool(self.stale or self.change)

    @classmethod
    def of(
        cls,
        connection: duckdb.DuckDBPyConnection,
        collections: Collection[str],
        progress: Progress,
    ) -> "_Todo":
        plan = plan_by_choice(chosen_settings(connection), lambda text: progress(text, 0, 0))
        states = collection_states(connection)
        known = [each.collection_id for each in states]
        for name in collections:
            if name not in known:
                raise UnknownCollectionError(name, known)
        built = built_relations(connection)
        if any(each.state is State.OUTDATED for each in states):
            stale = states
        else:
            stale = [
                each
                for each in states
                if each.state is not State.CURRENT
                and (not collections or each.collection_id in collections)
            ]
        # A warehouse without a build has nothing to renew.
        change = plan.change_from(built) if stale or built else Change.none()
        return cls(plan, change, stale, is_first=not built)


class _Build:
    """One build on the side file."""

    def __init__(
        self,
        warehouse: Warehouse,
        connection: duckdb.DuckDBPyConnection,
        todo: _Todo,
        progress: Progress,
    ) -> None:
        self.warehouse = warehouse
        self.connection = connection
        self.todo = todo
        self.made: list[CollectionState] = []
        self.failed: list[tuple[CollectionState, BuildFailedError]] = []
        self.removed = [each for each in todo.stale if each.state is State.REMOVED]
        self.by_key = {each.collection_key: each for each in todo.stale}
        n_lines = dict(connection.execute(_LINES_OF_COLLECTIONS).fetchall())
        works = (self._work(each) for each in todo.stale if each not in self.removed)
        self.works = put_together(works, n_lines)
        if sum(n_lines.get(key, 0) for key in self.by_key) <= _MOST_LINES_OF_ONE_THREAD:
            connection.execute("set threads = 1")
        self.runner = Runner(todo.plan, connection, _log(warehouse), progress, len(self.works))

    def run(self) -> None:
        """Build relations, then collections.

        Raise BuildFailedError where no collection was built.
        """
        empty = kept_empty(self.todo.plan) if self.todo.is_first else None
        self.runner.define(self.todo.change, empty)
        for collection in self.removed:
            self.runner.forget(collection.collection_key)
            _record_collection(self.connection, collection, self.todo.plan)
        for work in self.works:
            self._make(work)
        # Not in the order of their names if some were built together.
        self.made.sort(key=self.todo.stale.index)
        self.failed.sort(key=lambda failed: self.todo.stale.index(failed[0]))
        if self.failed and not self.made and not self.removed:
            raise self.failed[0][1]
        self.runner.finish()
        if self.todo.change:
            _record_relations(self.connection, self.todo.plan)
        record_built_settings(self.connection, self.todo.plan.settings)
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
                _record_collection(self.connection, collection, self.todo.plan)
            self.made += collections

    def _work(self, collection: CollectionState) -> Work:
        plan, stale = self.todo.plan, self.todo.change.stale
        tables = {node.name for node in plan.of_collections}
        # A stale table is empty, so that its rows are built from all runs.
        runs = None if tables & stale else changed_runs(self.connection, collection)
        return Work(
            {collection.collection_key: collection.collection_id},
            frozenset(tables if collection.has_changed else tables & stale),
            (plan.sources if collection.has_changed else frozenset()) | stale,
            {collection.collection_key: runs} if runs else None,
        )

    def _leave(self, collection: CollectionState) -> None:
        """Keep a collection as published, or without marts if the models changed."""
        if self._has_marts_to_keep(collection):
            self.runner.restore(collection.collection_key, self.warehouse)
        else:
            self.runner.forget(collection.collection_key)
            self.connection.execute(
                "delete from ops.builds where collection_key = ?", [collection.collection_key]
            )

    def _has_marts_to_keep(self, collection: CollectionState) -> bool:
        return collection.state is State.CHANGED and not self.todo.change.stale

    def report(self) -> BuildReport:
        """Return what was done."""
        return BuildReport(
            tuple(each.collection_id for each in self.made),
            tuple(each.collection_id for each in self.removed),
            _remarks(self.connection, self.made),
            tuple(
                f"collection {each.collection_id!r} cannot be built, "
                + (
                    "its marts are still those of the last build"
                    if self._has_marts_to_keep(each)
                    else "and has no marts"
                )
                + f": {error.problem}"
                for each, error in self.failed
            ),
            bool(self.todo.change.reworded - self.todo.change.stale),
        )


def _log(warehouse: Warehouse) -> Path:
    """Return the path for the SQL of failing nodes, and empty the file."""
    name = sha256(str(warehouse.path.absolute()).encode()).hexdigest()[:16]
    log = cache_folder() / "builds" / f"{name}.log"
    log.unlink(missing_ok=True)
    return log


def _remarks(
    connection: duckdb.DuckDBPyConnection, built: list[CollectionState]
) -> tuple[str, ...]:
    """Return remarks on collections whose marts have less than a user may expect."""
    names = [each.collection_id for each in built]
    orders = better_orders(connection, names)
    rows = connection.execute(
        """
        select
            collection_id,
            pool_depth,
            pool_depth_source,
            pool_depth_confidence,
            judging_caveat,
            pooled_runs_source,
            is_judged,
            topics_caveat,
            (
                select count(*) from dim_runs
                where
                    dim_runs.collection_id = dim_collections.collection_id
                    and n_retrieved_in_qrels = 0
            ) as n_mismatched,
            exists (
                from dim_runs
                where
                    dim_runs.collection_id = dim_collections.collection_id
                    and is_pooled
                    and n_topics > 0
            ) as has_pool
        from dim_collections
        where list_contains($built, collection_id)
        order by collection_id
        """,
        {"built": names},
    ).fetchall()
    remarks = []
    for (
        collection,
        depth,
        depth_source,
        confidence,
        depth_remark,
        runs_source,
        is_judged,
        topics_caveat,
        n_mismatched,
        has_pool,
    ) in rows:
        if not is_judged:
            remarks.append(
                f"{collection}: not judged yet, so that nothing is scored; planning.pool_sizes, "
                "planning.run_contributions and planning.run_overlaps (poolhouse sql) plan the "
                "pool, and so does poolhouse pool plan"
            )
            continue
        if topics_caveat:
            remarks.append(f"{collection}: {topics_caveat}; all figures are about these topics")
        if n_mismatched:
            found = in_words(mismatches_of_loaded(connection, collection))
            remarks.append(f"{collection}: {found}")
        if depth_source == "inferred" and confidence < _SURE_DEPTH:
            remarks.append(
                f"{collection}: the pool depth {depth} is inferred with a probability of "
                f"{confidence:.2f}: see audits.audit_pool_depths, and declare it if it is known "
                "(load --depth)"
            )
        if collection in orders:
            order, n_explained, n_by_score, n_runs = orders[collection]
            remarks.append(
                f"{collection}: the qrels hold the first {depth} documents of {n_explained} of "
                f"{n_runs} runs by {_ORDERS[order]}, and of {n_by_score} by score: if the runs "
                f"were pooled so, poolhouse load {shlex.quote(collection)} --pooling-order {order}"
            )
        if depth_remark:
            remarks.append(f"{collection}: {depth_remark}")
        if depth is not None and not has_pool:
            if runs_source == "inferred":
                why = f"the qrels cover no run down to the {depth_source} depth {depth}"
            else:
                why = "no run that is declared as pooled is loaded and answers a judged topic"
            remarks.append(f"{collection}: no run was pooled, so nothing is estimated: {why}")
    return tuple(remarks)


def _record_collection(
    connection: duckdb.DuckDBPyConnection, collection: CollectionState, plan: Plan
) -> None:
    """Record the state and the plan of the built marts."""
    key = collection.collection_key
    connection.execute("delete from ops.builds where collection_key = ?", [key])
    connection.execute(
        """
        insert into ops.builds (collection_key, fingerprint, frame_fingerprint, models_version)
        select collection_key, fingerprint, frame_fingerprint, ?
        from ops.collection_fingerprints
        where collection_key = ?
        """,
        [plan.version, key],
    )


def define_models(
    connection: duckdb.DuckDBPyConnection, plan: Plan, made: Plan | None = None
) -> None:
    """Make all relations of a plan in a new file, without rows of collections.

    `made` is a plan with other definitions of some of them. Raise BuildFailedError.
    """
    runner = Runner(made or plan, connection, Path(os.devnull), lambda *_: None, 0)
    runner.define(plan.whole, kept_empty(plan))
    if made:
        others = {each.name for each in made.relations if each not in plan.relations}
        runner.define(Change(frozenset(others), frozenset(), frozenset()))
    runner.finish()
    _record_relations(connection, plan)
    record_built_settings(connection, plan.settings)


def _record_relations(connection: duckdb.DuckDBPyConnection, plan: Plan) -> None:
    """Record the definitions and the descriptions of the relations, and the text of our macros."""
    connection.execute("delete from ops.built_relations")
    rows = [
        (
            node.name,
            node.relation,
            node.definition,
            node.wording,
            making(node) if node.kind is Kind.OWN_MACRO else None,
        )
        for node in plan.relations
    ]
    # In one statement, because one statement per row takes as long as a small build.
    connection.execute(
        "insert into ops.built_relations "
        "select unnest(?), unnest(?), unnest(?), unnest(?), unnest(?)",
        [list(column) for column in zip(*rows, strict=True)],
    )
