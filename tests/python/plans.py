"""Plans other than the project's own: with one model another, or of a few nodes alone."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from poolhouse.building import build as building
from poolhouse.building import staleness
from poolhouse.building.plan import Node, Plan, plan_of
from poolhouse.building.plan.trying import with_columns
from poolhouse.warehouse.file import Warehouse

# As macros/project/at_hand.sql has it, where some are at hand.
AT_HAND = "list_contains(getvariable('collections_at_hand'), collection_key)"


def build_by(plan: Plan, patch: pytest.MonkeyPatch) -> Plan:
    """Let builds go by this plan, as where the project's files were changed to it."""
    patch.setattr(building, "plan_by_choice", lambda *_: plan)
    patch.setattr(staleness, "known_version", lambda _: plan.version)
    return plan


def as_built_by(plan: Plan, warehouse: Warehouse, patch: pytest.MonkeyPatch) -> None:
    """Take a built warehouse for one that was built by this plan, the one that builds go by now."""
    build_by(plan, patch)
    with warehouse.change(), warehouse.side() as side:
        side.execute("update ops.builds set models_version = ?", [plan.version])


def with_another(name: str, old: str, new: str) -> Plan:
    """Give the project's plan with one model another: its SQL has something in place of `old`."""
    plan = plan_of({})
    [node] = [node for node in plan.nodes if node.name == name]
    assert old in node.sql
    other = replace(node, sql=node.sql.replace(old, new))
    return Plan(tuple(other if each is node else each for each in plan.nodes), plan.settings)


def anew() -> Plan:
    """Give the project's plan with another model, which has the same rows."""
    return with_another("stg_run_lines", "select", "select /* anew */")


def plan_with(nodes: Iterable[Node]) -> Plan:
    """Give a plan of these nodes, in this order."""
    return Plan(tuple(with_columns(nodes, {})), {})
