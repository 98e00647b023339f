"""Compute the leaderboards in plain Python, from the reference's scores."""

from collections.abc import Collection, Mapping
from statistics import mean

from expected_relevance_reference import weight
from reference import Reference, Rows, Value
from verdict_reference import knows_others

# The measure of each column.
MEASURES = {
    "ap": "AP",
    "p_5": "P@5",
    "p_10": "P@10",
    "p_20": "P@20",
    "p_100": "P@100",
    "ndcg_3": "nDCG@3",
    "ndcg_5": "nDCG@5",
    "ndcg_10": "nDCG@10",
    "ndcg_20": "nDCG@20",
    "rr": "RR",
    "rr_10": "RR@10",
    "rprec": "Rprec",
    "bpref": "Bpref",
    "infap": "infAP",
    "r_100": "R@100",
    "r_1000": "R@1000",
}
# The measures that compare relevant documents with judged ones that are not.
OF_BOTH_KINDS = ("bpref", "infap")
# The measures that the marts hold. The column of any other measure is null, and its place as well.
MATERIALIZED: Collection[str] = MEASURES.values()
DECIMALS = 9
ON_LEADERBOARD = (
    "unadjusted",
    "webber_park_systems",
    "webber_park_systems_no_substitution",
    "expected_relevance",
)
FEWEST_ORGANIZATIONS = 5  # for expected relevance
LARGEST_UNJUDGED_SHARE = 0.6  # for expected relevance


def leaderboard(reference: Reference) -> Rows:
    """Return one row per run, with scores over all judged topics."""
    scores = {
        column: reference.run_scores(measure, "full", "nonrelevant")
        for column, measure in MEASURES.items()
    }
    rows: Rows = {}
    for (run,), values in scores["ap"].items():
        unjudged = [
            share
            for (other, topic), found in reference.topic_scores("AP", "full", "nonrelevant").items()
            if other == run and found["is_answered"]
            for share in first_ten(reference, str(run), str(topic))
        ]
        rows[reference.collection.name, run] = {
            "rank": place(values, scores["ap"], "score_all_topics"),
            "n_topics": values["n_topics"],
            **{
                column: if_told(reference, column, found[run,]["score_all_topics"])
                for column, found in scores.items()
            },
            "unjudged_10": share_of(reference, unjudged),
        }
    return rows


def topic_leaderboard(reference: Reference) -> Rows:
    """Return one row per judged topic and run."""
    scores = {
        column: reference.topic_scores(measure, "full", "nonrelevant")
        for column, measure in MEASURES.items()
    }
    rows: Rows = {}
    for (run, topic), values in scores["ap"].items():
        of_topic = {key: found for key, found in scores["ap"].items() if key[1] == topic}
        unjudged = first_ten(reference, str(run), str(topic)) if values["is_answered"] else []
        rows[reference.collection.name, topic, run] = {
            "rank": place(values, of_topic, "score"),
            "is_answered": values["is_answered"],
            **{
                column: if_told(reference, column, found[run, topic]["score"])
                for column, found in scores.items()
            },
            "unjudged_10": share_of(reference, unjudged),
        }
    return rows


def first_ten(reference: Reference, run: str, topic: str) -> list[bool]:
    """Return for each of the first ten documents whether it is unjudged."""
    documents = reference.rankings[run][topic][:10]
    return [not is_judged(reference, topic, document) for document in documents]


def is_judged(reference: Reference, topic: str, document: str) -> bool:
    return reference.grades.get((topic, document), -1) >= 0


def lists_relevant_documents(reference: Reference) -> bool:
    """Return whether no judged document is not relevant: nobody knows what is unjudged then."""
    return len(reference.judged) == len(reference.relevant)


def if_told(reference: Reference, column: str, value: Value) -> Value:
    """Return the score by a measure of the marts that tells something of the collection."""
    is_told = column not in OF_BOTH_KINDS or not lists_relevant_documents(reference)
    return if_materialized(column, value) if is_told else None


def share_of(reference: Reference, unjudged: list[bool]) -> Value:
    if not unjudged or lists_relevant_documents(reference):
        return None
    return sum(unjudged) / len(unjudged)


def if_materialized(column: str, value: Value) -> Value:
    return value if MEASURES[column] in MATERIALIZED else None


def place(
    values: Mapping[str, Value], others: Mapping[tuple[Value, ...], dict[str, Value]], name: str
) -> Value:
    """Return 1 plus the number of strictly higher scores, without regard to float noise."""
    score = as_compared(values[name])
    higher = sum(as_compared(each[name]) > score for each in others.values())
    return if_materialized("ap", 1 + higher)


def as_compared(score: Value) -> float:
    return round(float(score or 0), DECIMALS)


def recommended_estimators(reference: Reference) -> Rows:
    """Return one row per measure whose bias is estimated, if several organizations are pooled."""
    runs = reference.pooled_runs
    organizations = {reference.organization(run) for run in runs}
    if len(organizations) < 2:
        return {}
    errors: dict[Value, dict[Value, dict[str, Value]]] = {}
    for key, values in reference.fct_estimator_errors.items():
        _, level, subset, measure, unjudged, estimator = key
        if (level, subset, unjudged) == ("organization", "all", "nonrelevant"):
            errors.setdefault(measure, {})[estimator] = values
    rows: Rows = {}
    for measure, by_estimator in errors.items():
        maes = {
            each: by_estimator[each]["clipped_mae"]
            for each in ON_LEADERBOARD
            if (
                len(organizations) >= FEWEST_ORGANIZATIONS
                if each == "expected_relevance"
                else knows_others(reference)
            )
        }
        if not maes:
            continue
        uncertain = {
            each: float(str(mae)) + float(by_estimator[each]["clipped_mae_standard_error"] or 0)
            for each, mae in maes.items()
        }
        best = min(maes, key=lambda each: as_compared(uncertain[each]))
        residuals = [reference.residual_if_pooled(run, str(measure)) for run in runs]
        rows[reference.collection.name, measure] = {
            "estimator": best,
            "mae": maes[best],
            "unadjusted_mae": by_estimator["unadjusted"]["clipped_mae"],
            "n_organizations": len(organizations),
            "n_topics": len(reference.topics),
            "mean_residual": mean(residuals),
            "largest_residual": LARGEST_UNJUDGED_SHARE * weight_of_all(str(measure))
            if best == "expected_relevance"
            else mean(residuals),
            "largest_residual_if_judged": LARGEST_UNJUDGED_SHARE * weight_of_all(str(measure))
            if len(organizations) >= FEWEST_ORGANIZATIONS
            else None,
        }
    return rows


def weight_of_all(measure: str) -> float:
    """Return the score of a topic of which all documents are relevant."""
    cutoff = int(measure.partition("@")[2])
    return sum(weight(measure, rank) for rank in range(1, cutoff + 1))
