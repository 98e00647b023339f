"""Test that a large collection, whose pairs of runs are built in portions, has the same rows."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from built_collections import load_and_build
from conftest import NewWarehouse
from natural_keys import tables_of
from poolhouse.building import portions
from poolhouse.building.runner import Runner
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator


@pytest.mark.parametrize("n", [1, 3])
def test_portions_hold_every_run_once(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    with loaded.read() as connection:
        query = "select sum(n_rows), (select count(*) from raw.runs) from ops.files"
        [(n_lines, n_runs)] = connection.execute(query).fetchall()
        assert n_runs == 3
        monkeypatch.setattr(portions, "MOST_COMPARED_LINES", n_lines * n_runs // n)
        made = portions.portions_of(connection, "collection_key = 1")
        keys = connection.execute("select run_key from raw.runs order by all").fetchall()
        assert len(made) == n
        assert sorted(key for portion in made for key in portion) == [key for (key,) in keys]


def test_a_collection_without_runs_has_one_portion(loaded: Warehouse) -> None:
    with loaded.read() as connection:
        assert portions.portions_of(connection, "collection_key = 99") == [[]]


@pytest.mark.heavy
@pytest.mark.parametrize("numbers", [(1,), (2, 6, 11)], ids=str)
def test_in_portions_the_rows_are_the_same(
    new_warehouse: NewWarehouse,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    numbers: tuple[int, ...],
) -> None:
    collections = [Generator(number).collection() for number in numbers]
    statements: list[str] = []
    run = Runner._run

    def told(runner: Runner, texts: Iterable[str]) -> None:
        texts = tuple(texts)
        statements.extend(texts)
        run(runner, texts)

    monkeypatch.setattr(Runner, "_run", told)
    tables, n_filled = [], []
    for most in (portions.MOST_COMPARED_LINES, 1):
        monkeypatch.setattr(portions, "MOST_COMPARED_LINES", most)
        statements.clear()
        folder = tmp_path / str(most)
        folder.mkdir()
        tables.append(
            tables_of(load_and_build(collections, new_warehouse(folder), folder / "files"))
        )
        filling = "insert into intermediate.int_merged_counts"
        n_filled.append(sum(text.startswith(filling) for text in statements))
    whole, in_portions = tables
    assert whole.keys() == in_portions.keys()
    assert [name for name, rows in whole.items() if rows != in_portions[name]] == []
    assert any(name.endswith("int_merged_counts") and rows for name, rows in whole.items())
    assert n_filled[0] == 1
    assert n_filled[1] > 1
