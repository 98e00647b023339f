"""What a user may choose of the models: kept in the warehouse, beside what is built by it."""

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb
import yaml

from poolhouse.errors import PoolhouseError
from poolhouse.plan import Plan, known_plan, plan_of
from poolhouse.plan.asking import rows_of_view
from poolhouse.project import project_folder

Value = str | int | float | list[str]

# The type of a single value, by what kind it is of; others are text.
_TYPES: Mapping[str, Callable[[str], Value]] = {"count": int, "share": float, "hundredths": float}


@dataclass(frozen=True)
class Setting:
    """What can be chosen, as seeds/settings.csv has it; the default is that of dbt_project.yml."""

    name: str
    kind: str
    is_list: bool
    possible_values: str
    description: str
    default: Value

    def value_of(self, texts: list[str]) -> Value:
        """Read what was found possible."""
        return texts if self.is_list else _TYPES.get(self.kind, str)(texts[0])


@cache
def known_settings() -> Mapping[str, Setting]:
    """Give all settings, by name."""
    project = project_folder()
    settings = yaml.safe_load((project / "dbt_project.yml").read_text(encoding="utf-8"))
    with (project / "seeds" / "settings.csv").open(encoding="utf-8", newline="") as seed:
        return {
            row["name"]: Setting(
                row["name"],
                row["kind"],
                row["is_list"] == "true",
                row["possible_values"],
                row["description"],
                settings["vars"][row["name"]],
            )
            for row in csv.DictReader(seed)
        }


def chosen_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Give the settings of a warehouse that differ from the project's own, by name.

    One that only another version has changes nothing in this one.
    """
    try:
        rows = connection.execute("select name, value from ops.settings order by name").fetchall()
    except duckdb.CatalogException:  # of an earlier version, and only read
        return {}
    return {name: _decoded(value) for name, value in rows if name in known_settings()}


def _decoded(value: str) -> Any:  # noqa: ANN401 - what somebody wrote
    try:
        return json.loads(value)
    except ValueError:
        return value  # which is refused as any other that is not possible


def all_settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Give the value of every setting, by name: what was chosen, or else the default."""
    return {name: each.default for name, each in known_settings().items()} | dict(chosen)


def built_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Give the settings by which the marts were built, as one writes them, by name."""
    try:
        rows = connection.execute("select setting, value from main.dim_settings").fetchall()
    except duckdb.CatalogException:  # nothing is built, or by an earlier version
        return {}
    return dict(rows)


def texts_of(value: Any) -> list[str]:  # noqa: ANN401 - what somebody wrote
    """Give a value as one writes it, one text for each of a list."""
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def problems_with(chosen: Mapping[str, Any], plan: Plan) -> list[str]:
    """Say what is wrong with chosen settings, what is to be mended first before what may follow.

    `plan` may be by any settings: it says what is possible.
    """
    rows = [
        (name, position, text)
        for name, value in all_settings(chosen).items()
        for position, text in enumerate(texts_of(value), start=1)
    ]
    found = rows_of_view(plan, "int_setting_problems", {"int_settings": rows})
    return [f"setting {name}: {problem}" for _, name, _, problem in sorted(found)]


def plan_by_choice(chosen: Mapping[str, Any], tell: Callable[[str], None]) -> Plan:
    """Give the plan by the settings that a warehouse has; what is no setting is not compiled.

    Errors: PlanError; PoolhouseError where a setting is not possible, such as one that an earlier
    version had.
    """
    if plan := known_plan(chosen):
        return plan
    if chosen:
        refuse(problems_with(chosen, plan_of({}, tell)))
    return plan_of(chosen, tell)


def refuse(problems: Iterable[str]) -> None:
    """Raise the first of these problems as PoolhouseError, where there is one."""
    for problem in problems:
        raise PoolhouseError(problem)
