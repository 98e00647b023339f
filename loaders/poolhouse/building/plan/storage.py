"""Storage of plans: the default plan in an installed wheel, other plans in the user's cache."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from poolhouse.building.plan.nodes import Plan
from poolhouse.building.project import cache_folder, project_folder, project_version
from poolhouse.warehouse.whole import drafted, locked

# Inside an installed wheel: the plan of the project's own settings (scripts/build_backend.py).
SHIPPED = Path(__file__).parents[2] / "plans"

# The plans that were not used for longest are removed, so that trying settings does not fill the
# disk. The plan of a large warehouse must not go because its owner tried twenty settings since.
_MOST_KEPT = 20


def known_plan(settings: Mapping[str, Any]) -> Plan | None:
    """Return the plan for these settings, or None if it is not compiled yet.

    `settings` are the settings that differ from the project's own.
    """
    for file in _places(settings):
        # A damaged plan is compiled again.
        with suppress(OSError, ValueError, KeyError, TypeError):
            plan = _loaded(file)
            with suppress(OSError):  # a shipped plan may belong to somebody else
                os.utime(file)
            return plan
    return None


def known_version(settings: Mapping[str, Any]) -> str | None:
    """Return the version of the plan without reading all of it."""
    for file in _places(settings):
        with suppress(OSError, ValueError), file.open(encoding="utf-8") as lines:
            return lines.readline().strip()
    return None


def plan_of(settings: Mapping[str, Any], tell: Callable[[str], None] = lambda _: None) -> Plan:
    """Return the plan for these settings. If it is not known, call `tell` and compile it.

    Raise PlanError.
    """
    if plan := known_plan(settings):
        return plan
    cache_folder().mkdir(parents=True, exist_ok=True)
    # One process compiles, and other processes that need a plan wait for it.
    with locked(cache_folder() / "compiling.lock"):
        if plan := known_plan(settings):
            return plan
        tell("compiling the models")
        # dbt takes seconds to import.
        from poolhouse.building.plan.compiling import compile_plan  # noqa: PLC0415

        plan = compile_plan(project_folder(), _parsed(), settings)
        write_plan(plan, _kept() / name_of(settings))
        _clear_old()
    return plan


def name_of(settings: Mapping[str, Any]) -> str:
    """Return the file name of a plan, which depends on everything that it is compiled from."""
    what = project_version(project_folder()) + json.dumps(settings, sort_keys=True)
    return f"{sha256(what.encode()).hexdigest()[:32]}.json"


def _places(settings: Mapping[str, Any]) -> Iterator[Path]:
    name = name_of(settings)
    yield SHIPPED / name
    yield _kept() / name


@cache
def _loaded(file: Path) -> Plan:
    version, _, text = file.read_text(encoding="utf-8").partition("\n")
    plan = Plan.from_json(text)
    if plan.version != version:
        raise ValueError(f"{file}: its first line is not its version")
    return plan


def write_plan(plan: Plan, file: Path) -> None:
    """Write a plan completely or not at all. Its first line is its version."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with drafted(file) as draft:
        draft.write_text(f"{plan.version}\n{plan.to_json()}", encoding="utf-8")


def _parsed() -> Path:
    """Return the folder of dbt's parsed state. Two checkouts must not read each other's state."""
    return cache_folder() / "dbt" / sha256(str(project_folder()).encode()).hexdigest()[:16]


def _kept() -> Path:
    return cache_folder() / "plans"


def _clear_old() -> None:
    by_last_use = sorted(_kept().glob("*.json"), key=lambda each: each.stat().st_mtime)
    for old in by_last_use[:-_MOST_KEPT]:
        old.unlink()
