"""Test a collection of which only some topics have judgements: every output says so."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest

from asking import invoke
from built_collections import kept_open
from collection_files import write_runs
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.expectations.checking import check
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

pytestmark = pytest.mark.heavy

CAVEAT = "2 of 4 topics have judgements"
# The runs answer topics 1 to 3. Topic 4 has a title only.
RUNS = {"a": ("d1", "d2"), "b": ("d2", "d3")}
QRELS = [f"{topic} 0 d{number} {number % 2}\n" for topic in (1, 2, 3, 4) for number in (1, 2, 3)]
N_OF_TWO_TOPICS = 6


def write_files(folder: Path) -> LoadRequest:
    """Write a collection of which two topics of four are judged."""
    runs = {run: dict.fromkeys((1, 2, 3), documents) for run, documents in RUNS.items()}
    files = write_runs(folder / "runs", runs)
    (folder / "qrels").write_text("".join(QRELS[:N_OF_TWO_TOPICS]))
    (folder / "titles").write_text("".join(f"{topic}\ttitle\n" for topic in (1, 2, 3, 4)))
    return LoadRequest("half", files, folder / "qrels", topics=folder / "titles", depth=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("partly_judged")


@pytest.fixture(scope="module")
def half(new_warehouse: NewWarehouse, folder: Path) -> Iterator[Warehouse]:
    warehouse = new_warehouse(folder)
    load_collection(warehouse, write_files(folder / "files"))
    assert f"half: {CAVEAT}; all figures are about these topics" in build(warehouse).remarks
    yield from kept_open(warehouse)


def said(*arguments: object) -> str:
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    return done.stderr


def test_marts_know_topics_without_judgements(half: Warehouse) -> None:
    found = run_query(half, "select n_topics, n_known_topics, topics_caveat from dim_collections")
    assert found.rows == [(2, 4, CAVEAT)]
    topics = run_query(half, "select topic_id, is_judged from dim_topics order by topic_id").rows
    assert topics == [("1", True), ("2", True), ("3", False), ("4", False)]


def test_the_caveat_explains_no_verdict_that_fails(half: Warehouse) -> None:
    [(verdict, reasons)] = run_query(
        half, "select verdict, verdict_reasons from audit_collections"
    ).rows
    assert verdict == "not reusable"
    assert str(reasons).startswith("the pool is 2 documents deep")
    assert CAVEAT not in str(reasons)


def test_the_order_of_two_runs_is_not_told(half: Warehouse) -> None:
    rules = "select rule_id, figure, outcome, finding from audit_verdicts"
    said = "fewer than 10 pairs of pooled runs of different organizations differ in AP"
    for rule in ("order_left_out", "largest_fall"):
        found = run_query(half, f"{rules} where rule_id = '{rule}'").rows
        assert found == [(rule, None, "not told", said)]


def test_commands_say_so(half: Warehouse) -> None:
    assert f"note: half: {CAVEAT}\n" in said("status", "--db", half.path)
    scored = said("score", "a", "--collection", "half", "-m", "P@1", "--db", half.path)
    assert f"note: {CAVEAT}\n" in scored


def test_a_report_says_so_above_the_leaderboard(half: Warehouse, folder: Path) -> None:
    file = folder / "report.html"
    said("report", "-o", file, "--db", half.path)
    text = file.read_text(encoding="utf-8")
    assert text.count(CAVEAT) == 1
    assert f"{CAVEAT}: the means are over these." in text.partition(">Leaderboard</h3>")[2]


def test_a_check_finds_it_suspicious(half: Warehouse) -> None:
    [result] = [
        each for each in check(half).results if each.expectation == "all_topics_have_judgements"
    ]
    assert result.success is False
    assert result.sample_in_words() == [f"topics_caveat {CAVEAT}"]


def test_nothing_is_said_once_all_topics_are_judged(half: Warehouse, tmp_path: Path) -> None:
    warehouse = Warehouse(Path(copyfile(half.path, tmp_path / "poolhouse.duckdb")))
    (tmp_path / "qrels").write_text("".join(QRELS))
    load_collection(warehouse, LoadRequest("half", qrels=tmp_path / "qrels"))
    assert "topics have judgements" not in said("status", "--db", warehouse.path)  # not built
    assert not [each for each in build(warehouse).remarks if "topics have" in each]
    assert "topics have judgements" not in said("status", "--db", warehouse.path)
    assert run_query(warehouse, "select topics_caveat from dim_collections").rows == [(None,)]
