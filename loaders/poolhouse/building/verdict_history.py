"""The history of verdicts: a build adds what differs from the last time."""

from collections.abc import Collection

import duckdb

# The collections whose rows differ from the last ones of the history, in either direction.
_RECORD = """
    insert into ops.verdict_history by name
    with states as (
        select * from intermediate.int_verdicts_to_record
        where list_contains($built, collection_id)
    ),

    recorded as (
        select * exclude (built_at) from ops.verdict_history
        where list_contains($built, collection_id)
        qualify built_at = max(built_at) over (partition by collection_id)
    ),

    changed as (
        (select * from states except select * from recorded)
        union all
        (select * from recorded except select * from states)
    )

    select
        states.*,
        builds.built_at
    from states
    inner join raw.collections as collections using (collection_id)
    inner join ops.builds as builds using (collection_key)
    where collection_id in (select collection_id from changed)
"""


def record_verdicts(connection: duckdb.DuckDBPyConnection, built: Collection[str]) -> None:
    """Record the verdicts on built collections, with their figures, where they are new or other."""
    connection.execute(_RECORD, {"built": list(built)})
