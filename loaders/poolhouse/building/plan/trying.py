"""Trying a plan on an empty database: its SQL must bind, and its contracts must hold."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import duckdb

from poolhouse.building.plan.nodes import Column, Kind, Node
from poolhouse.building.plan.statements import making
from poolhouse.errors import PlanError
from poolhouse.warehouse import schemas
from poolhouse.warehouse.engine_errors import first_line

# The type of each column that a contract names.
Contract = Mapping[str, str]

_COLUMNS = """
    select column_name, data_type
    from duckdb_columns()
    where schema_name || '.' || table_name = ?
    order by column_index
"""


def with_columns(nodes: Iterable[Node], contracts: Mapping[str, Contract]) -> Iterator[Node]:
    """Return the nodes with the types of their columns.

    Raise PlanError where the engine refuses the SQL of a node, or a column differs from its
    contract.
    """
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(schemas.ALL)
        for node in nodes:
            try:
                _check_is_query(connection, node)
                known = _known(connection, node)
                problem = _broken(connection, known, contracts.get(node.name, {}))
            except duckdb.Error as error:
                raise PlanError(f"{node.name}: {first_line(error)}") from error
            if problem:
                raise PlanError(f"{node.name}: its contract is broken: {problem}")
            yield known


def _check_is_query(connection: duckdb.DuckDBPyConnection, node: Node) -> None:
    """Refuse SQL that cannot be a part of a larger statement, such as a final semicolon."""
    if len(connection.extract_statements(f"from (\n{node.sql}\n)")) != 1:
        raise PlanError(f"{node.name}: it must be a single query")


def _known(connection: duckdb.DuckDBPyConnection, node: Node) -> Node:
    if node.kind in {Kind.TEST, Kind.QUESTION}:
        connection.execute(f"prepare tried as {node.sql}")
        return node
    connection.execute(f"create schema if not exists {node.relation.partition('.')[0]}")
    if node.kind in {Kind.MACRO, Kind.OWN_MACRO}:
        connection.execute(making(node))
        return replace(node, columns=())
    if node.kind is Kind.VIEW:
        connection.execute(making(node))
    else:
        connection.execute(f"create table {node.relation} as from ({node.sql}) limit 0")
    told = {column.name: column.comment for column in node.columns}
    types = connection.execute(_COLUMNS, [node.relation]).fetchall()
    return replace(
        node, columns=tuple(Column(name, type_, told.get(name, "")) for name, type_ in types)
    )


def _broken(connection: duckdb.DuckDBPyConnection, node: Node, contract: Contract) -> str:
    """Return how the columns differ from the contract, or nothing if they do not."""
    if not contract:
        return ""
    found = {column.name: column.type for column in node.columns}
    if odd := sorted(found.keys() ^ contract.keys()):
        where = "only the SQL" if odd[0] in found else "only the contract"
        return f"{where} has the column {odd[0]}"
    for name, declared in contract.items():
        (type_,) = connection.execute(f"select typeof(cast(null as {declared}))").fetchall()[0]
        if found[name] != type_:
            return f"the column {name} is {found[name]}, not {type_}"
    return ""
