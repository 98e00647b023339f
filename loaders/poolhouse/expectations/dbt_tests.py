"""The tests of dbt that a build leaves to the check: what views make of the stored rows."""

from collections.abc import Iterator, Mapping

import duckdb

from poolhouse.building.at_hand import rows_that_break, set_at_hand
from poolhouse.building.plan import Node, Plan
from poolhouse.errors import PoolhouseError
from poolhouse.expectations.findings import Finding, sample_as_text
from poolhouse.expectations.results import Result
from poolhouse.expectations.suites import CRITICAL, DBT_TESTS, SAMPLE_SIZE, Expectation
from poolhouse.warehouse.engine_errors import first_line

# Tables are tested when they are built (CONTRIBUTING.md).
_ALL_HOLD = Expectation(
    name="tests_of_views_hold",
    severity=CRITICAL,
    meaning="in each view, keys occur once, and nulls and identities are as the model promises",
    advice="A row that occurs twice, or contradicts another mart, counts in all figures of it.",
    needs="",
    figure=None,
)

# Tests that do not hold, with their numbers of rows.
Broken = dict[str, int]


def broken_tests(
    connection: duckdb.DuckDBPyConnection, plan: Plan, collections: Mapping[int, str]
) -> dict[int, Broken]:
    """Return the tests of views that do not hold, by the key of the collection.

    `collections` are the names of built collections by their keys. Raise PoolhouseError that names
    a test which cannot be evaluated.
    """
    broken: dict[int, Broken] = {key: {} for key in collections}
    for test in plan.tests_of_views:
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


def results_of_tests(
    connection: duckdb.DuckDBPyConnection, plan: Plan, collections: Mapping[int, str]
) -> Iterator[Result]:
    """Yield a result for each collection: whether all tests of views hold."""
    for key, broken in broken_tests(connection, plan, collections).items():
        sample = [{"test": test, "n_rows": n_rows} for test, n_rows in broken.items()]
        found = Finding(
            not broken, f"{len(broken)} rows", len(broken), sample_as_text(sample[:SAMPLE_SIZE])
        )
        yield Result(collections[key], DBT_TESTS, "views", *_ALL_HOLD.described, *found)
