"""Scores of documents from an author's preferences, and how far these contradict each other."""

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from poolhouse.errors import BadFileError

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Numbers = NDArray[float64]

# In the prior, each document wins and loses so many comparisons with a document whose score is 0.
# Intervals then hold for documents that always win, too (docs/judges.md).
_PRIOR = 0.25
_STILL_MOVES = 1e-10
_MOST_STEPS = 1000
# The matrix of all pairs is solved.
_MOST_DOCUMENTS = 2000


def preference_scores(preferences: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return the rows of raw.preference_scores, from the lines of a file of preferences.

    Raise BadFileError where a topic compares too many documents.
    """
    import numpy as np  # noqa: PLC0415 - takes a tenth of a second

    topics = []
    for (topic,), lines in preferences.group_by("query", maintain_order=True):
        documents = pl.concat([lines["docno"], lines["other_docno"]])
        names, places = np.unique(documents.to_numpy(), return_inverse=True)
        if len(names) > _MOST_DOCUMENTS:
            problem = f"its topic compares {len(names):,} documents, and {_MOST_DOCUMENTS:,} can be"
            raise BadFileError(path, f"{problem} scored: leave some out", lines["line_number"][0])
        is_equal = lines["is_equal"].to_numpy()
        won, equal = (np.zeros((len(names), len(names))) for _ in range(2))
        for counts, chosen in ((won, ~is_equal), (equal, is_equal)):
            np.add.at(counts, tuple(places.reshape(2, -1)[:, chosen]), 1)
        equal += equal.T
        compared = won + won.T + equal
        better = (won > won.T).astype(float)
        decided = better + better.T
        scores, errors = _bradley_terry(won + equal / 2)
        found = {
            "n_won": won.sum(axis=1),
            "n_lost": won.sum(axis=0),
            "n_equal": equal.sum(axis=1),
            "score": scores,
            "standard_error": errors,
            "n_repeated": (compared > 1).sum(axis=1),
            "n_conflicting": (compared > np.maximum(equal, np.maximum(won, won.T))).sum(axis=1),
            "n_threes": np.diag(decided @ decided @ decided) / 2,
            "n_cyclic": np.diag(better @ better @ better),
        }
        topics.append(pl.DataFrame({"query": [topic] * len(names), "docno": names, **found}))
    return pl.concat(topics)


def _bradley_terry(won: "Numbers") -> "tuple[Numbers, Numbers]":
    """Return the scores less their mean, and their standard errors, by Newton's method.

    `won[i, j]` is how often i was better than j; an equal comparison is half of one for either.
    """
    import numpy as np  # noqa: PLC0415 - takes a tenth of a second

    scores = np.zeros(len(won))
    compared = won + won.T
    for _ in range(_MOST_STEPS):
        chances = 1 / (1 + np.exp(scores - scores[:, None]))
        prior = 1 / (1 + np.exp(-scores))
        slope = _PRIOR * (1 - 2 * prior) + (won - compared * chances).sum(axis=1)
        weights = compared * chances * (1 - chances)
        of_document = 2 * _PRIOR * prior * (1 - prior) + weights.sum(axis=1)
        information = np.diag(of_document) - weights
        step = np.linalg.solve(information, slope)
        scores += step / max(1, 2 * np.abs(step).max())
        if np.abs(step).max() < _STILL_MOVES:
            break
    less_mean = np.eye(len(won)) - 1 / len(won)
    covariance = less_mean @ np.linalg.inv(information) @ less_mean
    return less_mean @ scores, np.sqrt(np.diag(covariance))
