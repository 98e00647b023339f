"""Settings of the models: the chosen values in the warehouse, and the values of the build."""

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb

from poolhouse.building.plan import Plan, known_plan, plan_of
from poolhouse.building.project import project_folder
from poolhouse.errors import PoolhouseError
from poolhouse.warehouse.sql_text import quoted_text

Value = str | int | float | list[str]


@dataclass(frozen=True)
class Setting:
    """A setting of seeds/settings.csv, with its default from dbt_project.yml."""

    name: str
    possible_values: str
    description: str
    default: Value

    @property
    def is_list(self) -> bool:
        """Return whether the setting has one or more values, and not exactly one."""
        return isinstance(self.default, list)

    def value_of(self, written: str | list[str]) -> Value:
        """Read a value that was found valid."""
        return type(self.default)(written)  # type: ignore[arg-type]


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
        name: Setting(name, row["possible_values"], row["description"], project["vars"][name])
        for name, row in _described().items()
    }


def chosen_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return the settings of a warehouse that differ from the project's own, by name.

    A name that is no setting is ignored.
    """
    return _settings_in("ops.settings", connection)


def built_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any] | None:
    """Return the settings of the last build, or None if nothing is built."""
    is_built = connection.execute("select 1 from ops.built_relations limit 1").fetchall()
    return _settings_in("ops.built_settings", connection) if is_built else None


def _settings_in(table: str, connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    rows = connection.table(table).order("name").fetchall()
    return {name: _decoded(value) for name, value in rows if name in _described()}


def _decoded(value: str) -> Any:  # noqa: ANN401 - what somebody wrote
    try:
        return json.loads(value)
    except (ValueError, TypeError):
        return value  # which is refused like any other invalid value


def keep_setting(
    connection: duckdb.DuckDBPyConnection, name: str, chosen: Mapping[str, Any]
) -> None:
    """Store a chosen setting in a warehouse, or remove it if it is not chosen."""
    connection.execute("delete from ops.settings where name = ?", [name])
    _insert("ops.settings", connection, {name: chosen[name]} if name in chosen else {})


def record_built_settings(connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> None:
    """Record the settings with which the marts are built."""
    connection.execute("delete from ops.built_settings")
    _insert("ops.built_settings", connection, chosen)


def _insert(table: str, connection: duckdb.DuckDBPyConnection, chosen: Mapping[str, Any]) -> None:
    for name, value in chosen.items():
        row = [name, json.dumps(value, ensure_ascii=False)]
        connection.execute(f"insert into {table} values (?, ?)", row)  # noqa: S608 - own words


def all_settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every setting, by name: the chosen value, or else the default."""
    return {name: each.default for name, each in known_settings().items()} | dict(chosen)


def texts_of(value: Any) -> list[str]:  # noqa: ANN401 - what somebody wrote
    """Return a value as text, with one text for each item of a list."""
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def problems_with(chosen: Mapping[str, Any], plan: Plan) -> list[str]:
    """Return the problems with chosen settings, in the order in which to correct them.

    `plan` may be a plan for any settings: its view of problems is made over these ones.
    """
    rows = [
        f"({quoted_text(name)}, {position}, {quoted_text(text)})"
        for name, value in all_settings(chosen).items()
        # A list where one value belongs is one wrong value.
        for position, text in enumerate(
            texts_of(value if known_settings()[name].is_list else str(value)), start=1
        )
    ]
    asked = f"from (values {', '.join(rows)}) as given (name, position, value)"
    nodes = {node.name: node for node in plan.relations}
    view = nodes["int_setting_problems"]
    with duckdb.connect() as connection:
        for node in (*(nodes[name] for name in view.reads), view):
            sql = asked if node.name == "int_settings" else node.sql
            connection.execute(f"create schema if not exists {node.relation.partition('.')[0]}")
            connection.execute(f"create view {node.relation} as {sql}")
        found = connection.execute(f"from {view.relation}").fetchall()
    # The problems of other settings may follow from a wrong measure.
    found.sort(key=lambda row: (row[0] != "measures", row))
    return [f"setting {name}: {problem}" for name, _, problem in found]


def plan_by_choice(chosen: Mapping[str, Any], tell: Callable[[str], None] = lambda _: None) -> Plan:
    """Return the plan for the settings of a warehouse. Invalid settings are not compiled.

    Raise PlanError. Raise PoolhouseError where a setting is invalid: another program wrote it.
    """
    if plan := known_plan(chosen):
        return plan
    if chosen and (problems := problems_with(chosen, plan_of({}, tell))):
        raise PoolhouseError(problems[0])
    return plan_of(chosen, tell)
