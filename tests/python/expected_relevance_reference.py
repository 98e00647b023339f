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

OUTSIDE = ""  # what leaves the pool with a run outside of it
PRIOR = 10  # documents that a prior share counts as, if it is not learned
FEWEST_RARE, FEWEST_OF_TOPIC, MOST = 3, 1, 20  # documents that a learned prior counts as
N_CLASSES = 5
DEEPEST = 100  # the deepest cutoff of the measures
QUANTILES = {"68": 0.99445788, "95": 1.95996398}  # of the normal distribution
IN_DOUBT = 0.3  # documents more in the variance of a sum
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

    `organization` is what leaves the pool with the run, and `own` is the organization of the run.
    Nothing leaves with a run outside of the pool, which would have contributed its documents.
    """

    organization: str
    own: str
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
    rare_precision: float
    topic_precision: float
    support: Fraction
    probability: float
    is_relevant: bool | None
    is_judged_if_pooled: bool

    def counts_for(self, target: str) -> bool:
        """Return whether the document is unjudged in this question."""
        return self.is_judged_if_pooled if target == "if_pooled" else self.is_relevant is None

    def shifted(self, shift: float) -> float:
        """Return the probability with other log odds."""
        return self.probability / (self.probability + (1 - self.probability) * math.exp(-shift))


def unsupported_share(counted: Iterable[tuple[float, Unjudged]]) -> float:
    """Return the share of the expected gain from documents that no list of others has."""
    parts = [(found * each.probability, each.support) for found, each in counted]
    expected = math.fsum(part for part, _ in parts)
    unsupported = math.fsum(part for part, support in parts if not support)
    return unsupported / expected if expected else 0.0


@dataclass(frozen=True)
class Example:
    """A contribution of a document that would be unjudged without its contributor."""

    product: float
    compared: Fraction
    is_relevant: bool


@dataclass(frozen=True)
class Observed:
    """A share of relevant documents, and the share that is expected of it."""

    organization: str
    part: float
    n_documents: int
    n_relevant: int
    expected: float

    @property
    def variance(self) -> float:
        """Return the variance of a document."""
        return self.expected * (1 - self.expected)


class ExpectedRelevance:
    """The estimates of the runs of a pool, and of runs outside."""

    def __init__(
        self,
        pool: Iterable[Run],
        judged: AbstractSet[Pair],
        relevant: AbstractSet[Pair],
        *,
        counts_siblings: bool,
    ) -> None:
        self.pool = list(pool)
        self.judged = judged
        self.relevant = relevant
        self.counts_siblings = counts_siblings
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

    def unjudged_pairs(self, run: Run) -> dict[Pair, bool]:
        """Return the unjudged documents of a run, and whether pooling it has them judged.

        Pooling an organization has the documents of all its runs judged. A pooled run's document
        that nobody judged at all stays unjudged in any pool.
        """
        found = {}
        for pair, rank in sorted(run.ranks.items()):
            is_lost = pair in self.judged and not self.is_judged_without(run.organization, pair)
            is_own = pair in run.contributed
            if run.organization in self.organizations:
                leaves = self.contributors.get(pair) == {run.organization}
                is_brought = is_lost and (is_own or (leaves and self.counts_siblings))
            else:
                is_brought = is_own and pair not in self.judged
            if is_brought or (pair not in self.judged and rank <= DEEPEST):
                found[pair] = is_brought
        return found

    # Precisions

    def share(self, pairs: Iterable[Pair], prior: float, n_prior: float) -> float:
        """Return the share of relevant documents, with a prior share of some more documents."""
        counted = list(pairs)
        n_relevant = sum(pair in self.relevant for pair in counted)
        return (n_relevant + n_prior * prior) / (len(counted) + n_prior)

    def share_in_pool(self, is_counted: Callable[[int], bool]) -> float:
        """Return the share among judged documents by their number of organizations, or 0."""
        counted = [
            pair
            for pair, organizations in self.contributors.items()
            if pair in self.judged and is_counted(len(organizations))
        ]
        return fmean(pair in self.relevant for pair in counted) if counted else 0.0

    @cache  # noqa: B019 - it lives as long as the test
    def seen(self, run: Run) -> list[Pair]:
        """Return the judged contributions of a run that other organizations contributed."""
        return [
            pair for pair in run.contributed if pair in self.judged and self.others(run.own, pair)
        ]

    def rare(self, run: Run) -> list[Pair]:
        """Return the documents among them that exactly one other organization contributed."""
        return [pair for pair in self.seen(run) if len(self.others(run.own, pair)) == 1]

    @cached_property
    def rare_share(self) -> float:
        """Return the share of relevant documents among those of exactly two organizations."""
        return self.share_in_pool(lambda number: number == 2)

    @cache  # noqa: B019 - it lives as long as the test
    def precision(self, run: Run) -> float:
        """Return the precision of a run on all topics."""
        return self.share(self.seen(run), self.share_in_pool(lambda number: number > 1), PRIOR)

    # Priors, from how much shares differ between runs and topics

    @cached_property
    def observed(self) -> dict[str, list[Observed]]:
        """Return the shares of the pooled runs: `rare` by run, and `topic` by run and topic."""
        found: dict[str, list[Observed]] = {"rare": [], "topic": []}
        for run in self.pool:
            n_runs = sum(each.organization == run.organization for each in self.pool)

            def observe(
                name: str, pairs: list[Pair], expected: float, of: Run, part: float
            ) -> None:
                if pairs:
                    n_relevant = sum(pair in self.relevant for pair in pairs)
                    found[name].append(
                        Observed(of.organization, part, len(pairs), n_relevant, expected)
                    )

            observe("rare", self.rare(run), self.rare_share, run, 1 / n_runs)
            for topic in run.rankings:
                of_topic = [pair for pair in self.seen(run) if pair[0] == topic]
                observe("topic", of_topic, self.precision(run), run, 1 / n_runs)
        return found

    @cache  # noqa: B019 - it lives as long as the test
    def prior(self, name: str, without: str) -> float:
        """Return the number of documents that the prior of a share counts as."""
        shares = [each for each in self.observed[name] if each.organization != without]
        if not shares:
            return PRIOR
        n = math.fsum(each.part * each.n_documents for each in shares)
        variance = math.fsum(each.part * each.n_documents * each.variance for each in shares) / n
        distance = math.fsum(
            each.part * each.n_documents * (each.n_relevant / each.n_documents - each.expected) ** 2
            for each in shares
        )
        between = (distance - math.fsum(each.part * each.variance for each in shares)) / n
        fewest = FEWEST_RARE if name == "rare" else FEWEST_OF_TOPIC
        return min(max(variance / max(between, 1e-6) - 1, fewest), MOST)

    def rare_precision(self, run: Run) -> float:
        """Return the precision among documents that exactly one other organization contributed."""
        return self.share(self.rare(run), self.rare_share, self.prior("rare", run.organization))

    def topic_precision(self, run: Run, topic: str) -> float:
        """Return the precision on a topic, whose prior is the precision on all topics."""
        of_topic = [pair for pair in self.seen(run) if pair[0] == topic]
        return self.share(of_topic, self.precision(run), self.prior("topic", run.organization))

    @cache  # noqa: B019 - it lives as long as the test
    def product(self, run: Run, topic: str) -> float:
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
    def overlap(self, run: Run, topic: str) -> Fraction:
        """Return the share of its contributions on a topic that are judged without it.

        Contributions of pooled runs that nobody judged do not count.
        """
        is_outside = run.organization not in self.organizations
        contributed = [
            pair
            for pair in run.contributed
            if pair[0] == topic and (is_outside or pair in self.judged)
        ]
        staying = sum(self.is_judged_without(run.organization, pair) for pair in contributed)
        return Fraction(staying, len(contributed)) if contributed else Fraction(0)

    @cache  # noqa: B019 - it lives as long as the test
    def mean_overlap(self, organization: str, pair: Pair) -> Fraction:
        """Return the mean over the runs of an organization that contributed a document."""
        overlaps = [
            self.overlap(run, pair[0])
            for run in self.pool
            if run.organization == organization and pair in run.contributed
        ]
        return sum(overlaps, Fraction(0)) / len(overlaps)

    def compared(self, support: Fraction, overlap: Fraction) -> Fraction:
        """Return what decides on the class: support, or overlap where no list has the document."""
        return support or overlap - 1

    @cache  # noqa: B019 - it lives as long as the test
    def limits(self) -> list[float]:
        """Return the limits between classes with equally many documents of a sole contributor.

        They are the quantiles of what is compared, interpolated between two documents.
        """
        supports = sorted(
            round(
                float(
                    self.compared(
                        self.support(pair, organizations),
                        self.mean_overlap(next(iter(organizations)), pair),
                    )
                ),
                DECIMALS,
            )
            for pair, organizations in self.contributors.items()
            if pair in self.judged and len(organizations) == 1
        )
        limits = []
        for number in range(1, N_CLASSES) if supports else ():
            below, beyond = divmod(number * (len(supports) - 1), N_CLASSES)
            lower, upper = supports[below], supports[min(below + 1, len(supports) - 1)]
            limits.append(round(lower + (upper - lower) * beyond / N_CLASSES, DECIMALS))
        return limits

    def support_class(self, compared: Fraction) -> int:
        """Return the number of limits that a support, or an overlap, reaches."""
        return sum(limit <= round(float(compared), DECIMALS) for limit in self.limits())

    # Factors

    def examples(self, organization: str) -> list[Example]:
        """Return the contributions by others of what they contributed alone, or with the one."""
        return [
            Example(
                self.product(run, pair[0]),
                self.compared(
                    self.support(pair, {run.organization, organization}),
                    self.mean_overlap(run.organization, pair),
                ),
                pair in self.relevant,
            )
            for run in self.pool
            if run.organization != organization
            for pair in run.contributed
            if pair in self.judged and self.contributors[pair] <= {run.organization, organization}
        ]

    @cache  # noqa: B019 - it lives as long as the test
    def factors(self, organization: str) -> list[float]:
        """Return the factor of each class of support when an organization has left the pool."""
        examples = self.examples(organization)
        total = math.fsum(each.product for each in examples)
        if not total:
            return [1.0] * N_CLASSES
        of_all = sum(each.is_relevant for each in examples) / total
        mean_product = total / len(examples)
        factors = []
        for number in range(N_CLASSES):
            in_class = [each for each in examples if self.support_class(each.compared) == number]
            n_relevant = sum(each.is_relevant for each in in_class)
            expected = math.fsum(each.product for each in in_class)
            factors.append(
                (n_relevant + PRIOR * of_all * mean_product) / (expected + PRIOR * mean_product)
            )
        return factors

    # Estimates

    @cache  # noqa: B019 - it lives as long as the test
    def unjudged(self, run: Run) -> dict[Pair, Unjudged]:
        """Return the unjudged documents of a run; none where the pool has no other organization."""
        found = {}
        pairs = self.unjudged_pairs(run) if set(self.organizations) - {run.own} else {}
        for pair, is_judged_if_pooled in pairs.items():
            topic, _ = pair
            support = self.support(pair, {run.own})
            compared = self.compared(support, self.overlap(run, topic))
            factor = self.factors(run.organization)[self.support_class(compared)]
            found[pair] = Unjudged(
                run.ranks[pair],
                self.rare_precision(run),
                self.topic_precision(run, topic),
                support,
                min(1.0, factor * self.product(run, topic)),
                pair in self.relevant if pair in self.judged else None,
                is_judged_if_pooled,
            )
        return found

    def counted(self, run: Run, measure: str, target: str) -> list[tuple[float, Unjudged]]:
        """Return the unjudged documents that count in a question, with their weights."""
        return [
            (found, each)
            for each in self.unjudged(run).values()
            if each.counts_for(target) and (found := weight(measure, each.rank))
        ]

    def adjustment(self, run: Run, measure: str, target: str = "if_pooled") -> float:
        """Return the expected gain of the mean over topics."""
        counted = self.counted(run, measure, target)
        return math.fsum(found * each.probability for found, each in counted) / len(run.rankings)

    def unjudged_weight(self, run: Run, measure: str, target: str = "if_pooled") -> float:
        """Return what the unjudged documents would add if all of them were relevant."""
        counted = self.counted(run, measure, target)
        return math.fsum(found for found, _ in counted) / len(run.rankings)

    @cache  # noqa: B019 - it lives as long as the test
    def left_out_weight(self, organization: str, measure: str) -> float | None:
        """Return the mean unjudged weight of its runs with unjudged documents; None without any."""
        weights = [
            found
            for run in self.pool
            if run.organization == organization and (found := self.unjudged_weight(run, measure))
        ]
        return fmean(weights) if weights else None

    def deviation(self, run: Run, measure: str, target: str) -> float | None:
        """Return by how much the log odds of all its documents may be wrong together."""
        others = [
            found
            for organization in self.organizations
            if organization != run.organization
            and (found := self.left_out_weight(organization, measure)) is not None
        ]
        if not others:
            return None
        unjudged = self.unjudged_weight(run, measure, target)
        whole = math.fsum(weight(measure, rank) for rank in range(1, DEEPEST + 1))
        distance = min(unjudged / fmean(others), 5)
        return math.sqrt(
            0.25
            + max(0.2 * distance, 0.8 * unjudged / whole)
            + 0.5 * unsupported_share(self.counted(run, measure, target))
        )

    def interval(
        self, run: Run, measure: str, confidence: str, target: str = "if_pooled"
    ) -> tuple[float, float] | None:
        """Return the ends of the interval of the gain; None where no error was measured."""
        counted = self.counted(run, measure, target)
        if not counted:
            return 0.0, 0.0
        deviation = self.deviation(run, measure, target)
        if deviation is None:
            return None
        quantile, n = QUANTILES[confidence], len(run.rankings)
        squared = [found**2 for found, _ in counted]
        variance = (
            math.fsum(
                found**2 * each.probability * (1 - each.probability) for found, each in counted
            )
            + IN_DOUBT * fmean(squared)
        ) / n**2
        gain = self.adjustment(run, measure, target)
        low, high = (
            math.fsum(found * each.shifted(sign * quantile * deviation) for found, each in counted)
            / n
            for sign in (-1, 1)
        )
        down, up = (
            math.sqrt((moved - gain) ** 2 + quantile**2 * variance) for moved in (low, high)
        )
        return max(gain - down, 0.0), min(gain + up, self.unjudged_weight(run, measure, target))
