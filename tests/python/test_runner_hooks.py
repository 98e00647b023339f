"""Test hooks: the runner runs the statements that dbt runs before and after it makes a relation."""

from pathlib import Path

import duckdb
import pytest

from plans import plan_with
from poolhouse.building.execution import Execution
from poolhouse.building.plan import Kind, Node, Rule
from poolhouse.building.relations import define, fill_plain_tables
from poolhouse.building.runner import Runner
from poolhouse.building.work import Work
from poolhouse.errors import BuildFailedError
from poolhouse.warehouse import schemas


def noting(what: str) -> str:
    return f"insert into noted values ('{what}')"


def hooked(name: str, kind: Kind, sql: str, *reads: str, rule: Rule | None = None) -> Node:
    return Node(
        name,
        kind,
        f"main.{name}",
        sql,
        reads,
        rule,
        arguments=("n",) if kind is Kind.MACRO else (),
        before=(noting(f"before {name}"),),
        after=(noting(f"after {name}"),),
    )


def test_every_kind_of_relation_has_its_hooks(tmp_path: Path) -> None:
    """Hooks surround the statements that make rows; none precedes the rows of one collection."""
    nodes = [
        hooked("seed", Kind.TABLE, "select 1 as n"),
        hooked("seen", Kind.VIEW, "select 1 as n"),
        hooked("asked", Kind.MACRO, "select n"),
        hooked("ruled", Kind.TABLE, "select 1 as collection_key", rule=Rule.BY_COLLECTION),
        hooked("late", Kind.TABLE, "select count(*) as n from raw.runs", "raw.runs"),
    ]
    with duckdb.connect() as connection:
        connection.execute(schemas.ALL)
        connection.execute("create table noted (what varchar)")
        plan = plan_with(nodes)
        execution = Execution(connection, tmp_path / "log")
        change = plan.change_from({})
        runner = Runner(plan, execution, lambda *_: None, 1, change.stale)

        def noted() -> list[str]:
            rows = connection.execute("select what from noted").fetchall()
            connection.execute("delete from noted")
            return [what for (what,) in rows]

        define(execution, plan, change)
        made_at_once = ["before seed", "after seed", "before seen", "after seen"]
        assert noted() == [*made_at_once, "before asked", "after asked"]
        runner.make(Work({1: "ours"}, frozenset({"ruled"}), frozenset()))
        assert noted() == ["before ruled", "after ruled"]
        fill_plain_tables(execution, plan, runner.touched)
        assert noted() == ["before late", "after late"]


def test_a_hook_that_fails_names_the_relation(tmp_path: Path) -> None:
    node = hooked("seen", Kind.VIEW, "select 1 as n")
    plan = plan_with([node])
    with duckdb.connect() as connection:
        execution = Execution(connection, tmp_path / "log")
        with pytest.raises(BuildFailedError, match=r"seen: .*noted"):
            define(execution, plan, plan.change_from({}))
