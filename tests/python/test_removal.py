"""Test removals: which rows are removed and which stay, in raw, in the history and in the marts."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from asking import rows
from conftest import ToyFiles, names_beside, state_of
from poolhouse.building.staleness import State, collection_states
from poolhouse.errors import PoolhouseError, UnknownCollectionError, WarehouseMissingError
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from test_loading import everything, run_lines

MARTS = ("fct_run_scores", "fct_topic_scores", "fct_judgements", "dim_runs", "fct_adjusted_scores")


def history(warehouse: Warehouse, name: str) -> list[tuple[object, ...]]:
    return rows(
        warehouse,
        f"""
        select action, n_rows, n_duplicates, seconds > 0, version is not null
        from ops.load_history where name = '{name}' order by load_key
        """,
    )


def marts(warehouse: Warehouse, condition: str = "true") -> dict[str, list[Any]]:
    """Return the rows of marts. Sums of floats depend on the order of addition."""
    return {
        mart: [
            tuple(round(value, 9) + 0.0 if isinstance(value, float) else value for value in row)
            for row in run_query(
                warehouse, f"select * from {mart} where {condition} order by all"
            ).rows
        ]
        for mart in MARTS
    }


def states(warehouse: Warehouse) -> dict[str, State]:
    with warehouse.read() as connection:
        return {each.collection_id: each.state for each in collection_states(connection)}


# --------------------------------------------------------------------------------------- some runs


def test_a_removed_run_takes_its_own_rows_only(loaded: Warehouse) -> None:
    others = everything(loaded, but_of_run="blue.1")
    others["descriptions"].sort()
    remove(loaded, "toy", ["blue.1"])
    assert everything(loaded) == others
    assert run_lines(loaded, "blue.1") == []
    assert rows(loaded, "select name from raw.rejected_lines") == [("qrels",)]
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}
    # Its history stays.
    assert history(loaded, "blue.1") == [("load", 4, 0, True, True), ("remove", 4, 0, False, True)]
    assert history(loaded, "green") == [("load", 2, 0, True, True)]
    [(loaded_at, removed_at)] = rows(
        loaded,
        """
        select min(loaded_at), max(loaded_at) from ops.load_history where name = 'blue.1'
        """,
    )
    assert loaded_at < removed_at


def test_several_runs_can_be_removed_one_named_twice(loaded: Warehouse) -> None:
    remove(loaded, "toy", ["blue.1", "green", "blue.1"])
    assert rows(loaded, "select run_id from raw.runs") == [("amber",)]


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("collection", "runs", "problem"),
    [
        ("toi", (), "collection 'toi' is not in the warehouse .loaded: toy."),
        ("toi", ("amber",), "collection 'toi' is not in the warehouse"),
        ("toy", ("Amber",), "run 'Amber' is not in collection 'toy'"),
        ("toy", ("amber", "ambre"), "run 'ambre' is not in collection 'toy'"),
        ("toy", ("amber", "blue.1", "green"), "has no other runs; to remove the whole collection"),
        ("'; drop table raw.runs; --", ("x",), "is not in the warehouse"),
    ],
)
def test_what_cannot_be_removed_changes_nothing(
    loaded: Warehouse, collection: str, runs: tuple[str, ...], problem: str
) -> None:
    before = state_of(loaded.path)
    with pytest.raises(PoolhouseError, match=problem):
        remove(loaded, collection, runs)
    assert state_of(loaded.path) == before


def test_a_removal_makes_no_warehouse(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseMissingError):
        remove(warehouse, "toy")
    assert not warehouse.path.parent.exists()


# ------------------------------------------------------------------------------ a whole collection


@pytest.mark.heavy
def test_a_removed_collection_takes_all_it_has_and_no_more(
    loaded: Warehouse, toy_files: ToyFiles
) -> None:
    toy = everything(loaded)
    load_collection(loaded, toy_files.request(collection="twin"))
    remove(loaded, "twin", ["blue.1"])
    assert set(toy["run_lines"]) < set(everything(loaded)["run_lines"])
    remove(loaded, "twin")
    assert everything(loaded) == toy
    remove(loaded, "toy")
    assert all(rows == [] for rows in everything(loaded).values())
    kinds = "select action, count(*) from ops.load_history group by all order by all"
    assert rows(loaded, kinds) == [("load", 12), ("remove", 12)]
    with pytest.raises(UnknownCollectionError):
        remove(loaded, "toy")


@pytest.mark.heavy
@pytest.mark.parametrize("runs", [["blue.1"], []], ids=["run", "collection"])
def test_what_was_removed_can_be_loaded_again(
    loaded: Warehouse, toy_files: ToyFiles, runs: list[str]
) -> None:
    lines = run_lines(loaded, "blue.1")
    remove(loaded, "toy", runs)
    report = load_collection(loaded, toy_files.request())
    n_unchanged, n_rows = (5, 4) if runs else (0, 11)
    assert (report.changed, report.n_unchanged, report.n_rows) == (True, n_unchanged, n_rows)
    assert run_lines(loaded, "blue.1") == lines
    assert [row[0] for row in history(loaded, "blue.1")] == ["load", "remove", "load"]
    assert rows(loaded, "select n_rejected from ops.files where name = 'blue.1'") == [(1,)]


# --------------------------------------------------------------------------------------- and built


@pytest.fixture
def built(built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path) -> Warehouse:
    """Provide a copy that a test may change; the shared warehouse stays unchanged."""
    (tmp_path / "built").mkdir()
    copy = shutil.copyfile(built_once[0], tmp_path / "built" / "poolhouse.duckdb")
    return Warehouse(Path(copy))


@pytest.mark.heavy
def test_until_the_build_the_marts_stay_and_status_says_so(
    built: Warehouse, built_once: tuple[Path, LoadRequest, Warehouse]
) -> None:
    before = marts(built)
    remove(built, "page", ["a2"])
    assert states(built) == {"page": State.CHANGED}
    assert marts(built) == before
    load_collection(built, built_once[1])
    assert marts(built) == before
