"""Test the demo: the simulated archive is handled like a real one, and has the shown effects."""

import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from attrs import evolve

from asking import invoke, invoke_on
from built_collections import load_together
from conftest import OF_DEV
from poolhouse.building.build import build
from poolhouse.demo.archive import FINDINGS, as_pooled
from poolhouse.demo.simulator import simulate
from poolhouse.loading.line_files import read_run
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame
from poolhouse.warehouse.queries import run_query
from questions import question

pytestmark = pytest.mark.heavy

SEED = 2026  # of the demo


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, str]:
    path = tmp_path_factory.mktemp("demo") / "demo.duckdb"
    done = invoke("demo", "--db", path, status=0)
    return Warehouse(path), done.stdout


@pytest.fixture(scope="module")
def with_truths(demo: tuple[Warehouse, str], tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Load each collection a second time, with the judgement of every document."""
    folder = tmp_path_factory.mktemp("truths")
    warehouse = Warehouse(Path(copyfile(demo[0].path, folder / "demo.duckdb")))
    load_together(
        warehouse,
        (
            evolve(
                as_pooled(each),
                collection=f"{each.name}-truth",
                qrels=each.truth,
                descriptions=None,
            )
            for each in simulate(folder, SEED)
        ),
    )
    assert build(warehouse).failed == ()
    return warehouse


@pytest.fixture(scope="module")
def findings(demo: tuple[Warehouse, str]) -> dict[str, dict[str, Any]]:
    result = run_query(demo[0], FINDINGS)
    return {str(row[0]): dict(zip(result.columns, row, strict=True)) for row in result.rows}


def test_each_collection_is_shown(findings: dict[str, dict[str, Any]]) -> None:
    shown = {name: (each["pool depth"], each["pooled runs"]) for name, each in findings.items()}
    assert shown == {"deep-pool": (50, 24), "shallow-pool": (10, 8), "odd-one-out": (20, 14)}


def test_bias_is_as_designed(findings: dict[str, dict[str, Any]]) -> None:
    assert -0.02 < findings["deep-pool"]["bias, mean"] < 0
    assert findings["shallow-pool"]["bias, mean"] < -0.03
    odd = findings["odd-one-out"]
    assert odd["  its name"] == "owl"
    assert odd["bias, organization that loses most"] < -0.15


def test_estimators_help_where_the_pool_is_shallow(findings: dict[str, dict[str, Any]]) -> None:
    shallow = findings["shallow-pool"]
    for estimator in ("lipani", "webber_park_systems", "webber_park_systems_no_substitution"):
        assert shallow[f"error, {estimator}"] < shallow["error, unadjusted"] / 2


def test_the_odd_one_out_prefers_title_words(with_truths: Warehouse) -> None:
    """The relevant documents that were found hold more title words than all relevant documents."""
    names = ("odd-one-out", "deep-pool", "shallow-pool")
    found: dict[str, Any] = {}
    for name in names:
        columns = "n_topics, n_topics_unknown, n_topics_higher, mean_difference, p_value"
        pair = {"collection": f"'{name}'", "other_collection": f"'{name}-truth'"}
        result = run_query(
            with_truths, f"select {columns} from {question('titlestat_comparison', **pair)}"
        )
        [found[name]] = result.rows
    n_topics, n_unknown, n_higher, difference, p_value = found["odd-one-out"]
    assert (n_topics, n_unknown) == (30, 0)
    assert n_higher >= 25
    assert p_value < 1e-6
    assert difference > 1.5 * max(found[name][3] for name in names[1:])
    of_one = run_query(
        with_truths,
        "select document_set, titlestat from fct_titlestats where collection_id = 'odd-one-out'",
    )
    titlestat: dict[object, Any] = dict(of_one.rows)  # type: ignore[arg-type]
    assert titlestat["unique_relevant"] < titlestat["relevant"] - 0.1


def test_up_to_the_pool_depth_the_reference_is_the_truth(with_truths: Warehouse) -> None:
    """The score with the run's own contributions equals the score under complete judgements."""
    result = run_query(
        with_truths,
        """
        select count(*), max(abs(adjusted.true_score - truth.score))
        from fct_adjusted_scores as adjusted
        inner join fct_run_scores as truth
            on truth.collection_id = adjusted.collection_id || '-truth'
            and truth.run_id = adjusted.run_id
            and truth.measure = adjusted.measure
            and truth.judgement_set = 'full'
            and truth.unjudged = 'nonrelevant'
        where adjusted.estimator = 'unadjusted' and adjusted.subset = 'all'
            and adjusted.unjudged = 'nonrelevant' and not adjusted.beyond_pool_depth
        """,
    )
    ((n_compared, largest),) = result.rows
    # two levels; 24 runs with P@5 to P@30 and RBP, 14 with P@5 to P@20 and RBP, 8 with three
    # measures
    assert n_compared == 2 * (24 * 5 + 14 * 4 + 8 * 3)
    assert isinstance(largest, float)
    assert largest < 1e-9


def test_status_says_what_estimates_make_possible(
    demo: tuple[Warehouse, str], findings: dict[str, dict[str, Any]]
) -> None:
    """The pools hold the top ten of every run, so that the error if pooled is the whole one."""
    done = invoke_on(demo[0], "status")
    for collection, found in findings.items():
        errors = [found[f"error, {name}"] for name in ("expected_relevance", "unadjusted")]
        [said] = [line for line in done.stderr.splitlines() if line.startswith(f"{collection}: ")]
        assert "P@10 {:.4f} ({:.4f})".format(*errors) in said
        assert "when an organization is left out (in brackets: scores as they are)" in said


COLLECTIONS = ("deep-pool", "odd-one-out", "shallow-pool")


@pytest.mark.parametrize("measure", ["AP", "nDCG@20", "R@100"])
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_the_score_if_every_document_is_judged(
    with_truths: Warehouse, collection: str, measure: str
) -> None:
    """Complete judgements hold several times as many relevant documents as a pool."""
    found = query_frame(
        with_truths,
        """
        select
            count(*) as n_runs,
            avg(abs(expected.if_judged - truth.score)) as error,
            avg(abs(coalesce(expected.true_score, expected.unpooled_score) - truth.score))
                as unadjusted_error,
            avg(cast(truth.score between if_judged_95_low and if_judged_95_high as integer))
                as coverage
        from expected_scores($collection, $measure) as expected
        inner join run_scores($collection || '-truth', $measure) as truth using (run_id)
        """,
        {"collection": collection, "measure": measure},
    ).row(0, named=True)
    assert found["n_runs"] > 10
    assert found["error"] < found["unadjusted_error"] / 2
    assert found["coverage"] >= 0.95


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_file_has_the_expected_scores_of_the_loaded_run(
    demo: tuple[Warehouse, str], collection: str
) -> None:
    warehouse, _ = demo
    query = "select run_id from dim_runs where collection_id = $name and not is_pooled limit 1"
    run_id = query_frame(warehouse, query, {"name": collection}).item()
    file = warehouse.path.with_name("demo-files") / collection / "runs" / f"{run_id}.gz"
    scores = adjust(warehouse, collection, read_run(file).rows, run_id).scores
    rows = scores.filter(unjudged="nonrelevant", estimator="expected_relevance")
    assert {"AP", "nDCG@10", "RR", "R@100", "P@10"} <= set(rows["measure"])
    n_told = 0
    for row in rows.iter_rows(named=True):
        query = "select * from expected_scores($name, $measure) where run_id = $run"
        values = {"name": collection, "measure": row["measure"], "run": run_id}
        loaded = query_frame(warehouse, query, values).row(0, named=True)
        assert row["adjusted_score"] == pytest.approx(loaded["if_pooled"])
        if row["if_judged_estimator"] == "expected_relevance":
            ends = ("if_judged", "if_judged_95_low", "if_judged_95_high")
            wanted = [loaded[end] for end in ends]
            assert [row[end] for end in ends] == pytest.approx(wanted), row["measure"]
            n_told += 1
    assert n_told > 2


def test_the_output_says_where_things_are_and_how_to_go_on(
    demo: tuple[Warehouse, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse, output = demo
    monkeypatch.chdir(tmp_path)  # where the report is written
    assert str(warehouse.path) in output
    commands = [line for line in output.splitlines() if line.startswith("  ") and "--db" in line]
    assert len(commands) == 3
    for line in commands:
        invoke(*shlex.split(line.partition("poolhouse ")[2]), status=0)
    assert (tmp_path / "report.html").is_file()


def test_the_input_is_ordinary_files(demo: tuple[Warehouse, str]) -> None:
    warehouse, _ = demo
    folder = warehouse.path.with_name("demo-files")
    assert len(list((folder / "deep-pool" / "runs").glob("*.gz"))) == 27
    assert Path(folder / "deep-pool" / "qrels.txt").is_file()


def test_the_readme_shows_the_real_table(demo: tuple[Warehouse, str]) -> None:
    _, output = demo
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    shown = readme.partition("## See it")[2].partition("\n## ")[0].splitlines()
    table = [line.rstrip() for line in output.splitlines() if line.startswith("│")]
    assert len(table) == 10
    assert [line for line in shown if line.startswith("│")] == table


@pytest.mark.parametrize("script", ["cookbook_samples", "mcp_page"])
def test_what_pages_show_of_the_demo_is_current(demo: tuple[Warehouse, str], script: str) -> None:
    if script == "mcp_page":
        pytest.importorskip("mcp", reason=OF_DEV)
    file = Path(__file__).parents[2] / "scripts" / f"{script}.py"
    command = [sys.executable, str(file), "--check", "--db", str(demo[0].path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
