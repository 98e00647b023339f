"""The statements that create a relation, comment on it, and change its rows."""

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


def numbering(node: Node, at_hand: str) -> str:
    """Add the rows of new ids, which get the next numbers of their collection."""
    id_, key = node.numbering or ("", "")
    return f"""
        insert into {node.relation} by name
        with known as (from {node.relation} where {at_hand}),
        last as (select collection_key, max({key}) as number from known group by all)
        select
            found.* replace (
                cast(
                    coalesce(last.number, 0)
                    + row_number() over (
                        partition by found.collection_key order by found.{key}
                    ) as integer
                ) as {key}
            )
        from ({node.sql}) as found
        anti join known on {_is_known(id_)}
        left join last on found.collection_key = last.collection_key
    """


def removing_unnumbered(node: Node, at_hand: str) -> str:
    """Remove the rows of ids that no longer occur."""
    id_, _ = node.numbering or ("", "")
    return f"""
        delete from {node.relation} as known
        where {at_hand} and not exists (from ({node.sql}) as found where {_is_known(id_)})
    """


def _is_known(id_: str) -> str:
    return f"known.collection_key = found.collection_key and known.{id_} = found.{id_}"
