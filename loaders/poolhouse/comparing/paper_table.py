"""The paper's table in long form: runs by measures of one or more collections.

The scores and differences are those of `differences.py`, and the tests those of `table_tests.py`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import duckdb
import polars as pl
from attrs import evolve

from poolhouse.building.staleness import check_built
from poolhouse.comparing.differences import (
    COMPARED_DECIMALS,
    check_baselines,
    comparable_scores,
    each_once,
    remarks_on_topics,
)
from poolhouse.comparing.expected_differences import expected_scores
from poolhouse.comparing.requests import TableRequest
from poolhouse.comparing.table_tests import (
    DIFFERENCE_SCHEMA,
    MEASURE_SCHEMA,
    intervals,
    table_differences,
)
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import (
    CORRECTIONS,
    NO_CORRECTION,
    TUKEY,
)
from poolhouse.scoring.asked_runs import (
    AskedRuns,
    NewRun,
    as_run,
    names_of,
    repeated_in,
    run_ids_of,
)
from poolhouse.scoring.scored_runs import remarks_on_qrels
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.queries import explained

# The documents among which unjudged ones are counted, down to the cutoff of this measure.
_FIRST_TEN = "P@10"
_IF_JUDGED = ("if_judged", "if_judged_95_low", "if_judged_95_high")

_JUDGED_TOPICS = """
select topic_id from dim_topics where collection_id = $collection and is_judged
"""


@dataclass(frozen=True)
class PaperTable:
    """A table of scores in long form.

    `rows` has one row per collection, measure, run and other run that it is compared with, in the
    order of the request; docs/paper_table.md lists the columns. `remarks` are cautions about the
    rows. `request` has the test and the correction that were taken. `without_pool` are the
    collections whose qrels list relevant documents only.
    """

    request: TableRequest
    rows: pl.DataFrame
    remarks: tuple[str, ...]
    without_pool: tuple[str, ...] = ()


def paper_table(warehouse: Warehouse, request: TableRequest) -> PaperTable:
    """Score runs by measures on each collection, and test their differences.

    A run that a collection does not have, and a new run that answers no judged topic of it, has
    rows without values there. Raise PoolhouseError where the request lacks runs, collections or
    measures, names a run or a baseline twice, or is contradictory, where no collection has a run,
    where a measure is unknown or is not a mean over topics, or where the marts of a collection are
    not current. Raise NotJudgedError, UnknownCollectionError or WarehouseMissingError as their
    names say.
    """
    request = _checked(request)
    names = list(dict.fromkeys(names_of(request.runs)))
    check_baselines(names, request.baseline)
    with warehouse.read() as connection:
        present = [_present(connection, each, request.runs) for each in request.collections]
        found = {name for runs in present for name in names_of(runs)}
        # The errors about these runs name the first collection.
        present[0] += [run for run in request.runs if names_of([run])[0] not in found]
        parts = [
            _of_collection(AskedRuns(connection, collection, runs), names, request)
            for collection, runs in zip(request.collections, present, strict=True)
        ]
    rows = pl.concat([rows for rows, _, _ in parts])
    remarks = [remark for _, remarks, _ in parts for remark in remarks]
    named = zip(request.collections, parts, strict=True)
    without_pool = tuple(name for name, (*_, may_be_pool) in named if not may_be_pool)
    return PaperTable(request, rows, tuple(dict.fromkeys(remarks)), without_pool)


def _checked(request: TableRequest) -> TableRequest:
    """Return the request with a test and a correction; raise PoolhouseError where it is wrong."""
    for given, thing in (
        (request.runs, "a run"),
        (request.collections, "a collection"),
        (request.measures, "a measure"),
    ):
        if not given:
            raise PoolhouseError(f"name {thing} for the table")
    if repeated := repeated_in(request.collections):
        raise PoolhouseError(f"collection {repeated!r} is named twice")
    if not 0 < request.level < 1:
        raise PoolhouseError(f"the level {request.level:g} is not between 0 and 1")
    if request.plain and request.estimated:
        raise PoolhouseError("a plain table has no estimated scores")
    test = request.test or ("t" if request.baseline else None)
    if test is None:
        if request.correction is not None:
            raise PoolhouseError("a correction needs a baseline, or a test of all pairs")
        return request
    if test == TUKEY and request.correction is not None:
        raise PoolhouseError("Tukey's test is corrected for all pairs already: name no correction")
    correction = NO_CORRECTION if test == TUKEY else request.correction or CORRECTIONS[0]
    return evolve(request, test=test, correction=correction)


def _present(
    connection: duckdb.DuckDBPyConnection, collection: str, runs: Sequence[str | NewRun]
) -> list[str | NewRun]:
    """Return the loaded and the new runs that answer a judged topic of the collection."""
    check_built(connection, collection)
    loaded = run_ids_of(connection, collection, are_scored=True)
    topics = rows_of(connection, _JUDGED_TOPICS, {"collection": collection})["topic_id"].to_list()
    present = [
        each
        for each in runs
        if (
            each in loaded
            if isinstance(each, str)
            else as_run(each.rows)["query"].is_in(topics).any()
        )
    ]
    if repeated := repeated_in(names_of(present)):
        raise PoolhouseError(f"run {repeated!r} is named twice")
    return present


def _of_collection(
    asked: AskedRuns, names: Sequence[str], request: TableRequest
) -> tuple[pl.DataFrame, list[str], bool]:
    """Return the rows of a collection, the remarks on them, and whether its qrels may be a pool."""
    collection = asked.collection
    if not asked.runs:
        raise PoolhouseError(f"{collection!r} has none of the runs")
    scores = comparable_scores(asked, request.measures, has_bounds=request.is_tested_if_judged)
    with explained():
        expected = expected_scores(asked, scores) if request.estimated else None
    means = _means(scores, expected, request)
    if request.unjudged or request.is_tested_if_judged:
        to_ten = scores.filter(pl.col("measure").str.ends_with("@10"))
        first_ten = to_ten.filter(pl.col("measure") == pl.col("measure").first())
        if first_ten.is_empty():
            first_ten = comparable_scores(asked, [_FIRST_TEN], has_bounds=False)
        means = means.join(_unjudged(first_ten), on="run_id", how="left", maintain_order="left")
    differences = table_differences(asked, scores, request)
    rows = (
        _grid(scores, names, request)
        .join(means, on=["measure", "run_id"], how="left", maintain_order="left")
        .join(
            differences,
            on=["measure", "run_id", "other_run_id"],
            how="left",
            maintain_order="left",
        )
        .select(
            pl.lit(collection).alias("collection_id"),
            *("measure", "run_id"),
            pl.lit(scores["topic_id"].n_unique(), pl.Int32).alias("n_topics"),
            *means.columns[2:],
            *("other_run_id", *DIFFERENCE_SCHEMA),
            pl.lit(request.test, pl.String).alias("test"),
            pl.lit(request.correction, pl.String).alias("correction"),
        )
    )
    on_qrels = remarks_on_qrels(asked, scores)
    remarks = _remarks(collection, scores, names, differences, request)
    may_be_pool = not scores["n_unjudged"].has_nulls()
    return rows, [*(f"{collection}: {each}" for each in on_qrels), *remarks], may_be_pool


def _grid(scores: pl.DataFrame, names: Sequence[str], request: TableRequest) -> pl.DataFrame:
    """Return a row per measure, run and other run; the other run is null where there is none."""
    others = list(request.baseline) or (list(names) if request.test else [])
    pairs: list[tuple[str, str | None]] = [
        (run, other)
        for run in names
        for other in (*(each for each in others if each != run),) or (None,)
    ]
    schema = {"run_id": pl.String, "other_run_id": pl.String}
    measures = scores.select(pl.col("measure").unique(maintain_order=True))
    return measures.join(
        pl.DataFrame(pairs, schema=schema, orient="row"), how="cross", maintain_order="left_right"
    )


def _means(
    scores: pl.DataFrame, expected: pl.DataFrame | None, request: TableRequest
) -> pl.DataFrame:
    """Return one row per measure and run: the mean over topics, its interval, and its place.

    With expected scores, the place is theirs.
    """
    measure = pl.col("measure").first()
    means = scores.group_by("measure", "run_id", maintain_order=True).agg(
        pl.col("is_answered").sum().cast(pl.Int32).alias("n_answered_topics"),
        pl.col("score").mean(),
        (pl.col("score").std() / pl.len().sqrt()).alias("standard_error"),
        pl.len().alias("n_topics"),
        # A higher score is not a better one by a measure of the assessment, or by anti-precision.
        (pl.col("has_bounds").first() & ~measure.str.starts_with("AntiP")).alias("can_be_best"),
    )
    ranked = "score" if expected is None else "if_judged"
    if expected is None:
        expected = pl.DataFrame(schema=MEASURE_SCHEMA | dict.fromkeys(_IF_JUDGED, pl.Float64))
    means = means.join(expected, on=[*MEASURE_SCHEMA], how="left", maintain_order="left")
    shown = [
        None if score is None else float(f"{score:.{request.decimals}f}") for score in means[ranked]
    ]
    exact = pl.col(ranked).round(COMPARED_DECIMALS)
    return means.with_columns(
        *intervals(means, "score", "score", request.level),
        exact.rank("min", descending=True).over("measure").cast(pl.Int32).alias("rank"),
        pl.Series("shown", shown, pl.Float64),
    ).select(
        *("measure", "run_id", "n_answered_topics", "score", "score_low", "score_high"),
        *_IF_JUDGED,
        "rank",
        (pl.col("can_be_best") & (pl.col("shown") == pl.col("shown").max().over("measure"))).alias(
            "is_best"
        ),
    )


def _unjudged(scores: pl.DataFrame) -> pl.DataFrame:
    """Return one row per run: the share of unjudged documents among its first ten, as in marts."""
    share = pl.col("n_unjudged").sum() / pl.col("n_top_documents").sum()
    is_told = pl.col("n_unjudged").is_not_null().all()
    return scores.group_by("run_id").agg(pl.when(is_told).then(share).alias("unjudged_10"))


def _remarks(
    collection: str,
    scores: pl.DataFrame,
    names: Sequence[str],
    differences: pl.DataFrame,
    request: TableRequest,
) -> Iterator[str]:
    present = scores["run_id"].unique().to_list()
    for name in names:
        if name not in present:
            yield f"{name} has no score in {collection}: its cells are empty"
    if request.baseline and not set(request.baseline) & set(present):
        yield f"{collection} has none of the baselines: nothing is compared there"
    for remark in remarks_on_topics(scores):
        yield f"{collection}: {remark}"
    untested = differences.filter(pl.col("p_value").is_null())["measure"]
    if not untested.is_empty():
        yield (
            f"{collection}: some runs cannot be tested by "
            f"{each_once(untested)}: there is a single topic, or they "
            "have the same difference on every topic"
        )
