"""Test the warehouse from Python: the arguments and the results of its methods."""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile

import duckdb
import ir_measures
import polars as pl
import pytest

import poolhouse
from conftest import NewWarehouse, ToyFiles, names_beside
from page import QRELS, RUNS
from poolhouse.building.runner import Runner
from poolhouse.building.work import Work
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.errors import (
    BadFileError,
    NotJudgedError,
    UnknownCollectionError,
    WarehouseMissingError,
)
from poolhouse.loading.request import LoadRequest
from poolhouse.scoring.asked_runs import NewRun
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse

# A run that is not loaded. Its second document is judged not relevant, and its third is unjudged.
NEW = [("1", "d1", 3.0), ("1", "d2", 2.0), ("1", "d9", 1.0)]
COLUMNS = ["query", "docno", "score"]
NEW_RUN = pl.DataFrame(NEW, schema=COLUMNS, orient="row")

Built = tuple[Path, LoadRequest, Warehouse]


@pytest.fixture(scope="module")
def page(built_once: Built) -> poolhouse.OpenWarehouse:
    """Open the built collection on a page, for tests that only read."""
    return poolhouse.open(built_once[2].path)


@pytest.fixture
def own_page(built_once: Built, tmp_path: Path) -> poolhouse.OpenWarehouse:
    """Open a copy of the built collection on a page, for tests that change it."""
    return poolhouse.open(copyfile(built_once[0], tmp_path / "own.duckdb"))


@pytest.fixture
def new_file(tmp_path: Path) -> Path:
    """Write the new run as a file; the run's id is the file name without `input.`."""
    lines = [f"{topic} Q0 {docno} 0 {score} tag\n" for topic, docno, score in NEW]
    plain = tmp_path / "input.new"
    plain.write_text("".join(lines))
    return plain


@pytest.fixture(autouse=True)
def _no_warning_unless_asked_for() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Most answers on the collection on a page carry a warning.
        warnings.simplefilter("ignore", poolhouse.PoolhouseWarning)
        yield


@pytest.mark.heavy
def test_a_new_run_is_adjusted_as_by_the_command(
    page: poolhouse.OpenWarehouse, new_file: Path
) -> None:
    common = pl.DataFrame({"query": ["1"], "docno": ["d9"], "grade": [1]})
    expected = adjust(Warehouse(page.path), "page", NEW_RUN, "new", common).scores
    assert page.adjust(new_file, "page", common).equals(expected)
    of_pandas = page.adjust(NEW_RUN.to_pandas(), "page", common.to_pandas(), run_id="new")
    assert of_pandas.equals(expected)


def test_errors_of_files_and_collections_are_those_of_the_commands(
    page: poolhouse.OpenWarehouse, tmp_path: Path
) -> None:
    with pytest.raises(BadFileError):
        page.adjust(tmp_path / "missing", "page")
    with pytest.raises(UnknownCollectionError):
        page.adjust(NEW_RUN, "other")
    for method in (page.leaderboard, page.adjusted_leaderboard):
        with pytest.raises(UnknownCollectionError):
            method("other")
    with pytest.raises(UnknownCollectionError):
        page.topic_scores("other", "AP")
    with pytest.raises(WarehouseMissingError):
        poolhouse.open(tmp_path / "missing.duckdb").leaderboard()
    assert not (tmp_path / "missing.duckdb").exists()


@pytest.mark.heavy
def test_leaderboards_are_the_marts(page: poolhouse.OpenWarehouse) -> None:
    for name in ("leaderboard", "adjusted_leaderboard"):
        of_all = getattr(page, name)()
        assert of_all.equals(getattr(page, name)("page"))
        mart = page.sql(f"select * from {name}")
        assert of_all.sort(of_all.columns).equals(mart.sort(mart.columns))
    assert page.leaderboard()["run_id"].to_list()[0] == "a2"  # d1, d3 first: both relevant


