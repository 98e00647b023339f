"""The statements that make a relation, and say what it is."""

from collections.abc import Iterator

from poolhouse.building.plan.nodes import Kind, Node
from poolhouse.warehouse.sql_text import quoted_name, quoted_text


def making(node: Node) -> str:
    """Make a relation in the place of one of its kind; a table is made empty."""
    kind = "macro" if node.kind is Kind.MACRO else node.kind
    create = f"create or replace {kind} {node.relation}"
    if node.kind is Kind.TABLE:
        columns = ", ".join(f"{quoted_name(name)} {type_}" for name, type_, _ in node.columns)
        return f"{create} ({columns})"
    if node.kind is Kind.MACRO:
        return f"{create}({', '.join(node.arguments)}) as table {node.sql}"
    return f"{create} as {node.sql}"


def commenting(node: Node) -> Iterator[str]:
    """Say of a relation and its columns what the project says."""
    if node.comment:
        yield f"comment on {node.kind} {node.relation} is {quoted_text(node.comment)}"
    for column in node.columns:
        if column.comment:
            name = f"{node.relation}.{quoted_name(column.name)}"
            yield f"comment on column {name} is {quoted_text(column.comment)}"


def filling(node: Node, condition: str = "true") -> Iterator[str]:
    """Make those rows of a table again for which this holds, as far as the node selects them."""
    yield f"delete from {node.relation} where {condition}"
    yield f"insert into {node.relation} by name {node.sql}"
