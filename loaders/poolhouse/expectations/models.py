"""Promises of the models: scores and other numbers within their bounds, and views that hold."""

from poolhouse.expectations.declaration import (
    CHECKED,
    FINITE,
    FLOAT_NOISE,
    Expectation,
    Subject,
    Suite,
    SuiteName,
    holds,
)
from poolhouse.expectations.views import VIEWS

# Bounds of numbers: the lowest and the highest one.
_SHARE = (0, 1)
_CHANGE = (-1, 1)
_RATIO = (0, FINITE)
# A score may rise without bound, but cannot lose more than itself.
_LOSS_IN_PERCENT = (-FINITE, 100)
_FIGURE = (-FINITE, FINITE)
# Not clipped: a score of 1 may be adjusted upwards, one of 0 downwards.
_UNCLIPPED = (-1, 2)

# Numbers of marts that are divided, averaged or estimated: the key of the mart within a collection,
# and the columns with their bounds. Scores by all measures have an expectation of their own.
NUMBERS: dict[str, tuple[str, dict[tuple[float, float], str]]] = {
    "main.leaderboard": ("run_id", {_SHARE: "unjudged_10"}),
    "main.topic_leaderboard": ("topic_id, run_id", {_SHARE: "unjudged_10"}),
    "main.adjusted_leaderboard": (
        "measure, run_id",
        {
            _SHARE: (
                "score, lower_bound, upper_bound, expected_error, if_judged, if_judged_95_low, "
                "if_judged_95_high, if_pooled, if_pooled_95_low, if_pooled_95_high"
            )
        },
    ),
    "main.dim_recommended_estimators": (
        "measure",
        {
            _SHARE: (
                "mae, unadjusted_mae, mean_residual, largest_residual, largest_residual_if_judged"
            )
        },
    ),
    "main.fct_unique_contributions": (
        "organization",
        {_SHARE: "share_of_own_relevant, share_of_relevant_of_collection"},
    ),
    "main.fct_unique_relevant_losses": (
        "run_id, unjudged, measure",
        {_LOSS_IN_PERCENT: "loss_in_percent_of_full_score"},
    ),
    "main.fct_bias_indicators": (
        "run_id, level, subset, cutoff",
        {
            _SHARE: "precision, anti_precision, unjudged_rate",
            _CHANGE: "delta_precision, delta_anti_precision, delta_unjudged_rate",
        },
    ),
    "main.fct_adjusted_scores": (
        "run_id, level, subset, measure, unjudged, estimator",
        {
            _SHARE: "true_score, unpooled_score, lower_bound, upper_bound, clipped_score",
            _CHANGE: "adjustment",
        },
    ),
    "main.fct_estimator_errors": (
        "level, subset, measure, unjudged, estimator",
        {_SHARE: "mae, clipped_mae", _CHANGE: "kendall_tau, clipped_kendall_tau"},
    ),
    "main.fct_topic_deltas": (
        "run_id, level, measure",
        {_SHARE: "delta_variance, true_variance", _CHANGE: "mean_delta"},
    ),
    "experiments.fct_experiment_estimates": (
        "experiment, population, width, sample, unjudged, measure, estimator",
        {_SHARE: "true_score", _UNCLIPPED: "estimate"},
    ),
    "experiments.fct_experiment_topic_errors": (
        "population, width, sample, unjudged, measure, n_common_topics, estimator",
        {_SHARE: "mean_absolute_error, mean_squared_error"},
    ),
    "experiments.fct_experiment_topic_estimates": (
        "population, width, sample, unjudged, measure, n_common_topics",
        {
            _SHARE: "true_score, unadjusted_score, sampled_score, delta_variance, true_variance",
            _CHANGE: "adjustment",
        },
    ),
    "main.audit_runs": (
        "run_id",
        {
            _SHARE: "topic_share, constant_score_share, in_qrels_share_within, "
            "in_qrels_share_beyond",
            _RATIO: "document_share",
        },
    ),
    "main.audit_collections": (
        "collection_id",
        {
            _SHARE: "in_qrels_share_within, in_qrels_share_beyond, unretrieved_share, share_above, "
            "share_below, inferred_depth_confidence, share_judged_outside_pool, "
            "share_relevant_outside_pool",
            _RATIO: "in_qrels_share_kept, depth_ratio",
        },
    ),
    "main.audit_verdicts": ("rule_id", {_FIGURE: "figure"}),
    "audits.fct_generalizability": (
        "measure",
        {
            _SHARE: "run_variance, topic_variance, residual_variance, generalizability, "
            "dependability"
        },
    ),
    "audits.fct_word_titlestats": (
        "topic_id, word, document_set",
        {_SHARE: "document_share, titlestat"},
    ),
    "audits.audit_pool_depths": ("depth", {_SHARE: "share_above, share_below, probability"}),
    "audits.audit_ranks_in_qrels": ("is_pooled, pooling_rank", {_SHARE: "in_qrels_share"}),
}


