"""The plan, which dbt compiles and the command line runs (docs/decisions/plan.md)."""

from poolhouse.building.plan.kept import known_plan, known_version, plan_of
from poolhouse.building.plan.nodes import Built, Change, Column, Kind, Node, Plan, Rule

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
