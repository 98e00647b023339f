"""The statements that create a relation, and comment on it."""

from collections.abc import Iterator

from poolhouse.building.plan.nodes import Kind, Node
from poolhouse.warehouse.sql_text import quoted_name, quoted_text


def making(node: Node) -> str:
    """Create or replace a relation. A table is created empty, our own macro on the connection."""
    create = f"create or replace {node.kind.removesuffix(' table')} {node.relation}"
    arguments = f"({', '.join(node.arguments)}) as table {node.sql}"
    if node.kind is Kind.TABLE:
        columns = ", ".join(f"{quoted_name(name)} {type_}" for name, type_, _ in node.columns)
        return f"{create} ({columns})"
    if node.kind is Kind.MACRO:
        return create + arguments
    if node.kind is Kind.OWN_MACRO:
        return f"create or replace temp macro {node.name}{arguments}"
    return f"{create} as {node.sql}"


def commenting(node: Node) -> Iterator[str]:
    """Set the comments of a relation and its columns."""
    if node.kind is Kind.OWN_MACRO:
        return
    if node.comment:
        yield f"comment on {node.kind} {node.relation} is {quoted_text(node.comment)}"
    for column in node.columns:
        if column.comment:
            name = f"{node.relation}.{quoted_name(column.name)}"
            yield f"comment on column {name} is {quoted_text(column.comment)}"


def filling(node: Node, condition: str = "true") -> Iterator[str]:
    """Rebuild the rows of a table that meet a condition and that the node selects."""
    yield emptying(node, condition)
    yield adding(node)


def emptying(node: Node, condition: str) -> str:
    """Remove the rows of a table that meet a condition."""
    return f"delete from {node.relation} where {condition}"


def adding(node: Node) -> str:
    """Add the rows to a table that the node selects."""
    return f"insert into {node.relation} by name {node.sql}"
