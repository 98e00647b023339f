"""The tests of dbt that a build leaves to the check: what views make of the stored rows."""

from collections.abc import Mapping

import duckdb

from poolhouse.building.at_hand import rows_that_break, set_at_hand
from poolhouse.building.plan import Node
from poolhouse.building.plan.kept import plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import first_line

# Tests that do not hold, with their numbers of rows.
Broken = dict[str, int]


def broken_tests(
    connection: duckdb.DuckDBPyConnection, collections: Mapping[int, str]
) -> dict[int, Broken]:
    """Return the tests of views that do not hold, by the key of the collection.

    `collections` are the names of built collections by their keys. Raise PoolhouseError that names
    a test which cannot be evaluated.
    """
    broken: dict[int, Broken] = {key: {} for key in collections}
    for test in plan_of(chosen_settings(connection)).tests_of_views:
        # Nearly always a test holds for all collections, and one query says so.
        if _n_rows(connection, test, collections):
            for key, name in collections.items():
                if n_rows := _n_rows(connection, test, {key: name}):
                    broken[key][test.name] = n_rows
    return broken


def _n_rows(
    connection: duckdb.DuckDBPyConnection, test: Node, collections: Mapping[int, str]
) -> int:
    set_at_hand(connection, collections)
    try:
        return rows_that_break(connection, test)
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        problem = f"the test {test.name} cannot be evaluated: {first_line(error)}"
        raise PoolhouseError(problem) from error