@pytest.mark.heavy
def test_scores_are_those_of_the_table_macros(page: poolhouse.OpenWarehouse) -> None:
    # By hand: one of a1's first two documents is relevant, and both of a2's.
    scores = page.run_scores("page", "P@2")
    assert dict(scores.select("run_id", "score").iter_rows()) == {"a1": 0.5, "a2": 1, "b1": 0.5}
    of_one = page.topic_scores("page", "P@2", "a2")
    assert of_one.select("run_id", "topic_id", "score").rows() == [("a2", "1", 1.0)]
    condensed = page.run_scores("page", "P@3", "a1", unjudged="condensed")
    assert condensed["unjudged"].to_list() == ["condensed"]


@pytest.mark.heavy
def test_measures_may_be_those_of_ir_measures_and_trec_eval(page: poolhouse.OpenWarehouse) -> None:
    for measure, text in (
        (ir_measures.nDCG @ 7, "nDCG@7"),
        (ir_measures.AP(rel=2) @ 5, "AP(rel=2)@5"),
        (ir_measures.RBP(p=0.6) @ 4, "RBP(p=0.6)@4"),
        ("P_2", "P@2"),
    ):
        assert set(page.run_scores("page", measure)["measure"]) == {text}
    assert set(page.topic_scores("page", "map")["measure"]) == {"AP"}
    with pytest.raises(poolhouse.PoolhouseError, match="nothing"):
        page.run_scores("page", "nothing")


def test_expected_scores_are_those_of_the_macro(page: poolhouse.OpenWarehouse) -> None:
    scores = page.expected_scores("page", "map")
    assert set(scores["measure"]) == {"AP"}
    assert scores["if_judged"].is_sorted(descending=True)
    with pytest.raises(poolhouse.PoolhouseError, match="infAP has no expected score"):
        page.expected_scores("page", "infAP")


@pytest.mark.heavy
def test_any_run_is_scored_as_by_the_command(page: poolhouse.OpenWarehouse, new_file: Path) -> None:
    warehouse = Warehouse(page.path)
    expected = score_runs(warehouse, "page", [NewRun("new", NEW_RUN)], ["AP", "P@2"])
    measures = (ir_measures.AP, "P_2")
    assert page.score(new_file, "page", measures).equals(expected.over_topics)
    by_topic = page.score(NEW_RUN.to_pandas(), "page", measures, by_topic=True, run_id="new")
    assert by_topic.equals(expected.by_topic)
    # By hand: one of the run's three documents is relevant, and one is unjudged.
    of_dict = page.score({"1": {"d1": 3.0, "d2": 2.0, "d9": 1.0}}, "page", "P@3")
    assert of_dict.select("score", "n_unjudged").rows() == [(pytest.approx(1 / 3), 1)]
    assert page.score("a1", "page", "P@2")["score"].to_list() == [0.5]
    with pytest.raises(poolhouse.PoolhouseError, match="neither a run of 'page' nor a file"):
        page.score("a9", "page", "AP")


@pytest.mark.heavy
def test_runs_are_compared_as_by_the_command(page: poolhouse.OpenWarehouse, new_file: Path) -> None:
    request = ComparisonRequest("page", ["a1", NewRun("new", NEW_RUN)], ["P@2", "AP"], ["a1"])
    expected = compare(Warehouse(page.path), request).rows
    measures = [ir_measures.P @ 2, "AP"]
    for run in (str(new_file), ("new", NEW_RUN)):
        compared = page.compare("a1", run, collection="page", measures=measures, baseline="a1")
        assert compared.equals(expected)
    unnamed = page.compare("a1", NEW_RUN, collection="page", measures="P@2")
    assert unnamed.select("run_id", "other_run_id").rows() == [("a1", "run 2")]
    with pytest.raises(poolhouse.PoolhouseError, match="neither a run of 'page' nor a file"):
        page.compare("a1", "a9", collection="page", measures="AP")


