"""Test the verdict on a collection, for pools from deep to shallow whose truth is known."""

from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import polars as pl
import pytest

from built_collections import load_together
from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.demo.simulator import (
    CollectionRecipe,
    OrganizationRecipe,
    SimulatedCollection,
    simulate,
)
from poolhouse.loading.parsers import parse_qrels, parse_run, read_source
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files, run_id_of
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy

# Deep pools first.
DEPTHS = (100, 40, 15, 5)
SEED = 2026
FIRST = 10
VERDICTS = ("reusable", "reusable with care", "not reusable")
NAMES = ("alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "rowan")
RECIPE = CollectionRecipe(
    name="forest",
    title="Pools of several depths under the same runs",
    document_prefix="F",
    first_topic=1,
    pool_depth=DEPTHS[0],
    organizations=(
        *(OrganizationRecipe(name, 2, noise=0.4 + 0.1 * n) for n, name in enumerate(NAMES)),
        OrganizationRecipe("oak", 0, 2, noise=0.6),
        OrganizationRecipe("willow", 0, 2, noise=1.0, meaning=0.4),
    ),
    n_topics=50,
    n_documents=1500,
    run_depth=120,
    relevant=60,
)


# The runs outside the pool.
UNPOOLED_SCORES = """
    select collection_id, run_id, score from fct_run_scores
    inner join dim_runs using (collection_id, run_id)
    where measure = 'P@10' and judgement_set = 'full' and unjudged = 'nonrelevant' and not is_pooled
"""


class Pools:
    """One simulated collection, pooled to several depths, with the true scores of its runs."""

    def __init__(self, warehouse: Warehouse, folder: Path) -> None:
        # The recipe's name is the seed of the rankings: they are the same at every depth.
        pools = [
            pooled
            for depth in DEPTHS
            for pooled in simulate(folder / str(depth), SEED, [replace(RECIPE, pool_depth=depth)])
        ]
        load_together(warehouse, map(_request, pools))
        build(warehouse)
        self.true_precisions = _true_precisions(pools[-1])
        with warehouse.read() as connection:
            self._verdicts, self._figures, self._scores = (
                connection.execute(query).fetchall()
                for query in (
                    "select collection_id, verdict from audit_collections",
                    "select collection_id, rule_id, figure, outcome from audit_verdicts",
                    UNPOOLED_SCORES,
                )
            )

    def verdict(self, depth: int) -> str:
        """Return the verdict on a pool."""
        [[verdict]] = _of(depth, self._verdicts)
        return str(verdict)

    def figures(self, depth: int) -> dict[str, tuple[float, str]]:
        """Return the figure and the outcome of each rule."""
        return {rule: (figure, outcome) for rule, figure, outcome in _of(depth, self._figures)}

    def loss(self, depth: int) -> float:
        """Return the mean true loss of P@10 of the runs outside the pool."""
        found = _of(depth, self._scores)
        return mean(self.true_precisions[run] - float(score) for run, score in found)


def _of(depth: int, rows: list[Any]) -> list[Any]:
    """Return the rows of a pool without its name, which is its depth."""
    return [row for name, *row in rows if name == str(depth)]


def _request(pooled: SimulatedCollection) -> LoadRequest:
    return LoadRequest(
        str(pooled.pool_depth),
        run_files([pooled.runs]),
        pooled.qrels,
        descriptions=pooled.descriptions,
        depth=pooled.pool_depth,
    )


def _true_precisions(simulated: SimulatedCollection) -> dict[str, float]:
    """Score every run by judgements of all documents; a run's file is in the order of its ranks."""
    truth = parse_qrels(read_source(simulated.truth)).rows
    relevant = truth.filter(pl.col("grade") > 0).select("query", "docno")
    precisions = {}
    for file in simulated.runs.iterdir():
        first = parse_run(read_source(file)).rows.group_by("query").head(FIRST)
        found = first.join(relevant, on=["query", "docno"], how="semi").height
        precisions[run_id_of(file.name)] = found / (FIRST * RECIPE.n_topics)
    return precisions


@pytest.fixture(scope="module")
def pools(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Pools:
    folder = tmp_path_factory.mktemp("pools")
    return Pools(new_warehouse(folder), folder)


def test_the_verdict_goes_from_deep_to_shallow(pools: Pools) -> None:
    verdicts = [pools.verdict(depth) for depth in DEPTHS]
    assert verdicts[0] == "reusable"
    assert verdicts[-1] == "not reusable"
    assert verdicts == sorted(verdicts, key=VERDICTS.index)


def test_what_is_truly_lost_is_most_where_the_verdict_is_worst(pools: Pools) -> None:
    losses = {
        verdict: [pools.loss(depth) for depth in DEPTHS if pools.verdict(depth) == verdict]
        for verdict in VERDICTS
    }
    better = [each for verdict in VERDICTS[:-1] for each in losses[verdict]]
    assert max(better) < min(losses["not reusable"])
    # by a reusable pool, a score is wrong by less than one document in a hundred
    assert max(losses["reusable"]) < 0.01


@pytest.mark.parametrize(
    "rule", ["pool_depth", "unjudged_left_out", "unjudged_of_unpooled", "change_left_out"]
)
def test_a_rule_has_both_sides(rule: str, pools: Pools) -> None:
    figures = [pools.figures(depth)[rule] for depth in DEPTHS]
    assert [outcome for _, outcome in (figures[0], figures[-1])] == ["passes", "fails"]
    by_depth = [figure for figure, _ in figures]
    assert by_depth in (sorted(by_depth), sorted(by_depth, reverse=True))


def test_what_all_pools_share_is_told_alike(pools: Pools) -> None:
    for rule in ("pool_explains", "depth_confidence"):
        assert {pools.figures(depth)[rule] for depth in DEPTHS} == {(100.0, "passes")}
