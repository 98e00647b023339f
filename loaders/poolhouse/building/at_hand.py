"""What statements of a plan work on at one time (macros/project/at_hand.sql)."""

from collections.abc import Collection, Mapping

import duckdb

from poolhouse.building.plan.nodes import Node
from poolhouse.warehouse.sql_text import quoted_text

_VARIABLES = (
    "collections_at_hand",
    "collection_ids_at_hand",
    "runs_at_hand",
    "candidates_at_hand",
)


def set_at_hand(connection: duckdb.DuckDBPyConnection, collections: Mapping[int, str]) -> None:
    """Choose the collections that the next statements work on: their names by their keys."""
    names = ", ".join(map(quoted_text, collections.values()))
    connection.execute(f"set variable collections_at_hand = {list(collections)}")
    connection.execute(f"set variable collection_ids_at_hand = [{names}]")


def set_runs(
    connection: duckdb.DuckDBPyConnection, variable: str, runs: Collection[int] | None
) -> None:
    """Choose the runs that the next statements read by a variable. None stands for all runs."""
    keys = "null" if runs is None else list(runs)
    connection.execute(f"set variable {variable} = {keys}::integer []")


def reset(connection: duckdb.DuckDBPyConnection) -> None:
    """Choose nothing, as a warehouse is for its readers."""
    for variable in _VARIABLES:
        connection.execute(f"reset variable {variable}")


def rows_that_break(connection: duckdb.DuckDBPyConnection, test: Node) -> int:
    """Count the rows of the collections at hand that break a test."""
    query = f"select count(*) from ({test.sql})"  # noqa: S608 - a test of the plan
    [(n_rows,)] = connection.execute(query).fetchall()
    return int(n_rows)
