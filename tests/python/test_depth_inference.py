"""Test the inferred depth on simulated pools: it is robust, and absent where there is no depth."""

from collections.abc import Callable

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from pool_inference import Inferred, infer
from poolhouse.warehouse.frames import put_table

N_RUNS, N_POOLED, N_TOPICS, N_DOCUMENTS, LENGTH, DEPTH = 16, 9, 25, 400, 60, 10
POOLED = frozenset(range(N_POOLED))

# The documents that the qrels hold, with shape (N_TOPICS, N_DOCUMENTS).
InQrels = npt.NDArray[np.bool_]


class Campaign:
    """Runs that rank by shared and by own opinions of documents; the first runs are pooled."""

    def __init__(self, seed: int) -> None:
        self.draw = np.random.default_rng(seed)
        seen = self.draw.normal(size=(1, N_TOPICS, N_DOCUMENTS))
        weight = self.draw.uniform(0.5, 1.5, size=(N_RUNS, 1, 1))
        scores = seen + weight * self.draw.normal(size=(N_RUNS, N_TOPICS, N_DOCUMENTS))
        # Document numbers by rank, shape (N_RUNS, N_TOPICS, LENGTH).
        self.rankings = np.argsort(-scores, axis=2)[:, :, :LENGTH]

    def pool(self, *depths: int) -> InQrels:
        """Return judgements of the first runs' top documents, each to its depth."""
        in_qrels = np.zeros((N_TOPICS, N_DOCUMENTS), dtype=bool)
        for ranking, depth in zip(self.rankings, depths, strict=False):
            np.put_along_axis(in_qrels, ranking[:, :depth], values=True, axis=1)
        return in_qrels

    def lost(self, share: float) -> InQrels:
        """Return the judgements without a random part that is missing."""
        return self.draw.random((N_TOPICS, N_DOCUMENTS)) < share

    def inferred(self, in_qrels: InQrels, *, is_declared: bool = False) -> Inferred:
        """Return what the models infer, from the qrels alone or with the pooled runs declared."""
        run, topic, rank = (each.ravel() for each in np.indices(self.rankings.shape))
        rankings = pl.DataFrame(
            {
                "collection_key": 1,
                "run_key": run,
                "topic_key": topic,
                "doc_key": self.rankings.ravel(),
                "rank": rank + 1,
                "pooling_rank": rank + 1,
                "given_rank": rank + 1,
            }
        )
        topic, document = np.nonzero(in_qrels)
        judgements = pl.DataFrame(
            {"collection_key": 1, "topic_key": topic, "doc_key": document, "grade": 0}
        )
        with duckdb.connect() as connection:
            put_table(connection, "rankings", rankings)
            put_table(connection, "judgements", judgements)
            connection.execute(
                """
                create schema intermediate;
                create table intermediate.int_rankings as select * from rankings;
                create table intermediate.int_judgements as
                select *, true as is_judged, false as is_relevant from judgements;
                create table intermediate.int_collections as
                select
                    1 as collection_key,
                    null::integer as declared_pool_depth,
                    null::varchar as declared_judging,
                    true as is_judged;
                create table intermediate.int_missing_runs as
                select 1 as collection_key, true as is_declared_pooled limit 0;
                create table intermediate.int_topic_attributes as
                select 1 as collection_key, 1 as topic_key, '' as attribute, '' as value limit 0;
                create table intermediate.int_listed_pools as
                select 1 as collection_key, [''] as run_ids, 1 as pool_depth limit 0;
                """
            )
            connection.execute(
                """
                create table intermediate.int_runs as
                select distinct
                    collection_key,
                    run_key,
                    '' as run_id,
                    run_key as organization_key,
                    case when $n_declared > 0 then run_key < $n_declared end as is_declared_pooled,
                    null::integer as declared_pool_depth,
                    false as is_after_pool,
                    '' as sha256
                from rankings;
                """,
                {"n_declared": N_POOLED if is_declared else 0},
            )
            return infer(connection)


@pytest.fixture(params=range(4), ids="seed{}".format)
def campaign(request: pytest.FixtureRequest) -> Campaign:
    return Campaign(request.param)


def _as_deep(campaign: Campaign) -> InQrels:
    return campaign.pool(*[DEPTH] * N_POOLED)


