"""Macros that only Poolhouse calls."""

import duckdb

from poolhouse.errors import NotBuiltError, PoolhouseError


def make_macros(connection: duckdb.DuckDBPyConnection, *names: str) -> None:
    """Make these macros of the last build for a connection, which calls them by their bare names.

    Raise PoolhouseError where no build has made them, and where the stored text does anything else.
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
        raise NotBuiltError
    for (text,) in texts:
        # Another statement could write over the databases that the engine has open.
        statements = connection.extract_statements(text)
        if len(statements) != 1 or not text.startswith("create or replace temp macro "):
            raise PoolhouseError(
                "another program has changed ops.built_relations: load the files into a new "
                "warehouse (--db)"
            )
        connection.execute(text)
