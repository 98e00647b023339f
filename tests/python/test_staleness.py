"""Test that the definition of a model decides alone which tables a build rebuilds."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from attrs import evolve

from natural_keys import tables_of
from plans import AT_HAND, build_by
from poolhouse.building.build import BuildReport, build
from poolhouse.building.plan import Column, Kind, Node, Plan, Rule, plan_of
from poolhouse.building.staleness import State, collection_states
from poolhouse.errors import BuildFailedError
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import run_query

# A test writes this value into a table, to see whether the table is rebuilt. A pool depth may have
# it, too.
MARK = 77
MARKED = {
    "intermediate.int_pool_depths": "pool_depth",
    "intermediate.int_scores": "ap",
    "intermediate.int_run_scores": "score",
    "intermediate.int_adjusted_scores": "error",
}

MARKED_NAMES = {table.partition(".")[2] for table in MARKED}

# A function that puts another node into the plan, or changes the nodes of the given names.
Replan = Callable[..., None]


@pytest.fixture
def built(built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path) -> Warehouse:
    return Warehouse(Path(copyfile(built_once[0], tmp_path / "poolhouse.duckdb")))


@pytest.fixture
def replan(monkeypatch: pytest.MonkeyPatch) -> Replan:
    def make(*more: Node, without: str = "", **changes: dict[str, Any]) -> None:
        nodes = [
            replace(node, **changes.get(node.name, {}))
            for node in plan_of({}).nodes
            if node.name != without
        ]
        build_by(Plan((*nodes, *more), {}), monkeypatch)

    return make


def node(name: str) -> Node:
    return next(each for each in plan_of({}).nodes if each.name == name)


def rows(warehouse: Warehouse, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in run_query(warehouse, sql).rows]


def state(warehouse: Warehouse) -> list[State]:
    with warehouse.read() as connection:
        return [each.state for each in collection_states(connection)]


def mark(warehouse: Warehouse) -> None:
    with warehouse.change(), warehouse.side() as connection:
        for table, column in MARKED.items():
            connection.execute(f"update {table} set {column} = {MARK}")


def made_again(warehouse: Warehouse) -> set[str]:
    """Return the tables that have no mark any more."""
    return {
        table.partition(".")[2]
        for table, column in MARKED.items()
        if not rows(warehouse, f"select 1 from {table} where {column} = {MARK}")
    }


@pytest.mark.heavy
def test_a_description_is_renewed_and_no_row(built: Warehouse, replan: Replan) -> None:
    mark(built)
    mart = node("fct_run_scores")
    columns = (Column(*mart.columns[0][:2], "it's new"), *mart.columns[1:])
    replan(
        fct_run_scores={"comment": "other words", "columns": columns},
        int_run_scores={"comment": "of a table"},
    )
    assert state(built) == [State.CURRENT]
    assert build(built) == BuildReport((), is_reworded=True)
    assert made_again(built) == set()
    comments = "select comment from duckdb_{}s() where {}_name = '{}'"
    assert rows(built, comments.format("view", "view", mart.name)) == [("other words",)]
    assert rows(built, comments.format("table", "table", "int_run_scores")) == [("of a table",)]
    first = f"table_name = '{mart.name}' and column_name = '{columns[0].name}'"
    assert rows(built, f"select comment from duckdb_columns() where {first}") == [("it's new",)]
    assert build(built) == BuildReport(())


@pytest.mark.heavy
def test_what_no_table_of_a_collection_reads_is_made_alone(
    built: Warehouse, replan: Replan, built_once: tuple[Path, LoadRequest, Warehouse]
) -> None:
    """A mart, a seed, and a plain table, which dbt would call a table, and which a view reads."""
    mark(built)
    plain = Node(
        "n_scores",
        Kind.TABLE,
        "main.n_scores",
        'select count(*) as n from "main"."fct_run_scores"',
        ("fct_run_scores",),
        columns=(Column("n", "BIGINT", ""),),
    )
    of_it = Node("of_it", Kind.VIEW, "main.of_it", "from main.n_scores", ("n_scores",))
    mart, seed = node("fct_run_scores"), node("reject_reasons")
    replan(
        plain,
        of_it,
        without="audit_load_history",
        fct_run_scores={"sql": f"select * replace (0.5 as score) from ({mart.sql})"},
        reject_reasons={"sql": f"{seed.sql} limit 1"},
    )
    assert state(built) == [State.OUTDATED]
    assert build(built).built == ("page",)
    assert state(built) == [State.CURRENT]
    assert made_again(built) == set()
    assert rows(built, "select distinct score from fct_run_scores") == [(0.5,)]
    assert rows(built, "select count(*) from seeds.reject_reasons") == [(1,)]
    # What is no model any more is dropped.
    assert rows(built, "from duckdb_views() where view_name = 'audit_load_history'") == []
    count = "select count(*) from fct_run_scores"
    [(first,)] = rows(built, "from of_it")
    assert [(first,)] == rows(built, count)
    # A plain table never goes stale.
    load_collection(built, evolve(built_once[1], collection="other"))
    build(built)
    assert rows(built, "from of_it") == [(2 * first,)] == rows(built, count)


@pytest.mark.heavy
def test_a_changed_table_is_made_with_what_follows_from_it(
    built: Warehouse, replan: Replan
) -> None:
    mark(built)
    table = node("int_scores")
    replan(int_scores={"sql": f"select * replace (0.5 as ap) from ({table.sql})"})
    build(built)
    # These scores do not depend on the pool, and no pool and no estimator reads them.
    assert made_again(built) == MARKED_NAMES - {"int_pool_depths", "int_adjusted_scores"}
    shown = """
        select distinct score from fct_topic_scores where measure = 'AP' and judgement_set = 'full'
    """
    assert rows(built, shown) == [(0.5,)]


@pytest.mark.heavy
def test_a_new_collection_and_a_changed_model_at_once(
    built: Warehouse, replan: Replan, built_once: tuple[Path, LoadRequest, Warehouse]
) -> None:
    """The new collection is made as a whole, and the other ones where stale: as in a new build."""
    other = evolve(built_once[1], collection="other")
    fresh = Warehouse(built.path.with_name("fresh.duckdb"))
    for warehouse in (fresh, built):
        load_collection(warehouse, other)
    load_collection(fresh, built_once[1])
    table = node("int_run_scores")
    replan(int_run_scores={"sql": f"select * replace (score / 2 as score) from ({table.sql})"})
    for warehouse in (fresh, built):
        assert sorted(build(warehouse).built) == ["other", "page"]
    assert tables_of(built) == tables_of(fresh)


@pytest.mark.heavy
def test_a_view_becomes_a_table_and_a_table_a_view(built: Warehouse, replan: Replan) -> None:
    view, table = node("int_topic_scores"), node("int_run_scores")
    before = tables_of(built)
    rule = {"kind": Kind.TABLE, "rule": Rule.BY_COLLECTION}
    filtered = f"from ({view.sql}) where {AT_HAND}"
    plain = table.sql.replace("getvariable('collections_at_hand')", "null::integer[]")
    replan(
        int_topic_scores={**rule, "sql": filtered},
        int_run_scores={"kind": Kind.VIEW, "rule": None, "sql": plain},
    )
    build(built)
    assert tables_of(built) == before


@pytest.mark.heavy
def test_a_macro_of_our_own_is_in_no_catalog(built: Warehouse, replan: Replan) -> None:
    """A command makes it, on its own connection. The catalog has it where it is no longer ours."""
    name = "int_written_measures"
    there = f"select count(*) from duckdb_functions() where function_name = '{name}'"
    assert rows(built, there) == [(0,)]
    with built.read() as connection:
        make_macros(connection, name)
        assert connection.execute(f"from {name}('map')").fetchall() == [("AP",)]
    for kind, n_stored in ((Kind.MACRO, 1), (Kind.OWN_MACRO, 0)):
        replan(int_written_measures={"kind": kind})
        build(built)
        assert rows(built, there) == [(n_stored,)]


@pytest.mark.heavy
def test_sql_that_fails_publishes_nothing(built: Warehouse, replan: Replan) -> None:
    before = built.path.read_bytes()
    replan(int_run_scores={"sql": "select no_such from nothing"})
    with pytest.raises(BuildFailedError, match=r"int_run_scores: .*nothing"):
        build(built)
    assert built.path.read_bytes() == before
