"""Compute the experiments by brute force: the results that a sample of runs must give.

This is plain Python over sets. It is independent of the SQL, and literal where the SQL takes
shortcuts. The runs of each sample are pooled again, one run is withdrawn, and the unpooled run is
put in its place. Every ranking is scored against the judgements of that pool (Webber & Park 2009,
algorithms 1 to 3).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import md5
from math import sqrt
from statistics import fmean, linear_regression, variance

from expected_relevance_reference import ExpectedRelevance, Run
from reference import Collection, Pair, RunLine, scoring_order

MEASURES = ("P", "RBP(p=0.8)")
TREATMENTS = ("nonrelevant", "condensed")


@dataclass(frozen=True)
class Sample:
    """The runs of a sample."""

    unpooled: str
    pooled: tuple[str, ...]


@dataclass(frozen=True)
class ResidualEstimate:
    """An estimate from one sample of common topics and from residuals.

    `is_fallback` says that the residuals tell nothing, so that this is the estimate without them.
    """

    score: float
    standard_error: float
    degrees_of_freedom: int
    is_fallback: bool


@dataclass(frozen=True)
class TopicEstimate:
    """An estimate from one sample of common topics."""

    unadjusted: float
    deltas: tuple[float, ...]
    adjustment: float
    mixed: float
    sampled: float
    adjusted: float
    delta_variance: float
    true_variance: float
    sampled_standard_error: float
    adjusted_standard_error: float


def score(measure: str, relevant: Sequence[bool], depth: int) -> float:
    """Return the score of a ranking; `relevant` says of each document whether it is relevant."""
    top = relevant[:depth]
    if measure == "P":
        return sum(top) / depth
    return sum(0.2 * 0.8**place for place, is_relevant in enumerate(top) if is_relevant)


def lot(*names: object) -> int:
    """Return a random number: the last 8 bytes of the names' MD5, the first byte the lowest."""
    digest = md5("|".join(map(str, names)).encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[8:], "little")


