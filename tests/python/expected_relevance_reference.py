"""Compute expected relevance by brute force: the chance that each unjudged document is relevant.

This is plain Python over dicts and sets, from the words of the definition. The pool is looked at
again for each run whose organization leaves it. Support and precisions are fractions, so that float
noise does not decide on a class.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from statistics import fmean

from measures_reference import at, parse

# A document within a topic: topic id and document id.
Pair = tuple[str, str]

OUTSIDE = ""  # the organization of a run outside of the pool
PRIOR = 10  # documents that a prior share counts as
N_CLASSES = 5
DECIMALS = 9


def weight(measure: str, rank: int) -> float:
    """Return what a relevant document at a rank adds to the score of a topic by P@n or RBP@n."""
    asked = parse(measure)
    if rank > at(asked):
        return 0.0
    if asked.name == "RBP":
        return (1 - asked.persistence) * asked.persistence ** (rank - 1)
    return 1 / at(asked)


@dataclass(frozen=True, eq=False)
class Run:
    """A run on the judged topics: its rankings, and the documents that it contributed.

    A run outside of the pool has no organization of the pool, and would have contributed them.
    """

    organization: str
    rankings: Mapping[str, Sequence[str]]
    contributed: AbstractSet[Pair]

    @cached_property
    def ranks(self) -> dict[Pair, int]:
        """Return the rank of each document, at any depth."""
        return {
            (topic, document): rank
            for topic, ranking in self.rankings.items()
            for rank, document in enumerate(ranking, start=1)
        }


@dataclass(frozen=True)
class Unjudged:
    """An unjudged document of a run."""

    rank: int
    rare_precision: Fraction
    topic_precision: Fraction
    support: Fraction
    probability: float
    is_relevant: bool | None

    @property
    def variance(self) -> float:
        """Return the variance of its relevance."""
        return self.probability * (1 - self.probability)


@dataclass(frozen=True)
class Example:
    """A contribution of a document that would be unjudged without its contributor."""

    product: Fraction
    support: Fraction
    is_relevant: bool


class ExpectedRelevance:
    """The estimates of the runs of a pool, and of runs outside."""

    def __init__(
        self, pool: Iterable[Run], judged: AbstractSet[Pair], relevant: AbstractSet[Pair]
    ) -> None:
        self.pool = list(pool)
        self.judged = judged
        self.relevant = relevant
        self.organizations = sorted({run.organization for run in self.pool})
        self.contributors: dict[Pair, set[str]] = {}
        self.best_ranks: dict[Pair, dict[str, int]] = {}
        for run in self.pool:
            for pair in run.contributed:
                self.contributors.setdefault(pair, set()).add(run.organization)
            for pair, rank in run.ranks.items():
                ranks = self.best_ranks.setdefault(pair, {})
                ranks[run.organization] = min(ranks.get(run.organization, rank), rank)

    # What is judged when an organization has left the pool

    def is_judged_without(self, organization: str, pair: Pair) -> bool:
        """Return whether a document is judged then; all judgements stay if it was not pooled."""
        if organization not in self.organizations:
            return pair in self.judged
        return pair in self.judged and bool(self.others(organization, pair))

    def others(self, organization: str, pair: Pair) -> set[str]:
        """Return the other organizations that contributed a document."""
        return self.contributors.get(pair, set()) - {organization}

    def unjudged_pairs(self, run: Run) -> list[Pair]:
        """Return the contributions of a run that nobody judges then.

        A pooled run's document that nobody judged at all stays unjudged in any pool.
        """
        return [
            pair
            for pair in sorted(run.contributed)
            if not self.is_judged_without(run.organization, pair)
            and (pair in self.judged or run.organization not in self.organizations)
        ]

    # Precisions

    def share(self, pairs: Iterable[Pair], prior: Fraction) -> Fraction:
        """Return the share of relevant documents, with a prior share of ten more documents."""
        counted = list(pairs)
        n_relevant = sum(pair in self.relevant for pair in counted)
        return (n_relevant + PRIOR * prior) / (len(counted) + PRIOR)

    def share_in_pool(self, is_counted: Callable[[int], bool]) -> Fraction:
        """Return the share among judged documents by their number of organizations, or 0."""
        counted = [
            pair
            for pair, organizations in self.contributors.items()
            if pair in self.judged and is_counted(len(organizations))
        ]
        n_relevant = sum(pair in self.relevant for pair in counted)
        return Fraction(n_relevant, len(counted)) if counted else Fraction(0)

    def seen(self, run: Run) -> list[Pair]:
        """Return the contributions of a run that are judged without its organization."""
        return [pair for pair in run.contributed if self.is_judged_without(run.organization, pair)]

    def rare_precision(self, run: Run) -> Fraction:
        """Return the precision among documents that exactly one other organization contributed."""
        rare = [pair for pair in self.seen(run) if len(self.others(run.organization, pair)) == 1]
        return self.share(rare, self.share_in_pool(lambda number: number == 2))

    def topic_precision(self, run: Run, topic: str) -> Fraction:
        """Return the precision on a topic, whose prior is the precision on all topics."""
        seen = self.seen(run)
        of_run = self.share(seen, self.share_in_pool(lambda number: number > 1))
        return self.share((pair for pair in seen if pair[0] == topic), of_run)

    @cache  # noqa: B019 - it lives as long as the test
    def product(self, run: Run, topic: str) -> Fraction:
        """Return the product of both precisions."""
        return self.rare_precision(run) * self.topic_precision(run, topic)

    # Support

    def support(self, pair: Pair, without: AbstractSet[str]) -> Fraction:
        """Return the support of a document by all organizations but some."""
        ranks = self.best_ranks.get(pair, {})
        return sum(
            (Fraction(1, 5 + rank) for each, rank in ranks.items() if each not in without),
            Fraction(0),
        )

    @cache  # noqa: B019 - it lives as long as the test
    def limits(self) -> list[float]:
        """Return the limits between classes with equally many documents of a sole contributor.

        They are the quantiles of these documents' support, interpolated between two documents.
        """
        supports = sorted(
            round(float(self.support(pair, organizations)), DECIMALS)
            for pair, organizations in self.contributors.items()
            if pair in self.judged and len(organizations) == 1
        )
        limits = []
        for number in range(1, N_CLASSES) if supports else ():
            below, beyond = divmod(number * (len(supports) - 1), N_CLASSES)
            lower, upper = supports[below], supports[min(below + 1, len(supports) - 1)]
            limits.append(lower + (upper - lower) * beyond / N_CLASSES)
        return limits

    def support_class(self, support: Fraction) -> int:
        """Return the number of limits that a support reaches."""
        return sum(limit <= round(float(support), DECIMALS) for limit in self.limits())

    # Factors

    def examples(self, organization: str) -> list[Example]:
        """Return the contributions by others of what they contributed alone, or with the one."""
        return [
            Example(
                self.product(run, pair[0]),
                self.support(pair, {run.organization, organization}),
                pair in self.relevant,
            )
            for run in self.pool
            if run.organization != organization
            for pair in run.contributed
            if pair in self.judged and self.contributors[pair] <= {run.organization, organization}
        ]

    @cache  # noqa: B019 - it lives as long as the test
    def factors(self, organization: str) -> list[Fraction]:
        """Return the factor of each class of support when an organization has left the pool."""
        examples = self.examples(organization)
        total = sum((each.product for each in examples), Fraction(0))
        if not total:
            return [Fraction(1)] * N_CLASSES
        of_all = sum(each.is_relevant for each in examples) / total
        mean_product = total / len(examples)
        factors = []
        for number in range(N_CLASSES):
            in_class = [each for each in examples if self.support_class(each.support) == number]
            n_relevant = sum(each.is_relevant for each in in_class)
            expected = sum((each.product for each in in_class), Fraction(0))
            factors.append(
                (n_relevant + PRIOR * of_all * mean_product) / (expected + PRIOR * mean_product)
            )
        return factors

    # Estimates

    @cache  # noqa: B019 - it lives as long as the test
    def unjudged(self, run: Run) -> dict[Pair, Unjudged]:
        """Return the unjudged documents of a run."""
        found = {}
        for pair in self.unjudged_pairs(run):
            topic, _ = pair
            support = self.support(pair, {run.organization})
            factor = self.factors(run.organization)[self.support_class(support)]
            found[pair] = Unjudged(
                run.ranks[pair],
                self.rare_precision(run),
                self.topic_precision(run, topic),
                support,
                min(1.0, float(factor * self.product(run, topic))),
                pair in self.relevant if pair in self.judged else None,
            )
        return found

    def adjustment(self, run: Run, measure: str) -> float:
        """Return the expected gain of the mean over topics."""
        found = self.unjudged(run).values()
        return math.fsum(weight(measure, each.rank) * each.probability for each in found) / len(
            run.rankings
        )

    def variance(self, run: Run, measure: str) -> float:
        """Return the variance of the gain if documents were independent."""
        found = self.unjudged(run).values()
        return math.fsum(weight(measure, each.rank) ** 2 * each.variance for each in found) / (
            len(run.rankings) ** 2
        )

    def gain(self, run: Run, measure: str) -> float:
        """Return the gain by the judgements."""
        found = self.unjudged(run).values()
        return math.fsum(weight(measure, each.rank) for each in found if each.is_relevant) / len(
            run.rankings
        )

    def unjudged_weight(self, run: Run, measure: str) -> float:
        """Return what the unjudged documents would add if all of them were relevant."""
        found = self.unjudged(run).values()
        return math.fsum(weight(measure, each.rank) for each in found) / len(run.rankings)

    def told_by(self, organization: str, measure: str) -> list[Run]:
        """Return the runs of an organization of which a document that counts is unjudged.

        The only organization of a pool leaves nothing from which its runs could be estimated.
        """
        return [
            run
            for run in self.pool
            if run.organization == organization
            and len(self.organizations) > 1
            and self.unjudged_weight(run, measure)
        ]

    @cache  # noqa: B019 - it lives as long as the test
    def usual_weight(self, measure: str) -> float:
        """Return the mean unjudged weight of organizations, each of which is a mean of its runs.

        It is rounded, because the last digits of a mean depend on the order.
        """
        weights = [
            fmean(self.unjudged_weight(run, measure) for run in runs)
            for organization in self.organizations
            if (runs := self.told_by(organization, measure))
        ]
        return round(fmean(weights), DECIMALS)

    def spread(self, run: Run, measure: str) -> float:
        """Return the variance, times how often the unjudged weight is the usual one, if above 1."""
        times = self.unjudged_weight(run, measure) / self.usual_weight(measure)
        return self.variance(run, measure) * max(1.0, times)

    @cache  # noqa: B019 - it lives as long as the test
    def deviation(self, organization: str, measure: str) -> tuple[float, float] | None:
        """Return the mean squared error of an organization's runs, and the mean expected one."""
        runs = self.told_by(organization, measure)
        if not runs:
            return None
        return (
            fmean((self.gain(run, measure) - self.adjustment(run, measure)) ** 2 for run in runs),
            fmean(self.spread(run, measure) for run in runs),
        )

    def n_others_told(self, run: Run, measure: str) -> int:
        """Return the number of other organizations whose runs tell something."""
        return sum(
            organization != run.organization and bool(self.told_by(organization, measure))
            for organization in self.organizations
        )

    def standard_error(self, run: Run, measure: str) -> float | None:
        """Return the standard error; None where no other organization has unjudged documents."""
        deviations = [
            found
            for organization in self.organizations
            if organization != run.organization
            and (found := self.deviation(organization, measure)) is not None
        ]
        if not deviations:
            return None
        squared_errors, spreads = (math.fsum(each) for each in zip(*deviations, strict=True))
        dispersion = max(1.0, squared_errors / spreads) if spreads else 1.0
        return math.sqrt(dispersion * self.spread(run, measure))
