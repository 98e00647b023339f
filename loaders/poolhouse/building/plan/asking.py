"""The result of a view of the plan for given rows, without a warehouse."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from poolhouse.building.plan.nodes import Kind, Node, Plan
from poolhouse.building.plan.statements import filling, making


def rows_of_view(
    plan: Plan, view: str, given: Mapping[str, Sequence[tuple[Any, ...]]]
) -> list[tuple[Any, ...]]:
    """Return the rows of a view if the relations that it reads have the given rows.

    A seed that is not given has its own rows.
    """
    by_name = {node.name: node for node in plan.relations}
    with duckdb.connect() as connection:
        for node in _needed(by_name, view, given):
            connection.execute(f"create schema if not exists {node.relation.partition('.')[0]}")
            if node.name in given:
                _fill(connection, node, given[node.name])
                continue
            connection.execute(making(node))
            if node.kind is Kind.TABLE:
                for statement in filling(node):
                    connection.execute(statement)
        return connection.execute(f"from {by_name[view].relation}").fetchall()


def _needed(by_name: Mapping[str, Node], name: str, given: Mapping[str, object]) -> Iterator[Node]:
    """Yield a relation after the relations that it reads."""
    if name not in given:
        for read in by_name[name].reads:
            yield from _needed(by_name, read, given)
    yield by_name[name]


def _fill(
    connection: duckdb.DuckDBPyConnection, node: Node, rows: Sequence[tuple[Any, ...]]
) -> None:
    connection.execute(making(replace(node, kind=Kind.TABLE)))
    places = ", ".join("?" for _ in node.columns)
    connection.executemany(f"insert into {node.relation} values ({places})", rows)
