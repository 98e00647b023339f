"""Test that a large collection, which is built in portions of its runs, has the same rows."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from built_collections import load_and_build
from conftest import NewWarehouse
from natural_keys import tables_of
from poolhouse.building import portions
from poolhouse.building.plan import Kind, Node, Rule
from poolhouse.building.runner import Runner
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator

BY_RUN = Node("scores", Kind.TABLE, "a.scores", "", (), Rule.BY_RUN)
OF_PAIRS = replace(BY_RUN, rule=Rule.BY_POOL, portions="candidate_run_key")


@pytest.mark.parametrize("node", [BY_RUN, OF_PAIRS], ids=["by_run", "pairs"])
@pytest.mark.parametrize("n", [2, 3, 99])
def test_portions_hold_every_run_once(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch, node: Node, n: int
) -> None:
    with loaded.read() as connection:
        query = "select sum(n_rows), (select count(*) from raw.runs) from ops.files"
        [(n_lines, n_runs)] = connection.execute(query).fetchall()
        assert n_runs == 3
        most = -(-n_lines // n)
        monkeypatch.setattr(portions, "MOST_LINES", most)
        monkeypatch.setattr(portions, "MOST_COMPARED_LINES", most * n_runs)
        made = list(portions.portions_of(connection, node, "collection_key = 1"))
        keys = connection.execute("select run_key from raw.runs order by all").fetchall()
    assert len(made) == min(n, n_runs)
    assert sorted(key for portion in made for key in portion.runs) == [key for (key,) in keys]
    column = node.portions or "run_key"
    assert all(portion.condition.endswith(f", {column})") for portion in made)


@pytest.mark.parametrize(
    "node",
    [BY_RUN, OF_PAIRS, replace(BY_RUN, rule=Rule.POOL), replace(BY_RUN, rule=Rule.BY_POOL)],
    ids=["by_run", "pairs", "pool", "by_pool"],
)
def test_a_small_collection_is_built_in_one_statement(loaded: Warehouse, node: Node) -> None:
    with loaded.read() as connection:
        assert not list(portions.portions_of(connection, node, "collection_key = 1"))
        assert not list(portions.portions_of(connection, node, "collection_key = 99"))


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
    for most in (portions.MOST_LINES, 1):
        monkeypatch.setattr(portions, "MOST_LINES", most)
        monkeypatch.setattr(portions, "MOST_COMPARED_LINES", most)
        statements.clear()
        folder = tmp_path / str(most)
        folder.mkdir()
        tables.append(
            tables_of(load_and_build(collections, new_warehouse(folder), folder / "files"))
        )
        n_filled.append(
            [
                sum(text.startswith(f"insert into intermediate.{name} ") for text in statements)
                for name in ("int_merged_counts", "int_scores", "int_pool_documents")
            ]
        )
    whole, in_portions = tables
    assert whole.keys() == in_portions.keys()
    assert [name for name, rows in whole.items() if rows != in_portions[name]] == []
    assert any(name.endswith("int_merged_counts") and rows for name, rows in whole.items())
    assert n_filled[0] == [1, 1, 1]
    of_pairs, by_run, other = n_filled[1]
    assert min(of_pairs, by_run) > other == 1
