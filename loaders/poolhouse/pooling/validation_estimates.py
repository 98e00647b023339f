"""What people's answers to a sample of the labels of an author say about the author."""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from poolhouse.pooling.budgets import Counts
from poolhouse.pooling.lists import Floats

Z_95 = NormalDist().inv_cdf(0.975)
N_DRAWS = 200
# How much longer the interval of tau is than 98 % of its draws (docs/decisions/judges.md).
LONGER_TAU = 1.25


class Interval(NamedTuple):
    """An estimate with its interval of 95 %."""

    estimate: float
    low: float
    high: float

    def reaches(self, threshold: float) -> bool | None:
        """Return whether all of it is at the threshold or above, or below; None if neither is."""
        if self.low >= threshold or self.high < threshold:
            return self.low >= threshold
        return None

    def n_more_labels(self, threshold: float, n_labels: int, n_left: int) -> int:
        """Return how many of the labels that are left are expected to tell.

        The interval shrinks as by a simple random sample. Where nothing is known, it is all.
        """
        if self.reaches(threshold) is not None:
            return 0
        reach = self.estimate - self.low if self.estimate > threshold else self.high - self.estimate
        distance = abs(self.estimate - threshold)
        if not 0 < distance < reach:
            return n_left
        n = n_labels + n_left
        return math.ceil(1 / (1 / n + (distance / reach) ** 2 * (1 / n_labels - 1 / n))) - n_labels


def interval(estimate: float, error: float | np.floating) -> Interval:
    """Return the interval by the normal distribution."""
    return Interval(estimate, float(estimate - Z_95 * error), float(estimate + Z_95 * error))


@dataclass(frozen=True)
class Validation:
    """The documents that an author labelled, as arrays, of which people answered a sample.

    A stratum has one label, and a simple random sample of two answers or more, or all. `labels` and
    `answers` are 1 for relevant and 0 for not, and nan without an answer. The score of each run, a
    row of `weights`, is the sum of the weights of its relevant documents, numbered by `weighted`.
    """

    strata: Counts
    labels: Floats
    answers: Floats
    weights: Floats
    weighted: Counts

    @cached_property
    def counts(self) -> tuple[Floats, Floats, Floats]:
        """By stratum: the documents, those with an answer, and those that people call relevant."""
        answered = (~np.isnan(self.answers)).astype(np.float64)
        each = np.ones_like(self.answers), answered, np.nan_to_num(self.answers)
        sizes, n_answered, n_relevant = (
            np.bincount(self.strata, one).astype(np.float64) for one in each
        )
        return sizes, n_answered, n_relevant

    @cached_property
    def factors(self) -> Floats:
        """By stratum: the error of a sum for each unit by which an answer differs from the mean."""
        sizes, n, _ = self.counts
        return np.asarray(sizes * np.sqrt((1 - n / sizes) / np.maximum(n * (n - 1), 1)))

    def figures(self) -> dict[str, Interval]:
        """Return Cohen's kappa, the share relevant by the author less by people, and Kendall's tau.

        Errors of the first two are linearized. A share of 0 or 1 is not taken to be sure: errors
        count half an answer more on either side.
        """
        sizes, n, n_relevant = self.counts
        of_author, of_people = np.bincount(self.strata, self.labels) / sizes, n_relevant / n
        author, people, both = (
            float(sizes @ each / sizes.sum())
            for each in (of_author, of_people, of_author * of_people)
        )
        differing, by_chance = author + people - 2 * both, author + people - 2 * author * people
        by_chance = by_chance if by_chance > 0 else math.nan  # the same label everywhere
        smooth = (n_relevant + 0.5) / (n + 1)
        errors = self.factors * np.sqrt(n * smooth * (1 - smooth)) / sizes.sum()
        slopes = (2 * of_author - 1) / by_chance + differing * (1 - 2 * author) / by_chance**2
        low, median, high = np.quantile(self.taus(), [0.01, 0.5, 0.99])
        ends = np.clip(median + LONGER_TAU * (np.array([low, high]) - median), -1, 1)
        return {
            "kappa": interval(1 - differing / by_chance, np.linalg.norm(slopes * errors)),
            "relevance_difference": interval(author - people, np.linalg.norm(errors)),
            "kendall_tau": Interval(float(median), *ends.tolist()),
        }

    @cached_property
    def author_scores(self) -> Floats:
        """The scores of the runs by the author alone."""
        return np.asarray(self.weights @ self.labels[self.weighted])

    def rectified(self) -> tuple[Floats, Floats]:
        """Return the rectified scores of the runs, and the error of each answer in each score.

        A document counts as people answer on its grade, and differences of answers from this mean
        are weighed by the design: the difference estimator of prediction-powered inference. The
        variance of a score is the sum of its squared errors, and runs share answers.
        """
        sizes, n, n_relevant = self.counts
        strata = self.strata[self.weighted]
        expected = (n_relevant / n)[strata]
        differences = self.answers[self.weighted] - expected
        answered = np.flatnonzero(~np.isnan(differences))
        residuals = self.weights[:, answered] * differences[answered]
        scores = self.weights @ expected + residuals @ (sizes / n)[strata[answered]]
        return np.asarray(scores), np.asarray(residuals * self.factors[strata[answered]])

    def taus(self) -> Floats:
        """Return draws of Kendall's tau of the author's order of runs and people's.

        By rectified scores, close runs change places by chance, and tau is too low. So a draw keeps
        a part of their distance from the author's scores: as far as neighbours in the author's
        order differ more in it than in the errors of another draw. It adds errors to this part.
        """
        scores, errors = self.rectified()
        signs = np.random.default_rng(0).integers(0, 2, (errors.shape[1], N_DRAWS)) * 2.0 - 1
        noise, distances = errors @ signs, scores - self.author_scores
        order = np.argsort(self.author_scores, kind="stable")
        spread = np.abs(np.diff(noise[order], axis=0)).sum(axis=0) ** 2
        excess = np.maximum(np.abs(np.diff(distances[order])).sum() ** 2 - np.roll(spread, 1), 0)
        kept = excess / (excess + spread.mean()) if spread.any() else np.ones(N_DRAWS)
        return kendall_taus(
            self.author_scores,
            self.author_scores + np.outer(kept, distances) + (np.sqrt(kept) * noise).T,
        )


def kendall_taus(scores: Floats, others: Floats) -> Floats:
    """Return tau-b of scores with each row of others, or nan. Float noise is no difference."""
    one, other = np.triu_indices(scores.size, 1)
    scores, others = scores.round(9), others.round(9)
    signs, of_others = (
        np.sign(scores[one] - scores[other]),
        np.sign(others[:, one] - others[:, other]),
    )
    n_untied = np.count_nonzero(signs) * np.count_nonzero(of_others, axis=1)
    return np.asarray(of_others @ signs / np.sqrt(np.where(n_untied > 0, n_untied, np.nan)))
