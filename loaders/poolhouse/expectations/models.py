"""Promises of the models: values of a vocabulary, numbers of a range, and tests of dbt."""

from poolhouse.expectations.declaration import (
    FINITE,
    FLOAT_NOISE,
    Expectation,
    Subject,
    Suite,
    SuiteName,
    between,
    holds,
    one_of,
)

_UNJUDGED = one_of("unjudged", ("nonrelevant", "condensed"))
_LEVEL = one_of("level", ("run", "organization"))
_SUBSET = one_of("subset", ("all", "top_75"))
_JUDGEMENT_SET = one_of(
    "judgement_set", ("full", "without_run", "without_organization", "without_unique_relevant")
)
# Each score of a topic, with the bounds of its measure.
_BOUNDED_TOPIC_SCORES = """
select
    topic_scores.*,
    measures.lower_bound,
    measures.upper_bound
from main.fct_topic_scores as topic_scores
left join main.dim_measures as measures on topic_scores.measure = measures.measure
"""

# Each score of a run, with the bounds of its measure. A mean cannot leave the bounds, and a sum has
# no upper bound.
_BOUNDED_RUN_SCORES = _BOUNDED_TOPIC_SCORES.replace("topic_scores", "run_scores")


def _with_needs(mart: str) -> str:
    """Return a query of the rows of a mart, each with the source that its estimator needs."""
    return f"""
select
    estimates.*,
    estimators.needs
from {mart} as estimates
left join main.dim_estimators as estimators on estimates.estimator = estimators.estimator
"""  # noqa: S608 - a constant of this module


def _estimator_from(source: str, identifiers: tuple[str, ...]) -> Expectation:
    """Expect the unadjusted score, or an estimator that is listed and needs no other source."""
    return holds(
        "estimator_known",
        f"needs in ('nothing', '{source}')",
        identifiers,
        f"the estimator is learnt from {source}, or from nothing (dim_estimators)",
    )


def _count(column: str, lowest: int = 0) -> Expectation:
    return between(column, lowest, None)


def _share(column: str) -> Expectation:
    return between(column, -FLOAT_NOISE, 1 + FLOAT_NOISE)


def _ratio(column: str) -> Expectation:
    return between(column, 0, FINITE, f"{column} is a finite number, 0 or more")


def _change(column: str) -> Expectation:
    return between(column, -1 - FLOAT_NOISE, 1 + FLOAT_NOISE)


def _not_lowered(column: str, identifiers: tuple[str, ...]) -> Expectation:
    return holds(
        f"{column}_not_below_zero",
        f"unjudged = 'condensed' or {column} >= -{FLOAT_NOISE}",
        (*identifiers, column),
        f"{column} is 0 or more where unjudged documents count as not relevant, so that no "
        "document moves up",
    )


# Views that hold what they promise: keys, nulls, and identities of columns and models. Tables are
# tested when they are built (CONTRIBUTING.md).
VIEWS = Subject(
    "views",
    (),
    (
        holds(
            "tests_of_views_hold",
            "true",
            ("test",),
            "in each view, keys occur once, and nulls and identities are as the model promises",
        ),
    ),
)

_POPULATION = one_of("population", ("random", "manual"))
_SAMPLED = ("population", "width", "sample", "unjudged", "measure")
_ESTIMATED = ("run_id", "level", "subset", "measure", "unjudged", "estimator")
_FROM_SYSTEMS = ("experiment", *_SAMPLED, "estimator")
_LOSSES = ("pool_key", "run_key", "topic_key", "unjudged", "measure")
_FROM_TOPICS = (*_SAMPLED, "n_common_topics", "estimator")

