"""Make plans that differ from the project's: one model is changed, or only a few nodes remain."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from poolhouse.building import staleness, todo
from poolhouse.building.plan import Node, Plan, plan_of
from poolhouse.building.plan.trying import with_columns
from poolhouse.warehouse.file import Warehouse

# The condition of macros/project/at_hand.sql, where some collections are at hand.
AT_HAND = "list_contains(getvariable('collections_at_hand'), collection_key)"


def build_by(plan: Plan, patch: pytest.MonkeyPatch) -> Plan:
    """Let builds use this plan, as if the project's files had been changed."""
    patch.setattr(todo, "plan_by_choice", lambda *_: plan)
    patch.setattr(staleness, "known_version", lambda _: plan.version)
    return plan


def as_built_by(plan: Plan, warehouse: Warehouse, patch: pytest.MonkeyPatch) -> None:
    """Record that a warehouse was built by this plan, and let builds use the plan."""
    build_by(plan, patch)
    with warehouse.change(), warehouse.side() as side:
        side.execute("update ops.builds set models_version = ?", [plan.version])


def with_another(name: str, old: str, new: str) -> Plan:
    """Return the project's plan with a changed model: its SQL has `new` in place of `old`."""
    plan = plan_of({})
    [node] = [node for node in plan.nodes if node.name == name]
    assert old in node.sql
    other = replace(node, sql=node.sql.replace(old, new))
    return Plan(tuple(other if each is node else each for each in plan.nodes), plan.settings)


def anew() -> Plan:
    """Return the project's plan with a changed model that has the same rows as before."""
    return with_another("stg_run_lines", "select", "select /* anew */")


def plan_with(nodes: Iterable[Node]) -> Plan:
    """Return a plan of these nodes, in this order."""
    return Plan(tuple(with_columns(nodes, {})), {})
