"""Test the experiment `pools` on the collection on a page, whose figures are worked out by hand."""

from pathlib import Path
from shutil import copyfile

import polars as pl
import pytest
from scipy.stats import kendalltau

from asking import invoke_on
from conftest import NewWarehouse
from judges_reference import rbo
from page import write_collection
from poolhouse.building.build import build
from poolhouse.experiments.pools import AGREEMENT, run_pool_experiment
from poolhouse.experiments.requests import PoolSettings
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import run_query

pytestmark = pytest.mark.heavy

BUDGETS = (1, 4, 6)


@pytest.fixture(scope="module")
def page(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path_factory: pytest.TempPathFactory
) -> Warehouse:
    """Provide the results of all strategies on the collection on a page."""
    copy = tmp_path_factory.mktemp("pool_experiment") / "poolhouse.duckdb"
    warehouse = Warehouse(Path(copyfile(built_once[0], copy)))
    run_pool_experiment(warehouse, "page", PoolSettings(BUDGETS))
    return warehouse


def test_every_strategy_has_each_budget(page: Warehouse) -> None:
    rows = query_frame(
        page,
        """
        select strategy, kind, budget, n_documents, n_judged, n_unknown
        from experiments.fct_pool_strategies
        inner join dim_pooling_strategies using (strategy)
        where measure = 'AP'
        """,
    )
    kinds = query_frame(page, "select strategy, kind from dim_pooling_strategies").rows()
    assert set(rows.select("strategy", "budget").rows()) == {
        (name, budget)
        for name, kind in kinds
        for budget in BUDGETS
        # A sample needs two documents for its variance, and depth 1 has two.
        if budget > 1 or (kind != "sampled" and name != "depth")
    }
    for name, kind, budget, n_documents, n_judged, n_unknown in rows.rows():
        assert n_documents == n_judged + n_unknown
        # The four judged documents are the frame of a sample. The runs return six.
        most = min(budget, 6)
        assert n_documents == (min(budget, 4) if kind == "sampled" else most), name


def test_a_pool_of_everything_is_the_full_judgements(page: Warehouse) -> None:
    rows = run_query(
        page,
        """
        select n_unknown, n_relevant, share_of_relevant, kendall_tau, rbo, mean_score
        from experiments.fct_pool_strategies
        where budget = 6 and measure = 'AP' and strategy in ('depth', 'hedge', 'rrf')
        """,
    ).rows
    # AP of a1 is 1/3, of a2 2/3 and of b1 (1 + 2/3) / 3.
    expected = (2, 3, 1.0, 1.0, 1.0, pytest.approx((1 / 3 + 2 / 3 + 5 / 9) / 3))
    assert list(map(tuple, rows)) == [expected] * 3


def test_a_pool_leaves_documents_unjudged(page: Warehouse) -> None:
    """Of depth 2, as a plan says (test_pools.py); a sample has no such share."""
    rows = run_query(
        page,
        """
        select distinct unjudged_10, unjudged_10_left_out
        from experiments.fct_pool_strategies
        where budget = 4 and strategy in ('depth', 'uniform_sample')
        order by all
        """,
    ).rows
    assert list(map(tuple, rows)) == [(pytest.approx(2 / 9), pytest.approx(2 / 3)), (None, None)]


def test_one_document_alone(page: Warehouse) -> None:
    """`take` judges d1, which two runs have at rank 1: two of three runs have full scores."""
    [row] = run_query(
        page,
        """
        select n_relevant, share_of_relevant, mean_score
        from experiments.fct_pool_strategies
        where budget = 1 and measure = 'AP' and strategy = 'take'
        """,
    ).rows
    assert tuple(row) == (1, pytest.approx(1 / 3), pytest.approx((1 + 1 + 1 / 3) / 3))


def test_errors_are_those_of_the_stored_pool(page: Warehouse) -> None:
    """The pool of depth 2 is the stored pool, so the estimators are off by the same amounts."""
    rows = query_frame(
        page,
        """
        select
            max(abs(found.mae - stored.mae)),
            max(abs(found.mean_error - stored.mean_error)),
            count(*)
        from experiments.fct_pool_strategy_errors as found
        inner join fct_estimator_errors as stored using (level, unjudged, measure, estimator)
        where found.strategy = 'depth' and found.budget = 4 and stored.subset = 'all'
        """,
    ).rows()
    [(mae, mean_error, n_rows)] = rows
    assert mae == pytest.approx(0, abs=1e-12)
    assert mean_error == pytest.approx(0, abs=1e-12)
    assert n_rows >= 8


def test_a_chosen_pool_has_the_runs_that_are_asked_for(
    new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """A run that was not pooled counts as well as the others in a pool that it is chosen for."""
    warehouse = new_warehouse(tmp_path)
    request = write_collection(tmp_path / "page")
    assert request.descriptions
    request.descriptions.write_text("run,organization,pooled\na1,A,yes\na2,A,yes\nb1,B,no\n")
    load_collection(warehouse, request)
    build(warehouse)
    with warehouse.read() as connection:
        make_macros(connection, "chosen_pool_errors")
        put_table(
            connection,
            "chosen",
            pl.DataFrame({"topic_id": "1", "doc_id": ["d1", "d2", "d3", "d4"]}),
        )
        found = rows_of(
            connection,
            "select distinct n_runs from chosen_pool_errors('page', 'chosen', $of_runs, 2)",
            {"of_runs": ["a1", "a2", "b1"]},
        )
    assert found["n_runs"].to_list() == [3]


def test_a_finished_experiment_is_shown_again(page: Warehouse) -> None:
    asked = ("experiment", "pools", "--collection", "page", "--budgets", "6,4,1", "--seed", 2009)
    done = invoke_on(page, *asked, status=0)
    assert "UTC: --again repeats them" in done.stderr
    figure = page.path.with_suffix(".page.pools.svg")
    assert f"figure: {figure}" in done.stderr
    assert "documents to judge" in figure.read_text()


def test_agreement_of_leaderboards(page: Warehouse) -> None:
    """Tau-b is scipy's; RBO is added up from the overlaps of the tops, one by one."""
    scores = {f"r{n}": [0.9, 0.7, 0.7, 0.5, 0.1, 0.4][n] for n in range(6)}
    others = {f"r{n}": [0.2, 0.8, 0.8, 0.9, 0.1, 0.3][n] for n in range(6)}

    def frame(values: dict[str, float]) -> pl.DataFrame:
        rows = [(run_id, "AP", score) for run_id, score in values.items()]
        return pl.DataFrame(rows, schema=["run_id", "measure", "score"], orient="row")

    with page.read() as connection:
        put_table(connection, "scores", frame(scores))
        put_table(connection, "true_scores", frame(others))
        agreement = rows_of(connection, AGREEMENT)
    overlap = rbo({run_id: (score, others[run_id]) for run_id, score in scores.items()})
    tau = kendalltau(list(scores.values()), list(others.values())).statistic
    assert agreement.rows() == [("AP", pytest.approx(tau), pytest.approx(overlap))]
