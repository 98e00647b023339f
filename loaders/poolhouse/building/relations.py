"""The relations of a plan in a file, without rows of collections."""

from collections.abc import Collection
from pathlib import Path

import duckdb

from poolhouse.building.execution import Execution
from poolhouse.building.plan import Change, Kind, Node, Plan
from poolhouse.building.plan.statements import commenting, filling, making
from poolhouse.warehouse.sql_text import quoted_name, quoted_text

# Names in a file of somebody else may be anything.
_EXISTING = """
    with relations as (
        select schema_name, table_name as name, 'table' as kind, internal
        from system.main.duckdb_tables()
        union all
        select schema_name, view_name, 'view', internal from system.main.duckdb_views()
        union all
        select schema_name, function_name, 'macro table', internal
        from system.main.duckdb_functions()
        where function_type = 'table_macro'
    )

    select schema_name || '.' || name, schema_name, name, kind from relations where not internal
"""


def define(execution: Execution, plan: Plan, change: Change, empty: Path | None = None) -> None:
    """Create the stale relations, with empty tables, and set their comments.

    Where the file has none of them, they are copied from `empty`, a database that has them all.
    Raise BuildFailedError that names the node.
    """
    if not change:
        return
    connection = execution.connection
    kinds: dict[str, str] = {}
    written: dict[str, str] = {}
    for relation, schema, name, kind in connection.execute(_EXISTING).fetchall():
        kinds[relation] = kind
        written[relation] = f"{quoted_name(schema)}.{quoted_name(name)}"
    there = kinds.keys() & {node.relation for node in plan.relations}
    if empty and not there and _copies(execution, empty):
        return
    with execution.transaction():
        for relation in change.gone & kinds.keys():
            connection.execute(f"drop {kinds[relation]} {written[relation]}")
        for node in plan.relations:
            with execution.naming(node):
                if node.name in change.stale:
                    _define(execution, plan, node, kinds.get(node.relation, node.kind))
                if node.name in change.stale | change.reworded:
                    execution.run(commenting(node))


def _copies(execution: Execution, empty: Path) -> bool:
    """Copy all relations. Return whether it succeeds; a file that is damaged is removed."""
    connection = execution.connection
    [(own,)] = connection.execute("select system.main.current_database()").fetchall()
    try:
        connection.execute(f"attach {quoted_text(str(empty))} as empty (read_only)")
        with execution.transaction():
            connection.execute(f"copy from database empty to {quoted_name(own)}")
        connection.execute("detach empty")
    except (duckdb.InterruptException, duckdb.PermissionException):
        raise  # the file is as it was
    except duckdb.Error:
        empty.unlink(missing_ok=True)
        connection.execute("detach database if exists empty")
        return False
    return True


def _define(execution: Execution, plan: Plan, node: Node, kind_before: str) -> None:
    if kind_before != node.kind:
        execution.connection.execute(f"drop {kind_before} {node.relation}")
    if node.kind is Kind.OWN_MACRO:
        return
    schema = node.relation.partition(".")[0]
    execution.connection.execute(f"create schema if not exists {schema}")
    if node.kind is Kind.TABLE and (node.rule or node.name in plan.loaded):
        # Its rows are built later, between its hooks.
        execution.connection.execute(making(node))
        return
    rows = filling(node) if node.kind is Kind.TABLE else ()
    execution.run((*node.before, making(node), *rows, *node.after))


def fill_plain_tables(execution: Execution, plan: Plan, touched: Collection[str]) -> None:
    """Build plain tables that depend on loaded data, where a relation that they read is touched.

    Raise BuildFailedError that names the node.
    """
    changed = set(touched)
    for node in plan.plain_tables:
        if node.name in plan.loaded and plan.shown(changed) & {node.name, *node.reads}:
            with execution.naming(node), execution.hooked(node), execution.transaction():
                execution.run(filling(node))
            changed.add(node.name)
