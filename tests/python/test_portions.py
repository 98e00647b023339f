"""Test that a large collection, which is built in portions of its runs, has the same rows."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from built_collections import only_built
from conftest import NewWarehouse
from natural_keys import tables_of
from poolhouse.building import portions
from poolhouse.building.build import build
from poolhouse.building.execution import Execution
from poolhouse.building.plan import Kind, Node, Rule
from poolhouse.loading.removal import remove
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
    variable = "candidates_at_hand" if node.portions else "runs_at_hand"
    assert {portion.variable for portion in made} == {variable}


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
    run = Execution.run

    def told(execution: Execution, texts: Iterable[str]) -> None:
        texts = tuple(texts)
        statements.extend(texts)
        run(execution, texts)

    monkeypatch.setattr(Execution, "run", told)
    tables, n_filled = [], []
    for most in (portions.MOST_LINES, 1):
        monkeypatch.setattr(portions, "MOST_LINES", most)
        monkeypatch.setattr(portions, "MOST_COMPARED_LINES", most)
        statements.clear()
        folder = tmp_path / str(most)
        folder.mkdir()
        tables.append(tables_of(only_built(collections, new_warehouse(folder), folder / "files")))
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


@pytest.mark.heavy
def test_a_removed_run_leaves_no_rows_in_portions(
    new_warehouse: NewWarehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is gone is in no portion. Its judgements leave the pool, so all is built again."""
    collection = Generator(1).collection()
    warehouse = only_built([collection], new_warehouse(tmp_path), tmp_path / "files")
    with warehouse.read() as connection:
        [(run_id, key)] = connection.execute(
            "select run_id, min(candidate_run_key) from intermediate.int_merged_counts as counts "
            "join intermediate.int_runs as runs on counts.candidate_run_key = runs.run_key "
            "group by run_id order by all limit 1"
        ).fetchall()
    monkeypatch.setattr(portions, "MOST_LINES", 1)
    monkeypatch.setattr(portions, "MOST_COMPARED_LINES", 1)
    remove(warehouse, collection.name, [run_id])
    build(warehouse)
    with warehouse.read() as connection:
        tables = connection.execute(
            "select schema_name || '.' || table_name, column_name from duckdb_columns() "
            "where schema_name = 'intermediate' and column_name like '%run_key' "
            "and table_name in (select table_name from duckdb_tables())"
        ).fetchall()
        assert len(tables) > 20
        left = [
            table
            for table, column in tables
            if connection.execute(f'select 1 from {table} where "{column}" = {key}').fetchall()
        ]
    assert left == []
