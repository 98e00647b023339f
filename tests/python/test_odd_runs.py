"""Test what is said of files that are no bad systems, but wrong files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copyfile

import pytest

from asking import invoke, invoke_on
from built_collections import kept_open
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.expectations.checking import check
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

TOPICS = (1, 2)
# Passages of the documents, and topics with another spelling.
PASSAGES = "none of its documents is in the qrels (it has D1-7, the qrels have D1)"
ELSEWHERE = "none of its topics is judged (it has MB1, the qrels have 1)"


def lines_of(
    documents: Sequence[str], *, topic: str = "{}", scores: Sequence[float] = (9, 8, 7, 6, 5, 4)
) -> str:
    """Write a run that returns these documents, ranked as given, on each topic."""
    return "".join(
        f"{topic.format(number)} Q0 {document.format(number)} {rank} {score} tag\n"
        for number in TOPICS
        for rank, (document, score) in enumerate(zip(documents, scores, strict=False), start=1)
    )


DOCUMENTS = ("D1", "D2", "D3", "D4", "D5", "D6")
RUNS = {
    "wrong": {"passages": lines_of(("D1-7", "D2-1")), "passages2": lines_of(("D1-8", "D2-2"))},
    "mixed": {
        "documents": lines_of(("D1", "D2")),
        "elsewhere": lines_of(("D1", "D2"), topic="MB{}"),
        "passages": lines_of(("D1-7", "D2-1")),
    },
    "ranks": {
        "again": lines_of(DOCUMENTS, scores=(60, 50, 40, 30, 20, 10)),
        "blocks": lines_of(DOCUMENTS, scores=(9, 7, 5, 8, 6, 4)),
        "distances": lines_of(DOCUMENTS, scores=(1, 2, 3, 4, 5, 6)),
        "finds_itself": lines_of(("{}", "D1")),
        "same_ranks": lines_of(DOCUMENTS[::-1]),
        "sound": lines_of(DOCUMENTS),
    },
}
QRELS = "".join(f"{topic} 0 {document} 1\n" for topic in TOPICS for document in DOCUMENTS)
CONTRADICTED = "its ranks in the file contradict its scores in 2 of 2 topics: scores count"
ITSELF = "its first document has the id of the topic in 2 of 2 topics"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd_runs")
    (folder / "qrels").write_text(QRELS)
    for collection, runs in RUNS.items():
        (folder / collection).mkdir()
        for run, text in runs.items():
            (folder / collection / run).write_text(text)
    return folder


@pytest.fixture(scope="module")
def loaded(new_warehouse: NewWarehouse, folder: Path) -> tuple[Warehouse, dict[str, set[str]]]:
    """Provide the loaded collections, and what each load remarked."""
    warehouse = new_warehouse(folder)
    remarks = {}
    for collection, runs in RUNS.items():
        files = tuple(folder / collection / run for run in runs)
        request = LoadRequest(collection, files, folder / "qrels")
        remarks[collection] = set(load_collection(warehouse, request).remarks)
    return warehouse, remarks


@pytest.fixture(scope="module")
def odd(
    loaded: tuple[Warehouse, dict[str, set[str]]],
) -> Iterator[tuple[Warehouse, tuple[str, ...]]]:
    """Provide the built collections, and what the build remarked."""
    warehouse, _ = loaded
    remarks = build(warehouse).remarks
    for opened in kept_open(warehouse):
        yield opened, remarks


def said(warehouse: Warehouse, *arguments: object, status: int = 0) -> str:
    return invoke_on(warehouse, *arguments, status=status).stderr


def test_a_load_names_an_id_of_each_side(loaded: tuple[Warehouse, dict[str, set[str]]]) -> None:
    _, remarks = loaded
    either = "these runs do not meet the qrels either"
    assert f"passages: {PASSAGES}; {either}: passages2" in remarks["wrong"]
    assert f"elsewhere: {ELSEWHERE}; {either}: passages" in remarks["mixed"]
    assert not [each for each in remarks["ranks"] if "none of its" in each]


@pytest.mark.heavy
def test_a_build_names_them_and_asks_for_no_depth(odd: tuple[Warehouse, tuple[str, ...]]) -> None:
    warehouse, remarks = odd
    of_all = f"no run meets the qrels, so nothing is told (passages: {PASSAGES})"
    assert f"wrong: {of_all}" in remarks
    either = "these runs do not meet the qrels either"
    assert f"mixed: elsewhere: {ELSEWHERE}; {either}: passages" in remarks
    reasons = "select verdict, verdict_reasons from audit_collections where collection_id = 'wrong'"
    assert run_query(warehouse, reasons).rows == [("cannot be told", of_all)]


@pytest.mark.heavy
def test_marts_remark_on_them(odd: tuple[Warehouse, tuple[str, ...]]) -> None:
    warehouse, _ = odd
    rows = run_query(
        warehouse,
        "select run_id, mismatch, remarks from audit_runs where collection_id = 'mixed'"
        " order by run_id",
    ).rows
    assert rows == [
        ("documents", None, "nothing to note"),
        ("elsewhere", ELSEWHERE, ELSEWHERE),
        ("passages", PASSAGES, PASSAGES),
    ]
    query = "select run_id, remarks from audit_runs where collection_id = 'ranks'"
    remarks = {str(run): str(text) for run, text in run_query(warehouse, query).rows}
    assert remarks["blocks"] == remarks["distances"].partition(";")[0] == CONTRADICTED
    assert ITSELF in remarks["finds_itself"]
    assert remarks["again"] == "has the same rankings as run sound"
    assert remarks["sound"] == "has the same rankings as run again"
    assert remarks["same_ranks"] == "has the same rankings as run distances"


@pytest.mark.heavy
@pytest.mark.parametrize(
    "mart", ["leaderboard", "topic_leaderboard", "adjusted_leaderboard", "fct_run_scores"]
)
def test_a_run_without_a_judged_topic_has_no_score(
    odd: tuple[Warehouse, tuple[str, ...]], mart: str
) -> None:
    warehouse, _ = odd
    runs = f"select distinct run_id from {mart} where collection_id = 'mixed' order by all"
    assert run_query(warehouse, runs).rows == [("documents",), ("passages",)]


@pytest.mark.heavy
def test_a_run_without_a_judged_topic_is_in_no_pair(odd: tuple[Warehouse, tuple[str, ...]]) -> None:
    warehouse, _ = odd
    decided = (
        "from papers.decision_matrix('mixed', 'P@10') select run_id, other_run_id order by all"
    )
    assert run_query(warehouse, decided).rows == [("documents", "passages")]


@pytest.mark.heavy
def test_commands_say_so_of_loaded_runs_and_of_files(
    odd: tuple[Warehouse, tuple[str, ...]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse, _ = odd
    monkeypatch.chdir(folder / "mixed")
    of_mixed = ("--collection", "mixed", "-m", "P@10")
    remark = f"note: passages: {PASSAGES}\n"
    for run in ("passages", "./passages"):
        assert remark in said(warehouse, "score", run, *of_mixed)
        assert remark in said(warehouse, "compare", "documents", run, *of_mixed)
        of_table = said(warehouse, "table", "documents", run, *of_mixed)
        assert f"note: mixed: passages: {PASSAGES}\n" in of_table
    for command in ("score", "compare"):
        error = said(warehouse, command, "documents", "elsewhere", *of_mixed, status=1)
        assert f"elsewhere: {ELSEWHERE}" in error
        error = said(warehouse, command, "documents", "./elsewhere", *of_mixed, status=1)
        assert "judged in 'mixed' (it has MB1, the qrels have 1)" in error
    assert remark in said(warehouse, "adjust", "./passages", "--collection", "mixed")
    # without a warehouse
    scored = invoke("score", "passages", "--qrels", "../qrels", "-m", "AP")
    assert remark in scored.stderr
    scored = invoke("score", "elsewhere", "--qrels", "../qrels", "-m", "AP")
    assert f"elsewhere: {ELSEWHERE}" in scored.stderr
    assert scored.exit_code == 1


@pytest.mark.heavy
def test_checks_find_them_suspicious(odd: tuple[Warehouse, tuple[str, ...]]) -> None:
    warehouse, _ = odd
    found = {
        (each.collection_id, each.expectation): each.sample_in_words()
        for each in check(warehouse).suspicions
        if "audit_runs" in each.subject
    }
    assert len(found["wrong", "runs_meet_the_qrels"]) == 2
    assert [each.partition(",")[0] for each in found["mixed", "runs_meet_the_qrels"]] == [
        "run_id elsewhere",
        "run_id passages",
    ]
    assert len(found["ranks", "ranks_agree_with_scores"]) == 2
    assert len(found["ranks", "first_documents_are_not_the_topic"]) == 1
    assert len(found["ranks", "runs_differ"]) == 4


@pytest.mark.heavy
def test_a_run_that_comes_later_is_compared_with_those_before(
    odd: tuple[Warehouse, tuple[str, ...]], folder: Path, tmp_path: Path
) -> None:
    """Such a build computes the rows of the new run alone."""
    warehouse = Warehouse(Path(copyfile(odd[0].path, tmp_path / "poolhouse.duckdb")))
    (tmp_path / "later").write_text((folder / "mixed" / "documents").read_text())
    load_collection(warehouse, LoadRequest("mixed", (tmp_path / "later",)))
    build(warehouse)
    equal = """
        select run_id, same_as_run_id from audit_runs
        where collection_id = 'mixed' and same_as_run_id is not null order by all
    """
    assert run_query(warehouse, equal).rows == [("documents", "later"), ("later", "documents")]
