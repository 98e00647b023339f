"""Test the empty databases of plans: a first build copies the relations as statements make them."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from plans import plan_with
from poolhouse.building.defining import define_models
from poolhouse.building.empty import empty_folder, kept_empty
from poolhouse.building.plan import Kind, Node, Plan, plan_of
from poolhouse.warehouse.file import Warehouse

# Without the order of names in `exclude` and `replace`, which the engine does not keep.
_CATALOGUE = """
    select concat_ws('.', schema_name, table_name, column_name) as name, data_type, comment
    from duckdb_columns() where not internal
    union all
    select concat_ws('.', schema_name, view_name), length(sql)::text, comment
    from duckdb_views() where not internal
    union all
    select concat_ws('.', schema_name, table_name), sql, comment from duckdb_tables()
    union all
    select
        concat_ws('.', schema_name, function_name),
        length(macro_definition) || parameters::text,
        comment
    from duckdb_functions() where not internal
    order by all
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "poolhouse"


SMALL = plan_with(
    [
        Node("numbers", Kind.TABLE, "seeds.numbers", "select 7 as number", ()),
        Node("halves", Kind.VIEW, "main.halves", "select number / 2 from seeds.numbers", ()),
    ]
)


def defined(plan: Plan, warehouse: Warehouse) -> object:
    """Make the relations in a new warehouse, and return the rows of the view."""
    with warehouse.change(), warehouse.side(empty_folder()) as side:
        define_models(side, plan)
    with warehouse.read() as connection:
        return connection.execute("from halves").fetchall()


@pytest.mark.heavy
def test_the_copy_is_what_statements_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of({})
    found = {}
    for way, kept in (("copied", kept_empty), ("made", lambda _: None)):
        monkeypatch.setattr("poolhouse.building.defining.kept_empty", kept)
        warehouse = Warehouse(tmp_path / way / "poolhouse.duckdb")
        with warehouse.change(), warehouse.side(empty_folder()) as side:
            define_models(side, plan)
        with warehouse.read() as connection:
            tables = [node.relation for node in plan.plain_tables]
            rows = {each: connection.table(each).order("all").fetchall() for each in tables}
            found[way] = connection.execute(_CATALOGUE).fetchall(), rows
    assert found["copied"] == found["made"]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda whole: whole,
    "empty": lambda _: b"",
    "no database": lambda whole: b"x" * len(whole),
    "cut": lambda whole: whole[: len(whole) // 2],
}


@pytest.mark.some(2)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_one_is_made_again(cache: Path, tmp_path: Path, damage: str) -> None:
    first, second, third = (Warehouse(tmp_path / f"{name}.duckdb") for name in "abc")
    assert defined(SMALL, first) == [(3.5,)]
    [file] = cache.glob("empty/*.duckdb")
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    assert defined(SMALL, second) == [(3.5,)]
    assert file.exists() == (damage == "nothing")
    assert defined(SMALL, third) == [(3.5,)]
    assert file.exists()


def test_a_cache_that_cannot_be_written_is_no_need(cache: Path, warehouse: Warehouse) -> None:
    cache.mkdir(parents=True)
    (cache / "empty").write_text("no folder")
    assert defined(SMALL, warehouse) == [(3.5,)]


def test_those_that_were_used_long_ago_are_removed(cache: Path) -> None:
    for number in range(7):
        worded = [replace(node, comment=f"Words {number}.") for node in SMALL.nodes]
        file = kept_empty(Plan(tuple(worded), {}))
        assert file is not None
        os.utime(file, (number, number))
    kept = {each.stat().st_mtime for each in cache.glob("empty/*.duckdb")}
    assert kept == {2, 3, 4, 5, 6}
