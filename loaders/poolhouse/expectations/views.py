"""The tests of dbt that a build leaves to the check: what views make of the stored rows."""

from collections.abc import Mapping

import duckdb

from poolhouse.building.at_hand import rows_that_break, set_at_hand
from poolhouse.building.plan import Node
from poolhouse.building.plan.kept import plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.errors import PoolhouseError
from poolhouse.expectations.declaration import Subject, holds
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


def _prepare(connection: duckdb.DuckDBPyConnection, collections: Mapping[int, str]) -> None:
    """Create the temporary table of the tests that do not hold."""
    connection.execute(
        "create or replace temp table broken_tests "
        "(collection_key integer, test varchar, n_rows bigint)"
    )
    for key, tests in broken_tests(connection, collections).items():
        for test, n_rows in tests.items():
            connection.execute("insert into broken_tests values (?, ?, ?)", [key, test, n_rows])


# Tables are tested when they are built (CONTRIBUTING.md).
VIEWS = Subject(
    "views",
    (),
    (
        holds(
            "tests_of_views_hold",
            "false",
            ("test", "n_rows"),
            "in each view, keys occur once, and nulls and identities are as the model promises",
            "A row that occurs twice, or contradicts another mart, counts in all figures of it.",
        ),
    ),
    query="from broken_tests",
    by="collection_key",
    prepare=_prepare,
)
