"""Run models on given rows, such as layouts of scores, without a build."""

from collections.abc import Mapping

import duckdb
import numpy as np
import polars as pl

from poolhouse.building.plan import plan_of
from poolhouse.warehouse.frames import put_table
from significance_reference import Scores

# The models that compare runs. The tests give all other tables that these models read.
_COMPARING = (
    "critical_values",
    "int_layout_effects",
    "int_layout_analyses",
    "int_critical_values",
    "int_layout_tests",
    "int_layout_differences",
)


def compare(connection: duckdb.DuckDBPyConnection, layouts: Mapping[int, Scores]) -> None:
    """Make the models' relations from these layouts, all of collection 1, in an empty database.

    A layout is a matrix of runs by topics, with NaN where a run does not answer a topic. The keys
    of runs and topics are their places in the matrix.
    """
    cells = [
        (1, layout, int(run), int(topic), float(scores[run, topic]))
        for layout, scores in layouts.items()
        for run, topic in zip(*np.nonzero(~np.isnan(scores)), strict=True)
    ]
    names = ["collection_key", "layout_key", "run_key", "topic_key", "score"]
    given = pl.DataFrame(
        cells, schema=dict(zip(names, (*(pl.Int32,) * 4, pl.Float64), strict=True)), orient="row"
    )
    give(connection, "int_layout_cells", given)
    make(connection, _COMPARING)


def give(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    rows: pl.DataFrame,
    schema: str = "intermediate",
) -> None:
    """Put rows into the table that a model would have made."""
    connection.execute(f"create schema if not exists {schema}")
    put_table(connection, "given", rows)
    connection.execute(f'create or replace table {schema}."{name}" as from given')


def make(connection: duckdb.DuckDBPyConnection, names: tuple[str, ...]) -> None:
    """Make models and seeds from the existing tables, in the order of the plan.

    All are tables, so that what many tests read is computed once.
    """
    nodes = [each for each in plan_of({}).nodes if each.name in names]
    assert len(nodes) == len(names)
    for node in nodes:
        schema = node.relation.split(".")[0]
        connection.execute(f"create schema if not exists {schema}")
        connection.execute(f"create or replace table {node.relation} as {node.sql}")
