"""Compute by brute force the rows of the marts over many collections (docs/archives.md)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from reference import Reference, Rows, Value, mean, nine_decimals
from verdict_reference import knows_others

Attributes = Mapping[str, Mapping[str, str]]  # topic, attribute, value


@dataclass(frozen=True)
class Dated:
    """A collection, its place among the other collections, and the attributes of its topics."""

    reference: Reference
    track: str | None = None
    year: int | None = None
    task: str | None = None
    attributes: Attributes = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the collection."""
        return self.reference.collection.name


def before(each: Dated, all_of_them: Iterable[Dated]) -> Dated | None:
    """Return the previous collection of the same track and task, by year and then by name."""
    if each.track is None or each.year is None:
        return None
    older = [
        other
        for other in all_of_them
        if (other.track, other.task) == (each.track, each.task)
        and other.year is not None
        and (other.year, other.name.encode()) < (each.year, each.name.encode())
    ]
    return max(older, key=lambda other: (other.year or 0, other.name.encode()), default=None)


def judged_share(reference: Reference, runs: Iterable[str], cutoff: int) -> float | None:
    """Return the judged share of the runs' first documents; None where there are no documents."""
    found = [
        (topic, document) in reference.judged
        for run in runs
        for topic, documents in reference.rankings[run].items()
        for document in documents[:cutoff]
    ]
    return sum(found) / len(found) if found else None


def bias(reference: Reference, measure: str) -> dict[str, float | None]:
    """Return the scores of pooled runs, and their losses when their organization is left out."""
    pairs = []
    full, left = (
        reference.run_scores(measure, name, "nonrelevant")
        for name in ("full", "without_organization")
    )
    for run in reference.pooled_runs:
        scores = [rows[(run,)]["score_all_topics"] for rows in (full, left)]
        assert all(isinstance(score, float) for score in scores)
        pairs.append(scores)
    if not pairs:
        return {"mean": None, "bias": None, "relative_bias": None}
    whole, rest = (mean(float(pair[at] or 0) for pair in pairs) for at in (0, 1))
    loss = mean(float(one or 0) - float(other or 0) for one, other in pairs)
    assert abs(loss - (whole - rest)) < 1e-9
    return {"mean": whole, "bias": loss, "relative_bias": loss / whole if whole else None}


def less(value: Value, other: Value) -> Value:
    """Return the difference of two values; None where one of them is None."""
    if value is None or other is None:
        return None
    assert not isinstance(value, str)
    assert not isinstance(other, str)
    return value - other


def _figures(each: Dated) -> dict[str, Value]:
    reference = each.reference
    runs = list(reference.rankings)
    unpooled = [run for run in runs if run not in reference.pooled_runs and reference.pool_depth]
    judged = judged_share(reference, unpooled, 10)
    ap, p10 = bias(reference, "AP"), bias(reference, "P@10")
    [described] = reference.dim_collections.values()
    return {
        "pool_depth": described["pool_depth"],
        "n_runs": described["n_runs"],
        "n_pooled_runs": described["n_pooled_runs"],
        "judgements_per_topic": len(reference.judged) / len(reference.topics),
        "relevant_per_topic": len(reference.relevant) / len(reference.topics),
        "judged_share_at_10": judged_share(reference, runs, 10),
        "judged_share_at_100": judged_share(reference, runs, 100),
        "unjudged_share_of_unpooled": None if judged is None else 1 - judged,
        "mean_ap": ap["mean"],
        "bias_ap": ap["bias"],
        "relative_bias_ap": ap["relative_bias"],
        "mean_p10": p10["mean"],
        "bias_p10": p10["bias"],
        "relative_bias_p10": p10["relative_bias"],
    }


_DRIFTING = (
    "pool_depth",
    "judged_share_at_10",
    "judged_share_at_100",
    "unjudged_share_of_unpooled",
    "relative_bias_ap",
    "relative_bias_p10",
)


def rpt_archive(collections: Sequence[Dated]) -> Rows:
    """Return one row per collection."""
    rows: Rows = {}
    for each in collections:
        previous = before(each, collections)
        figures = _figures(each)
        earlier = _figures(previous) if previous else dict.fromkeys(_DRIFTING)
        rows[(each.name,)] = {
            "track": each.track,
            "year": each.year,
            "task": each.task,
            **figures,
            "previous_collection_id": previous.name if previous else None,
            **{f"{name}_drift": less(figures[name], earlier[name]) for name in _DRIFTING},
        }
    return rows


_OF_SCORES = (
    *("best_run_id", "best_ap", "median_ap"),
    *("relative_best_ap", "relative_median_ap", "best_rank"),
)


def _of_organizations(each: Dated) -> dict[str, dict[str, Value]]:
    reference = each.reference
    scores: dict[str, float] = {
        str(run): float(row["score_all_topics"] or 0)
        for (run,), row in reference.run_scores("AP", "full", "nonrelevant").items()
    }
    best_of_all, median_of_all = max(scores.values()), median(scores.values())

    def rank(run: str) -> int:
        own = nine_decimals(scores[run])
        return 1 + sum(nine_decimals(score) > own for score in scores.values())

    found: dict[str, dict[str, Value]] = {}
    for organization in map(reference.organization, reference.collection.runs):
        runs = reference.collection.runs
        own = [run for run in runs if reference.organization(run) == organization]
        pooled = [run for run in own if run in reference.pooled_runs]
        is_told = bool(pooled) and knows_others(reference)
        alone = reference.contributed_alone(pooled[0], "organization") if is_told else None
        row: dict[str, Value] = dict.fromkeys(_OF_SCORES)
        # A run that answers no judged topic has no score.
        if scored := [run for run in own if run in scores]:
            best = min(scored, key=lambda run: (rank(run), run))
            of_own = [scores[run] for run in scored]
            row |= {
                "best_run_id": best,
                "best_ap": max(of_own),
                "median_ap": float(median(of_own)),
                "relative_best_ap": max(of_own) / best_of_all if best_of_all else None,
                "relative_median_ap": median(of_own) / median_of_all if median_of_all else None,
                "best_rank": rank(best),
            }
        found[organization] = {
            **row,
            "n_runs": len(own),
            "n_pooled_runs": reference.n_pooled(own),
            "n_unique_judged": None if alone is None else len(alone & reference.judged),
            "n_unique_relevant": None if alone is None else len(alone & reference.relevant),
        }
    return found


def rpt_organizations_by_year(collections: Sequence[Dated]) -> Rows:
    """Return one row per organization and collection."""
    figures = {each.name: _of_organizations(each) for each in collections}
    rows: Rows = {}
    for each in collections:
        for organization, found in figures[each.name].items():
            took_part = [other for other in collections if organization in figures[other.name]]
            previous = before(each, took_part)
            earlier = figures[previous.name][organization]["relative_best_ap"] if previous else None
            rows[organization, each.name] = {
                "track": each.track,
                "year": each.year,
                "task": each.task,
                **found,
                "previous_collection_id": previous.name if previous else None,
                "relative_best_ap_drift": less(found["relative_best_ap"], earlier),
            }
    return rows


def dim_topic_attributes(collections: Sequence[Dated]) -> Rows:
    """Return one row per attribute and topic that the collection has."""
    return {
        (each.name, topic, attribute): {"value": value}
        for each in collections
        for topic, values in each.attributes.items()
        if topic in each.reference.topics
        for attribute, value in values.items()
    }