def _numbers(mart: str) -> str:
    """Return a query of one row per number: its mart, row, name, value and bounds."""
    key, bounded = NUMBERS[mart]
    numbers = ", ".join(
        f"{{number: '{number}', value: {number}, lowest: {low}::double, highest: {high}::double}}"
        for (low, high), columns in bounded.items()
        for number in columns.split(", ")
    )
    return f"""
    select
        collection_id,
        '{mart}' as mart,
        struct_pack({key})::varchar as "row",
        unnest([{numbers}], max_depth := 2)
    from {mart}
    where collection_id in (select checked_collection_id from {CHECKED})
    """  # noqa: S608 - constants of this module


# Each mart and number of which a row lies outside the bounds, NaN among them.
_OUTSIDE_BOUNDS = f"""
select
    collection_id,
    mart,
    number,
    count(*) as n_rows,
    min("row") as first_row,
    arg_min(value, "row")::varchar as value,  -- as JSON has no NaN
    lowest,
    highest
from ({" union all ".join(map(_numbers, NUMBERS))})
where value < lowest - {FLOAT_NOISE} or value > highest + {FLOAT_NOISE}
group by all
"""  # noqa: S608 - constants of this module


def _scores(mart: str) -> str:
    """Return a query of the scores of a mart, each with the bounds of its measure."""
    return f"""
    select
        scores.*,
        measures.lower_bound,
        measures.upper_bound
    from {mart} as scores
    left join main.dim_measures as measures on scores.measure = measures.measure
    """  # noqa: S608 - a constant of this module


def _within_bounds(key: tuple[str, ...], scores: tuple[str, ...]) -> Expectation:
    """Expect scores within the bounds of their measure. Without a bound, they are finite."""
    listed = ", ".join(scores)
    return holds(
        "score_within_bounds",
        # both ignore a score that is null beside another one
        f"least({listed}) >= coalesce(lower_bound, -{FINITE}) - {FLOAT_NOISE}"
        f" and greatest({listed}) <= coalesce(upper_bound, {FINITE}) + {FLOAT_NOISE}",
        (*key, *scores),
        "every score is a finite number within the bounds of its measure (dim_measures)",
        "A score outside of them was computed wrongly, and so is every ranking by it.",
    )


def _not_lowered(mart: str, column: str) -> Expectation:
    key, _ = NUMBERS[mart]
    return holds(
        f"{column}_not_below_zero",
        f"unjudged = 'condensed' or starts_with(estimator, 'rectified_by_') "
        f"or {column} >= -{FLOAT_NOISE}",
        (*key.split(", "), column),
        f"{column} is 0 or more where unjudged documents count as not relevant, except for "
        "rectified labels",
        "More judgements can only add relevant documents to such a score, so that an estimator "
        "never lowers it. Labels that are corrected for what they miss elsewhere may; advice takes "
        "the score as it is then.",
    )


_ADJUSTED = "main.fct_adjusted_scores"
_ESTIMATED = "experiments.fct_experiment_estimates"

MODELS = Suite(
    SuiteName.MODELS,
    (
        Subject(
            "main.fct_topic_scores",
            (),
            (
                _within_bounds(
                    ("run_id", "topic_id", "judgement_set", "unjudged", "measure"), ("score",)
                ),
            ),
            query=_scores("main.fct_topic_scores"),
        ),
        Subject(
            "main.fct_run_scores",
            (),
            (
                _within_bounds(
                    ("run_id", "judgement_set", "unjudged", "measure"),
                    ("score", "score_all_topics"),
                ),
            ),
            query=_scores("main.fct_run_scores"),
        ),
        Subject(_ADJUSTED, (), (_not_lowered(_ADJUSTED, "adjustment"),)),
        Subject(_ESTIMATED, (), (_not_lowered(_ESTIMATED, "estimate"),)),
        Subject(
            "marts",
            (),
            (
                holds(
                    "numbers_within_bounds",
                    "false",
                    ("mart", "number", "n_rows", "first_row", "value", "lowest", "highest"),
                    "every share lies between 0 and 1, every change of a score between -1 and 1, "
                    "and every other number within its bounds",
                    "A number outside of them is infinite or was computed wrongly, and so are the "
                    "means and conclusions that rest on it.",
                ),
            ),
            query=_OUTSIDE_BOUNDS,
        ),
        VIEWS,
    ),
)
