"""What a user may choose of the models: kept in the warehouse, beside what is built by it."""

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb

from poolhouse.building.plan import Plan, known_plan, plan_of
from poolhouse.building.plan.asking import rows_of_view
from poolhouse.building.project import project_folder
from poolhouse.errors import PoolhouseError

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
def _described() -> Mapping[str, Mapping[str, str]]:
    """Return the rows of the seed, by name."""
    seed = project_folder() / "seeds" / "settings.csv"
    with seed.open(encoding="utf-8", newline="") as rows:
        return {row["name"]: row for row in csv.DictReader(rows)}


@cache
def known_settings() -> Mapping[str, Setting]:
    """Return all settings, by name."""
    import yaml  # noqa: PLC0415 - `status` and `build` do not wait for it

    project = yaml.safe_load((project_folder() / "dbt_project.yml").read_text(encoding="utf-8"))
    return {
        name: Setting(
            name,
            row["kind"],
            row["is_list"] == "true",
            row["possible_values"],
            row["description"],
            project["vars"][name],
        )
        for name, row in _described().items()
    }


def chosen_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return the settings of a warehouse that differ from the project's own, by name.

    One that only another version has changes nothing in this one.
    """
    return _settings_in("ops.settings", connection)


def built_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any] | None:
    """Return the same, as the last build had them; None where nothing is built."""
    try:
        is_built = connection.execute("select 1 from ops.built_relations limit 1").fetchall()
    except duckdb.CatalogException:  # of an earlier version, and only read
        return None
    return _settings_in("ops.built_settings", connection) if is_built else None


def _settings_in(table: str, connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    try:
        rows = connection.table(table).order("name").fetchall()
    except duckdb.CatalogException:  # of an earlier version, and only read
        return {}
    return {name: _decoded(value) for name, value in rows if name in _described()}


def _decoded(value: str) -> Any:  # noqa: ANN401 - what somebody wrote
    try:
        return json.loads(value)
    except ValueError:
        return value  # which is refused as any other that is not possible


def keep_setting(
    connection: duckdb.DuckDBPyConnection, name: str, chosen: Mapping[str, Any]
) -> None:
    """Keep a setting in a warehouse as it is among the chosen ones, or forget it."""
    connection.execute("delete from ops.settings where name = ?", [name])
    _insert("ops.settings", connection, {name: chosen[name]} if name in chosen else {})


def record_built_settings(connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> None:
    """Remember by which settings the marts are built."""
    connection.execute("delete from ops.built_settings")
    _insert("ops.built_settings", connection, chosen)


def _insert(table: str, connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> None:
    for name, value in chosen.items():
        row = [name, json.dumps(value, ensure_ascii=False)]
        connection.execute(f"insert into {table} values (?, ?)", row)  # noqa: S608 - own words


def all_settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every setting, by name: what was chosen, or else the default."""
    return {name: each.default for name, each in known_settings().items()} | dict(chosen)


def texts_of(value: Any) -> list[str]:  # noqa: ANN401 - what somebody wrote
    """Return a value as one writes it, one text for each of a list."""
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
    """Return the plan by the settings that a warehouse has; what is no setting is not compiled.

    Raise PlanError; PoolhouseError where a setting is not possible, such as one that an earlier
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
