"""The work of a build: what changed since the last one."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import duckdb

from poolhouse.building.changes import changed_runs
from poolhouse.building.plan import Change, Plan
from poolhouse.building.settings import chosen_settings, plan_by_choice
from poolhouse.building.staleness import CollectionState, State, built_relations, collection_states
from poolhouse.building.work import Work, put_together
from poolhouse.errors import check_known


@dataclass(frozen=True)
class Todo:
    """The change of the models since the last build, and the stale collections, by name.

    It is false if there is nothing to do.
    """

    plan: Plan
    change: Change
    stale: list[CollectionState]
    is_first: bool

    def __bool__(self) -> bool:
        return bool(self.stale or self.change)

    @property
    def removed(self) -> list[CollectionState]:
        """The collections of which only the rows are left."""
        return [each for each in self.stale if each.state is State.REMOVED]

    def has_marts_to_keep(self, collection: CollectionState) -> bool:
        """Return whether a collection that cannot be built has marts of the last build."""
        return collection.state is State.CHANGED and not self.change.stale

    def works(self, connection: duckdb.DuckDBPyConnection, n_lines: dict[int, int]) -> list[Work]:
        """Return the work, with small collections together; `n_lines` are those of each."""
        works = (
            self._work(connection, each) for each in self.stale if each.state is not State.REMOVED
        )
        return put_together(works, n_lines)

    def _work(self, connection: duckdb.DuckDBPyConnection, collection: CollectionState) -> Work:
        stale = self.change.stale
        tables = {node.name for node in self.plan.of_collections}
        # A stale table is empty, so that its rows are built from all runs.
        runs = None if tables & stale else changed_runs(connection, collection)
        return Work(
            {collection.collection_key: collection.collection_id},
            frozenset(tables if collection.has_changed else tables & stale),
            (self.plan.sources if collection.has_changed else frozenset()) | stale,
            {collection.collection_key: runs} if runs else None,
        )


def todo_of(
    connection: duckdb.DuckDBPyConnection,
    collections: Collection[str],
    tell: Callable[[str], None],
) -> Todo:
    """Compare a warehouse with its last build, all of it or the named collections.

    After a change of models or settings, all collections are stale. Raise the errors of `build`.
    """
    plan = plan_by_choice(chosen_settings(connection), tell)
    states = collection_states(connection)
    check_known(collections, [each.collection_id for each in states])
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
    return Todo(plan, change, stale, is_first=not built)
