"""Comparing runs: the difference of two runs, and whether it can be trusted.

The table macros of models/intermediate/comparisons compute everything except the distributions,
which come from scipy (`significance.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import duckdb
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError
from poolhouse.scores.scored_runs import (
    NewRun,
    check_loaded,
    measures_named,
    put_rankings,
    scores_by_topic,
)
from poolhouse.scores.significance import (
    bonferroni,
    holm,
    is_exact,
    sign_flip_p_value,
    t_interval,
    t_p_value,
)
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import explanation

SEED = 2009
# Smucker et al. 2007 take as many, so that a p-value of .05 has an error of .001.
REPETITIONS = 100_000
CONFIDENCE = 0.95
# Number of deciding topics that are named in each direction.
N_DECIDING = 5

_DECISIONS = """
select collection_id, measure, run_id, other_run_id, decision_case
from decision_matrix($collection, $measure)
where list_contains($runs, run_id) and list_contains($runs, other_run_id)
"""

_COMPARISONS = """
select * from int_asked_comparisons('compared_scores', 'compared_pairs')
"""


@dataclass(frozen=True)
class ComparisonRequest:
    """The runs of a collection to compare: each pair, or each run with the baseline.

    Text is the name of a loaded run. `baseline` is the name of one of the runs. `repetitions` is
    the number of times that the randomization test draws sign flips, with `seed`.
    """

    collection: str
    runs: Sequence[str | NewRun]
    measures: Sequence[str]
    baseline: str | None = None
    repetitions: int = REPETITIONS
    seed: int = SEED


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison.

    `rows` has one row per measure and pair, in the order of the request; docs/comparing.md lists
    its columns. `remarks` are cautions about the rows.
    """

    rows: pl.DataFrame
    remarks: tuple[str, ...]


def compare(warehouse: Warehouse, request: ComparisonRequest) -> Comparison:
    """Compare runs topic by topic.

    Raise PoolhouseError where fewer than two runs are given, a run is given twice or is unknown, no
    measure is given, a measure is unknown or is not a mean over topics, or the marts of the
    collection are not current. Raise NotJudgedError, UnknownCollectionError or
    WarehouseMissingError as their names say.
    """
    collection = request.collection
    names = [each if isinstance(each, str) else each.run_id for each in request.runs]
    pairs = pairs_of(names, request.baseline)
    if not request.measures:
        raise PoolhouseError("name a measure to compare by, such as AP")
    with warehouse.read() as connection:
        check_built(connection, collection)
        loaded = [each for each in request.runs if isinstance(each, str)]
        check_loaded(connection, collection, loaded)
        try:
            measures = measures_named(connection, request.measures)
            new = [each for each in request.runs if isinstance(each, NewRun)]
            put_rankings(connection, collection, new)
            scores = pl.concat(
                _scores(connection, collection, measure, loaded) for measure in measures
            )
            cases = _decision_cases(connection, collection, scores, loaded)
            put_table(connection, "compared_scores", scores)
            put_table(connection, "compared_pairs", pairs)
            make_macros(connection, "int_asked_comparisons")
            compared = rows_of(connection, _COMPARISONS)
        except duckdb.Error as error:
            raise PoolhouseError(explanation(error)) from error
    compared = compared.with_columns(
        pl.lit(collection).alias("collection_id"),
        pl.col("measure")
        .replace_strict(measures, range(len(measures)), return_dtype=pl.Int64)
        .alias("measure_position"),
    ).sort("measure_position", "position")
    rows = _tested(compared, request.repetitions, request.seed).join(
        cases,
        on=["collection_id", "measure", "run_id", "other_run_id"],
        how="left",
        maintain_order="left",
    )
    return Comparison(rows, tuple(_remarks(rows, scores)))


