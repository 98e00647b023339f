"""Compute the method by brute force: the rows that the warehouse must have of a collection.

This is plain Python over dicts and sets. It is independent of the SQL, and literal where the SQL
takes shortcuts. The pool is built again as a set of judged pairs for each run or organization that
is left out, each withdrawn run and each run in its place. The rankings are then scored against it.
"Semantics" below is the section of that name in the design.

Every method of `Reference` that is named after a mart returns the mart's rows: natural key to
values.
"""

import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from statistics import linear_regression, median, median_low, variance

import scipy.stats

import expected_relevance_reference
import measures_reference
from expected_relevance_reference import OUTSIDE, ExpectedRelevance
from measures_reference import TREATMENTS, at, over_topics, parse, rank_biased_precision, score_of
from significance_reference import (
    different_by_paired_t,
    different_by_tukey,
    generalizability,
    matrix_of,
    system_rank_error_star,
)

# A document within a topic: topic id and document id.
Pair = tuple[str, str]
Value = str | int | float | bool | None
Rows = dict[tuple[Value, ...], dict[str, Value]]
Pool = AbstractSet[Pair]
# Level, subset, measure and treatment of unjudged documents.
Case = tuple[str, str, str, str]

# The cutoffs of P@n whose pooling bias is estimated.
PRECISION_CUTOFFS = (5, 10, 20, 30, 100)
RBP = "RBP(p=0.8)@10"
LEVELS = ("run", "organization")
SUBSETS = ("all", "top_75")
JUDGEMENT_SETS = ("full", "without_run", "without_organization", "without_unique_relevant")
# Fractions: of two products of floats that should be equal, one may be larger, and break the tie.
ALPHA = Fraction(1)
PAPER_TIES = False  # ties follow the published implementation
TRUTH_BEYOND_DEPTH = "paper"  # or "tool"
TOP_SHARE = Fraction(3, 4)
RANKS_PER_GAP = 20


@dataclass(frozen=True)
class RunLine:
    """A line of a run file."""

    topic: str
    document: str
    rank: int
    score: float


def ranked(runs: Mapping[str, Mapping[str, str]]) -> dict[str, list[RunLine]]:
    """Return the lines of runs, from the documents of each topic, the first at rank 1."""
    return {
        run: [
            RunLine(topic, document, rank, -rank)
            for topic, documents in answers.items()
            for rank, document in enumerate(documents.split(), start=1)
        ]
        for run, answers in runs.items()
    }


@dataclass(frozen=True)
class Description:
    """The description of a run; `is_pooled` is None where it does not say."""

    organization: str
    is_pooled: bool | None = None
    run_type: str = ""
    pool_depth: int | None = None


@dataclass
class Collection:
    """A test collection as its files hold it; lines are in the order of the file."""

    name: str
    runs: dict[str, list[RunLine]]
    qrels: list[tuple[str, str, int]]
    descriptions: dict[str, Description] = field(default_factory=dict)
    pool_depth: int | None = None
    threshold: int = 1
    pooling_order: str = "score"
    judged_from: int = 0

    def counted(self, grade: int) -> int:
        """Return the grade that counts: spam that somebody judged is as good as grade 0."""
        return 0 if self.judged_from <= grade < 0 else grade


def float32(number: float) -> float:
    """Round to the nearest 32-bit float, or to infinity, as C does (Semantics, Ranking)."""
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def as_read(score: float) -> float:
    """Return a score as the version of trec_eval reads it (Semantics, Ranking)."""
    return float32(score) if measures_reference.TREC_EVAL == 9 else score


def scoring_order(
    lines: Iterable[RunLine], read: Callable[[float], float] | None = None
) -> list[str]:
    """Rank the documents of one topic (Semantics, Ranking).

    The order is by score, then by document id in bytes, both descending. A repeated document counts
    once, at its best score. The file's ranks and line order do not count.
    """
    read = read or as_read
    best: dict[str, float] = {}
    for line in lines:
        best[line.document] = max(best.get(line.document, -math.inf), read(line.score))
    return sorted(best, key=lambda document: (best[document], document.encode()), reverse=True)


def pooling_order(lines: Sequence[RunLine], order: str) -> list[str]:
    """Rank the documents of one topic in pooling order, "a property of the collection".

    The design does not say where a repeated document stands in the order of the file or of the
    given ranks. Here, it stands at its first place.
    """
    if order == "score":
        # Pools were made from scores in 32 bits, whatever version scores follow.
        return scoring_order(lines, float32)
    if order == "rank":
        lines = sorted(lines, key=lambda line: line.rank)
    return list(dict.fromkeys(line.document for line in lines))


def mean(values: Iterable[float]) -> float:
    """Return the mean of one or more values."""
    numbers = list(values)
    return math.fsum(numbers) / len(numbers)


@cache
def quantile_of_t(confidence: str, degrees_of_freedom: int) -> float:
    """Return the quantile of Student's t for an interval, to the decimals of the seed."""
    probability = (1 + int(confidence) / 100) / 2
    return round(float(scipy.stats.t.ppf(probability, degrees_of_freedom)), 8)


def nine_decimals(score: float) -> float:
    """Round before scores are compared, "or float noise decides" (Semantics, Estimator errors)."""
    return round(score, 9)


# -- Merging ---------------------------------------------------------------------------------------


def merged(pooled: Sequence[str], unpooled: Sequence[str]) -> list[str]:
    """Compose r' = r_p o r_u on one topic (Lipani et al. 2015, equation 2).

    Ties follow the rule of the published implementation (Semantics, Lipani et al.). A shared
    document comes after an exclusive one if it moved down, and before it if it moved up. A document
    that did not move is never tied with an exclusive one.
    """
    rank_u = {document: rank for rank, document in enumerate(unpooled, start=1)}

    def key(item: tuple[int, str]) -> tuple[Fraction | int, int, int]:
        rank_p, document = item
        if document not in rank_u:
            return rank_p, 0, rank_p
        mu = (1 - ALPHA) * rank_p + ALPHA * rank_u[document]
        moved = (rank_u[document] > rank_p) - (rank_u[document] < rank_p)
        return mu, 1 if PAPER_TIES else moved, rank_p

    return [document for _, document in sorted(enumerate(pooled, start=1), key=key)]


# -- Errors of an estimator ------------------------------------------------------------------------


def rank_among(score: float, others: Iterable[float]) -> int:
    """Return the rank of a score: 1 plus the number of strictly higher scores."""
    return 1 + sum(nine_decimals(other) > nine_decimals(score) for other in others)


