"""Adjusting: scores of a run that is not in the warehouse, and estimates as if it were pooled.

The SQL is the table macro `adjusted_scores`, which a build creates in the warehouse.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import duckdb
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.mismatches import mismatch_of_new_run
from poolhouse.scoring.asked_runs import Schema, as_run, columns_of
from poolhouse.scoring.estimating.advice import advice_on
from poolhouse.scoring.estimating.common_topics import infer_from_topics
from poolhouse.scoring.estimating.estimate_rows import (
    ESTIMATORS,
    KEY,
    UNADJUSTED,
    has_estimates,
    in_order,
)
from poolhouse.scoring.estimating.expected_scores import expected_scores, remarks_on_expected
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import explained

# Figures that are the same for all estimators of a measure, and independent of common topics.
_OF_A_MEASURE = [
    *("n_judged_topics", "n_top_documents", "beyond_pool_depth", "upper_bound_if_pooled", "advice"),
    *("advice_if_pooled", "if_judged", "if_judged_95_low", "if_judged_95_high"),
    *("if_judged_estimator", "if_judged_expected_error", "largest_residual_if_judged"),
    *("n_measured_runs", "n_measured_organizations", "mean_residual", "largest_residual"),
]
# Figures of estimates from systems. Only the unadjusted score is both.
_OF_AN_ESTIMATE = ["expected_error", "left_out_error", "is_recommended"]

_JUDGEMENTS: Schema = {"query": pl.String, "docno": pl.String, "grade": pl.Int32}

_SCORES = """
select *
from adjusted_scores(
    $collection, 'new_run', except_run := $run_id, organization := $organization
)
"""

# The marts join much more to a collection, which takes a tenth of a second to plan.
_COLLECTION = """
select
    collections.main_measure,
    topic_counts.topics_caveat,
    outside_pool.share_judged_outside_pool,
    outside_pool.share_relevant_outside_pool