def pairs_of(names: Sequence[str], baseline: str | None) -> pl.DataFrame:
    """Return the pairs: `position`, `run_id` and `other_run_id`; the baseline is the other run.

    Raise PoolhouseError for fewer than two runs, for a run given twice, and where the baseline is
    not one of the runs.
    """
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise PoolhouseError(f"run {repeated!r} is named twice: a run has no difference to itself")
    if len(names) <= 1:
        raise PoolhouseError("name two runs or more: a single run cannot be compared")
    if baseline is not None and baseline not in names:
        raise PoolhouseError(f"the baseline {baseline!r} is not among the runs: {', '.join(names)}")
    pairs = (
        list(combinations(names, 2))
        if baseline is None
        else [(name, baseline) for name in names if name != baseline]
    )
    return pl.DataFrame(
        [(position, *pair) for position, pair in enumerate(pairs)],
        schema={"position": pl.Int32, "run_id": pl.String, "other_run_id": pl.String},
        orient="row",
    )


def _scores(
    connection: duckdb.DuckDBPyConnection, collection: str, measure: str, loaded: Sequence[str]
) -> pl.DataFrame:
    """Score the runs on each judged topic. Raise PoolhouseError where no mean can be compared."""
    scores = scores_by_topic(connection, collection, measure, loaded)
    [problem] = scores["problem_with_comparing"].unique()
    if problem:
        raise PoolhouseError(problem)
    return scores


def _decision_cases(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    scores: pl.DataFrame,
    loaded: Sequence[str],
) -> pl.DataFrame:
    """Return the cases of Baillie et al.'s decision matrix, 1 to 4, for pairs of loaded runs.

    Each pair occurs in both orders. A measure without a depth has no cases.
    """
    measures = scores.filter("has_decision_case")["measure"].unique(maintain_order=True)
    cases = [pl.DataFrame(schema=_CASE_SCHEMA)]
    # A single loaded run makes no pair, and the matrix tests all runs of the collection.
    for measure in measures if len(loaded) > 1 else ():
        values = {"collection": collection, "measure": measure, "runs": list(loaded)}
        found = rows_of(connection, _DECISIONS, values)
        other_way = found.rename({"run_id": "other_run_id", "other_run_id": "run_id"})
        cases += [found, other_way.select(found.columns)]
    return pl.concat(cases, how="vertical_relaxed")


def _tested(compared: pl.DataFrame, repetitions: int, seed: int) -> pl.DataFrame:
    """Add the tests and their corrections to pairs, with the columns in their order."""
    tested = [_test_of(row, repetitions, seed) for row in compared.iter_rows(named=True)]
    rows = pl.concat([compared, pl.DataFrame(tested, schema=_TEST_SCHEMA)], how="horizontal")
    corrected = []
    for of_measure in rows.partition_by("measure", maintain_order=True):
        columns = [
            pl.Series(f"{test}_{name}", correct(of_measure[test].to_list()), pl.Float64)
            for test in ("t_p_value", "randomization_p_value")
            for name, correct in (("holm", holm), ("bonferroni", bonferroni))
        ]
        n_comparisons = pl.lit(of_measure.height, pl.Int32).alias("n_comparisons")
        corrected.append(of_measure.with_columns(n_comparisons, *columns))
    return pl.concat(corrected).select(_COLUMNS)


def _test_of(row: dict[str, Any], repetitions: int, seed: int) -> dict[str, object]:
    n_topics, differences = row["n_topics"], row["topic_differences"]
    interval = t_interval(row["mean_difference"], row["standard_error"], n_topics, CONFIDENCE)
    low, high = interval or (None, None)
    topics = list(zip(row["topic_ids"], differences, strict=True))
    return {
        "interval_low": low,
        "interval_high": high,
        "t_p_value": t_p_value(row["paired_t"], n_topics),
        "randomization_p_value": sign_flip_p_value(differences, repetitions, seed),
        "randomization_is_exact": is_exact(n_topics, repetitions),
        "repetitions": repetitions,
        "seed": seed,
        "topics_won_most": _deciding(topics, 1),
        "topics_lost_most": _deciding(topics[::-1], -1),
    }