MODELS = Suite(
    SuiteName.MODELS,
    "Promises of the models",
    (
        Subject(
            "main.dim_collections",
            ("collection_id",),
            (
                one_of("pool_depth_source", ("declared", "inferred", "unknown")),
                one_of("pooled_runs_source", ("declared", "inferred", "unknown")),
                _count("pool_depth", 1),
                _count("n_runs", 1),
                _count("n_pooled_runs"),
                _count("n_organizations", 1),
                _count("n_topics"),
                _count("n_judgements"),
                _count("n_relevant"),
            ),
        ),
        Subject(
            "main.dim_runs",
            ("run_id",),
            (
                _count("judged_depth"),
                _count("n_topics"),
                _count("n_retrieved"),
                _count("n_retrieved_in_qrels"),
            ),
        ),
        Subject("main.dim_topics", ("topic_id",), (_count("n_judged"), _count("n_relevant"))),
        Subject(
            "main.fct_judgements",
            ("topic_id", "doc_id"),
            (_count("n_contributing_runs"), _count("n_contributing_organizations")),
        ),
        Subject(
            "main.fct_topic_scores",
            ("run_id", "topic_id", "judgement_set", "unjudged", "measure"),
            (
                holds(
                    "score_within_bounds",
                    f"score >= lower_bound - {FLOAT_NOISE}"
                    f" and (upper_bound is null or score <= upper_bound + {FLOAT_NOISE})",
                    ("run_id", "topic_id", "judgement_set", "unjudged", "measure", "score"),
                    "a score is what its measure can be (dim_measures)",
                ),
                _JUDGEMENT_SET,
                _UNJUDGED,
            ),
            query=_BOUNDED_TOPIC_SCORES,
        ),
        Subject(
            "main.fct_run_scores",
            ("run_id", "judgement_set", "unjudged", "measure"),
            (
                holds(
                    "score_within_bounds",
                    f"coalesce(score, score_all_topics) >= lower_bound - {FLOAT_NOISE}"
                    f" and score_all_topics >= lower_bound - {FLOAT_NOISE}"
                    f" and (upper_bound is null or greatest(score, score_all_topics)"
                    f" <= upper_bound + {FLOAT_NOISE})",
                    ("run_id", "judgement_set", "unjudged", "measure", "score", "score_all_topics"),
                    "a score is what its measure can be (dim_measures)",
                ),
                _count("n_topics"),
                _JUDGEMENT_SET,
                _UNJUDGED,
            ),
            query=_BOUNDED_RUN_SCORES,
        ),
        Subject(
            "main.leaderboard",
            ("run_id",),
            (
                _count("rank", 1),
                _count("n_topics"),
                _count("n_judged_topics", 1),
                _share("unjudged_10"),
            ),
        ),
        Subject(
            "main.topic_leaderboard",
            ("topic_id", "run_id"),
            (_count("rank", 1), _share("unjudged_10")),
        ),
        Subject(
            "main.adjusted_leaderboard",
            ("measure", "run_id"),
            (
                _count("rank", 1),
                _count("adjusted_rank", 1),
                _share("score"),
                _share("lower_bound"),
                _share("upper_bound"),
                _share("expected_error"),
                _share("adjusted_score"),
                _share("adjustment"),
            ),
        ),
        Subject(
            "main.dim_recommended_estimators",
            ("measure",),
            (
                _share("mae"),
                _share("unadjusted_mae"),
                _share("mean_residual"),
                _count("n_runs", 1),
                _count("n_organizations", 2),
                _count("n_topics", 1),
            ),
        ),
        Subject(
            "main.fct_unique_contributions",
            ("organization",),
            (
                _count("n_pooled_runs", 1),
                _count("n_contributed"),
                _count("n_unique_relevant"),
                _share("share_of_own_relevant"),
                _share("share_of_relevant_of_collection"),
            ),
        ),
        Subject(
            "main.fct_unique_relevant_losses",
            ("run_id", "unjudged", "measure"),
            (
                _UNJUDGED,
                # a score may rise without bound, but cannot lose more than itself
                between("loss_in_percent_of_full_score", None, 100 + FLOAT_NOISE),
            ),
        ),
        Subject(
            "main.fct_bias_indicators",
            ("run_id", "level", "subset", "cutoff"),
            (
                _LEVEL,
                _SUBSET,
                _count("cutoff", 1),
                _share("precision"),
                _share("anti_precision"),
                _share("unjudged_rate"),
                _change("delta_precision"),
                _change("delta_anti_precision"),
                _change("delta_unjudged_rate"),
            ),
        ),
        Subject(
            "main.fct_adjusted_scores",
            _ESTIMATED,
            (
                _LEVEL,
                _SUBSET,
                _UNJUDGED,
                _estimator_from("pooled runs", _ESTIMATED),
                _share("true_score"),
                _share("unpooled_score"),
                _change("adjustment"),
                _not_lowered("adjustment", _ESTIMATED),
                _share("lower_bound"),
                _share("upper_bound"),
                _share("clipped_score"),
            ),
            query=_with_needs("main.fct_adjusted_scores"),
        ),
        Subject(
            "main.fct_estimator_errors",
            _ESTIMATED[1:],
            (
                _LEVEL,
                _SUBSET,
                _UNJUDGED,
                _estimator_from("pooled runs", _ESTIMATED[1:]),
                _count("n_runs", 1),
                _share("mae"),
                _count("sre"),
                _change("kendall_tau"),
                _share("clipped_mae"),
                _count("clipped_sre"),
                _change("clipped_kendall_tau"),
            ),
            query=_with_needs("main.fct_estimator_errors"),
        ),
        Subject(
            "audits.fct_generalizability",
            ("measure",),
            (
                _count("n_runs", 2),
                _count("n_topics", 2),
                _share("run_variance"),
                _share("topic_variance"),
                _share("residual_variance"),
                _share("generalizability"),
                _share("dependability"),
            ),
        ),
        Subject(
            "main.fct_topic_deltas",
            ("run_id", "level", "measure"),
            (
                _LEVEL,
                _count("n_topics", 1),
                _change("mean_delta"),
                _share("delta_variance"),
                _share("true_variance"),
            ),
        ),
        Subject(
            "experiments.fct_experiment_samples",
            ("experiment", "population", "width", "sample", "run_id"),
            (_POPULATION, one_of("role", ("unpooled", "pooled")), _count("width", 2)),
        ),
        Subject(
            "experiments.fct_experiment_estimates",
            _FROM_SYSTEMS,
            (
                _POPULATION,
                one_of("experiment", ("bias", "systems")),
                _UNJUDGED,
                _estimator_from("pooled runs", _FROM_SYSTEMS),
                _share("true_score"),
                # not clipped: a score of 1 may be adjusted upwards, one of 0 downwards
                between("estimate", -1 - FLOAT_NOISE, 2),
                _not_lowered("estimate", _FROM_SYSTEMS),
            ),
            query=_with_needs("experiments.fct_experiment_estimates"),
        ),
        Subject(
            "experiments.fct_experiment_topic_errors",
            _FROM_TOPICS,
            (
                _POPULATION,
                _UNJUDGED,
                _estimator_from("common topics", _FROM_TOPICS),
                _count("n_common_topics", 2),
                _count("n_topic_samples", 1),
                _share("mean_absolute_error"),
                _share("mean_squared_error"),
            ),
            query=_with_needs("experiments.fct_experiment_topic_errors"),
        ),
        Subject(
            "experiments.fct_experiment_topic_estimates",
            (*_SAMPLED, "n_common_topics"),
            (
                _POPULATION,
                _UNJUDGED,
                _count("n_common_topics", 2),
                _share("true_score"),
                _share("unadjusted_score"),
                _share("sampled_score"),
                _change("adjustment"),
                _share("delta_variance"),
                _share("true_variance"),
            ),
        ),
        Subject(
            "intermediate.int_candidate_topic_scores",
            ("pool_key", "run_key", "topic_key", "judged_by", "unjudged", "measure"),
            (_LEVEL, one_of("judged_by", ("pool", "truth")), _UNJUDGED, _share("score")),
            by="collection_key",
        ),
        Subject(
            "intermediate.int_member_losses",
            _LOSSES,
            (
                _UNJUDGED,
                _change("loss"),
                _not_lowered("loss", _LOSSES),
            ),
            by="collection_key",
        ),
        Subject(
            "audits.fct_word_titlestats",
            ("topic_id", "word", "document_set"),
            (
                one_of("document_set", ("relevant", "unique_relevant", "pooled")),
                _count("n_documents", 1),
                _count("document_frequency"),
                _share("document_share"),
                _share("titlestat"),
            ),
        ),
        Subject(
            "main.audit_runs",
            ("run_id",),
            (
                _share("topic_share"),
                _ratio("document_share"),
                _share("constant_score_share"),
                _share("in_qrels_share_within"),
                _share("in_qrels_share_beyond"),
                _count("n_repeated_documents"),
                _count("n_gaps"),
            ),
        ),
        Subject(
            "main.audit_collections",
            ("collection_id",),
            (
                _share("in_qrels_share_within"),
                _share("in_qrels_share_beyond"),
                _share("unretrieved_share"),
                _share("share_above"),
                _share("share_below"),
                _share("inferred_depth_confidence"),
                _share("share_judged_outside_pool"),
                _share("share_relevant_outside_pool"),
                _ratio("in_qrels_share_kept"),
                _ratio("depth_ratio"),
                one_of(
                    "verdict",
                    (
                        "reusable",
                        "reusable with care",
                        "not reusable",
                        "cannot be told",
                        "not judged yet",
                    ),
                ),
            ),
        ),
        Subject(
            "main.audit_verdicts",
            ("rule_id",),
            (
                one_of("outcome", ("passes", "passes with care", "fails", "not told")),
                between("figure", -100, FINITE, "a figure is a finite number, -100 or more"),
            ),
        ),
        Subject(
            "audits.audit_pool_depths",
            ("depth",),
            (
                _count("depth", 1),
                _share("share_above"),
                _share("share_below"),
                _share("probability"),
            ),
        ),
        Subject(
            "audits.audit_ranks_in_qrels",
            ("is_pooled", "pooling_rank"),
            (_count("pooling_rank", 1), _share("in_qrels_share")),
        ),
        VIEWS,
    ),
)
