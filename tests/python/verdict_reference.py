"""Compute the figures of a verdict from the rankings and the pool of the plain reference."""

import math
from collections.abc import Collection
from itertools import product
from statistics import mean
from typing import Any

from reference import Reference, Rows, nine_decimals
from thresholds import least_average_precision, verdict_rules

FIRST_RANKS = 10
MEASURE = "AP"
LEAST_PAIRS = 10
# The least share of the judgements that the loaded pooled runs explain where it is told what others
# brought.
LEAST_EXPLAINED = 0.7
OF_THE_MEASURE = {"change_left_out", "largest_unique_change", "order_left_out", "largest_fall"}


def audit_verdicts(reference: Reference, measures: Collection[str]) -> Rows:
    """Return one row per rule: its figure and outcome; `measures` are the measures of the marts."""
    name, figures = reference.collection.name, verdict_figures(reference)
    if MEASURE not in measures:
        figures = {rule: each for rule, each in figures.items() if rule not in OF_THE_MEASURE}
    return {
        (name, rule_id): {
            "figure": figures.get(rule_id),
            "outcome": outcome(rule, figures.get(rule_id)),
        }
        for rule_id, rule in verdict_rules().items()
    }


def outcome(rule: dict[str, str], figure: float | None) -> str:
    """Return the outcome of a figure by the thresholds of its rule."""
    if figure is None:
        return "not told"
    sign = 1 if rule["is_better"] == "higher" else -1
    value = sign * nine_decimals(figure)
    if rule["fails_at"] and value < sign * float(rule["fails_at"]):
        return "fails"
    return "passes with care" if value < sign * float(rule["passes_at"]) else "passes"


def verdict_figures(reference: Reference) -> dict[str, float]:
    """Return the figures that can be computed, by rule."""
    pooled = reference.pooled_runs
    others = [
        run
        for run, ranking in reference.rankings.items()
        if run not in pooled
        and any((topic, doc) in reference.grades for topic in ranking for doc in ranking[topic])
    ]
    figures: dict[str, Any] = {
        "unjudged_of_unpooled": unjudged_percent(reference, others, without=None),
        **_of_the_depth(reference),
    }
    if pooled and reference.judged:
        explained = reference.judged & reference.pool(pooled)
        figures["pool_explains"] = 100 * len(explained) / len(reference.judged)
    if len({reference.organization(run) for run in pooled}) > 1:
        figures["unjudged_left_out"] = unjudged_percent(reference, pooled, without="organization")
        figures |= _of_changes(reference, pooled) | _of_the_order(reference, pooled)
        figures["diversity"] = _diversity(reference, pooled)
    of_runs = reference.fct_generalizability.get((reference.collection.name, "P@10"), {})
    figures["generalizability"] = of_runs.get("generalizability")
    is_told = knows_others(reference)
    return {
        rule: float(figure)
        for rule, figure in figures.items()
        if figure is not None
        and (is_told or _is_told_of_a_part(verdict_rules()[rule], float(figure)))
    }


def _is_told_of_a_part(rule: dict[str, str], figure: float) -> bool:
    """Return whether a figure from a part of the pool says something: other runs only better it."""
    match rule["asks_about"]:
        case "others":
            return outcome(rule, figure) != "fails"
        case "whole pool":
            return False
    return True


def knows_others(reference: Reference) -> bool:
    """Return whether enough of the pool is loaded to know who else brought a document."""
    explained = reference.judged & reference.pool(reference.pooled_runs)
    share = len(explained) / len(reference.judged) if reference.judged else 0
    return bool(reference.pooled_runs) and nine_decimals(share) >= LEAST_EXPLAINED


def unjudged_percent(reference: Reference, runs: list[str], without: str | None) -> float | None:
    """Return the percentage of the runs' first documents that are unjudged.

    With `without`, each run's unique contributions at this level count as unjudged, too.
    """
    unjudged = []
    for run in runs:
        judged = reference.judged - (
            reference.contributed_alone(run, without) if without else set()
        )
        unjudged += [
            (topic, document) not in judged
            for topic, documents in reference.rankings[run].items()
            for document in documents[:FIRST_RANKS]
        ]
    return 100 * sum(unjudged) / len(unjudged) if unjudged else None


def _diversity(reference: Reference, pooled: list[str]) -> float:
    """Return the pairs of the pool over the pairs of an organization, on average."""
    parts: dict[str, set[tuple[str, str]]] = {}
    for run in pooled:
        parts.setdefault(reference.organization(run), set()).update(reference.top(run))
    return len(set().union(*parts.values())) / mean(len(part) for part in parts.values())


def _of_the_depth(reference: Reference) -> dict[str, float | None]:
    if reference.pool_depth_source == "declared":
        return {"pool_depth": reference.pool_depth, "depth_confidence": 100}
    if reference.pool_depth is None or reference.depth_confidence is None:
        return {}
    return {
        "pool_depth": reference.pool_depth,
        "depth_confidence": 100 * nine_decimals(reference.depth_confidence),
    }


def _average_precision(reference: Reference, run: str, judgement_set: str) -> float | None:
    scores = reference.run_scores(MEASURE, judgement_set, "nonrelevant")
    return scores[(run,)]["score"]  # type: ignore[return-value]


def _of_changes(reference: Reference, pooled: list[str]) -> dict[str, float | None]:
    changes: dict[str, list[float]] = {"without_organization": [], "without_unique_relevant": []}
    for run, (judgement_set, of_set) in product(pooled, changes.items()):
        full = _average_precision(reference, run, "full")
        left = _average_precision(reference, run, judgement_set)
        if full and left is not None and full >= least_average_precision():
            of_set.append(100 * abs(full - left) / full)
    return {
        "change_left_out": mean(changes["without_organization"])
        if changes["without_organization"]
        else None,
        "largest_unique_change": max(changes["without_unique_relevant"], default=None),
    }


def _of_the_order(reference: Reference, pooled: list[str]) -> dict[str, float | None]:
    full = {run: _average_precision(reference, run, "full") for run in pooled}
    left = {run: _average_precision(reference, run, "without_organization") for run in pooled}
    concordance = untied = untied_left = 0
    falls = []
    for run in pooled:
        rivals = [each for each in pooled if reference.is_other(each, run, "organization")]
        places = [_sign(full[run], full[rival]) for rival in rivals]
        places_left = [_sign(left[run], full[rival]) for rival in rivals]
        concordance += sum(map(int.__mul__, places, places_left))
        untied += sum(map(abs, places))
        untied_left += sum(map(abs, places_left))
        if rivals:
            falls.append((places_left.count(-1) - places.count(-1)) / len(rivals))
    if untied < 2 * LEAST_PAIRS:
        return {}
    tau = concordance / math.sqrt(untied * untied_left) if untied and untied_left else None
    return {"order_left_out": tau, "largest_fall": 100 * max(falls)}


def _sign(one: float | None, other: float | None) -> int:
    assert one is not None
    assert other is not None
    return (nine_decimals(one) > nine_decimals(other)) - (nine_decimals(one) < nine_decimals(other))