def _deciding(topics: Sequence[tuple[str, float]], sign: int) -> list[dict[str, object]]:
    """Return the first topics in this direction."""
    return [
        {"topic_id": topic, "difference": difference}
        for topic, difference in topics[:N_DECIDING]
        if sign * difference > 0
    ]


def _remarks(rows: pl.DataFrame, scores: pl.DataFrame) -> list[str]:
    """Return remarks on facts that the rows do not show."""
    remarks = []
    unanswered = (
        scores.filter(pl.col("measure") == pl.col("measure").first(), ~pl.col("is_answered"))
        .group_by("run_id", maintain_order=True)
        .len()
    )
    n_topics = rows["n_topics"][0]
    for run_id, n_missing in unanswered.iter_rows():
        remarks.append(
            f"{run_id} answers {n_topics - n_missing} of {n_topics} judged topics: the other "
            "topics count as empty rankings"
        )
    without_spread = rows.filter(pl.col("paired_t").is_null())
    for measure, run_id, other in without_spread.select(
        "measure", "run_id", "other_run_id"
    ).iter_rows():
        remarks.append(
            f"{run_id} and {other} have the same difference on every topic by {measure}: no t-test"
        )
    unbounded = rows.filter(pl.col("survives_bounds").is_null())["measure"]
    if not unbounded.is_empty():
        remarks.append(
            "unjudged documents cannot change a score by "
            f"{', '.join(unbounded.unique(maintain_order=True))}"
        )
    undecided = rows.filter(pl.col("decision_case").is_null())["measure"]
    if not undecided.is_empty():
        remarks.append(
            "some pairs have no case of the decision matrix by "
            f"{', '.join(undecided.unique(maintain_order=True))}: the matrix tests loaded runs by "
            "measures with a depth (P@10), on two topics or more"
        )
    tied = rows.filter(pl.col("survives_ties").eq(False), pl.col("mean_difference") != 0)
    for measure, run_id, other in tied.select("measure", "run_id", "other_run_id").iter_rows():
        remarks.append(
            f"{run_id} and {other} by {measure}: the order of tied documents alone could reverse "
            "the difference"
        )
    return remarks


_TOPICS = pl.List(pl.Struct({"topic_id": pl.String, "difference": pl.Float64}))
_TEST_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "interval_low": pl.Float64,
    "interval_high": pl.Float64,
    "t_p_value": pl.Float64,
    "randomization_p_value": pl.Float64,
    "randomization_is_exact": pl.Boolean,
    "repetitions": pl.Int64,
    "seed": pl.Int64,
    "topics_won_most": _TOPICS,
    "topics_lost_most": _TOPICS,
}
_CASE_SCHEMA: dict[str, type[pl.DataType]] = {
    "collection_id": pl.String,
    "measure": pl.String,
    "run_id": pl.String,
    "other_run_id": pl.String,
    "decision_case": pl.Int32,
}
_COLUMNS = (
    *("collection_id", "measure", "run_id", "other_run_id", "n_topics"),
    *("mean_score", "other_mean_score", "mean_difference", "interval_low", "interval_high"),
    *("standard_error", "effect_size", "n_comparisons"),
    *("paired_t", "t_p_value", "t_p_value_holm", "t_p_value_bonferroni"),
    *("randomization_p_value", "randomization_p_value_holm", "randomization_p_value_bonferroni"),
    *("randomization_is_exact", "repetitions", "seed"),
    *("n_topics_won", "n_topics_tied", "n_topics_lost", "topics_won_most", "topics_lost_most"),
    *("n_unjudged", "n_top_documents", "unjudged_share"),
    *("other_n_unjudged", "other_n_top_documents", "other_unjudged_share"),
    *("lower_bound", "upper_bound", "other_lower_bound", "other_upper_bound", "survives_bounds"),
    *("n_tied_documents", "lowest_score", "highest_score"),
    *("other_n_tied_documents", "other_lowest_score", "other_highest_score", "survives_ties"),
)