class ExperimentsReference:
    """The experiments on one collection, with pools of one depth."""

    def __init__(self, collection: Collection, depth: int) -> None:
        self.depth = depth
        self.topics = sorted({topic for topic, _, _ in collection.qrels})
        self.relevant: set[Pair] = {
            (topic, document)
            for topic, document, grade in collection.qrels
            if grade >= collection.threshold
        }
        self.rankings: dict[str, dict[str, list[str]]] = {}
        for run, lines in collection.runs.items():
            by_topic: dict[str, list[RunLine]] = {topic: [] for topic in self.topics}
            for line in lines:
                by_topic.setdefault(line.topic, []).append(line)
            self.rankings[run] = {topic: scoring_order(by_topic[topic]) for topic in self.topics}

    def pool(self, runs: Iterable[str]) -> set[Pair]:
        """Return the pool of the top documents of some runs."""
        return {
            (topic, document)
            for run in runs
            for topic, ranking in self.rankings[run].items()
            for document in ranking[: self.depth]
        }

    def topic_score(self, run: str, topic: str, measure: str, judged: set[Pair] | None) -> float:
        """Score a run on a topic; unjudged documents are not relevant. None: all are judged."""
        known = self.relevant if judged is None else self.relevant & judged
        return score(
            measure, [(topic, each) in known for each in self.rankings[run][topic]], self.depth
        )

    def condensed_score(self, run: str, topic: str, measure: str, judged: set[Pair]) -> float:
        """Score the rest of a run on a topic, after its unjudged documents are removed."""
        left = [each for each in self.rankings[run][topic] if (topic, each) in judged]
        return score(measure, [(topic, each) in self.relevant for each in left], self.depth)

    def scores(self, run: str, measure: str, judged: set[Pair], treatment: str) -> list[float]:
        """Score a run on all judged topics; the run scores 0 on a topic that it does not answer.

        Every document of a pool is judged: the paper adds judgements of not relevant to the qrels.
        """
        score_of = self.topic_score if treatment == "nonrelevant" else self.condensed_score
        return [score_of(run, topic, measure, judged) for topic in self.topics]

    # Algorithm 1

    def estimates(self, sample: Sample, measure: str) -> dict[tuple[str, str], float]:
        """Return the estimates by treatment of unjudged documents and estimator."""
        estimates = {}
        for treatment in TREATMENTS:
            unadjusted = fmean(self.unpooled_scores(sample, measure, treatment))
            estimates[treatment, "unadjusted"] = unadjusted
            for estimator, put_in_place in {
                "webber_park_systems": [sample.unpooled],
                "webber_park_systems_no_substitution": [],
            }.items():
                losses = self.losses(sample, measure, treatment, put_in_place)
                estimates[treatment, estimator] = unadjusted + fmean(losses)
        estimates["nonrelevant", "expected_relevance"] = estimates[
            "nonrelevant", "unadjusted"
        ] + self.expected_gain(sample, measure)
        return estimates

    def expected_gain(self, sample: Sample, measure: str) -> float:
        """Return the gain by expected relevance; each run of the sample is an organization."""
        runs = {
            run: Run(run, run, self.rankings[run], self.pool([run]))
            for run in (sample.unpooled, *sample.pooled)
        }
        expected = ExpectedRelevance(
            runs.values(), self.pool(runs), self.relevant, counts_siblings=True
        )
        return expected.adjustment(runs[sample.unpooled], f"{measure}@{self.depth}")

    def losses(
        self, sample: Sample, measure: str, treatment: str, put_in_place: list[str]
    ) -> Iterator[float]:
        """Yield each pooled run's loss when it is withdrawn, and another run or none replaces it.

        The pooled score is the same under each treatment: all documents to the depth are judged.
        """
        judged = self.pool(sample.pooled)
        for withdrawn in sample.pooled:
            rest = [run for run in sample.pooled if run != withdrawn]
            left = judged & self.pool([*rest, *put_in_place])
            yield (
                fmean(self.scores(withdrawn, measure, judged, "nonrelevant"))
                - fmean(self.scores(withdrawn, measure, left, treatment))
            )

    def true_scores(self, sample: Sample, measure: str) -> list[float]:
        """Return the unpooled run's scores by all judgements, one for each topic."""
        return [self.topic_score(sample.unpooled, topic, measure, None) for topic in self.topics]

    def unpooled_scores(self, sample: Sample, measure: str, treatment: str) -> list[float]:
        """Return the unpooled run's scores by the pool of the sample, one for each topic."""
        return self.scores(sample.unpooled, measure, self.pool(sample.pooled), treatment)

    def variances_over_all_topics(
        self, sample: Sample, measure: str, treatment: str
    ) -> tuple[float, float]:
        """Return the variances over all N topics of the deltas, and of the true scores.

        The paper compares them in section 3.2: "in not one is the variance of true scores less than
        the MSE of adjusted scores". The adjustment of all N topics is the mean of their deltas.
        Therefore the mean squared error is the variance of the deltas.
        """
        true = self.true_scores(sample, measure)
        unpooled = self.unpooled_scores(sample, measure, treatment)
        return variance([t - u for t, u in zip(true, unpooled, strict=True)]), variance(true)

    # Algorithms 2 and 3

    def common_topics(self, seed: int, sample: int, topic_sample: int, n: int) -> list[int]:
        """Draw n common topics, and return their places in `topics`."""
        lots = [lot(seed, "topic", sample, topic_sample, topic) for topic in self.topics]
        return sorted(range(len(lots)), key=lots.__getitem__)[:n]

    def residuals(self, sample: Sample, measure: str) -> list[float]:
        """Return the weight of the unpooled run's documents outside the sample's pool, by topic.

        The weights are the measure's own, down to its cutoff. The residual is the run's score if
        the unjudged documents, and no others, were relevant.
        """
        judged = self.pool(sample.pooled)
        return [
            score(
                measure,
                [(topic, each) not in judged for each in self.rankings[sample.unpooled][topic]],
                self.depth,
            )
            for topic in self.topics
        ]

    def ratio_estimate(
        self,
        true: Sequence[float],
        unpooled: Sequence[float],
        residuals: Sequence[float],
        common: Sequence[int],
    ) -> ResidualEstimate:
        """Estimate by the ratio of gains to residuals (Cochran, Sampling Techniques, chapter 6).

        The estimate of the mean is R times the mean of x over all N (6.1), with R = y / x of the
        sample. Its variance is (1 - f) / n times the sum of (y_i - R x_i)^2 over n - 1 (6.13).
        """
        today = self.topic_estimate(true, unpooled, common)
        n_topics, n = len(true), len(common)
        if sum(residuals[each] for each in common) < 1e-9:
            return ResidualEstimate(today.adjusted, today.adjusted_standard_error, n - 1, True)
        gains = {each: true[each] - unpooled[each] for each in common}
        ratio = sum(gains.values()) / sum(residuals[each] for each in common)
        left = [gains[each] - ratio * residuals[each] for each in common]
        spread = sum(each**2 for each in left) / (n - 1)
        return ResidualEstimate(
            fmean(unpooled) + ratio * fmean(residuals),
            sqrt((1 - n / n_topics) / n * spread),
            n - 1,
            False,
        )

    def regression_estimate(
        self,
        true: Sequence[float],
        unpooled: Sequence[float],
        residuals: Sequence[float],
        common: Sequence[int],
    ) -> ResidualEstimate | None:
        """Estimate by the line of gains over residuals (Cochran, chapter 7); None for two topics.

        The estimate is y + b (X - x), with b by least squares (7.1, 7.9). Its variance is (1 - f) /
        n times the sum of squares about the line over n - 2 (7.29).
        """
        today = self.topic_estimate(true, unpooled, common)
        n_topics, n = len(true), len(common)
        if n < 3:
            return None
        x = [residuals[each] for each in common]
        y = [true[each] - unpooled[each] for each in common]
        if max(x) - min(x) < 1e-9:
            return ResidualEstimate(today.adjusted, today.adjusted_standard_error, n - 1, True)
        slope, intercept = linear_regression(x, y)
        left = [gain - intercept - slope * each for each, gain in zip(x, y, strict=True)]
        return ResidualEstimate(
            fmean(unpooled) + fmean(y) + slope * (fmean(residuals) - fmean(x)),
            sqrt((1 - n / n_topics) / n * sum(each**2 for each in left) / (n - 2)),
            n - 2,
            False,
        )

    def topic_estimate(
        self, true: Sequence[float], unpooled: Sequence[float], common: Sequence[int]
    ) -> TopicEstimate:
        """Estimate from the common topics, whose true scores are known."""
        n_topics, n = len(true), len(common)
        deltas = [true[each] - unpooled[each] for each in common]
        known = [true[each] for each in common]
        mixed = [true[each] if each in common else unpooled[each] for each in range(n_topics)]

        def standard_error(of: float) -> float:
            return sqrt((n_topics - n) / n_topics * of / n)

        return TopicEstimate(
            unadjusted=fmean(unpooled),
            deltas=tuple(deltas),
            adjustment=fmean(deltas),
            mixed=fmean(mixed),
            sampled=fmean(known),
            adjusted=fmean(unpooled) + fmean(deltas),
            delta_variance=variance(deltas),
            true_variance=variance(known),
            sampled_standard_error=standard_error(variance(known)),
            adjusted_standard_error=standard_error(variance(deltas)),
        )
