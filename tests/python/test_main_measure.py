"""Test the main measure of a collection: leaderboards, figures, report and advice follow it."""

from pathlib import Path
from shutil import copyfile

import pytest

from asking import invoke, invoke_on
from poolhouse.building.build import build
from poolhouse.building.staleness import State, collection_states
from poolhouse.errors import PoolhouseError
from poolhouse.figures.catalogue import FIGURES
from poolhouse.figures.measures import shown_first
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest, leaderboard_measure
from poolhouse.option_values import LEADERBOARD_MEASURES
from poolhouse.scoring.scored_runs import measures_named
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

Built = tuple[Path, LoadRequest, Warehouse]
NEW_RUN = "1 Q0 d9 1 3 new\n1 Q0 d1 2 2 new\n"


@pytest.fixture(scope="module")
def by_p5(built_once: Built, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide the collection on a page with P@5 as its main measure."""
    file = tmp_path_factory.mktemp("by_p5") / "poolhouse.duckdb"
    warehouse = Warehouse(Path(copyfile(built_once[0], file)))
    done = invoke_on(warehouse, "load", "page", "--measure", "P@5", status=0)
    assert "next: poolhouse build" in done.stderr
    assert build(warehouse).built == ("page",)
    return warehouse


def pairs(warehouse: Warehouse, query: str) -> dict[object, object]:
    with warehouse.read() as connection:
        return dict(connection.execute(query).fetchall())


@pytest.mark.heavy
def test_places_are_by_the_main_measure(page: Warehouse, by_p5: Warehouse) -> None:
    """Of five places, a2 and b1 have two relevant documents, and a1 has one."""
    for relation in ("leaderboard", "topic_leaderboard"):
        assert pairs(page, f"select run_id, rank from {relation}") == {
            "a2": 1,
            "b1": 2,
            "a1": 3,
        }  # by AP
        assert pairs(by_p5, f"select run_id, rank from {relation}") == {"a2": 1, "b1": 1, "a1": 3}
    declared = "select main_measure from dim_collections"
    assert run_query(page, declared).rows == [("AP",)]
    assert run_query(by_p5, declared).rows == [("P@5",)]


@pytest.mark.heavy
def test_a_later_load_keeps_the_measure(by_p5: Warehouse) -> None:
    load_collection(by_p5, LoadRequest("page"))
    with by_p5.read() as connection:
        assert [each.state for each in collection_states(connection)] == [State.CURRENT]


@pytest.mark.heavy
def test_figures_show_the_main_measure_first(page: Warehouse, by_p5: Warehouse) -> None:
    estimates = FIGURES["estimates"]
    assert shown_first(estimates.ask(page, "page")) == "P@10"  # AP has no estimates
    assert shown_first(estimates.ask(by_p5, "page")) == "P@5"
    rows = FIGURES["unjudged_and_scores"].ask(by_p5, "page")
    assert dict(rows.select("run_id", "score").rows()) == {"a1": 0.2, "a2": 0.4, "b1": 0.4}
    two = FIGURES["two_runs"].ask(by_p5, "page", {"run_id": "a2", "other_run_id": "a1"})
    assert two.select("measure", "difference").rows() == [("P@5", 0.2)]


@pytest.mark.heavy
def test_the_report_names_the_main_measure(by_p5: Warehouse, tmp_path: Path) -> None:
    invoke_on(by_p5, "report", "-o", tmp_path / "report.html", status=0)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "The place is by P@5." in text
    assert "P@5 on 1 topic" in text  # of the comparison of two runs
    assert "difference of P@5" in text


@pytest.mark.heavy
def test_advice_is_about_the_main_measure(by_p5: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "new").write_text(NEW_RUN)
    done = invoke_on(by_p5, "adjust", tmp_path / "new", "--collection", "page", status=0)
    assert [line for line in done.stderr.splitlines() if line.startswith("P@5: ")]
    assert "main measure" not in done.stderr


@pytest.mark.heavy
def test_adjust_says_that_the_main_measure_is_not_estimated(
    built_once: Built, tmp_path: Path
) -> None:
    warehouse = Warehouse(Path(copyfile(built_once[0], tmp_path / "poolhouse.duckdb")))
    invoke_on(warehouse, "load", "page", "--measure", "infAP", status=0)
    invoke_on(warehouse, "build", status=0)
    (tmp_path / "new").write_text(NEW_RUN)
    done = invoke_on(warehouse, "adjust", tmp_path / "new", "--collection", "page", status=0)
    note = (
        "note: infAP, the main measure of page, is not estimated: `poolhouse score -m infAP` shows "
        "the score as it is, and if its unjudged documents were relevant; "
        "some measures have an expected score (poolhouse docs expected_relevance)"
    )
    assert note in done.stderr.splitlines()
    assert [line for line in done.stderr.splitlines() if line.startswith("P@10: ")]


@pytest.mark.heavy
def test_adjust_shows_a_measure_that_is_no_sum_first(page: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "new").write_text(NEW_RUN)
    done = invoke_on(page, "adjust", tmp_path / "new", "--collection", "page", status=0)
    [first] = [line for line in done.stdout.splitlines() if line.startswith("│")][:1]
    assert first.split()[1] == "AP"
    assert [line for line in done.stderr.splitlines() if line.startswith("AP: cannot be told: ")]
    assert "main measure" not in done.stderr


def test_measures_of_the_leaderboards_are_those_of_the_option(page: Warehouse) -> None:
    columns = run_query(page, "select * from leaderboard limit 0").columns
    shown = columns[columns.index("n_judged_topics") + 1 : columns.index("unjudged_10")]
    assert [each.lower().replace("@", "_") for each in LEADERBOARD_MEASURES] == shown


def test_a_main_measure_is_understood_as_by_score(page: Warehouse) -> None:
    """Any case, and the names of trec_eval: a load asks the same rule without a warehouse."""
    of_trec_eval = pairs(page, "select measure, trec_eval_name from dim_measures")
    spellings = [
        *LEADERBOARD_MEASURES,
        *(str(of_trec_eval[each]) for each in LEADERBOARD_MEASURES),
        *("ndcg@10", "NDCG_CUT.10", "precision@10", "mrr", "recall@7", "P_", "", "ndcg_cut_30"),
    ]
    with page.read() as connection:
        for each in spellings:
            [written] = measures_named(connection, [each])
            expected = written if written in LEADERBOARD_MEASURES else each
            assert leaderboard_measure(each) == expected, each


@pytest.mark.parametrize("measure", ["ndcg@10", "ndcg_cut_10", "NDCG_CUT.10"])
def test_a_load_understands_the_names_of_score(measure: str, tmp_path: Path) -> None:
    """The option, an archive and Python. Nothing is loaded, since there are no files."""
    file = tmp_path / "archive.yml"
    file.write_text(f"- {{collection: page, measure: {measure}}}\n")
    for asked in (["page", "--measure", measure], ["--archive", str(file)]):
        done = invoke("load", *asked, "--db", tmp_path / "poolhouse.duckdb")
        assert done.exit_code == 1
        assert "measure" not in done.stderr
    assert LoadRequest("page", measure=measure).measure == "nDCG@10"


@pytest.mark.parametrize("measure", ["P@7", "p@7", "P_7", "", "AP; drop table raw.collections"])
def test_a_measure_that_no_leaderboard_has_is_refused(measure: str, tmp_path: Path) -> None:
    file = tmp_path / "poolhouse.duckdb"
    done = invoke("load", "page", "--measure", measure, "--db", file)
    assert (done.exit_code, done.stdout, file.exists()) == (2, "", False)
    assert "is not one of 'AP', 'P@5', 'P@10'" in done.stderr
    with pytest.raises(PoolhouseError, match="is not one of AP, P@5, P@10, "):
        LoadRequest("page", measure=measure)
