"""Building: the collections that changed, on the side file, published when all is well.

A collection that cannot be built keeps no other from being built: it is found by halves, its marts
stay as they were, and it is named.
"""

from collections.abc import Collection
from dataclasses import dataclass

import duckdb

from poolhouse.announcing import announce
from poolhouse.dbt_run import Progress, run_dbt
from poolhouse.errors import BuildFailedError, UnknownCollectionError
from poolhouse.project import models_version
from poolhouse.staleness import CollectionState, State, are_models_new, collection_states
from poolhouse.warehouse import Warehouse, is_full_disk

# Where so many collections fail by themselves for the same reason, and none was built, it is not
# the collections: the search for others ends.
_MOST_ALIKE = 3


@dataclass(frozen=True)
class BuildReport:
    """What a build did: the collections made anew (none where nothing had changed), or removed.

    `failed` says of each that could not be built what failed.
    """

    built: tuple[str, ...]
    removed: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


def build(
    warehouse: Warehouse,
    collections: Collection[str] = (),
    progress: Progress = lambda _name, _done, _total: None,
) -> BuildReport:
    """Make the marts of every stale collection anew, or of the named ones among them, and publish.

    Where the models themselves changed, every collection is built. Errors: BuildFailedError where
    no collection can be built, UnknownCollectionError, WarehouseMissingError, WarehouseBusyError.
    """
    with warehouse.read() as connection:
        stale = _stale(connection, collections)
    if not stale:
        return BuildReport(())
    with warehouse.change() as change:
        # Asked again under the lock: another process may have loaded or built in the meantime.
        with warehouse.side() as connection:
            stale = _stale(connection, collections)
            is_anew = are_models_new(connection)
        if not stale:
            change.abandoned = True
            return BuildReport(())
        work = _Work(warehouse, is_anew=is_anew, progress=progress)
        work.make(stale)
        with warehouse.side() as connection:
            remarks = _remarks(connection, work.made)
    removed = tuple(each.collection_id for each in work.made if each.state is State.REMOVED)
    built = tuple(each.collection_id for each in work.made if each.state is not State.REMOVED)
    return BuildReport(built, removed, remarks, work.failures())


class _Work:
    """The work of one build: what is made, and what fails by itself."""

    def __init__(self, warehouse: Warehouse, *, is_anew: bool, progress: Progress) -> None:
        self.warehouse = warehouse
        self.is_anew = is_anew
        self.progress = progress
        self.made: list[CollectionState] = []
        self.failed: list[tuple[CollectionState, BuildFailedError]] = []

    def make(self, stale: list[CollectionState]) -> None:
        """Make these collections; where that fails, those among them that can be made.

        Errors: BuildFailedError where there is none.
        """
        try:
            self._make_together(stale)
        except BuildFailedError as error:
            if is_full_disk(error) or len(stale) == 1:
                raise
            self._sift(stale)
            if not self.made:
                raise self.failed[0][1] from error

    def failures(self) -> tuple[str, ...]:
        """Say of each collection that could not be made what failed, and what is shown of it."""
        return tuple(
            f"collection {each.collection_id!r} cannot be built, {self._what_is_left(each)}: "
            f"{error.problem}"
            for each, error in self.failed
        )

    def _what_is_left(self, collection: CollectionState) -> str:
        # What other models made is dropped as a whole.
        if self.is_anew or collection.state is State.NEW:
            return "and has no marts"
        return "its marts are as the last build made them"

    def _make_together(self, stale: list[CollectionState]) -> None:
        # Rows of other models are dropped once; after that, those there are by these models.
        is_from_nothing = self.is_anew and not self.made
        with self.warehouse.side() as connection:
            announce(connection, stale)
        run_dbt(self.warehouse, full_refresh=is_from_nothing, progress=self.progress)
        with self.warehouse.side() as connection:
            if is_from_nothing:
                connection.execute("delete from ops.builds")
            _record(connection, stale)
        self.made += stale

    def _sift(self, stale: list[CollectionState]) -> None:
        """Make half of what failed together, then the other half; what fails alone is left out."""
        middle = len(stale) // 2
        for half in (stale[:middle], stale[middle:]):
            if self._is_hopeless():
                return
            self.warehouse.rewind_side()
            try:
                self._make_together(half)
            except BuildFailedError as error:
                if is_full_disk(error):
                    raise
                if len(half) == 1:
                    self.failed.append((half[0], error))
                    self.warehouse.rewind_side()
                else:
                    self._sift(half)
            else:
                self.warehouse.keep_side()

    def _is_hopeless(self) -> bool:
        problems = {error.problem for _, error in self.failed}
        return not self.made and len(problems) == 1 and len(self.failed) >= _MOST_ALIKE


def _remarks(
    connection: duckdb.DuckDBPyConnection, stale: list[CollectionState]
) -> tuple[str, ...]:
    """Say where a collection has less in the marts than its user may expect."""
    rows = connection.execute(
        """
        select
            collection_id,
            n_pooled_runs,
            pool_depth,
            pool_depth_source,
            pooled_runs_source,
            (
                select count(*) from dim_runs
                where dim_runs.collection_id = dim_collections.collection_id and n_topics = 0
            ) as n_runs_without_topics
        from dim_collections
        where list_contains($built, collection_id)
        order by collection_id
        """,
        {"built": [each.collection_id for each in stale]},
    ).fetchall()
    remarks = []
    for collection, n_pooled, depth, depth_source, runs_source, n_without in rows:
        if n_without:
            remarks.append(
                f"{collection}: {n_without} runs answer no judged topic and have no score"
            )
        if n_pooled == 0:
            if depth is None:
                why = (
                    "no pool depth can be inferred from the judgements; declare it where it is "
                    "known (load --depth)"
                )
            elif runs_source == "inferred":
                why = f"to the {depth_source} depth {depth} the qrels cover no run"
            else:
                why = "no run that is declared as pooled is loaded and answers a judged topic"
            remarks.append(f"{collection}: no run was pooled, so nothing is estimated: {why}")
    return tuple(remarks)


def _stale(
    connection: duckdb.DuckDBPyConnection, collections: Collection[str]
) -> list[CollectionState]:
    states = collection_states(connection)
    known = [each.collection_id for each in states]
    for name in collections:
        if name not in known:
            raise UnknownCollectionError(name, known)
    if any(each.state is State.OUTDATED for each in states):
        return states
    return [
        each
        for each in states
        if each.state is not State.CURRENT
        and (not collections or each.collection_id in collections)
    ]


def _record(connection: duckdb.DuckDBPyConnection, stale: list[CollectionState]) -> None:
    """Remember of which state and by which models the marts were made."""
    for each in stale:
        connection.execute("delete from ops.builds where collection_key = ?", [each.collection_key])
        if each.state is not State.REMOVED:
            connection.execute(
                """
                insert into ops.builds (
                    collection_key, fingerprint, frame_fingerprint, models_version
                )
                select collection_key, fingerprint, frame_fingerprint, ?
                from ops.collection_fingerprints
                where collection_key = ?
                """,
                [models_version(), each.collection_key],
            )