from intermediate.int_collections as collections
left join intermediate.int_topic_counts as topic_counts using (collection_key)
left join intermediate.int_outside_pool as outside_pool using (collection_key)
where collections.collection_id = $collection
"""
# Why nothing is estimated, where a run may have been pooled to a depth that nobody knows.
_UNKNOWN_DEPTH = """
select judging_caveat
from dim_collections
where collection_id = $collection and pool_depth is null and n_pooled_runs is distinct from 0
"""
# They tell nothing where the qrels list relevant documents only.
_OF_BOTH_KINDS = ["Bpref", "infAP"]
_NOTHING_POOLED = "no run was pooled: there is nothing to learn an adjustment from"


@dataclass(frozen=True)
class Adjustment:
    """The results for a new run.

    `scores` has one row per measure, treatment of unjudged documents and estimator. It has the
    columns of the table macro `adjusted_scores`. With common topics it also has the columns of
    `adjusted_scores_from_topics` and the bounds of the bootstrap. `remarks` are cautions about the
    scores. `advice` is one sentence on the score that is expected if every document of the run were
    judged, if it can be told, and names the bounds of the score. `is_loaded` says whether a loaded
    run has the name of the run.
    """

    scores: pl.DataFrame
    remarks: tuple[str, ...]
    advice: str
    is_loaded: bool = False


def adjust(  # noqa: PLR0913 - each names a part of the question
    warehouse: Warehouse,
    collection: str,
    run: pl.DataFrame,
    run_id: str | None = None,
    common_topics: pl.DataFrame | None = None,
    *,
    organization: str | None = None,
) -> Adjustment:
    """Score a run that was not pooled, and estimate what its unjudged documents would add.

    `run` has a row for each retrieved document, with `query`, `docno` and `score`. If the
    collection was pooled by rank or line, it also has `rank` and `line_number`. A loaded run with
    the name `run_id` is left out of the comparison. `common_topics` has a row for each judgement
    that was also made for this run, with `query`, `docno` and `grade`. `organization` made the
    run; by default it is the one of the loaded run. Raise PoolhouseError where `run_id` is a pooled
    run, no loaded run is of the organization, the run answers no judged topic, or the marts of the
    collection are not current. Raise NotJudgedError, UnknownCollectionError or
    WarehouseMissingError.
    """
    run = as_run(run)
    judgements = None if common_topics is None else _as_judgements(common_topics)
    with warehouse.read() as connection:
        check_built(connection, collection)
        remarks = _remarks_on_name(connection, collection, run_id)
        is_loaded = bool(remarks)
        if organization is not None:
            _check_organization(connection, collection, organization)
        with explained():
            put_table(connection, "new_run", run)
            if mismatch := mismatch_of_new_run(connection, collection):
                remarks.append(f"{run_id or 'the run'}: {mismatch}")
            names: dict[str, object] = {"collection": collection, "run_id": run_id}
            estimators = rows_of(connection, ESTIMATORS)["estimator"].to_list()
            ask = partial(rows_of, connection)
            about = rows_of(connection, _COLLECTION, {"collection": collection}).row(0, named=True)
            main_measure = about["main_measure"]
            of_run = {**names, "organization": organization}
            scores = rows_of(connection, _SCORES, of_run)
            estimated = scores["measure"].unique().to_list()
            if scores["n_unjudged"].count() == 0:
                estimated += _OF_BOTH_KINDS
            expected = expected_scores(connection, of_run, estimated, main_measure)
            scores = pl.concat([scores, *expected], how="diagonal_relaxed")
            scores = in_order(scores, estimators, main_measure)
            advice = advice_on(scores, main_measure)
            remarks += [about["topics_caveat"]] if about["topics_caveat"] else []
            remarks += _remarks_on_main_measure(scores, main_measure, collection)
            remarks += _remarks_on_scores(scores)
            remarks += remarks_on_expected(connection, collection, scores)
            if not has_estimates(scores):
                unknown = rows_of(connection, _UNKNOWN_DEPTH, {"collection": collection})
                remarks += unknown["judging_caveat"].drop_nulls().to_list() or [_NOTHING_POOLED]
            remarks += _remarks_on_pool(
                about["share_judged_outside_pool"], about["share_relevant_outside_pool"]
            )
            if judgements is not None:
                put_table(connection, "common_topics", judgements)
                make_macros(connection, "int_new_run_common_topics")
                found = infer_from_topics(ask, names, estimators)
                scores = in_order(_both(scores, found.scores), estimators, main_measure)
                remarks += found.remarks
            remarks += _remarks_on_bounds(scores)
    return Adjustment(scores, tuple(remarks), advice, is_loaded)


def _both(scores: pl.DataFrame, from_topics: pl.DataFrame) -> pl.DataFrame:
    """Join estimates from systems and from topics. Both have `unadjusted`."""
    of_measure = scores.filter(estimator=UNADJUSTED).select("measure", *_OF_A_MEASURE)
    of_row = scores.select(*KEY, *_OF_AN_ESTIMATE)
    from_topics = (
        from_topics.join(of_measure.unique(), on="measure")
        .join(of_row, on=KEY, how="left")
        .with_columns(pl.col("is_recommended").fill_null(value=False))
    )
    only_from_systems = scores.join(from_topics, on=KEY, how="anti")
    columns = [
        *scores.columns,
        *(each for each in from_topics.columns if each not in scores.columns),
    ]
    return pl.concat([only_from_systems, from_topics], how="diagonal_relaxed").select(columns)


def _as_judgements(frame: pl.DataFrame) -> pl.DataFrame:
    """Select the columns of judgements."""
    judgements = columns_of(frame, _JUDGEMENTS, "the judgements of common topics")
    if judgements["grade"].has_nulls():
        raise PoolhouseError("the judgements of common topics have a row without a grade")
    return judgements


def _remarks_on_name(
    connection: duckdb.DuckDBPyConnection, collection: str, run_id: str | None
) -> list[str]:
    """Return a remark if a run of this name is loaded. Raise PoolhouseError if it was pooled."""
    found = connection.execute(
        "select is_pooled from dim_runs where collection_id = ? and run_id = ?",
        [collection, run_id],
    ).fetchall()
    if found == [(True,)]:
        raise PoolhouseError(
            f"run {run_id!r} is one of the pooled runs of {collection!r}: its estimates are in "
            "fct_adjusted_scores; give a new run another name"
        )
    pooled = "not pooled" if found == [(False,)] else "and not known to be pooled"
    return (
        [f"{run_id} is loaded, {pooled}: it is compared with the other loaded runs"]
        if found
        else []
    )


def _check_organization(
    connection: duckdb.DuckDBPyConnection, collection: str, organization: str
) -> None:
    """Raise PoolhouseError for an organization of which no run is loaded."""
    known = connection.execute(
        "select distinct organization from dim_runs where collection_id = ?", [collection]
    ).fetchall()
    if (organization,) not in known:
        raise PoolhouseError(
            f"no loaded run of {collection!r} is of the organization {organization!r}, which need "
            f"not be named then{did_you_mean(organization, [name for (name,) in known])}"
        )


def _remarks_on_bounds(scores: pl.DataFrame) -> Iterator[str]:
    """Return remarks on estimates outside of the scores that are possible.

    An estimate comes from other runs or topics, and so may be outside of them. Estimates from
    common topics are of full judgements, and the others of pooling. Estimates of condensed rankings
    are shown with all estimates, and marked there.
    """
    outside = scores.filter("is_outside_bounds", unjudged="nonrelevant")
    for (estimator,), rows in outside.group_by("estimator", maintain_order=True):
        measures = ", ".join(rows["measure"].unique(maintain_order=True))
        is_from_topics = "n_common_topics" in rows.columns and rows["n_common_topics"].count() > 0
        subject, verb = ("the run", "get") if is_from_topics else ("pooling the run", "give")
        yield (
            f"{estimator} is a score that {subject} cannot {verb}, and counts as the nearest one "
            f"that it can ({measures})"
        )


def _remarks_on_pool(judged: float | None, relevant: float | None) -> list[str]:
    """Return a remark on the judgements that the estimates know nothing about.

    `judged` and `relevant` are shares, 0 to 1: the judged documents and the relevant documents that
    no pooled run contributed. A share is null without such documents or pooled runs.
    """
    if not judged:
        return []
    return [
        f"no loaded run of the pool contributed {judged:.1%} of the judged documents and "
        f"{relevant or 0:.1%} of the relevant documents: every estimate is blind to these documents"
    ]


def _remarks_on_main_measure(scores: pl.DataFrame, main_measure: str, collection: str) -> list[str]:
    """Return a remark if the main measure of the collection is not estimated."""
    if main_measure in scores["measure"]:
        return []
    # Where nothing is estimated, no function has an expected score either.
    others = "; some measures have an expected score (poolhouse docs expected_relevance)"
    return [
        f"{main_measure}, the main measure of {collection}, is not estimated: `poolhouse score -m "
        f"{main_measure}` shows the score as it is, and if its unjudged documents were relevant"
        f"{others if has_estimates(scores) else ''}"
    ]


def _remarks_on_scores(scores: pl.DataFrame) -> list[str]:
    """Return remarks on the limits of the scores."""
    first = scores.row(0, named=True)
    remarks = []
    if first["n_topics"] < first["n_judged_topics"]:
        remarks.append(
            f"the run answers {first['n_topics']} of {first['n_judged_topics']} judged topics: its "
            "scores are means over these topics, and each other run's over the topics it answers"
        )
    n_others, n_pooled = first["n_ranked"] - 1, first["n_ranked_pooled"]
    if n_pooled is not None and (n_unpooled := n_others - (n_pooled - 1)):
        are = "was not pooled and is" if n_unpooled == 1 else "were not pooled and are"
        remarks.append(
            f"{n_unpooled} of the other {n_others} runs {are} not adjusted: the place among all "
            "runs mixes adjusted and unadjusted scores"
        )
    settled = scores.filter(advice="nothing unjudged")["measure"].unique(maintain_order=True)
    if not settled.is_empty():
        remarks.append(
            "none of the run's top documents is unjudged, so that every estimate is the score: "
            f"{', '.join(settled)}"
        )
    if (
        beyond := scores.filter("beyond_pool_depth")["measure"]
        .unique(maintain_order=True)
        .to_list()
    ):
        remarks.append(
            f"deeper than the pool, so that all runs have unjudged documents: {', '.join(beyond)}"
        )
    return remarks
