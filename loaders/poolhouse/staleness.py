"""Which collections the marts do not show as they were loaded."""

from dataclasses import dataclass
from enum import StrEnum

import duckdb

from poolhouse.project import models_version


class State(StrEnum):
    """How the marts of a collection stand to what is loaded; the value is what people read."""

    CURRENT = "up to date"
    NEW = "not built yet"
    CHANGED = "changed since the build"
    OUTDATED = "built by other models"
    REMOVED = "removed since the build"


@dataclass(frozen=True)
class CollectionState:
    """A collection, its key, and how its marts stand to what is loaded."""

    collection_key: int
    collection_id: str
    state: State


def collection_states(connection: duckdb.DuckDBPyConnection) -> list[CollectionState]:
    """List every loaded or built collection, by name."""
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
                when builds.models_version <> $version then $outdated
                when builds.fingerprint <> loaded.fingerprint then $changed
                else $current
            end as state
        from ops.collection_fingerprints as loaded
        full join ops.builds as builds using (collection_key)
        inner join names using (collection_key)
        order by collection_id, collection_key
        """,
        {
            "version": models_version(),
            "removed": State.REMOVED.value,
            "new": State.NEW.value,
            "outdated": State.OUTDATED.value,
            "changed": State.CHANGED.value,
            "current": State.CURRENT.value,
        },
    ).fetchall()
    return [CollectionState(key, name, State(state)) for key, name, state in rows]


def are_models_new(connection: duckdb.DuckDBPyConnection) -> bool:
    """Tell whether something in the marts, or all of them, is to be made by these models first."""
    rows = connection.execute(
        "select coalesce(bool_or(models_version <> ?), true) from ops.builds", [models_version()]
    ).fetchall()
    return bool(rows[0][0])
