"""Inference from common topics (Webber & Park 2009), on which the new run is judged too."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from poolhouse.scoring.estimating.estimate_rows import KEY, in_order

# Returns the result of a query as a frame.
_Ask = Callable[[str, dict[str, Any]], pl.DataFrame]

_SEED = 2009
_LEAST_FOR_A_LINE = 3
_CONFIDENCES = {"68": 0.68, "95": 0.95}
_ENDS = ("low", "high")

_FIGURES = """
    select *
    from int_new_run_common_topics($collection, 'new_run', 'common_topics')
"""
_ESTIMATES = """
    select *
    from adjusted_scores_from_topics(
        $collection, 'new_run', 'common_topics', except_run := $run_id
    )
"""
# Columns whose mean over the common topics is estimated; the topics are in the same order.
_TOPIC_SCORES = """
    select
        measure,
        unjudged,
        estimator,
        topic_scores
    from intermediate.int_new_run_topic_adjustments($collection, 'new_run', 'common_topics')
    where topic_scores is not null
    order by all
"""


# Columns that help to choose an estimate: a sentence for a value of the column, and the estimator
# that the sentence is about.
_VERDICTS = (
    (
        "is_adjustment_beyond_its_error",
        True,
        "webber_park_topics",
        "the adjustment is larger than its standard error: the adjusted score is probably better "
        "(68 % or more)",
    ),
    (
        "is_adjustment_beyond_its_error",
        False,
        "webber_park_topics",
        "the adjustment is within its standard error: the adjusted score is not known to be better",
    ),
    (
        "has_smaller_adjusted_variance",
        True,
        "webber_park_topics",
        "webber_park_topics varies less than sampled: prefer webber_park_topics",
    ),
    (
        "has_smaller_adjusted_variance",
        False,
        "sampled",
        "sampled varies less than webber_park_topics: prefer sampled",
    ),
)


# Reasons why an estimator falls back to webber_park_topics.
_FALLBACKS = {
    "ratio_common_topics": "nothing is unjudged on the common topics",
    "regression_common_topics": "as much is unjudged on every common topic",
}


@dataclass(frozen=True)
class FromTopics:
    """Estimates from common topics, one row per measure, treatment and estimator, and remarks."""

    scores: pl.DataFrame
    remarks: list[str]


def infer_from_topics(ask: _Ask, names: dict[str, Any], estimators: Sequence[str]) -> FromTopics:
    """Estimate from the tables `new_run` and `common_topics`.

    `names` holds the collection and the run that is left out of the comparison. `estimators` gives
    the order of the rows. Raise duckdb.Error where no topic is common.
    """
    collection = {"collection": names["collection"]}
    scores = in_order(ask(_ESTIMATES, names), estimators)
    figures = ask(_FIGURES, collection).row(0, named=True)
    bounds = _bootstrapped(scores, ask(_TOPIC_SCORES, collection))
    scores = scores.join(bounds, on=KEY, how="left", maintain_order="left")
    return FromTopics(scores, [*_remarks_on_topics(figures), *_remarks_on_estimates(scores)])


def _bootstrapped(scores: pl.DataFrame, topic_scores: pl.DataFrame) -> pl.DataFrame:
    """Return the bounds of the bootstrap for the estimates that have a standard error."""
    # scipy takes a second to import.
    from poolhouse.scoring.estimating.bootstrap import bootstrap_bounds  # noqa: PLC0415

    varied = scores.filter(pl.col("standard_error") > 0)
    ends = [f"bootstrap_{name}_{end}" for name in _CONFIDENCES for end in _ENDS]
    known = scores.filter(pl.col("standard_error") == 0)
    frames = [known.select(*KEY, *(pl.col("adjusted_score").alias(end) for end in ends))]
    varied = varied.join(topic_scores, on=KEY, maintain_order="left")
    for rows in varied.partition_by("estimator", maintain_order=True):
        values = rows["topic_scores"].list.to_array(rows["n_common_topics"][0]).to_numpy()
        bounds = bootstrap_bounds(values, rows["n_topics"][0], list(_CONFIDENCES.values()), _SEED)
        # The bounds hold for the mean of the scores; the estimate is this mean plus a constant.
        constant = rows["adjusted_score"] - values.mean(axis=1)
        frames.append(
            rows.select(
                *KEY,
                *(
                    (constant + bound).alias(f"bootstrap_{name}_{end}")
                    for name, confidence in _CONFIDENCES.items()
                    for end, bound in zip(_ENDS, bounds[confidence], strict=True)
                ),
            )
        )
    return pl.concat(frames)


def _remarks_on_topics(figures: dict[str, int]) -> Iterator[str]:
    """Return remarks on judgements that are not used, or that the collection contradicts."""
    if figures["n_not_judged"]:
        yield f"topics judged for the run, but not in the collection: {figures['n_not_judged']}"
    if figures["n_not_answered"]:
        yield f"topics judged for the run, but not answered by it: {figures['n_not_answered']}"
    if figures["n_conflicting"]:
        yield (
            "documents with another judgement in the collection, which counts: "
            f"{figures['n_conflicting']}"
        )


def _remarks_on_estimates(scores: pl.DataFrame) -> Iterator[str]:
    """Return remarks on the limits of the common topics, and on the choice of an estimate."""
    first = scores.row(0, named=True)
    n_common, n_topics = first["n_common_topics"], first["n_topics"]
    left_open = scores.filter(pl.col("n_common_unjudged") > 0, estimator="sampled")
    if counts := dict(left_open.select("measure", "n_common_unjudged").rows()):
        shown = ", ".join(f"{n} by {measure}" for measure, n in counts.items())
        yield f"top documents on common topics that nobody judged count as not relevant: {shown}"
    scores = scores.filter(pl.col("n_unjudged") > 0)
    if scores.is_empty():
        return
    if n_common == n_topics:
        yield "all topics are common: estimates are the scores by both judgements, without an error"
        return
    if n_common == 1:
        yield "a single common topic says nothing about the others: there are no intervals"
        return
    for estimator, reason in _FALLBACKS.items():
        fallen_back = scores.filter(pl.col("is_fallback"), estimator=estimator)
        if measures := fallen_back["measure"].to_list():
            yield f"{reason}, so that {estimator} is webber_park_topics ({_listed(measures)})"
    if n_common < _LEAST_FOR_A_LINE:
        yield (
            f"a regression needs {_LEAST_FOR_A_LINE} common topics: there is no "
            "regression_common_topics"
        )
    for (treatment,), rows in scores.group_by("unjudged", maintain_order=True):
        adjusted = rows.filter(estimator="webber_park_topics")
        if alike := adjusted.filter(pl.col("standard_error").is_null())["measure"].to_list():
            yield (
                f"{treatment}: the run gains the same on every common topic: this is no certainty, "
                f"so there are no intervals ({_listed(alike)})"
            )
        for flag, verdict, estimator, words in _VERDICTS:
            judged = adjusted.filter(pl.col(flag) == verdict)
            if measures := _possible(judged, rows.filter(estimator=estimator)):
                yield f"{treatment}: {words} ({_listed(measures)})"


def _possible(judged: pl.DataFrame, estimates: pl.DataFrame) -> list[str]:
    """Return the measures of `judged` by which the estimate is a score that the run can get.

    Nothing is said of another one: common topics that contradict the bounds know no error of it.
    """
    impossible = estimates.filter("is_outside_bounds")
    possible = judged.join(impossible, on="measure", how="anti", maintain_order="left")
    return possible["measure"].to_list()


def _listed(measures: list[str]) -> str:
    return ", ".join(measures)
