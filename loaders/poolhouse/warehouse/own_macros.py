"""Macros that only Poolhouse calls."""

import duckdb

from poolhouse.errors import PoolhouseError


def make_macros(connection: duckdb.DuckDBPyConnection, *names: str) -> None:
    """Make these macros of the last build for a connection, which calls them by their bare names.

    Raise PoolhouseError where no build has made them.
    """
    texts = connection.execute(
        """
        select own_macro
        from ops.built_relations
        where list_contains(?, name) and own_macro is not null
        """,
        [names],
    ).fetchall()
    if len(texts) < len(names):
        raise PoolhouseError("the marts are not built: run poolhouse build first")
    for (text,) in texts:  # whatever it says, the engine is confined
        connection.execute(text)