def system_rank_error(true: Mapping[str, float], estimated: Mapping[str, float]) -> int:
    """Compute SRE: the sum of the runs' rank errors, each among the other runs' true scores."""
    error = 0
    for run in true:
        others = [score for other, score in true.items() if other != run]
        error += abs(rank_among(true[run], others) - rank_among(estimated[run], others))
    return error


def kendall_tau_b(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Compute tau-b over all pairs of runs; None where one side is constant."""
    rounded = [(nine_decimals(x), nine_decimals(y)) for x, y in pairs]
    concordant = untied_x = untied_y = 0
    for i, (x1, y1) in enumerate(rounded):
        for x2, y2 in rounded[i + 1 :]:
            sign_x, sign_y = (x1 > x2) - (x1 < x2), (y1 > y2) - (y1 < y2)
            concordant += sign_x * sign_y
            untied_x += sign_x != 0
            untied_y += sign_y != 0
    if not untied_x or not untied_y:
        return None
    return concordant / math.sqrt(untied_x * untied_y)


def variances_of_gains(gains: Sequence[float], residuals: Sequence[float]) -> dict[str, Value]:
    """Compute the variance of gains, and the variances about ratio and line; divisor N - 1."""
    names = ("delta_variance", "ratio_variance", "regression_variance")
    if len(gains) < 2:
        return dict.fromkeys(names)
    whole = by_ratio = by_line = variance(gains)
    pairs = list(zip(residuals, gains, strict=True))
    if sum(residuals) > 1e-9:
        ratio = sum(gains) / sum(residuals)
        by_ratio = sum((y - ratio * x) ** 2 for x, y in pairs) / (len(pairs) - 1)
    if max(residuals) - min(residuals) > 1e-9:
        slope, intercept = linear_regression(residuals, gains)
        by_line = sum((y - intercept - slope * x) ** 2 for x, y in pairs) / (len(pairs) - 1)
    return dict(zip(names, (whole, by_ratio, by_line), strict=True))


# -- A collection ----------------------------------------------------------------------------------


class Reference:
    """Every mart of one collection, computed by brute force."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        # A pair that is judged twice has its highest grade (docs/decisions).
        self.grades: dict[Pair, int] = {}
        for topic, document, grade in collection.qrels:
            pair, counts = (topic, document), collection.counted(grade)
            self.grades[pair] = max(self.grades.get(pair, counts), counts)
        self.highest_grade = max(self.grades.values(), default=0)
        self.topics = sorted({topic for topic, _ in self.grades})
        # "A negative grade stays in the data; every other measure treats it as unjudged."
        self.judged = {pair for pair, grade in self.grades.items() if grade >= 0}
        self.relevant = {p for p in self.judged if self.grades[p] >= collection.threshold}

        # Documents in order, by run and judged topic.
        self.rankings: dict[str, dict[str, list[str]]] = {}
        self.pooling: dict[str, dict[str, list[str]]] = {}
        for run, lines in collection.runs.items():
            by_topic: dict[str, list[RunLine]] = {}
            for line in lines:
                by_topic.setdefault(line.topic, []).append(line)
            answered = {t: each for t, each in by_topic.items() if t in self.topics}
            self.rankings[run] = {t: scoring_order(each) for t, each in answered.items()}
            self.pooling[run] = {
                t: pooling_order(each, collection.pooling_order) for t, each in answered.items()
            }

    def organization(self, run: str) -> str:
        """Return the organization of a run; "a run without a description is one of its own"."""
        described = self.collection.descriptions.get(run)
        return described.organization if described else run

    # Pool depth and pooled runs (Semantics)

    def depth_in_topic(self, run: str, topic: str) -> int:
        """Count the leading documents that the qrels hold; a negative grade was in the pool."""
        depth = 0
        for document in self.pooling[run][topic]:
            if (topic, document) not in self.grades:
                break
            depth += 1
        return depth

    def depth_of_run(self, run: str) -> int | None:
        """Return the minimum over topics, without lists that are judged to their last document."""
        depths = [
            self.depth_in_topic(run, topic)
            for topic, documents in self.pooling[run].items()
            if self.depth_in_topic(run, topic) < len(documents)
        ]
        return min(depths) if depths else None

    @cached_property
    def declares_pooled_runs(self) -> bool:
        """Return whether the descriptions say which runs were pooled."""
        return any(each.is_pooled for each in self.collection.descriptions.values())

    def is_declared_pooled(self, run: str) -> bool:
        """Return whether a run is declared as pooled."""
        described = self.collection.descriptions.get(run)
        return described is not None and described.is_pooled is True

    @cached_property
    def depth_voters(self) -> tuple[str, ...]:
        """Return the runs that show the depth: the declared ones where there are any, else all.

        A run that is declared as not pooled is none of them.
        """
        return tuple(
            run
            for run in self.collection.runs
            if self.is_declared_pooled(run)
            or not (self.declares_pooled_runs or self.is_declared_unpooled(run))
        )

    def is_declared_unpooled(self, run: str) -> bool:
        """Return whether a run is declared as not pooled."""
        described = self.collection.descriptions.get(run)
        return described is not None and described.is_pooled is False

    @cached_property
    def lists_relevant_documents(self) -> bool:
        """Return whether no document is judged not relevant: the qrels are no pool."""
        return bool(self.topics) and self.judged == self.relevant

    def lists_in_qrels(self, run: str) -> list[list[bool]]:
        """Return for each list of a run, rank by rank, whether the qrels hold the document."""
        return [
            [(topic, document) in self.grades for document in documents]
            for topic, documents in self.pooling[run].items()
        ]

    def looks_pooled(self, run: str, depth: int) -> bool:
        """Return whether the qrels hold at least 0.9 d of a run's first d + 1 documents.

        Ranks d and d + 1 count equally, so that the choice of runs does not decide their
        comparison.
        """
        lists = self.lists_in_qrels(run)
        n_in_qrels = sum(sum(each[: depth + 1]) for each in lists)
        n_documents = sum(len(each[:depth]) for each in lists)
        return any(len(each) > depth for each in lists) and 10 * n_in_qrels >= 9 * n_documents

    @cache  # noqa: B019 - a reference lives as long as the test
    def depth_evidence(self, runs: tuple[str, ...]) -> dict[int, dict[str, float]]:
        """Compare ranks d and d + 1 over the runs that look pooled (McNemar's pairs of lists)."""
        lengths = [len(each) for run in runs for each in self.lists_in_qrels(run)]
        evidence = {}
        for depth in range(1, max(lengths, default=0)):
            lists = [
                each
                for run in runs
                if self.looks_pooled(run, depth)
                for each in self.lists_in_qrels(run)
            ]
            pairs = [each[depth - 1 : depth + 1] for each in lists if len(each) > depth]
            if not pairs:
                continue
            falls, rises = pairs.count([True, False]), pairs.count([False, True])
            ratio = 0.0
            if falls > rises:
                ratio = 2 * sum(n * math.log(2 * n / (falls + rises)) for n in (falls, rises) if n)
            above = [one for each in lists for one in each[:depth]]
            evidence[depth] = {
                "likelihood_ratio": ratio,
                "share_drop": (falls - rises) / len(pairs),
                "share_above": sum(above) / len(above),
                "share_below": sum(below for _, below in pairs) / len(pairs),
            }
        return evidence

    @cache  # noqa: B019 - a reference lives as long as the test
    def depth_probabilities(self, runs: tuple[str, ...]) -> dict[int, float]:
        """Return the probability of each depth that the qrels may show; the rest is that of none.

        The prior probability of no depth equals the one of all depths together, and the prior of
        depth d is proportional to 1 / d.
        """
        lengths = [len(each) for run in runs for each in self.lists_in_qrels(run)]
        ranks = range(1, max(lengths, default=0))
        logarithms = {
            depth: found["likelihood_ratio"] / 2 - math.log(depth * sum(1 / each for each in ranks))
            for depth, found in self.depth_evidence(runs).items()
            if found["share_drop"] >= 0.1 and found["share_above"] >= 0.9
        }
        highest = max(0.0, *logarithms.values()) if logarithms else 0.0
        weights = {depth: math.exp(each - highest) for depth, each in logarithms.items()}
        of_none = math.exp(-highest)
        return {
            depth: weight / (of_none + sum(weights.values())) for depth, weight in weights.items()
        }

    @cached_property
    def inferred_pool_depth(self) -> int | None:
        """Return the most probable depth of the collection."""
        return self.probable_depth(self.depth_voters)

    def probable_depth(self, runs: tuple[str, ...]) -> int | None:
        """Return the most probable depth of these runs, if its probability is above one half."""
        probable = [d for d, each in self.depth_probabilities(runs).items() if each > 0.5]
        return probable[0] if probable else None

    @cached_property
    def depth_confidence(self) -> float | None:
        """Return the probability of the inferred depth; None where there is none."""
        own = [
            self.depth_probabilities((run,)).get(depth, 1.0)
            for run, depth in self.inferred_own_depths.items()
            if depth is not None
        ]
        if own:
            return median(own)
        # The common depth is not believed, and there is no other. Chance alone does not refute it.
        if self.inferred_own_depths and self.inferred_pool_depth is not None:
            return None
        depth = self.inferred_pool_depth
        return None if depth is None else self.depth_probabilities(self.depth_voters)[depth]

    def declared_depth(self, run: str) -> int | None:
        """Return the depth that the descriptions declare of a run."""
        described = self.collection.descriptions.get(run)
        return described.pool_depth if described else None

    @cached_property
    def inferred_own_depths(self) -> dict[str, int | None]:
        """Return the depth of each declared run by itself, if they have none in common.

        "Where declared runs were judged to different depths, each declared run's depth is inferred
        by itself, with the same evidence." They have none in common if two runs and more than a
        tenth show another. The depth is None where the run does not show it, or most do not. A run
        that the qrels hold to its last document was pooled to its last document.
        """
        if self.collection.pool_depth:
            return {}
        runs = [
            run
            for run in self.collection.runs
            if self.is_declared_pooled(run) and not self.declared_depth(run) and self.pooling[run]
        ]
        whole = {run: all(all(each) for each in self.lists_in_qrels(run)) for run in runs}
        shown = {run: self.probable_depth((run,)) for run in runs}
        depths = [depth for depth in shown.values() if depth is not None]
        n_others = sum(depth != self.inferred_pool_depth for depth in depths)
        if n_others <= 1 or 10 * n_others <= len(depths):
            return {}
        if 2 * len(depths) <= list(whole.values()).count(False):
            return dict.fromkeys(runs)
        longest = {run: max(map(len, self.lists_in_qrels(run))) for run in runs}
        return {run: longest[run] if whole[run] else depth for run, depth in shown.items()}

    @cached_property
    def own_depths(self) -> dict[str, int | None]:
        """Return the depths that runs have by themselves, declared or inferred."""
        declared = {run: self.declared_depth(run) for run in self.collection.runs}
        return {
            **self.inferred_own_depths,
            **{run: depth for run, depth in declared.items() if depth is not None},
        }

    @cached_property
    def common_depth(self) -> int | None:
        """Return the inferred depth, unless the runs have inferred or declared ones instead."""
        declared = [
            self.declared_depth(run) for run in self.collection.runs if self.is_declared_pooled(run)
        ]
        has_own = self.inferred_own_depths or (declared and all(declared))
        return None if has_own else self.inferred_pool_depth

    @cached_property
    def pool_depth(self) -> int | None:
        """Return the declared or the common depth, or else the lower median of own depths."""
        if self.lists_relevant_documents:
            return None
        own = [depth for depth in self.own_depths.values() if depth is not None]
        median_of_own = median_low(own) if own else None
        return self.collection.pool_depth or self.common_depth or median_of_own

    @cached_property
    def pool_depth_source(self) -> str:
        """Return whether the depth is declared, of the collection or of each run, or inferred."""
        if self.pool_depth is None:
            return "unknown"
        if self.collection.pool_depth:
            return "declared"
        return "inferred" if self.common_depth or self.inferred_own_depths else "declared"

    def depth(self, run: str) -> int | None:
        """Return the depth of a run: its own, or else the depth of the collection."""
        return self.own_depths.get(run, self.pool_depth) if self.pool_depth else None

    def tolerated_gaps(self, depth: int) -> int:
        """Return the gaps that a pooled run may have in a topic: floor(d / 20), or more by chance.

        Documents may be missing from the qrels by chance. Their number is estimated by those that
        the median run that looks pooled lacks, plus one. The number in a topic is binomial, and
        gaps to four standard deviations above the mean are tolerated.
        """
        lacking = []
        for run in self.depth_voters:
            own = self.depth(run) or 0
            within = [one for each in self.lists_in_qrels(run) for one in each[:own]]
            if within and 10 * sum(within) >= 9 * len(within):
                lacking.append(Fraction(within.count(False) + 1, len(within) + 1))
        share = float(median(lacking)) if lacking else 0.0
        by_chance = depth * share + 4 * math.sqrt(depth * share * (1 - share))
        return max(depth // RANKS_PER_GAP, math.ceil(round(by_chance, 9)))

    def is_pooled(self, run: str) -> bool | None:
        """Return whether a run is declared as pooled, or judged to d but for the tolerated gaps.

        "A declaration is never overruled: a run is pooled, not pooled, or it is not known." The
        design leaves open whether a run that answers no judged topic is inferred as pooled. Such a
        run contributes nothing and has no score, and so it is not.
        """
        depth = self.depth(run)
        if self.declares_pooled_runs:
            return self.is_declared_pooled(run)
        if self.is_declared_unpooled(run):
            return False
        if depth is None or not self.topics or not self.shows_pool:
            return None
        return bool(self.pooling[run]) and self.is_in_qrels(run, depth)

    def is_in_qrels(self, run: str, depth: int) -> bool:
        """Return whether the qrels hold the run's documents down to d, but for tolerated gaps."""
        within = [each[:depth] for each in self.lists_in_qrels(run)]
        in_qrels = [one for each in within for one in each]
        return 10 * sum(in_qrels) >= 9 * len(in_qrels) and all(
            each.count(False) <= self.tolerated_gaps(depth) for each in within
        )

    @cached_property
    def shows_pool(self) -> bool:
        """Return whether one of the runs that go on after the depth is in the qrels down to it."""
        goes_on = {
            run: depth
            for run in self.collection.runs
            if (depth := self.depth(run)) is not None
            and any(len(each) > depth for each in self.lists_in_qrels(run))
        }
        return not goes_on or any(self.is_in_qrels(*each) for each in goes_on.items())

    @cached_property
    def pooled_runs(self) -> list[str]:
        """Return the runs of the pool, which contribute documents down to a known depth."""
        runs = [run for run in self.collection.runs if self.depth(run) is not None]
        return [run for run in runs if self.is_pooled(run) and self.pooling[run]]

    def n_pooled(self, runs: Iterable[str]) -> int | None:
        """Return the number of pooled runs; None where this is known of no run."""
        known = [is_pooled for run in runs if (is_pooled := self.is_pooled(run)) is not None]
        return sum(known) if known else None

    @cache  # noqa: B019 - a reference lives as long as the test
    def top(self, run: str) -> frozenset[Pair]:
        """Return a run's top d documents in pooling order, as pairs."""
        return frozenset(
            (topic, document)
            for topic, documents in self.pooling[run].items()
            for document in documents[: self.depth(run)]
        )

    # Judgement sets

    def judgement_set(self, run: str, name: str) -> set[Pair]:
        """Return the pairs of the qrels without unique contributions of the run or organization.

        "For a run that is not pooled both equal full." Buckley et al. 2006 score runs "with and
        without the unique relevant documents of the current group". These are the relevant
        documents that no other group contributed. The group of a run is its organization, whether
        the run itself was pooled or not.
        """
        if name == "without_unique_relevant":
            return set(self.grades) - (self.relevant & self.contributed_alone(run, "organization"))
        if name == "full" or run not in self.pooled_runs:
            return set(self.grades)
        return set(self.grades) - self.contributed_alone(run, name.removeprefix("without_"))

    def contributed_alone(self, run: str, level: str) -> set[Pair]:
        """Return the pairs that leave the pool with a run, or with its organization."""
        own = {each for each in self.pooled_runs if not self.is_other(each, run, level)}
        by_own = set().union(*(self.top(each) for each in own))
        by_others = set().union(*(self.top(each) for each in set(self.pooled_runs) - own))
        return by_own - by_others

    def is_other(self, other: str, run: str, level: str) -> bool:
        """Return whether a run stays in the pool when `run` or its organization is left out."""
        if level == "run":
            return other != run
        return self.organization(other) != self.organization(run)

    @cached_property
    def judgement_sets(self) -> dict[tuple[str, str], dict[str, dict[str, int]]]:
        """Return the rest of the qrels by run and set, then by topic; topics may be empty."""
        sets = {}
        for run in self.rankings:
            for name in JUDGEMENT_SETS:
                grades: dict[str, dict[str, int]] = {topic: {} for topic in self.topics}
                for topic, document in self.judgement_set(run, name):
                    grades[topic][document] = self.grades[topic, document]
                sets[run, name] = grades
        return sets

    @cache  # noqa: B019 - a reference lives as long as the test
    def scores(
        self, measure: str, judgement_set: str, unjudged: str
    ) -> dict[str, dict[str, float]]:
        """Score every run on every judged topic; a topic without an answer is an empty ranking."""
        return {
            run: {
                topic: score_of(
                    measure,
                    rankings.get(topic, []),
                    grades,
                    self.collection.threshold,
                    unjudged,
                    self.highest_grade,
                )
                for topic, grades in self.judgement_sets[run, judgement_set].items()
            }
            for run, rankings in self.rankings.items()
        }

    @property
    def scored_runs(self) -> list[str]:
        """The runs that answer a judged topic: the others have no score."""
        return [run for run in self.collection.runs if self.rankings[run]]

    def topic_scores(self, measure: str, judgement_set: str, unjudged: str) -> Rows:
        """Return one row per run and judged topic (the table macro of that name)."""
        return {
            (run, topic): {"score": score, "is_answered": topic in answered}
            for run, by_topic in self.scores(measure, judgement_set, unjudged).items()
            if (answered := self.rankings[run])
            for topic, score in by_topic.items()
        }

    def run_scores(self, measure: str, judgement_set: str, unjudged: str) -> Rows:
        """Return one row per run (the table macro of that name)."""
        rows: Rows = {}
        for run, scores in self.scores(measure, judgement_set, unjudged).items():
            # Semantics, Topics that a run does not answer: left out, or scored as empty rankings.
            if not (answered := [scores[topic] for topic in self.rankings[run]]):
                continue
            rows[(run,)] = {
                "score": over_topics(measure, answered),
                "score_all_topics": over_topics(measure, list(scores.values())),
                "n_topics": len(answered),
            }
        return rows

    # Scores under the estimators' pools: means over the judged topics that a run answers

    def score(self, run: str, measure: str, pool: Pool, unjudged: str = "nonrelevant") -> float:
        """Score a run by P@n or RBP@10 when only the pairs of a pool are judged.

        A condensed run loses every document that is not judged. The later documents move up, also
        from below cutoff and depth. A list that ends too early continues with documents that are
        not relevant (Webber & Park, section 2.1).
        """
        relevant = self.relevant
        asked = parse(measure)
        scores = []
        for topic, ranking in self.rankings[run].items():
            left = (
                ranking
                if unjudged == "nonrelevant"
                else [document for document in ranking if (topic, document) in pool]
            )
            pairs = [(topic, document) for document in left[: asked.cutoff]]
            vector = [pair in pool and pair in relevant for pair in pairs]
            if measure == RBP:
                scores.append(rank_biased_precision(vector, asked.persistence))
            else:
                scores.append(sum(vector) / at(asked))
        return mean(scores)

    def weigh(self, run: str, topic: str, measure: str, counts: Callable[[Pair], bool]) -> float:
        """Score a run on a topic by P@n or RBP@10 as if these documents, and no others, counted."""
        asked = parse(measure)
        vector = [counts((topic, each)) for each in self.rankings[run][topic][: asked.cutoff]]
        if measure == RBP:
            return rank_biased_precision(vector, asked.persistence)
        return sum(vector) / at(asked)

    def subset(self, name: str, measure: str) -> list[str]:
        """Return the runs of a subset (Semantics, Estimator errors).

        top_75 has the best 75 % of the pooled runs by the measure under all judgements. The number
        of runs is rounded half up. Scores are rounded to 9 decimals before they are compared, and
        ties are ordered by run id, descending (docs/decisions).
        """
        if name == "all":
            return self.pooled_runs
        best_first = sorted(
            self.pooled_runs,
            key=lambda run: (nine_decimals(self.score(run, measure, self.judged)), run.encode()),
            reverse=True,
        )
        return best_first[: math.floor(TOP_SHARE * len(best_first) + Fraction(1, 2))]

    def pool(self, runs: Iterable[str]) -> set[Pair]:
        """Rebuild the pool from some runs: the judged pairs in the top d of at least one run."""
        contributed: set[Pair] = set()
        return contributed.union(*map(self.top, runs)) & self.judged

    def truth(self, run: str, runs: Sequence[str], others: Sequence[str]) -> set[Pair]:
        """Return the pairs that are judged for the true score of a run of the subset.

        For "paper", the pool is "the one also containing documents exclusively contributed by the
        removed runs or organizations" (Lipani et al., section 5). This is the whole pool. For
        "tool", the unique contributions of the run's siblings are left out.
        """
        return self.pool(runs if TRUTH_BEYOND_DEPTH == "paper" else [*others, run])

    def webber_park(
        self, run: str, measure: str, others: Sequence[str], unjudged: str, *, substitute: bool
    ) -> float:
        """Return the mean loss of pooled runs that are withdrawn (Webber & Park, algorithm 1).

        The loss is the difference between pooled and unpooled scores, "either by assuming
        unassessed documents to be irrelevant or by condensing the run". The pooled score is plain.

        Each pooled run in turn is withdrawn from the pool Q, which lacks the unpooled run. The
        unpooled run takes its place (or does not: Lipani et al.). The qrels are the qrels of Q: the
        run that takes the place retains judgements, and adds none.
        """
        judged = self.pool(others)
        losses = []
        for withdrawn in others:
            rest = [other for other in others if other != withdrawn]
            left = judged & self.pool([*rest, run] if substitute else rest)
            losses.append(
                self.score(withdrawn, measure, judged)
                - self.score(withdrawn, measure, left, unjudged)
            )
        return mean(losses)

    @cache  # noqa: B019 - a reference lives as long as the test
    def merged(self, pooled: str, unpooled: str, topic: str) -> list[str]:
        """Merge two runs on a topic; "one that r_u does not answer leaves r_p as it is"."""
        ranking = self.rankings[pooled][topic]
        return merged(ranking, self.rankings[unpooled].get(topic, []))

    def precisions(
        self, ranking_of: Callable[[str], list[str]], topics: Iterable[str], cutoff: int, pool: Pool
    ) -> tuple[Fraction, Fraction]:
        """Return P@n and anti-P@n under a pool, means over topics; n divides short lists, too.

        They are fractions, because a step depends on the sign of lambda, which float noise must not
        decide.
        """
        relevant, not_relevant = self.relevant & pool, pool - self.relevant
        top = [[(topic, each) for each in ranking_of(topic)[:cutoff]] for topic in topics]
        return (
            Fraction(sum(pair in relevant for pairs in top for pair in pairs), cutoff * len(top)),
            Fraction(
                sum(pair in not_relevant for pairs in top for pair in pairs), cutoff * len(top)
            ),
        )

    def bias_indicators(self, run: str, cutoff: int, others: Sequence[str]) -> dict[str, Fraction]:
        """Compute a left-out run's effect on the other runs (Lipani et al., algorithm 1)."""
        judged = self.pool(others)
        own = self.rankings[run]
        precision, anti_precision = self.precisions(own.__getitem__, own, cutoff, judged)
        unjudged_rate = 1 - precision - anti_precision
        changes = []
        for other in others:
            rankings = self.rankings[other]
            before = self.precisions(rankings.__getitem__, rankings, cutoff, judged)
            after = self.precisions(
                lambda topic, other=other: self.merged(other, run, topic),  # type: ignore[misc]
                rankings,
                cutoff,
                judged,
            )
            changes.append((after[0] - before[0], after[1] - before[1]))
        delta_precision = sum((change for change, _ in changes), Fraction()) / len(others)
        delta_anti_precision = sum((change for _, change in changes), Fraction()) / len(others)
        return {
            "precision": precision,
            "anti_precision": anti_precision,
            "unjudged_rate": unjudged_rate,
            "delta_precision": delta_precision,
            "delta_anti_precision": delta_anti_precision,
            "delta_unjudged_rate": -delta_precision - delta_anti_precision,
            "bias_lambda": unjudged_rate
            * (delta_precision * anti_precision - delta_anti_precision * precision),
        }

    @cached_property
    def indicators(self) -> dict[tuple[str, str, str, int], dict[str, Fraction]]:
        """Return the bias indicators by run, level, subset and cutoff.

        The design leaves open the indicators where no other run is in the pool. There is no mean
        over no runs: there is no row here, and no row of estimators that learn from other runs.
        """
        indicators = {}
        for level in LEVELS:
            for name in SUBSETS:
                for cutoff in PRECISION_CUTOFFS:
                    runs = self.subset(name, f"P@{cutoff}")
                    for run in runs:
                        others = [each for each in runs if self.is_other(each, run, level)]
                        if others:
                            indicators[run, level, name, cutoff] = self.bias_indicators(
                                run, cutoff, others
                            )
        return indicators

    def lipani(self, run: str, level: str, subset: str, cutoff: int) -> float:
        """Adjust by k max(Delta k, 0) where lambda > 0 (Lipani et al., algorithm 1)."""
        indicators = self.indicators[run, level, subset, cutoff]
        if indicators["bias_lambda"] <= 0:
            return 0.0
        return float(
            indicators["unjudged_rate"] * max(indicators["delta_unjudged_rate"], Fraction())
        )

    # Expected relevance

    @cached_property
    def expected_relevance(self) -> ExpectedRelevance:
        """Return the estimates by expected relevance of the pool of all pooled runs."""
        pool = [self.described[run] for run in self.pooled_runs]
        return ExpectedRelevance(
            pool, self.judged, self.relevant, counts_siblings=TRUTH_BEYOND_DEPTH == "paper"
        )

    @cached_property
    def described(self) -> dict[str, expected_relevance_reference.Run]:
        """Return the runs that answer a judged topic, where there is a pool."""
        runs = [run for run in self.rankings if self.rankings[run] and self.pooled_runs]
        return {run: self.describe(run) for run in runs}

    def describe(self, run: str) -> expected_relevance_reference.Run:
        """Describe a run for the estimates."""
        if run not in self.pooled_runs:
            return self.outside(self.rankings[run], self.pooling[run], self.organization(run))
        return expected_relevance_reference.Run(
            self.organization(run), self.organization(run), self.rankings[run], self.top(run)
        )

    def outside(
        self,
        rankings: Mapping[str, list[str]],
        pooling: Mapping[str, list[str]],
        organization: str = OUTSIDE,
    ) -> expected_relevance_reference.Run:
        """Describe a run that was not pooled, in scoring and in pooling order.

        It would have contributed down to the depth of the collection.
        """
        contributed = {
            (topic, document)
            for topic, documents in pooling.items()
            for document in documents[: self.pool_depth]
        }
        return expected_relevance_reference.Run(OUTSIDE, organization, rankings, contributed)

    # Marts

    @cached_property
    def dim_collections(self) -> Rows:
        """Return one row for the collection."""
        answered = {line.topic for lines in self.collection.runs.values() for line in lines}
        n_topics, n_known = len(self.topics), len(answered.union(self.topics))
        return {
            (self.collection.name,): {
                "pool_depth": self.pool_depth,
                "pool_depth_source": self.pool_depth_source,
                "pool_depth_confidence": None
                if self.pool_depth_source == "declared"
                else self.depth_confidence,
                "n_runs": len(self.collection.runs),
                "n_pooled_runs": self.n_pooled(self.collection.runs),
                "n_organizations": len({self.organization(run) for run in self.collection.runs}),
                "n_topics": n_topics,
                "n_known_topics": n_known,
                "topics_caveat": f"{n_topics} of {n_known} topics have judgements"
                if 0 < n_topics < n_known
                else None,
                "judged_from": self.collection.judged_from,
                "n_judgements": len(self.judged),
                "n_relevant": len(self.relevant),
            }
        }

    @cached_property
    def audit_pool_depths(self) -> Rows:
        """Return one row per rank that may be the pool depth."""
        return {
            (self.collection.name, depth): {
                **evidence,
                "probability": self.depth_probabilities(self.depth_voters).get(depth, 0.0),
            }
            for depth, evidence in self.depth_evidence(self.depth_voters).items()
        }

    @cached_property
    def audit_collections(self) -> Rows:
        """Return one row about the judgements outside the pool, which no estimate knows."""
        pool = self.pool(self.pooled_runs)
        judged, relevant = (
            len(pairs - pool) / len(pairs) if pairs and self.pooled_runs else None
            for pairs in (self.judged, self.relevant)
        )
        return {
            (self.collection.name,): {
                "share_judged_outside_pool": judged,
                "share_relevant_outside_pool": relevant,
            }
        }

    @cached_property
    def dim_runs(self) -> Rows:
        """Return one row per run."""
        return {
            (self.collection.name, run): {
                "organization": self.organization(run),
                "is_pooled": self.is_pooled(run),
                "pool_depth": self.depth(run) if run in self.pooled_runs else None,
                "judged_depth": self.depth_of_run(run),
                "n_topics": len(rankings),
                "n_retrieved": sum(map(len, rankings.values())),
            }
            for run, rankings in self.rankings.items()
        }

    def if_pool_is_known(self, value: Value) -> Value:
        """Return a value that depends on who contributed what; None where no depth is known."""
        return None if self.pool_depth is None else value

    @cached_property
    def fct_judgements(self) -> Rows:
        """Return one row per pair of the qrels, with its contributors."""
        rows: Rows = {}
        for (topic, document), grade in self.grades.items():
            runs = [run for run in self.pooled_runs if (topic, document) in self.top(run)]
            organizations = {self.organization(run) for run in runs}
            rows[self.collection.name, topic, document] = {
                "relevance": grade,
                "n_contributing_runs": self.if_pool_is_known(len(runs)),
                "n_contributing_organizations": self.if_pool_is_known(len(organizations)),
                "sole_run": runs[0] if len(runs) == 1 else None,
                "sole_organization": min(organizations) if len(organizations) == 1 else None,
            }
        return rows

    def fct_topic_scores(self, measures: Iterable[str]) -> Rows:
        """Return one row per run, judged topic, judgement set, treatment and measure."""
        return {
            (self.collection.name, run, topic, judgement_set, unjudged, measure): values
            for measure, judgement_set, unjudged in product(measures, JUDGEMENT_SETS, TREATMENTS)
            for (run, topic), values in self.topic_scores(measure, judgement_set, unjudged).items()
        }

    def fct_run_scores(self, measures: Iterable[str]) -> Rows:
        """Return one row per run, judgement set, treatment of unjudged documents and measure."""
        return {
            (self.collection.name, run, judgement_set, unjudged, measure): values
            for measure, judgement_set, unjudged in product(measures, JUDGEMENT_SETS, TREATMENTS)
            for (run,), values in self.run_scores(measure, judgement_set, unjudged).items()
        }

    @cached_property
    def fct_bias_indicators(self) -> Rows:
        """Return one row per run of the subset, level, subset and cutoff."""
        return {
            (self.collection.name, *key): {name: float(value) for name, value in values.items()}
            for key, values in self.indicators.items()
        }

    @cached_property
    def estimates(self) -> dict[tuple[Case, str], dict[str, tuple[float, float, float]]]:
        """Return true score, unpooled score and adjustment, by case and estimator, then by run.

        The unpooled score is the score by the contributions of the other runs alone (Semantics, The
        estimators' pools). The treatment of unjudged documents changes the unpooled score, but not
        the true score (Semantics, Under condensed).
        """
        estimates: dict[tuple[Case, str], dict[str, tuple[float, float, float]]] = {}
        measures = (*(f"P@{cutoff}" for cutoff in PRECISION_CUTOFFS), RBP)
        for case in product(LEVELS, SUBSETS, measures, TREATMENTS):
            level, name, measure, unjudged = case
            runs = self.subset(name, measure)
            for run in runs:
                others = [each for each in runs if self.is_other(each, run, level)]
                true = self.score(run, measure, self.truth(run, runs, others))
                unpooled = self.score(run, measure, self.pool(others), unjudged)
                for estimator, adjustment in self.adjustments(run, case, others).items():
                    estimates.setdefault((case, estimator), {})[run] = true, unpooled, adjustment
        return estimates

    def adjustments(self, run: str, case: Case, others: Sequence[str]) -> dict[str, float]:
        """Return every estimator's adjustment in the case; Lipani et al. only adjust plain P@n."""
        level, subset, measure, unjudged = case
        adjustments = {"unadjusted": 0.0}
        if not others:  # as for the indicators
            return adjustments
        for estimator, substitute in {
            "webber_park_systems": True,
            "webber_park_systems_no_substitution": False,
        }.items():
            adjustments[estimator] = self.webber_park(
                run, measure, others, unjudged, substitute=substitute
            )
        if measure != RBP and unjudged == "nonrelevant":
            cutoff = int(measure.removeprefix("P@"))
            adjustments["lipani"] = self.lipani(run, level, subset, cutoff)
        if (level, subset, unjudged) == ("organization", "all", "nonrelevant"):
            adjustments["expected_relevance"] = self.expected_relevance.adjustment(
                self.described[run], measure
            )
        return adjustments

    @cached_property
    def fct_adjusted_scores(self) -> Rows:
        """Return one row per run of the subset, level, subset, measure, unjudged and estimator."""
        rows: Rows = {}
        for ((level, subset, measure, unjudged), estimator), by_run in self.estimates.items():
            cutoff = int(measure.partition("@")[2])
            for run, (true, unpooled, adjustment) in by_run.items():
                key = self.collection.name, run, level, subset, measure, unjudged, estimator
                lower, upper = self.bounds(run, level, subset, measure)
                rows[key] = {
                    "true_score": true,
                    "unpooled_score": unpooled,
                    "adjustment": adjustment,
                    "adjusted_score": unpooled + adjustment,
                    "error": unpooled + adjustment - true,
                    "lower_bound": lower,
                    "upper_bound": upper,
                    "clipped_score": min(max(unpooled + adjustment, lower), upper),
                    **self.uncertainty(run, measure, estimator, unpooled),
                    "beyond_pool_depth": cutoff > (self.depth(run) or 0),
                }
        return rows

    @cached_property
    def fct_expected_relevance(self) -> Rows:
        """Return one row per run and unjudged document that it contributed, or would have."""
        return {
            (self.collection.name, run, *pair): {
                "rank": found.rank,
                "is_pooled": run in self.pooled_runs,
                "is_judged_if_pooled": found.is_judged_if_pooled,
                "rare_precision": found.rare_precision,
                "topic_precision": found.topic_precision,
                "support": float(found.support),
                "probability": found.probability,
                "is_relevant": found.is_relevant,
            }
            for run, described in self.described.items()
            for pair, found in self.expected_relevance.unjudged(described).items()
        }

    @cached_property
    def expected_gains(self) -> Rows:
        """Return one row per run, question and measure: its expected gain, with intervals.

        Only a pool with another organization than that of the run says anything.
        """
        return {
            (self.collection.name, run, target, measure): {
                "unjudged_weight": self.expected_relevance.unjudged_weight(
                    described, measure, target
                ),
                "expected_gain": self.expected_relevance.adjustment(described, measure, target),
                **self.ends(described, measure, target),
            }
            for run, described in self.described.items()
            if set(self.expected_relevance.organizations) - {described.own}
            for target in ("if_pooled", "if_judged")
            for measure in (*(f"P@{cutoff}" for cutoff in PRECISION_CUTOFFS), RBP)
        }

    def ends(
        self, run: expected_relevance_reference.Run, measure: str, target: str, base: float = 0
    ) -> dict[str, Value]:
        """Return the ends of the intervals around an estimate that adds the gain to a score."""
        found: dict[str, Value] = {}
        for confidence in ("68", "95"):
            ends = self.expected_relevance.interval(run, measure, confidence, target)
            for name, end in zip(("low", "high"), ends or (None, None), strict=True):
                found[f"ci_{confidence}_{name}"] = None if end is None else base + end
        return found

    @cache  # noqa: B019 - a reference lives as long as the test
    def bounds(self, run: str, level: str, subset: str, measure: str) -> tuple[float, float]:
        """Return the scores of a run out of the pool if none or all of its documents are relevant.

        This is about its documents that are unjudged then.
        """
        runs = self.subset(subset, measure)
        left = self.pool([each for each in runs if self.is_other(each, run, level)])
        lower = self.score(run, measure, left)
        return lower, lower + mean(
            self.weigh(run, topic, measure, lambda pair: pair not in left)
            for topic in self.rankings[run]
        )

    def residual_if_pooled(self, run: str, measure: str) -> float:
        """Return the weight that a run brings into the pool of the other organizations."""
        others = [each for each in self.pooled_runs if self.is_other(each, run, "organization")]
        brought = self.top(run) - self.pool(others)
        return mean(
            self.weigh(run, topic, measure, brought.__contains__) for topic in self.rankings[run]
        )

    @cached_property
    def fct_topic_deltas(self) -> Rows:
        """Return one row per pooled run, level and measure about the run's gains on the topics.

        The gains are from Webber & Park, equation 4. The variances about the ratio to the residual
        and about the line over it (Cochran, Sampling Techniques, chapters 6 and 7) are over all N.
        """
        rows: Rows = {}
        measures = (*(f"P@{cutoff}" for cutoff in PRECISION_CUTOFFS), RBP)
        for level, measure in product(LEVELS, measures):
            runs = self.subset("all", measure)
            for run in runs:
                others = [each for each in runs if self.is_other(each, run, level)]
                true = self.relevant & self.truth(run, runs, others)
                left = self.pool(others)
                unpooled = self.relevant & left
                gains, residuals, scores = [], [], []
                for topic in self.rankings[run]:
                    scores.append(self.weigh(run, topic, measure, true.__contains__))
                    gains.append(
                        scores[-1] - self.weigh(run, topic, measure, unpooled.__contains__)
                    )
                    residuals.append(
                        self.weigh(run, topic, measure, lambda pair, left=left: pair not in left)  # type: ignore[misc]
                    )
                rows[self.collection.name, run, level, measure] = {
                    "n_topics": len(gains),
                    "mean_delta": mean(gains),
                    "mean_residual": mean(residuals),
                    **variances_of_gains(gains, residuals),
                    "true_variance": variance(scores) if len(scores) > 1 else None,
                }
        return rows

    @cache  # noqa: B019 - a reference lives as long as the test
    def different_runs(
        self, level: str, subset: str, measure: str
    ) -> dict[str, set[tuple[str, str]] | None]:
        """Compare the runs of a subset by their true scores, on the topics that each run answers.

        Return, by test, the pairs that differ, or None where nothing can be tested.
        """
        runs = self.subset(subset, measure)
        scores = {}
        for run in runs:
            others = [each for each in runs if self.is_other(each, run, level)]
            true = self.relevant & self.truth(run, runs, others)
            scores[run] = {
                topic: self.weigh(run, topic, measure, true.__contains__)
                for topic in self.rankings[run]
            }
        matrix = matrix_of(scores)
        different = {"tukey": different_by_tukey(matrix), "paired_t": different_by_paired_t(matrix)}
        return {
            test: None if pairs is None else {(runs[one], runs[other]) for one, other in pairs}
            for test, pairs in different.items()
        }

    @cached_property
    def fct_generalizability(self) -> Rows:
        """Return one row per measure, where at least two pooled runs answer all topics.

        There must be at least two topics.
        """
        rows: Rows = {}
        runs = [each for each in self.pooled_runs if len(self.rankings[each]) == len(self.topics)]
        if len(runs) < 2 or len(self.topics) < 2:
            return rows
        for measure in (*(f"P@{cutoff}" for cutoff in PRECISION_CUTOFFS), RBP):
            scores = {
                run: {
                    topic: self.weigh(run, topic, measure, self.relevant.__contains__)
                    for topic in self.topics
                }
                for run in runs
            }
            rows[self.collection.name, measure] = {
                "n_runs": len(runs),
                "n_topics": len(self.topics),
                **generalizability(matrix_of(scores)),
            }
        return rows

    @cached_property
    def fct_estimator_errors(self) -> Rows:
        """Return one row per level, subset, measure, unjudged and estimator."""
        rows: Rows = {}
        for ((level, subset, measure, unjudged), estimator), by_run in self.estimates.items():
            true = {run: each[0] for run, each in by_run.items()}
            estimated = {run: each[1] + each[2] for run, each in by_run.items()}
            clipped = {
                run: min(max(estimate, lower), upper)
                for run, estimate in estimated.items()
                for lower, upper in [self.bounds(run, level, subset, measure)]
            }
            key = self.collection.name, level, subset, measure, unjudged, estimator
            rows[key] = {
                "n_runs": len(by_run),
                "mae": mean(abs(estimated[run] - true[run]) for run in by_run),
                "sre": system_rank_error(true, estimated),
                "kendall_tau": kendall_tau_b([(true[run], estimated[run]) for run in by_run]),
                "mae_standard_error": self.standard_error_of_mean(
                    {run: abs(estimated[run] - true[run]) for run in by_run}
                ),
                "mean_error": mean(estimated[run] - true[run] for run in by_run),
                "clipped_mae": mean(abs(clipped[run] - true[run]) for run in by_run),
                "clipped_mae_standard_error": self.standard_error_of_mean(
                    {run: abs(clipped[run] - true[run]) for run in by_run}
                ),
                "n_intervals": len(self.intervals(measure, estimator, by_run, "95")),
                "coverage_68": self.coverage(measure, estimator, by_run, "68"),
                "coverage_95": self.coverage(measure, estimator, by_run, "95"),
                "clipped_sre": system_rank_error(true, clipped),
                "clipped_kendall_tau": kendall_tau_b([(true[run], clipped[run]) for run in by_run]),
            }
        return rows

    def standard_error_of_mean(self, values: Mapping[str, float]) -> float | None:
        """Return the standard error of a mean over runs, of which organizations are a sample.

        It is that of a ratio of two sums over clusters: the values, and the number of runs.
        """
        of_organization: dict[str, list[float]] = {}
        for run, value in values.items():
            of_organization.setdefault(self.organization(run), []).append(value)
        n = len(of_organization)
        if n == 1:
            return None
        ratio = mean(values.values())
        left = [sum(each) - ratio * len(each) for each in of_organization.values()]
        return math.sqrt(n / (n - 1) * sum(each**2 for each in left)) / len(values)

    def coverage(
        self,
        measure: str,
        estimator: str,
        estimates: Mapping[str, tuple[float, float, float]],
        confidence: str,
    ) -> float | None:
        """Return the share of true scores inside their intervals; None of fewer than ten."""
        intervals = self.intervals(measure, estimator, estimates, confidence)
        if len(intervals) < 10:
            return None
        return mean(
            nine_decimals(low) <= nine_decimals(estimates[run][0]) <= nine_decimals(high)
            for run, (low, high) in intervals.items()
        )

    def intervals(
        self,
        measure: str,
        estimator: str,
        estimates: Mapping[str, tuple[float, float, float]],
        confidence: str,
    ) -> dict[str, tuple[float, float]]:
        """Return the intervals of the runs that have one."""
        found = {}
        for run, (_, unpooled, _) in estimates.items():
            ends = self.uncertainty(run, measure, estimator, unpooled)
            low, high = (ends[f"ci_{confidence}_{each}"] for each in ("low", "high"))
            if low is not None and high is not None:
                found[run] = float(low), float(high)
        return found

    def uncertainty(
        self, run: str, measure: str, estimator: str, unpooled: float
    ) -> dict[str, Value]:
        """Return the ends of the intervals of an estimate, which expected relevance alone has."""
        if estimator != "expected_relevance":
            return {f"ci_{each}_{end}": None for each in ("68", "95") for end in ("low", "high")}
        return self.ends(self.described[run], measure, "if_pooled", unpooled)

    @cached_property
    def significant_rank_errors(self) -> Rows:
        """Return one row per level, subset of two or more, measure, unjudged and estimator."""
        rows: Rows = {}
        for ((level, subset, measure, unjudged), estimator), by_run in self.estimates.items():
            if len(by_run) > 1:
                true = {run: each[0] for run, each in by_run.items()}
                estimated = {run: each[1] + each[2] for run, each in by_run.items()}
                rows[self.collection.name, level, subset, measure, unjudged, estimator] = {
                    f"sre_star_{test}": system_rank_error_star(true, estimated, different)
                    for test, different in self.different_runs(level, subset, measure).items()
                }
        return rows
