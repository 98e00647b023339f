"""What a build is told to make anew: collections, and where that is enough, some of their runs."""

from collections.abc import Iterable

import duckdb

from poolhouse.staleness import CollectionState, State


def announce(connection: duckdb.DuckDBPyConnection, stale: Iterable[CollectionState]) -> None:
    """Tell the models which collections they make anew, and which runs where only runs changed."""
    connection.execute("delete from ops.changed_collections")
    for each in stale:
        key = each.collection_key
        connection.execute("insert into ops.changed_collections values (?, null, null)", [key])
        # Only of a collection that these models built do they know what its runs were.
        if each.state is State.CHANGED:
            _announce_runs(connection, key)


def _announce_runs(connection: duckdb.DuckDBPyConnection, collection_key: int) -> None:
    """Name the runs that came, changed or went since the build, unless more than that did."""
    connection.execute(
        """
        with loaded as (
            select
                runs.run_key,
                files.sha256
            from raw.runs as runs
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
            where loaded.sha256 is distinct from built.sha256
        )

        update ops.changed_collections
        set
            changed_runs = changed.run_keys,
            are_runs_new = changed.are_new
        from changed
        where
            collection_key = $collection_key
            and exists (
                select 1
                from ops.collection_fingerprints as loaded
                inner join ops.builds as built using (collection_key)
                where
                    collection_key = $collection_key
                    and loaded.frame_fingerprint = built.frame_fingerprint
            )
        """,
        {"collection_key": collection_key},
    )
