"""The relations of a plan in a file without rows of collections, and the record of what is made."""

import os
from pathlib import Path

import duckdb

from poolhouse.building.empty import kept_empty
from poolhouse.building.execution import Execution
from poolhouse.building.plan import Change, Kind, Plan
from poolhouse.building.plan.statements import making
from poolhouse.building.relations import define, fill_plain_tables
from poolhouse.building.settings import record_built_settings


def define_models(
    connection: duckdb.DuckDBPyConnection, plan: Plan, made: Plan | None = None
) -> None:
    """Make all relations of a plan in a new file, without rows of collections.

    `made` is a plan with other definitions of some of them. Raise BuildFailedError.
    """
    execution, defined = Execution(connection, Path(os.devnull)), made or plan
    define(execution, defined, plan.whole, kept_empty(plan))
    if made:
        others = {each.name for each in made.relations if each not in plan.relations}
        define(execution, made, Change(frozenset(others), frozenset(), frozenset()))
    fill_plain_tables(execution, defined, plan.whole.stale)
    record_relations(connection, plan)
    record_built_settings(connection, plan.settings)


def record_relations(connection: duckdb.DuckDBPyConnection, plan: Plan) -> None:
    """Record the definitions and the descriptions of the relations, and the text of our macros."""
    connection.execute("delete from ops.built_relations")
    rows = [
        (
            node.name,
            node.relation,
            node.definition,
            node.wording,
            making(node) if node.kind is Kind.OWN_MACRO else None,
        )
        for node in plan.relations
    ]
    # In one statement, because one statement per row takes as long as a small build.
    connection.execute(
        "insert into ops.built_relations "
        "select unnest(?), unnest(?), unnest(?), unnest(?), unnest(?)",
        [list(column) for column in zip(*rows, strict=True)],
    )
