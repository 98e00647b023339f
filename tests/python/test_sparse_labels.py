"""Test qrels that list relevant documents only, and qrels without a pool, worked by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from asking import invoke, rows
from built_collections import built_and_tested, kept_open, load_together
from collection_files import write_runs
from conftest import NewWarehouse
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.comparison_tables import tables_of as comparison_tables_of
from poolhouse.comparing.comparison_words import conclusions_of
from poolhouse.comparing.paper_table import paper_table
from poolhouse.comparing.requests import ComparisonRequest, TableRequest
from poolhouse.comparing.table_layout import Layout, laid_out
from poolhouse.errors import PoolhouseError
from poolhouse.figures.drawing import FigureRequest, draw_figure
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.report.writing import write_report
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.scoring.estimating.adjustment_tables import tables_of as adjustment_tables_of
from poolhouse.scoring.score_tables import tables_of as score_tables_of
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame

pytestmark = pytest.mark.heavy

RUNS = {"one": ("abc", "bca", "cab"), "two": ("bac", "xyc", "cba")}
# One known document of a topic and two of another, or judgements of both kinds with gaps.
QRELS = {
    "sparse": "1 0 a 1\n2 0 c 1\n3 0 a 1\n3 0 b 1\n",
    "nopool": "1 0 a 1\n1 0 c 0\n2 0 c 1\n2 0 x 0\n3 0 b 1\n3 0 y 0\n",
}


def request(folder: Path, collection: str) -> LoadRequest:
    runs = {run: dict(enumerate(rankings, start=1)) for run, rankings in RUNS.items()}
    files = write_runs(folder / "runs", runs)
    (folder / collection).write_text(QRELS[collection])
    return LoadRequest(collection, files, folder / collection, measure="RR")


@pytest.fixture(scope="module")
def built(
    new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("sparse")
    warehouse = new_warehouse(folder)
    load_together(warehouse, (request(folder, each) for each in QRELS))
    yield from kept_open(built_and_tested(warehouse))


def said_of(texts: object) -> str:
    """Return all that is said, in lower case, without the note on what tells nothing."""
    return str(texts).lower().replace("unjudged shares tell nothing", "")


@pytest.mark.parametrize("leaderboard", ["leaderboard", "topic_leaderboard"])
def test_leaderboards_lack_what_tells_nothing(built: Warehouse, leaderboard: str) -> None:
    """The other measures stay, and the full marts have all of them, as trec_eval does."""
    found = rows(
        built,
        f"""
        select collection_id, count(rr), count(bpref), count(infap), count(unjudged_10), count(*)
        from {leaderboard} group by all order by all
        """,
    )
    (pool, n, *others), (sparse, *of_sparse) = found
    assert (pool, sparse) == ("nopool", "sparse")
    assert others == [n] * 4
    assert of_sparse == [n, 0, 0, 0, n]
    assert rows(
        built,
        "select count(score) > 0 from fct_run_scores "
        "where collection_id = 'sparse' and measure = 'Bpref'",
    ) == [(True,)]


def test_nobody_is_told_of_unjudged_documents(built: Warehouse) -> None:
    """Each command says once why, and a collection without a known pool keeps its figures."""
    measures = ("RR", "P@10", "Bpref")
    scores = score_runs(built, "sparse", list(RUNS), measures)
    compared = compare(built, ComparisonRequest("sparse", list(RUNS), measures, repetitions=9))
    table = paper_table(built, TableRequest(list(RUNS), ["sparse"], measures, unjudged=True))
    of_table = laid_out(table, Layout())
    for remarks, shown in (
        (scores.remarks, list(score_tables_of(scores, "sparse", by_topic=False))),
        (compared.remarks, [*comparison_tables_of(compared), *conclusions_of(compared)]),
    ):
        assert [each for each in remarks if "1 of 3 topics have several" in each] == [remarks[0]]
        assert "unjudged" not in said_of([remarks, shown])
        assert "could reverse" not in said_of([remarks, shown])
    assert "The qrels of sparse list relevant documents only" in of_table[0]
    assert table.rows["unjudged_10"].null_count() == table.rows.height
    assert sum("is judged not relevant" in each for each in table.remarks) == 1
    known = compare(built, ComparisonRequest("nopool", list(RUNS), ["P@10"], repetitions=9))
    assert known.rows["unjudged_share"].null_count() == 0
    assert "unjudged" in said_of(list(comparison_tables_of(known)))


def test_nothing_is_adjusted(built: Warehouse) -> None:
    """The scores and places of a run stand as they are; without a known pool, nothing is told."""
    run = query_frame(
        built,
        "select query, docno, score from raw.run_lines inner join raw.runs using (run_key) "
        "where run_id = 'one' and runs.collection_key = 1",
    )
    sparse, nopool = (adjust(built, name, run, "one") for name in ("sparse", "nopool"))
    [(title, columns, _)] = adjustment_tables_of(sparse, "one", "sparse", all_estimates=True)
    assert title == "one on 3 topics of sparse; place among 1 other run"
    assert columns == ["measure", "score", "place"]
    assert ("Bpref" in sparse.scores["measure"], "Bpref" in nopool.scores["measure"]) == (
        False,
        True,
    )
    assert "unjudged" not in said_of([sparse.advice, sparse.remarks])
    assert "cannot be told" in nopool.advice
    assert "9 documents are unjudged" in nopool.advice
    expected = "select advice, if_pooled, if_judged, unjudged_share from expected_scores({}, 'AP')"
    for name in ("'sparse'", "'nopool'"):
        assert set(rows(built, expected.format(name))) == {("cannot be told", None, None, None)}


def test_no_command_proposes_what_tells_nothing(built: Warehouse, tmp_path: Path) -> None:
    run = tmp_path / "one"
    run.write_text("1 Q0 a 1 2 t\n2 Q0 c 1 2 t\n3 Q0 b 1 2 t\n")
    asked = ("--collection", "sparse", "-m", "RR", "--db", built.path)
    for command in (("score", run), ("compare", run, "two")):
        said = invoke(*command, *asked).stderr
        assert "nDCG, RR, Success and R@k tell where the known ones are" in said
        assert 'next: poolhouse sql "from audit_runs ' in said
    adjusted = invoke("adjust", run, "--collection", "sparse", "--db", built.path)
    assert "one is loaded" in adjusted.stderr
    assert "--keep" not in adjusted.stderr  # the run is loaded already
    other = run.rename(tmp_path / "three")
    assert "--keep" in invoke("adjust", other, "--collection", "sparse", "--db", built.path).stderr


def test_a_report_and_its_figures_are_about_no_pool(built: Warehouse, tmp_path: Path) -> None:
    sparse, both = tmp_path / "sparse.html", tmp_path / "both.html"
    write_report(built, sparse, ["sparse"])
    write_report(built, both)
    page = sparse.read_text(encoding="utf-8")
    assert "Nobody can judge every document" not in page
    assert "How far are the estimators off?" not in page
    assert ">Unjudged<" not in page
    assert "is judged not relevant" in page
    assert "Nobody can judge every document" in both.read_text(encoding="utf-8")
    asked = FigureRequest("unjudged_and_scores", "sparse")
    with pytest.raises(PoolhouseError, match="list relevant documents only"):
        draw_figure(built, asked, tmp_path / "figure.svg")


@pytest.mark.parametrize(
    ("collection", "judging", "is_said"),
    [("sparse", None, True), ("sparse", "pooled", False), ("nopool", None, False)],
)
def test_a_load_says_that_the_qrels_list_relevant_documents(
    warehouse: Warehouse, tmp_path: Path, collection: str, judging: str | None, is_said: bool
) -> None:
    asked = request(tmp_path, collection)
    report = load_collection(warehouse, evolve(asked, judging=judging))
    assert any("--judging pooled" in each for each in report.remarks) == is_said
