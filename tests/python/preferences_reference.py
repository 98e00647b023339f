"""Preferences in plain Python: Bradley-Terry scores, what grades say of them, measures of runs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

Preference = tuple[str, str, bool]
"""The better document, the other one, and whether they are equal."""


def bradley_terry(preferences: Sequence[Preference]) -> dict[str, tuple[float, float]]:
    """Return the score and standard error of each document: the iteration of Newman 2023.

    Each document also wins and loses a quarter of a comparison with a document whose score is 0.
    The information is the change of the gradient, by differences.
    """
    names = sorted({each for one, other, _ in preferences for each in (one, other)})
    place = {name: number for number, name in enumerate(names)}
    won = np.zeros((len(names), len(names)))
    for one, other, is_equal in preferences:
        won[place[one], place[other]] += 0.5 if is_equal else 1
        won[place[other], place[one]] += 0.5 if is_equal else 0

    def parts(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        strengths = np.exp(scores)
        sums = strengths[:, None] + strengths
        prior = 0.25 / (1 + strengths)
        return prior + (won * strengths / sums).sum(axis=1), prior + (won.T / sums).sum(axis=1)

    def gradient(scores: np.ndarray) -> np.ndarray:
        gained, lost = parts(scores)
        return np.asarray(gained - lost * np.exp(scores))

    scores = np.zeros(len(names))
    before = scores + 1
    while np.abs(scores - before).max() > 1e-12:
        before, (gained, lost) = scores, parts(scores)
        scores = (scores + np.log(gained / lost)) / 2
    steps = 1e-5 * np.eye(len(names))
    information = [(gradient(scores - step) - gradient(scores + step)) / 2e-5 for step in steps]
    centring = np.eye(len(names)) - 1 / len(names)
    covariance = centring @ np.linalg.inv(information) @ centring
    return {
        name: (float(scores[at] - scores.mean()), float(np.sqrt(covariance[at, at])))
        for name, at in place.items()
    }


def shares(
    preferences: Iterable[Preference], grades: Mapping[str, int], document: str | None = None
) -> dict[str, float | None]:
    """Return what the grades confirm, and what contradicts itself; of one document, or of all."""
    outcomes: dict[frozenset[str], list[str | None]] = defaultdict(list)
    for one, other, is_equal in preferences:
        outcomes[frozenset((one, other))].append(None if is_equal else one)
    seen = {pair: found for pair, found in outcomes.items() if document is None or document in pair}
    strict = [(pair, each) for pair, found in seen.items() for each in found if each]
    graded = [
        (grades[better], grades[other])
        for pair, better in strict
        for other in pair - {better}
        if pair <= grades.keys()
    ]
    repeated = [found for found in seen.values() if len(found) > 1]
    better_of = {}
    for pair, found in outcomes.items():
        counts = {each: found.count(each) for each in pair}
        if len(set(counts.values())) == 2:
            better_of[pair] = max(counts, key=lambda each: counts[each])
    documents = sorted({each for pair in better_of for each in pair})
    winners = [
        [better_of[frozenset(pair)] for pair in combinations(three, 2)]
        for three in combinations(documents, 3)
        if document in (None, *three)
        and all(frozenset(pair) in better_of for pair in combinations(three, 2))
    ]

    def share(part: int, whole: Sequence[object]) -> float | None:
        return part / len(whole) if whole else None

    return {
        "n_won": sum(document in (None, better) for _, better in strict),
        "n_lost": sum(document != better for _, better in strict),
        "n_equal": sum(each is None for found in seen.values() for each in found),
        "n_graded": len(graded),
        "share_confirmed": share(sum(one > other for one, other in graded), graded),
        "share_contradicted": share(sum(one < other for one, other in graded), graded),
        "share_tied": share(sum(one == other for one, other in graded), graded),
        "share_conflicting": share(sum(len(set(found)) > 1 for found in repeated), repeated),
        "n_threes": len(winners),
        "share_cyclic": share(sum(len(set(three)) == 3 for three in winners), winners),
    }


def trec_eval_lines(preferences: Mapping[str, Sequence[Preference]]) -> str:
    """Write preferences by topic for trec_eval -R prefs, each as a judgement group of its own."""
    return "".join(
        f"{topic} {number} 1 {document} {level}\n"
        for topic, of_topic in preferences.items()
        for number, (one, other, is_equal) in enumerate(of_topic)
        for document, level in ((one, 2), (other, 2 if is_equal else 1))
    )
