"""Compute unique contributions, and fair subsets of the judgements, in plain Python.

The definitions are from Buckley et al. 2006, sections 1 ("with and without the unique relevant
documents of the current group") and 4 ("engineering the judgment set"). Every function that is
named after a mart or table macro returns its rows: natural key to values.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from statistics import fmean

from measures_reference import TREATMENTS, over_topics, score_of
from reference import Pair, Reference, Rows, Value, nine_decimals
from thresholds import least_average_precision, verdict_rules
from verdict_reference import knows_others

# -- Unique contributions --------------------------------------------------------------------------


def fct_unique_contributions(reference: Reference) -> Rows:
    """Return one row per organization with pooled runs."""
    runs: dict[str, list[str]] = {}
    for run in reference.pooled_runs:
        runs.setdefault(reference.organization(run), []).append(run)
    tops = {name: set().union(*map(reference.top, own)) for name, own in runs.items()}
    rows: Rows = {}
    for name, top in tops.items():
        others = set().union(*(each for other, each in tops.items() if other != name))
        relevant, unique = top & reference.relevant, top - others
        n_unique = len(unique & reference.relevant)
        total = len(reference.relevant)
        rows[reference.collection.name, name] = {
            "n_pooled_runs": len(runs[name]),
            "n_contributed": len(top),
            "n_judged": len(top & reference.judged),
            "n_relevant": len(relevant),
            "n_unique_judged": len(unique & reference.judged),
            "n_unique_relevant": n_unique,
            "n_relevant_of_collection": total,
            "share_of_own_relevant": n_unique / len(relevant) if relevant else None,
            "share_of_relevant_of_collection": n_unique / total if total else None,
        }
        if not knows_others(reference):
            of_others = ("n_unique_judged", "n_unique_relevant")
            shares = ("share_of_own_relevant", "share_of_relevant_of_collection")
            rows[reference.collection.name, name] |= dict.fromkeys((*of_others, *shares))
    return rows


def fct_unique_relevant_losses(reference: Reference, measures: Iterable[str]) -> Rows:
    """Return one row per run, treatment of unjudged documents and measure."""
    described = reference.collection.descriptions
    average_precisions = reference.run_scores("AP", "full", "nonrelevant")
    rows: Rows = {}
    for measure, unjudged in product(measures, TREATMENTS):
        full = reference.run_scores(measure, "full", unjudged)
        without = reference.run_scores(measure, "without_unique_relevant", unjudged)
        for run in reference.rankings:
            score = full[run,]["score"]
            other = without[run,]["score"] if knows_others(reference) else None
            loss = None
            if score and other is not None:
                loss = 100 * (score - other) / score  # type: ignore[operator]
            average_precision = average_precisions[run,]["score"]
            is_above = None
            if average_precision is not None:
                is_above = average_precision >= least_average_precision()  # type: ignore[operator]
            is_large = None
            if loss is not None:
                largest = float(verdict_rules()["largest_unique_change"]["passes_at"])
                is_large = nine_decimals(float(loss)) > largest
            rows[reference.collection.name, run, unjudged, measure] = {
                "organization": reference.organization(run),
                "run_type": described[run].run_type or None if run in described else None,
                "is_pooled": reference.is_pooled(run),
                "full_score": score,
                "score_without_unique_relevant": other,
                "loss_in_percent_of_full_score": loss,
                "is_above_floor": is_above,
                "is_flagged": _both(is_above, is_large),
            }
    return rows


def _both(one: bool | None, other: bool | None) -> bool | None:
    """Return whether both hold, by SQL's rules: the result is False if either is False."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def loss_summaries(reference: Reference, measures: Iterable[str]) -> Rows:
    """Return one row per treatment, measure and group of pooled runs that have a loss."""
    groups: dict[tuple[Value, ...], list[tuple[str, dict[str, Value]]]] = {}
    for key, row in fct_unique_relevant_losses(reference, measures).items():
        name, run, unjudged, measure = key
        if row["is_pooled"] and row["loss_in_percent_of_full_score"] is not None:
            for group in (("all", None), ("run_type", row["run_type"])):
                groups.setdefault((name, unjudged, measure, *group), []).append((str(run), row))
    return {
        key: {
            **_summary(rows, ""),
            **_summary([each for each in rows if each[1]["is_above_floor"]], "_above_floor"),
            "n_flagged_runs": sum(row["is_flagged"] is True for _, row in rows),
        }
        for key, rows in groups.items()
    }