def test_values_of_sql_are_never_sql(page: poolhouse.OpenWarehouse) -> None:
    hostile = "'; drop table raw.runs; --"
    asked = page.sql("select $name as name, $query as query", name=hostile, query=1)
    assert asked.rows() == [(hostile, 1)]
    assert page.leaderboard("page").height == len(RUNS)
    with pytest.raises(UnknownCollectionError, match="drop table"):
        page.leaderboard(hostile)


def test_sql_neither_changes_nor_leaves_the_warehouse(
    page: poolhouse.OpenWarehouse, tmp_path: Path
) -> None:
    before = page.path.read_bytes()
    for query in (
        "delete from raw.runs",
        f"copy raw.runs to '{tmp_path / 'runs.csv'}'",
        f"from '{tmp_path / 'runs.csv'}'",
        "select 1; select 2",
        "select",
        "select \ud800",
    ):
        with pytest.raises(poolhouse.PoolhouseError) as caught:
            page.sql(query)
        assert "\n" not in str(caught.value)
    assert page.path.read_bytes() == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1::bigint", 1),
        ("'a'::enum('a', 'b')", "a"),
        ("[1, 2]", [1, 2]),
        ("{'a': 1}", {"a": 1}),
        ("null", None),
        ("uuid '00000000-0000-0000-0000-000000000001'", "00000000-0000-0000-0000-000000000001"),
    ],
)
def test_values_of_the_engine_are_values_of_a_frame(
    page: poolhouse.OpenWarehouse, expression: str, value: object
) -> None:
    assert page.sql(f"select {expression} as x")["x"].to_list() == [value]


@pytest.mark.heavy
def test_what_has_no_place_in_a_frame_is_named(page: poolhouse.OpenWarehouse) -> None:
    with pytest.raises(poolhouse.PoolhouseError, match=r"ask for cast\(long as varchar\)"):
        page.sql("select interval 1 month as long")
    with pytest.raises(poolhouse.PoolhouseError, match="no place for the type VARIANT"):
        page.sql("select 1::variant as any")
    with pytest.raises(poolhouse.PoolhouseError, match="two columns are called 'x'"):
        page.sql("select 1 as x, 2 as x")
    assert page.sql("-- nothing").is_empty()
    assert page.sql("explain select 1").height == 1


def test_status_and_collections(page: poolhouse.OpenWarehouse) -> None:
    assert page.status().select("collection", "runs", "state").rows() == [
        ("page", len(RUNS), "up to date")
    ]
    assert page.collections()["collection_id"].to_list() == ["page"]