# Changes of qrels that leave the depth of the pool unchanged.
UNMOVED: dict[str, Callable[[Campaign], InQrels]] = {
    "nothing": _as_deep,
    "1 % missing": lambda each: _as_deep(each) & ~each.lost(0.01),
    "2 % missing": lambda each: _as_deep(each) & ~each.lost(0.02),
    "3 % missing": lambda each: _as_deep(each) & ~each.lost(0.03),
    "some runs half as deep": lambda each: each.pool(*[DEPTH] * 6, *[DEPTH // 2] * 3),
    "some runs twice as deep": lambda each: each.pool(*[DEPTH] * 7, *[2 * DEPTH] * 2),
    "a tenth of all documents besides": lambda each: _as_deep(each) | each.lost(0.1),
    "all at once": lambda each: (
        (each.pool(*[DEPTH] * 7, 2 * DEPTH, DEPTH // 2) & ~each.lost(0.03)) | each.lost(0.05)
    ),
}


def _fused(campaign: Campaign) -> InQrels:
    """Judge the best fifth by reciprocal rank fusion: judged shares fall slowly in every run."""
    scores = np.zeros((N_TOPICS, N_DOCUMENTS))
    for ranking in campaign.rankings:
        np.put_along_axis(
            scores,
            ranking,
            np.take_along_axis(scores, ranking, axis=1) + 1 / (60 + np.arange(LENGTH)),
            axis=1,
        )
    return scores >= np.quantile(scores, 0.8, axis=1, keepdims=True)


# Qrels in which no rank is the last of a pool.
WITHOUT: dict[str, Callable[[Campaign], InQrels]] = {
    "a sample": lambda each: each.lost(0.3),
    "nearly everything": lambda each: ~each.lost(0.03),
    "everything": lambda each: ~each.lost(0),
    "nothing": lambda each: each.lost(0),
    "what many runs rank high": _fused,
}


@pytest.mark.some(2)
@pytest.mark.parametrize("happening", UNMOVED)
def test_the_depth_is_not_moved_by(campaign: Campaign, happening: str) -> None:
    inferred = campaign.inferred(UNMOVED[happening](campaign))
    assert inferred.depth == DEPTH
    assert inferred.confidence is not None
    assert inferred.confidence > 0.95


@pytest.mark.some(4)
@pytest.mark.parametrize("qrels", WITHOUT)
def test_where_nothing_drops_there_is_no_depth(campaign: Campaign, qrels: str) -> None:
    assert campaign.inferred(WITHOUT[qrels](campaign)).depth is None


@pytest.mark.some(2)
@pytest.mark.parametrize("share", [0, 0.01, 0.02, 0.03])
def test_pooled_runs_are_found_with_judgements_missing(campaign: Campaign, share: float) -> None:
    """A run that was not pooled may look pooled; every pooled run is found."""
    pooled = campaign.inferred(_as_deep(campaign) & ~campaign.lost(share)).pooled_runs
    assert len(POOLED - pooled) <= 1
    assert len(pooled - POOLED) <= 1


@pytest.mark.some(2)
@pytest.mark.parametrize("depths", [[5, 10, 20] * 3, [10] * 7 + [20] * 2, [3, 4, *range(10, 17)]])
def test_declared_runs_have_depths_of_their_own(campaign: Campaign, depths: list[int]) -> None:
    """A run may show no depth, where others contributed its next documents; few err."""
    inferred = campaign.inferred(campaign.pool(*depths), is_declared=True)
    assert len(inferred.depths) >= N_POOLED - 2
    assert sum(depth != depths[run] for run, depth in inferred.depths.items()) <= 1


@pytest.mark.some(2)
@pytest.mark.parametrize("n_deeper", [0, 1])
def test_a_depth_that_all_runs_but_one_show_is_common(campaign: Campaign, n_deeper: int) -> None:
    depths = [DEPTH] * (N_POOLED - n_deeper) + [2 * DEPTH] * n_deeper
    inferred = campaign.inferred(campaign.pool(*depths), is_declared=True)
    assert inferred.depths == dict.fromkeys(range(N_POOLED), DEPTH)


@pytest.mark.some(1)
def test_a_gap_in_a_hundred_at_every_rank(campaign: Campaign) -> None:
    """Shares are .97 to .98 down to rank 9, .95 at rank 10, .56 at rank 11; rank 2 has gaps too."""
    shares = np.array([*[0.975] * 9, 0.95, 0.56, *np.linspace(0.55, 0.2, LENGTH - 11)])
    # No two runs share a document, so that each run has the judged share of each rank.
    documents = np.arange(N_RUNS * LENGTH).reshape(N_RUNS, 1, LENGTH)
    campaign.rankings = documents.repeat(N_TOPICS, axis=1)
    in_qrels = campaign.draw.random((N_TOPICS, N_RUNS * LENGTH)) < np.tile(shares, N_RUNS)
    inferred = campaign.inferred(in_qrels)
    assert inferred.depth == DEPTH
    assert inferred.confidence is not None
    assert inferred.confidence > 0.95
    assert len(inferred.pooled_runs) >= N_RUNS - 2
