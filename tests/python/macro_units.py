"""Call table macros and questions of the plan on given rows.

dbt's unit tests cannot call these macros.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite
from typing import Any, Protocol

import duckdb

from poolhouse.building.plan import Kind, Node, Plan, plan_of
from poolhouse.building.plan.statements import making
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

MACROS = {Kind.MACRO, Kind.OWN_MACRO}


class Table:
    """Rows, and the names of their columns, such as `collection_key, topic_key`.

    A type follows a name where the plan does not know the type. It does not know the types of a
    macro's arguments, and of rows in place of another macro.
    """

    def __init__(self, columns: str, *rows: tuple[object, ...]) -> None:
        self.columns = columns
        self.rows = rows

    def put_into(self, connection: duckdb.DuckDBPyConnection, relation: str) -> None:
        """Insert the rows into a relation; columns that are not named are null."""
        names = ", ".join(column.split()[0] for column in self.columns.split(","))
        rows = ", ".join(f"({', '.join(map(_literal, row))})" for row in self.rows)
        if rows:
            connection.execute(f"insert into {relation} ({names}) values {rows}")


class Macro(Protocol):
    """A macro that exists in a database, with the rows that it reads."""

    def __call__(
        self, *arguments: object, select: str = "*", **named: object
    ) -> list[tuple[Any, ...]]:
        """Return the columns `select` of the macro's rows, sorted, with floats to 9 decimals.

        An argument that is a Table is passed by name, as the rows of a run are.
        """


def call(
    macro: str,
    given: Mapping[str, Table],
    *arguments: object,
    select: str = "*",
    **named: object,
) -> list[tuple[Any, ...]]:
    """Make a macro, and return the rows of one call."""
    with made(macro, given) as rows_of:
        return rows_of(*arguments, select=select, **named)


@contextmanager
def made(macro: str, given: Mapping[str, Table]) -> Iterator[Macro]:
    """Make a macro or a question, on the given rows of relations that it or its macros read.

    Other relations are empty, but for views that read none. Rows given for a macro are its result,
    whatever its arguments are. A call of a question names the values of all its parameters.
    """
    plan = plan_of({})
    (node,) = (node for node in plan.nodes if node.name == macro)
    with duckdb.connect(config={"threads": 1}) as connection:
        read = list(_read(plan, node, given))
        assert given.keys() <= {each.name for each in read}, "given, and not read"
        if node.kind is Kind.QUESTION:
            read.remove(node)
        for each in read:
            connection.execute(f"create schema if not exists {each.relation.partition('.')[0]}")
            _make(connection, each, given.get(each.name))
        for each in read:
            if each.kind in MACROS and each.name in given:
                connection.execute(making(replace(each, sql=f"from given_{each.name}")))

        def rows_of(
            *arguments: object, select: str = "*", **named: object
        ) -> list[tuple[Any, ...]]:
            if node.kind is Kind.QUESTION:
                asked = f"select {select} from ({node.sql}) order by all"
                return rounded(connection.execute(asked, named).fetchall())
            passed = [_passed(connection, *each) for each in enumerate(arguments)]
            passed += [f"{name} := {_literal(value)}" for name, value in named.items()]
            called = node.relation if node.kind is Kind.MACRO else node.name
            rows = connection.execute(
                f"select {select} from {called}({', '.join(passed)}) order by all"
            ).fetchall()
            return rounded(rows)

        yield rows_of


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Round floats to 9 decimals."""
    return [tuple(round(x, 9) if isinstance(x, float) else x for x in row) for row in rows]


def _read(plan: Plan, macro: Node, given: Mapping[str, Table]) -> Iterator[Node]:
    """Yield the nodes that the macro needs, and the macro itself last."""
    needed = {macro.name}
    calling = {*MACROS, Kind.QUESTION}
    for node in reversed(plan.nodes):
        if node.name in needed and node.kind in calling and node.name not in given:
            needed |= set(node.reads) | {
                # The macro does not itself name the tables of its steps (macros/project/steps.sql).
                each.name
                for each in plan.relations
                if ".".join(map(quoted_name, each.relation.split("."))) in node.sql
            }
    return (node for node in plan.nodes if node.name in needed)


def _make(connection: duckdb.DuckDBPyConnection, node: Node, rows: Table | None) -> None:
    if node.kind not in MACROS:
        is_constant = node.kind is Kind.VIEW and not node.reads and rows is None
        connection.execute(making(node if is_constant else replace(node, kind=Kind.TABLE)))
        if rows:
            rows.put_into(connection, node.relation)
    elif rows:
        connection.execute(f"create table given_{node.name} ({rows.columns})")
        rows.put_into(connection, f"given_{node.name}")
        # Like the real macros: a macro that reads this one cannot be bound before a call.
        unbound = f"from query_table({node.arguments[0]})"
        connection.execute(making(replace(node, sql=unbound)))
    else:
        connection.execute(making(node))


def _passed(connection: duckdb.DuckDBPyConnection, number: int, argument: object) -> str:
    if not isinstance(argument, Table):
        return _literal(argument)
    name = f"argument_{number}"
    connection.execute(f"create or replace table {name} ({argument.columns})")
    argument.put_into(connection, name)
    return quoted_text(name)


def _literal(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and not isfinite(value):
        return f"'{value}'::double"
    return quoted_text(value) if isinstance(value, str) else repr(value)