def _summary(rows: list[tuple[str, dict[str, Value]]], suffix: str) -> dict[str, Value]:
    """Return number, mean and maximum of the losses, and the first run with the maximum."""
    losses = {run: float(row["loss_in_percent_of_full_score"]) for run, row in rows}  # type: ignore[arg-type]
    worst = min(losses, key=lambda run: (-nine_decimals(losses[run]), run.encode()), default=None)
    return {
        f"n_runs{suffix}": len(losses),
        f"mean_loss_in_percent_of_full_score{suffix}": fmean(losses.values()) if losses else None,
        f"largest_loss_in_percent_of_full_score{suffix}": max(losses.values(), default=None),
        f"largest_loss_run_id{suffix}": worst,
    }


# -- Fair subsets ----------------------------------------------------------------------------------


def fair_judgements(
    reference: Reference, definition: str, n: int | None
) -> dict[Pair, dict[str, Value]]:
    """Return the pairs that stay judged."""
    best: dict[str, dict[str, dict[str, int]]] = {topic: {} for topic in reference.topics}
    for run in reference.pooled_runs:
        own = reference.depth(run) or 0
        depth = min(n or 0, own) if definition == "depth" else own
        for topic, documents in reference.pooling[run].items():
            of_topic = best[topic].setdefault(reference.organization(run), {})
            for rank, document in enumerate(documents[:depth], start=1):
                if (topic, document) in reference.grades:
                    of_topic[document] = min(rank, of_topic.get(document, rank))
    fair: dict[Pair, dict[str, Value]] = {}
    for topic, by_organization in best.items():
        ranks: dict[str, list[int]] = {}
        for contributed in by_organization.values():
            for document, rank in contributed.items():
                ranks.setdefault(document, []).append(rank)
        for each in _chosen(list(filter(None, by_organization.values())), definition, n):
            fair[topic, each] = {
                "relevance": reference.grades[topic, each],
                "is_judged": (topic, each) in reference.judged,
                "is_relevant": (topic, each) in reference.relevant,
                "best_rank": min(ranks[each]),
                "n_contributing_organizations": len(ranks[each]),
            }
    return fair


def _chosen(contributed: list[dict[str, int]], definition: str, n: int | None) -> Iterator[str]:
    """Yield the chosen documents among each organization's contributions to a topic."""
    alone = [
        {
            document: rank
            for document, rank in own.items()
            if not any(document in other for other in contributed if other is not own)
        }
        for own in contributed
    ]
    lists = alone if definition == "unique" else contributed
    least = n if n is not None else min(map(len, lists), default=0)
    for one in lists:
        in_order = sorted(one, key=lambda document, ranks=one: (ranks[document], document.encode()))  # type: ignore[misc]
        yield from in_order if definition == "depth" else in_order[:least]
    if definition == "unique":
        for own, unique in zip(contributed, alone, strict=True):
            yield from own.keys() - unique.keys()


def fair_topic_scores(
    reference: Reference, measure: str, definition: str, n: int | None, unjudged: str
) -> Rows:
    """Return one row per run and judged topic, by the judgements that stay."""
    grades: dict[str, dict[str, int]] = {topic: {} for topic in reference.topics}
    for topic, document in fair_judgements(reference, definition, n):
        grades[topic][document] = reference.grades[topic, document]
    level = reference.collection.threshold
    return {
        (run, topic): {
            "score": score_of(measure, rankings.get(topic, []), grades[topic], level, unjudged),
            "is_answered": topic in rankings,
        }
        for run, rankings in reference.rankings.items()
        for topic in reference.topics
    }


def fair_run_scores(
    reference: Reference, measure: str, definition: str, n: int | None, unjudged: str
) -> Rows:
    """Return one row per run, over the topics that it answers and over all topics."""
    rows: Rows = {}
    by_topic = fair_topic_scores(reference, measure, definition, n, unjudged)
    for run in reference.rankings:
        of_run = [row for (each, _), row in by_topic.items() if each == run]
        answered = [row["score"] for row in of_run if row["is_answered"]]
        rows[run,] = {
            "score": over_topics(measure, answered),  # type: ignore[arg-type]
            "score_all_topics": over_topics(measure, [row["score"] for row in of_run]),  # type: ignore[misc]
            "n_topics": len(answered),
        }
    return rows
