"""Comparing runs: the difference of two runs, and whether it can be trusted.

SQL computes everything (`differences.py`) except the distributions, which come from scipy
(`significance.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from poolhouse.comparing.differences import (
    CORRECTIONS,
    comparable_scores,
    differences_of,
    each_once,
    pairs_of,
    remarks_on_topics,
    tukey_of,
)
from poolhouse.comparing.expected_differences import expected_differences, findings_of
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.comparing.significance import (
    is_exact,
    sign_flip_p_values,
    t_interval,
    t_p_value,
)
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import LEVEL
from poolhouse.scoring.asked_runs import AskedRuns, names_of
from poolhouse.scoring.scored_runs import remarks_on_qrels
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import explained

CONFIDENCE = 0.95
# Number of deciding topics that are named in each direction.
N_DECIDING = 5

_DECISIONS = """
select collection_id, measure, run_id, other_run_id, decision_case
from papers.decision_matrix($collection, $measure)
where list_contains($runs, run_id) and list_contains($runs, other_run_id)
"""


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
    pairs = pairs_of(names_of(request.runs), request.baseline)
    if not request.measures:
        raise PoolhouseError("name a measure to compare by, such as AP")
    with warehouse.read() as connection:
        asked = AskedRuns(connection, collection, request.runs)
        scores = comparable_scores(asked, request.measures)
        compared = differences_of(connection, scores, pairs)
        with explained():
            cases = _decision_cases(asked, scores, asked.loaded if request.has_cases else ())
            on_qrels = remarks_on_qrels(asked, scores)
            expected = expected_differences(asked, scores, CONFIDENCE)
    flipped = sign_flip_p_values(
        compared["topic_differences"].to_list(), request.repetitions, request.seed
    )
    compared = compared.with_columns(pl.Series("randomization_p_value", flipped)).join(
        expected, on=["measure", "run_id", "other_run_id"], how="left", maintain_order="left"
    )
    tested = [
        _tested(of_measure, scores, request.repetitions, request.seed)
        for of_measure in compared.partition_by("measure", maintain_order=True)
    ]
    rows = pl.concat(tested)
    rows = (
        rows.with_columns(
            pl.lit(collection).alias("collection_id"),
            findings_of(rows, "t_p_value_holm", "p_value_if_judged_holm", LEVEL),
        )
        .select(_COLUMNS)
        .join(
            cases,
            on=["collection_id", "measure", "run_id", "other_run_id"],
            how="left",
            maintain_order="left",
        )
    )
    without_cases = _remarks_on_cases(rows) if request.has_cases else ()
    return Comparison(rows, (*on_qrels, *_remarks(rows, scores), *without_cases))


def _decision_cases(asked: AskedRuns, scores: pl.DataFrame, loaded: Sequence[str]) -> pl.DataFrame:
    """Return the cases of Baillie et al.'s decision matrix, 1 to 4, for pairs of loaded runs.

    Each pair occurs in both orders. A measure without a depth has no cases.
    """
    measures = scores.filter("has_decision_case")["measure"].unique(maintain_order=True)
    cases = [pl.DataFrame(schema=_CASE_SCHEMA)]
    # A single loaded run makes no pair, and the matrix tests all runs of the collection.
    for measure in measures if len(loaded) > 1 else ():
        found = asked.ask(_DECISIONS, measure=measure, runs=list(loaded))
        other_way = found.rename({"run_id": "other_run_id", "other_run_id": "run_id"})
        cases += [found, other_way.select(found.columns)]
    return pl.concat(cases, how="vertical_relaxed")


def _tested(
    compared: pl.DataFrame, scores: pl.DataFrame, repetitions: int, seed: int
) -> pl.DataFrame:
    """Add the tests and their corrections to the pairs of one measure."""
    tested = [_test_of(row, repetitions, seed) for row in compared.iter_rows(named=True)]
    rows = pl.concat([compared, pl.DataFrame(tested, schema=_TEST_SCHEMA)], how="horizontal")
    return rows.with_columns(
        *(
            pl.Series(f"{test}_{name}", correct(rows[test].to_list()), pl.Float64)
            for test in ("t_p_value", "randomization_p_value", "p_value_if_judged")
            for name, correct in CORRECTIONS.items()
        ),
        pl.Series("tukey_p_value", tukey_of(compared, scores), pl.Float64),
        pl.lit(rows.height, pl.Int32).alias("n_comparisons"),
    )


def _test_of(row: dict[str, Any], repetitions: int, seed: int) -> dict[str, object]:
    n_topics, differences = row["n_topics"], row["topic_differences"]
    interval = t_interval(row["mean_difference"], row["standard_error"], n_topics, CONFIDENCE)
    low, high = interval or (None, None)
    topics = list(zip(row["topic_ids"], differences, strict=True))
    return {
        "interval_low": low,
        "interval_high": high,
        "t_p_value": t_p_value(row["paired_t"], n_topics),
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
    remarks = remarks_on_topics(scores)
    without_spread = rows.filter(pl.col("paired_t").is_null())
    for measure, run_id, other in without_spread.select(
        "measure", "run_id", "other_run_id"
    ).iter_rows():
        remarks.append(
            f"{run_id} and {other} have the same difference on every topic by {measure}: no t-test"
        )
    without_error = rows.filter(pl.col("tukey_p_value").is_null())["measure"]
    if not without_error.is_empty():
        remarks.append(
            "Tukey's test has no error to compare with by "
            f"{each_once(without_error)}: there is a single topic, or "
            "the runs have the same differences on all topics"
        )
    # Nothing that is unjudged could change a difference where nobody can say what is unjudged.
    with_unjudged = rows.filter(pl.col("n_unjudged").is_not_null())
    unbounded = with_unjudged.filter(pl.col("survives_bounds").is_null())["measure"]
    if not unbounded.is_empty():
        remarks.append(f"unjudged documents cannot change a score by {each_once(unbounded)}")
    tied = rows.filter(pl.col("survives_ties").eq(False), pl.col("mean_difference") != 0)
    for measure, run_id, other in tied.select("measure", "run_id", "other_run_id").iter_rows():
        remarks.append(
            f"{run_id} and {other} by {measure}: the order of tied documents alone could reverse "
            "the difference"
        )
    return remarks


def _remarks_on_cases(rows: pl.DataFrame) -> list[str]:
    """Return a remark on pairs without a case of the decision matrix."""
    with_unjudged = rows.filter(pl.col("n_unjudged").is_not_null())
    undecided = with_unjudged.filter(pl.col("decision_case").is_null())["measure"]
    if undecided.is_empty():
        return []
    return [
        "some pairs have no case of the decision matrix by "
        f"{each_once(undecided)}: the matrix tests loaded runs by "
        "measures with a depth (P@10), on two topics or more"
    ]


_TOPICS = pl.List(pl.Struct({"topic_id": pl.String, "difference": pl.Float64}))
_TEST_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "interval_low": pl.Float64,
    "interval_high": pl.Float64,
    "t_p_value": pl.Float64,
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
    *("randomization_is_exact", "repetitions", "seed", "tukey_p_value"),
    *("finding", "if_judged", "other_if_judged", "difference_if_judged"),
    *("low_if_judged", "high_if_judged", "p_value_if_judged"),
    *("p_value_if_judged_holm", "p_value_if_judged_bonferroni"),
    *("error_if_judged", "degrees_of_freedom_if_judged"),
    *("unjudged_weight", "other_unjudged_weight"),
    *("n_topics_won", "n_topics_tied", "n_topics_lost", "topics_won_most", "topics_lost_most"),
    *("n_unjudged", "n_top_documents", "unjudged_share"),
    *("other_n_unjudged", "other_n_top_documents", "other_unjudged_share"),
    *("lower_bound", "upper_bound", "other_lower_bound", "other_upper_bound", "survives_bounds"),
    *("n_tied_documents", "lowest_score", "highest_score"),
    *("other_n_tied_documents", "other_lowest_score", "other_highest_score", "survives_ties"),
)