@pytest.mark.heavy
def test_a_warehouse_is_named_by_text_or_path_and_stays_where_it_is(
    page: poolhouse.OpenWarehouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(page.path.parent)
    relative = poolhouse.open(page.path.name)
    monkeypatch.chdir(tmp_path)
    assert relative.leaderboard().equals(page.leaderboard())
    assert repr(relative) == f"poolhouse.open({str(page.path)!r})"
    with pytest.raises(poolhouse.PoolhouseError, match="not the name of a file"):
        poolhouse.open(os.fsencode(page.path))  # type: ignore[arg-type]


# Methods that change a warehouse.


@pytest.mark.heavy
def test_runs_from_memory_are_loaded_as_files_are(
    new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """Frames and dicts make the same collection as files, and the account names their source."""
    w = poolhouse.open(new_warehouse(tmp_path).path)
    runs = {
        run_id: pl.DataFrame(
            {"qid": 1, "docno": documents, "score": [9.0 - rank for rank in range(1, 4)]}
        )
        for run_id, documents in RUNS.items()
    }
    lines = [line.split() for line in QRELS.splitlines()]
    qrels = {"1": {docno: int(grade) for _, _, docno, grade in lines}}
    descriptions = tmp_path / "runs.csv"
    descriptions.write_text("run,organization\na1,A\na2,A\nb1,B\n")
    report = w.load("page", runs, qrels, descriptions=descriptions, depth=2)
    assert (report.n_rows, report.is_new) == (9 + len(lines), True)
    assert w.build().built == ("page",)
    history = w.sql(
        "select file_kind, file_name, path, n_rows from audits.audit_load_history order by all"
    )
    assert ("run", "a1", "frame:/a1", 3) in history.rows()
    assert ("qrels", "qrels", "dict:/qrels", len(lines)) in history.rows()
    again = w.load("page", runs, qrels)
    assert (again.changed, again.n_unchanged) == (False, 4)


@pytest.mark.heavy
def test_it_is_the_collection_of_the_files(own_page: poolhouse.OpenWarehouse) -> None:
    """A run from a frame is the file's run: its scores keep all digits, and its ranks are equal."""
    awkward = pl.DataFrame(
        {
            "query": "1",
            "docno": ["d1", 'd"2', "d,3", "#d4", "d\N{NO-BREAK SPACE}5"],
            "score": [0.1 + 0.2, 1e-320, -1.7976931348623157e308, 5e-8, 123456789.123456789],
        }
    )
    own_page.load("page", {"awkward": awkward})
    loaded = own_page.sql(
        """
        select query, docno, score, rank, tag from raw.run_lines
        where run_key = (select run_key from raw.runs where run_id = 'awkward')
        order by line_number
        """
    )
    assert loaded.select("query", "docno", "score").equals(awkward)
    assert loaded["rank"].to_list() == [1, 2, 3, 4, 5]
    assert set(loaded["tag"]) == {"awkward"}


@pytest.mark.parametrize(
    ("name", "topic", "document", "message"),
    [
        *((name, "1", "d1", "cannot be the id of a run") for name in ("../up", "input.x", "")),
        *(("new", "1", each, "cannot be a field of a file") for each in ("d\t 1", "d\n1", "")),
        ("new", "#1", "d1", "'#1' cannot be a topic of a file: a line"),  # it would be a comment
    ],
)
def test_runs_that_no_file_could_hold_are_refused(
    own_page: poolhouse.OpenWarehouse, name: str, topic: str, document: str, message: str
) -> None:
    before = own_page.path.read_bytes()
    with pytest.raises(poolhouse.PoolhouseError, match=message) as caught:
        own_page.load("page", {name: {topic: {document: 1.0}}})
    assert "\n" not in str(caught.value)
    assert own_page.path.read_bytes() == before


def test_files_are_loaded_as_by_the_command(toy_files: ToyFiles, tmp_path: Path) -> None:
    w = poolhouse.open(tmp_path / "new.duckdb")
    with pytest.warns(poolhouse.PoolhouseWarning, match="lines rejected") as caught:
        report = w.load(
            "toy",
            str(toy_files.runs),
            toy_files.qrels,
            descriptions=toy_files.descriptions,
            topics=toy_files.topics,
            title="Toy",
        )
    assert report.n_rejected > 0
    # The warning points to the line of the caller, and not into the package.
    assert {each.filename for each in caught} == {__file__}
    status = w.status().row(0, named=True)
    assert (status["collection"], status["runs"], status["state"]) == ("toy", 3, "not built yet")
    with pytest.raises(poolhouse.PoolhouseError, match="nothing is built yet: run poolhouse build"):
        w.collections()


@pytest.mark.heavy
def test_what_is_not_built_as_it_is_loaded_is_said(own_page: poolhouse.OpenWarehouse) -> None:
    own_page.load("page", {"new": NEW_RUN})
    with pytest.warns(poolhouse.PoolhouseWarning, match="'page' is changed since the build"):
        assert "new" not in own_page.leaderboard("page")["run_id"]
    with pytest.raises(
        poolhouse.PoolhouseError, match="changed since the build: run poolhouse build"
    ):
        own_page.adjust(NEW_RUN, "page")


@pytest.mark.heavy
def test_a_build_shows_in_the_next_call(own_page: poolhouse.OpenWarehouse) -> None:
    """A notebook that stays open for days sees new versions of the file, and releases old ones."""
    own_page.leaderboard()
    n_open = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    n_threads = threading.active_count()
    script = (
        "import sys, poolhouse; w = poolhouse.open(sys.argv[1]); "
        "w.load('page', {'new': {'1': {'d1': 3.0, 'd3': 2.0}}}); w.build()"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", script, own_page.path], check=True)
    for _ in range(5):
        board = own_page.leaderboard("page")
        assert "new" in board["run_id"]
    # No process holds the file: a client that may write can open it. The rows stay.
    with duckdb.connect(str(own_page.path)) as other:
        assert other.execute("select count(*) from leaderboard").fetchall() == [(board.height,)]
    if n_open:
        assert len(list(Path("/proc/self/fd").iterdir())) == n_open
    assert threading.active_count() == n_threads


@pytest.mark.heavy
def test_threads_may_read_at_once(page: poolhouse.OpenWarehouse) -> None:
    expected = page.leaderboard()
    together = threading.Barrier(8)

    def read(_: int) -> bool:
        together.wait()
        return all(page.leaderboard().equals(expected) for _ in range(5))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(read, range(8)))


def test_a_connection_of_ones_own_is_to_be_closed(
    page: poolhouse.OpenWarehouse, tmp_path: Path
) -> None:
    file = copyfile(page.path, tmp_path / "poolhouse.duckdb")
    copy = poolhouse.open(file)
    with (
        duckdb.connect(file, read_only=True),
        pytest.raises(poolhouse.PoolhouseError, match="by another connection: close that"),
    ):
        copy.leaderboard()
    assert copy.leaderboard().height == len(RUNS)


def test_a_query_is_interrupted_as_anything_in_a_notebook(page: poolhouse.OpenWarehouse) -> None:
    """An interrupt of the kernel sends SIGINT to its main thread; the next query runs."""
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        page.sql("select count(*) from range(1000000) as a, range(1000000) as b")
    assert time.monotonic() - started < 10
    timer.join()
    assert page.sql("select 1 as x")["x"].to_list() == [1]


@pytest.mark.heavy
def test_an_interrupted_build_leaves_the_warehouse_as_it_was(
    own_page: poolhouse.OpenWarehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_page.load("page", {"new": NEW_RUN})
    warehouse = Warehouse(own_page.path)
    before, names = warehouse.path.read_bytes(), names_beside(warehouse)

    def interrupted(runner: Runner, work: Work) -> None:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        make(runner, work)

    make = Runner.make
    monkeypatch.setattr(Runner, "make", interrupted)
    with pytest.raises(KeyboardInterrupt):
        own_page.build()
    monkeypatch.undo()
    assert warehouse.path.read_bytes() == before
    assert names_beside(warehouse) == names
    assert own_page.build().built == ("page",)


@pytest.mark.heavy
def test_an_unjudged_collection_has_no_scores(
    own_page: poolhouse.OpenWarehouse,
) -> None:
    own_page.load("new", {"a": NEW_RUN}, unjudged=True)
    with pytest.raises(NotJudgedError):
        own_page.adjust(NEW_RUN, "new")
    with pytest.raises(poolhouse.PoolhouseError, match="give one of them"):
        own_page.load("new", qrels={"1": {"d1": 1}}, ir_dataset="any")


def test_the_import_is_light_and_the_names_are_there() -> None:
    script = """
import sys
before = {*sys.modules, *sys.stdlib_module_names}
import poolhouse
assert {name.partition(".")[0] for name in sys.modules} - before == {"poolhouse"}
for name in poolhouse.__all__:
    assert name in dir(poolhouse) and getattr(poolhouse, name) is not None
try:
    poolhouse.nothing
except AttributeError as error:
    assert "no attribute 'nothing'" in str(error)
else:
    raise AssertionError
poolhouse.open("w.duckdb")
heavy = {"pandas", "dbt", "altair", "vl_convert", "scipy", "sqlalchemy", "ir_datasets"}
assert not heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_wheel_says_that_it_is_typed() -> None:
    assert (Path(poolhouse.__file__).parent / "py.typed").is_file()
