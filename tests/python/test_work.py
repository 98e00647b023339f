"""Test which collections are made together, and that the rows are the same as when made alone."""

import re
from pathlib import Path

import duckdb
import pytest

from built_collections import load_and_build
from conftest import NewWarehouse
from natural_keys import tables_of
from poolhouse.building import work
from poolhouse.building.changes import ChangedRuns
from poolhouse.building.plan import plan_of
from poolhouse.building.runner import Runner
from poolhouse.building.work import Work, put_together
from random_collections import Generator

ALL, SOME = frozenset({"first", "second"}), frozenset({"second"})


def work_of(key: int, *, tables: frozenset[str] = ALL, runs: ChangedRuns | None = None) -> Work:
    return Work({key: f"c{key}"}, tables, frozenset(), {key: runs} if runs else None)


def keys_of(works: list[Work]) -> list[list[int]]:
    return [list(each.collections) for each in works]


def test_together_they_have_no_more_lines_than_one_may_have() -> None:
    most = work.MOST_LINES
    n_lines = {1: most // 2, 2: most // 2, 3: 1, 4: most + 1, 5: most - 1, 6: 1}
    assert keys_of(put_together(map(work_of, n_lines), n_lines)) == [[1, 2], [3], [4], [5, 6]]


def test_together_the_same_is_made_of_them() -> None:
    """Collections of which only some runs changed are made together, and apart from others."""
    added, removed = ChangedRuns((7,), are_new=True), ChangedRuns((8, 9), are_new=False)
    works = [
        work_of(1),
        work_of(2, tables=SOME),
        work_of(3, runs=added),
        work_of(4),
        work_of(5, tables=SOME),
        work_of(6, runs=removed),
    ]
    together = put_together(works, {})
    assert together == [
        Work({1: "c1", 4: "c4"}, ALL, frozenset()),
        Work({2: "c2", 5: "c5"}, SOME, frozenset()),
        Work({3: "c3", 6: "c6"}, ALL, frozenset(), {3: added, 6: removed}),
    ]
    assert together[2].run_keys == [7, 8, 9]
    assert [each.only_adds_runs for each in together[2].halves()] == [True, False]
    assert not together[2].only_adds_runs


def test_one_alone_is_a_constant_to_the_planner() -> None:
    """Any other condition reads millions of rows for a few (docs/decisions/plan.md)."""
    [node] = [each for each in plan_of({}).nodes if each.name == "int_left_out"]
    found = re.search(
        r"case\s+when getvariable\('collections_at_hand.*?\bend\b", node.sql, re.DOTALL
    )
    assert found
    with duckdb.connect() as connection:
        connection.execute(
            "create table rows as select range // 9 as collection_key from range(99)"
        )
        connection.execute("set variable collections_at_hand = [5]")
        explained = f"explain from rows where {found.group()}"
        [(_, text)] = connection.execute(explained).fetchall()
    assert re.search(r"Filters:[\s\u2502]*collection_key ?= ?5\b", text)


@pytest.mark.parametrize("n", [2, 3])
def test_halves_are_all_of_it(n: int) -> None:
    whole = Work({key: f"c{key}" for key in range(n)}, ALL, SOME)
    first, second = whole.halves()
    assert {**first.collections, **second.collections} == whole.collections
    assert 0 < len(first.collections) <= len(second.collections) < n


@pytest.mark.heavy
def test_together_they_are_as_alone(
    new_warehouse: NewWarehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every row is the same, in natural keys; no test of a collection fails by another's rows."""
    collections = [Generator(number).collection() for number in (1, 2, 6)]
    made: list[str] = []
    make = Runner.make

    def told(runner: Runner, of: Work) -> None:
        made.append(str(of))
        make(runner, of)

    monkeypatch.setattr(Runner, "make", told)
    tables = []
    for most_lines in (work.MOST_LINES, 0):
        monkeypatch.setattr(work, "MOST_LINES", most_lines)
        folder = tmp_path / str(most_lines)
        folder.mkdir()
        warehouse = load_and_build(collections, new_warehouse(folder), folder / "files")
        tables.append(tables_of(warehouse))
    assert made == ["3 collections", *(each.name for each in collections)]
    together, alone = tables
    assert together.keys() == alone.keys()
    assert [name for name, rows in together.items() if rows != alone[name]] == []
