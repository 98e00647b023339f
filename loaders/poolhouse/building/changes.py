"""Changes of a collection since its build: in the whole collection, or in some runs."""

from dataclasses import dataclass

import duckdb

from poolhouse.building.staleness import CollectionState, State


@dataclass(frozen=True)
class ChangedRuns:
    """The runs that were added, changed or removed. `are_new` says that all of them were added."""

    run_keys: tuple[int, ...]
    are_new: bool


def changed_runs(
    connection: duckdb.DuckDBPyConnection, collection: CollectionState
) -> ChangedRuns | None:
    """Return the runs that changed, or None if more changed or the earlier state is unknown.

    A run with another organization has changed too, because contributions change with it.
    """
    if collection.state is not State.CHANGED:
        return None
    rows = connection.execute(
        """
        with loaded as (
            select
                runs.run_key,
                -- as models/staging/stg_runs.sql has it
                coalesce(descriptions.organization, runs.organization, runs.run_id)
                    as organization,
                files.sha256
            from raw.runs as runs
            left join raw.descriptions as descriptions
                on
                    runs.collection_key = descriptions.collection_key
                    and runs.run_id = descriptions.run_id
            inner join ops.files as files
                on
                    runs.collection_key = files.collection_key
                    and runs.run_id = files.name
                    and files.kind = 'run'
            where runs.collection_key = $collection_key
        ),

        built as (
            select
                run_key,
                organization,
                sha256
            from intermediate.int_runs
            where collection_key = $collection_key
        ),

        changed as (
            select
                coalesce(list(run_key), []) as run_keys,
                count(built.sha256) = 0 as are_new
            from loaded
            full join built using (run_key)
            where
                loaded.sha256 is distinct from built.sha256
                or loaded.organization is distinct from built.organization
        )

        -- no row where the frame, on which the rows of every run depend, is another
        select changed.*
        from changed
        inner join ops.builds as builds on builds.collection_key = $collection_key
        inner join ops.collection_fingerprints as fingerprints
            on
                builds.collection_key = fingerprints.collection_key
                and builds.frame_fingerprint = fingerprints.frame_fingerprint
        """,
        {"collection_key": collection.collection_key},
    ).fetchall()
    return ChangedRuns(tuple(rows[0][0]), rows[0][1]) if rows else None
