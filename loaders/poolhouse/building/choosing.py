"""Changing a setting of a warehouse, for its next build."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import duckdb

from poolhouse.building.plan import known_plan, plan_of
from poolhouse.building.settings import (
    Setting,
    all_settings,
    built_settings,
    chosen_settings,
    keep_setting,
    known_settings,
    problems_with,
    texts_of,
)
from poolhouse.errors import PoolhouseError, WarehouseMissingError
from poolhouse.option_values import How
from poolhouse.warehouse.file import Warehouse


@dataclass(frozen=True)
class Standing:
    """A setting of a warehouse: its value, and whether the marts were built with it.

    The second is None if nothing is built.
    """

    setting: Setting
    value: Any
    is_built: bool | None

    @property
    def is_changed(self) -> bool:
        """Whether the value differs from the default."""
        return bool(self.value != self.setting.default)


@dataclass(frozen=True)
class Changed:
    """The old and new value of a setting, and whether there are marts and collections."""

    before: Any
    after: Any
    is_loaded: bool
    is_built: bool


def standings(warehouse: Warehouse) -> list[Standing]:
    """List all settings, with their defaults if there is no warehouse yet."""
    try:
        with warehouse.read() as connection:
            return standings_in(connection)
    except WarehouseMissingError:
        return [Standing(each, each.default, None) for each in known_settings().values()]


def standings_in(connection: duckdb.DuckDBPyConnection) -> list[Standing]:
    """List all settings of an open warehouse."""
    values = all_settings(chosen_settings(connection))
    built = built_settings(connection)
    return [
        Standing(
            each,
            values[name],
            None if built is None else bool(values[name] == built.get(name, each.default)),
        )
        for name, each in known_settings().items()
    ]


def setting_named(name: str) -> Setting:
    """Return the setting of this name. Raise PoolhouseError that names the most similar one."""
    known = known_settings()
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0)
        raise PoolhouseError(f"there is no setting {name!r}; the nearest is {near[0]}")
    return known[name]


def change_setting(
    warehouse: Warehouse,
    setting: Setting,
    how: How,
    values: Sequence[str] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> Changed | None:
    """Change a setting for the next build, and create the warehouse if there is none.

    Return None if the setting has this value already. Raise PlanError or WarehouseBusyError. Raise
    PoolhouseError where the value is not possible; nothing is written then.
    """
    try:
        with warehouse.read() as connection:
            chosen = chosen_settings(connection)
    except WarehouseMissingError:
        chosen = {}
    asked = _asked(chosen, setting, how, values, tell)
    if asked == chosen:
        return None
    with warehouse.change(), warehouse.side() as connection:
        # Read again under the lock, because another process may have changed them.
        before = chosen_settings(connection)
        after = asked if before == chosen else _asked(before, setting, how, values, tell)
        keep_setting(connection, setting.name, after)
        is_loaded = bool(connection.execute("from raw.collections limit 1").fetchall())
        is_built = all(each.is_built is True for each in standings_in(connection))
        name = setting.name
        return Changed(all_settings(before)[name], all_settings(after)[name], is_loaded, is_built)


def _asked(
    chosen: Mapping[str, Any],
    setting: Setting,
    how: How,
    values: Sequence[str],
    tell: Callable[[str], None],
) -> dict[str, Any]:
    """Return the chosen settings with one changed. Raise PoolhouseError for an invalid value."""
    others = {name: value for name, value in chosen.items() if name != setting.name}
    if how is How.DEFAULT:
        asked = others
    else:
        texts = _texts(setting, texts_of(all_settings(chosen)[setting.name]), how, values)
        asked = others | {setting.name: texts if setting.is_list else " ".join(texts)}
    plan = known_plan(chosen) or plan_of({}, tell)
    if problems := problems_with(asked, plan):
        # A setting that another program made invalid must not prevent the correction of others.
        earlier = problems_with(chosen, plan)
        for problem in problems:
            if problem not in earlier:
                raise PoolhouseError(problem)
    if setting.name in asked:
        value = setting.value_of(asked[setting.name])
        asked = others if value == setting.default else others | {setting.name: value}
    return asked


def _texts(setting: Setting, before: list[str], how: How, values: Sequence[str]) -> list[str]:
    if how is How.SET:
        return list(values)
    if how is How.ADD:
        return before + [value for value in values if value not in before]
    for value in values:
        if value not in before:
            raise PoolhouseError(f"setting {setting.name}: {value} is not in the list")
    return [text for text in before if text not in values]
