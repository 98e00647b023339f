"""The plan, which dbt compiles and the command line runs (docs/decisions/plan.md)."""

from poolhouse.building.plan.nodes import Built, Change, Column, Kind, Node, Plan, Rule
from poolhouse.building.plan.storage import known_plan, known_version, plan_of

__all__ = [
    "Built",
    "Change",
    "Column",
    "Kind",
    "Node",
    "Plan",
    "Rule",
    "known_plan",
    "known_version",
    "plan_of",
]
