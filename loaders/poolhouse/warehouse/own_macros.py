"""Macros that only Poolhouse calls."""

import duckdb


def make_macros(connection: duckdb.DuckDBPyConnection, *names: str) -> None:
    """Make these macros of the last build for a connection, which calls them by their bare names.

    The marts must be current: another version may have no such macros.
    """
    texts = connection.execute(
        """
        select own_macro
        from ops.built_relations
        where list_contains(?, name) and own_macro is not null
        """,
        [names],
    ).fetchall()
    for (text,) in texts:
        connection.execute(text)
