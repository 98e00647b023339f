"""The tests of dbt that a build leaves to the check: what views make of the stored rows."""

from collections.abc import Mapping

import duckdb

from poolhouse.building.plan.kept import plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.file import first_line
from poolhouse.warehouse.sql_text import quoted_text

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
        if _n_rows(connection, test.name, test.sql, collections):
            for key, name in collections.items():
                if n_rows := _n_rows(connection, test.name, test.sql, {key: name}):
                    broken[key][test.name] = n_rows
    return broken


def _n_rows(
    connection: duckdb.DuckDBPyConnection, name: str, sql: str, collections: Mapping[int, str]
) -> int:
    names = ", ".join(map(quoted_text, collections.values()))
    connection.execute(f"set variable collections_at_hand = {list(collections)}")
    connection.execute(f"set variable collection_ids_at_hand = [{names}]")
    query = f"select count(*) from ({sql})"  # noqa: S608 - a test of the plan
    try:
        [(n_rows,)] = connection.execute(query).fetchall()
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise PoolhouseError(f"the test {name} cannot be evaluated: {first_line(error)}") from error
    return int(n_rows)
