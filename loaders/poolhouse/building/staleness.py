"""Staleness: the collections whose marts are not current."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import duckdb

from poolhouse.building.plan import Built, known_version
from poolhouse.building.settings import chosen_settings
from poolhouse.errors import NotBuiltError, NotJudgedError, PoolhouseError, check_known


class State(StrEnum):
    """State of the marts of a collection, compared with the loaded files; people read the value."""

    CURRENT = "up to date"
    NEW = "not built yet"
    CHANGED = "changed since the build"
    OUTDATED = "built by other models or settings"
    REMOVED = "removed since the build"


@dataclass(frozen=True)
class CollectionState:
    """A collection, its key, and the state of its marts.

    `has_changed` says whether its files changed since the build, independent of the models.
    `is_judged` is false if it is loaded without qrels.
    """

    collection_key: int
    collection_id: str
    state: State
    has_changed: bool = False
    is_judged: bool = True

    @property
    def description(self) -> str:
        """The state in words, for people."""
        return self.state.value if self.is_judged else f"{self.state.value}, not judged yet"

    @property
    def problem(self) -> str | None:
        """What to do before its marts can be used; None if they are current."""
        if self.state is State.CURRENT:
            return None
        return str(NotBuiltError(f"collection {self.collection_id!r} is {self.state.value}"))


def collection_states(connection: duckdb.DuckDBPyConnection) -> list[CollectionState]:
    """List every loaded or built collection, by name."""
    version = known_version(chosen_settings(connection))
    rows = connection.execute(
        """
        with names as (
            select distinct
                collection_key,
                collection_id
            from ops.load_history
        )

        select
            collection_key,
            names.collection_id,
            case
                when loaded.fingerprint is null then $removed
                when builds.fingerprint is null then $new
                when builds.models_version is distinct from $version then $outdated
                when builds.fingerprint <> loaded.fingerprint then $changed
                else $current
            end as state,
            builds.fingerprint is distinct from loaded.fingerprint as has_changed,
            loaded.fingerprint is null
            or collection_key in (select collection_key from ops.files where kind = 'qrels')
            as is_judged
        from ops.collection_fingerprints as loaded
        full join ops.builds as builds using (collection_key)
        inner join names using (collection_key)
        order by collection_id, collection_key
        """,
        {
            # A plan that is not compiled yet has built nothing.
            "version": version,
            "removed": State.REMOVED.value,
            "new": State.NEW.value,
            "outdated": State.OUTDATED.value,
            "changed": State.CHANGED.value,
            "current": State.CURRENT.value,
        },
    ).fetchall()
    return [CollectionState(key, name, State(state), *rest) for key, name, state, *rest in rows]


def loaded_states(
    connection: duckdb.DuckDBPyConnection, asked: Collection[str] = ()
) -> list[CollectionState]:
    """List the loaded collections, or the named ones among them, by name.

    Raise UnknownCollectionError.
    """
    loaded = {
        each.collection_id: each
        for each in collection_states(connection)
        if each.state is not State.REMOVED
    }
    check_known(asked, loaded)
    return [each for name, each in loaded.items() if not asked or name in asked]


def check_built(connection: duckdb.DuckDBPyConnection, collection: str) -> None:
    """Raise an error unless the marts of the collection are current and it is judged.

    Raise UnknownCollectionError, NotJudgedError or PoolhouseError.
    """
    [state] = loaded_states(connection, [collection])
    if not state.is_judged:
        raise NotJudgedError(collection)
    if state.problem:
        raise PoolhouseError(state.problem)


def check_current(connection: duckdb.DuckDBPyConnection, collection: str) -> None:
    """Raise an error unless the marts of the collection are current, judged or not.

    Raise UnknownCollectionError or PoolhouseError.
    """
    [state] = loaded_states(connection, [collection])
    if state.problem:
        raise PoolhouseError(state.problem)


def built_relations(connection: duckdb.DuckDBPyConnection) -> dict[str, Built]:
    """Return the relations of the last build, by name."""
    rows = connection.execute(
        "select name, relation, definition, wording from ops.built_relations"
    ).fetchall()
    return {name: Built(*rest) for name, *rest in rows}
