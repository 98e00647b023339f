"""Compute the measures as their papers define them: one topic at a time, document by document.

Nothing is counted in advance, and every loop goes down the ranking. The code is plain, slow and
independent of the SQL. Where trec_eval, gdeval or ir_measures differ from the paper, their
definition holds.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Literal

from reader_reference import continuation, gain_per_document, scaled

Unjudged = Literal["nonrelevant", "condensed"]
"""The treatment of unjudged documents; condensed rankings leave them out."""
TREATMENTS: tuple[Unjudged, ...] = ("nonrelevant", "condensed")

# trec_eval adds this number to avoid a division by 0 (infAP). It is also its smallest AP (gm_map).
SMOOTHING = 0.00001
LEAST_AVERAGE_PRECISION = 0.00001
# The version of trec_eval that scores follow.
TREC_EVAL = 10
# gdeval's highest grade: its grades are 0 to 4 for every collection.
HIGHEST_GRADE = "4"


# The default prices of documents that are found or not, relevant or not (utility).
_PRICES = {1: 1.0, 2: -1.0, 3: 0.0, 4: 0.0}


@dataclass(frozen=True)
class Asked:
    """A measure in its parts; parts that its notation does not have are None."""

    name: str
    cutoff: int | None
    recall: float | None
    level: int | None
    persistence: float
    beta: float
    parameters: Mapping[str, str]
    gains: Mapping[int, float]
    prices: Sequence[float]

    def is_true(self, parameter: str) -> bool:
        """Return whether a parameter is written as true."""
        return self.parameters.get(parameter) == "true"


@cache
def parse(measure: str) -> Asked:
    """Read ir_measures' notation, such as `RBP(p=0.8,rel=2)@10`."""
    name, listed, at = re.fullmatch(r"(\w+)(?:\((.*)\))?(?:@(.+))?", measure).groups()  # type: ignore[union-attr]
    gains = dict(each.split(":") for each in re.findall(r"\d+:-?[\d.]+", listed or ""))
    parameters = dict(re.findall(r"(\w+)=([^,{]+)", listed or ""))
    is_recall = name in {"IPrec", "RprecMult"}
    return Asked(
        name,
        cutoff=int(at) if at and not is_recall else None,
        recall=float(at) if at and is_recall else None,
        level=int(parameters["rel"]) if "rel" in parameters else None,
        persistence=float(parameters.get("p", 0.9 if name == "GradedRBP" else 0.8)),
        beta=float(parameters.get("beta", 1)),
        parameters=parameters,
        gains={int(grade): float(gain) for grade, gain in gains.items()},
        prices=[float(parameters.get(f"p{each}", price)) for each, price in _PRICES.items()],
    )


@dataclass
class Judged:
    """A ranking of one topic, and the grades of its pool; a negative grade is no judgement."""

    ranking: Sequence[str]
    grades: Mapping[str, int]
    level: int
    gains: Mapping[int, float] = field(default_factory=dict)
    highest_grade: int | None = None  # of the collection

    def is_judged(self, document: str) -> bool:
        """Return whether the document was judged."""
        return self.grades.get(document, -1) >= 0

    def is_relevant(self, document: str) -> bool:
        """Return whether the document was judged relevant."""
        return self.grades.get(document, -1) >= max(self.level, 0)

    def is_nonrelevant(self, document: str) -> bool:
        """Return whether the document was judged not relevant."""
        return 0 <= self.grades.get(document, -1) < self.level

    def is_pooled_unjudged(self, document: str) -> bool:
        """Return whether the document is in the pool and nobody judged it."""
        return document in self.grades and self.grades[document] < 0

    def gain(self, document: str) -> float:
        """Return a document's gain: its grade unless it has another, and 0 where it is unjudged."""
        grade = self.grades.get(document, -1)
        return self.gains.get(grade, grade) if grade >= 0 else 0

    def top(self, cutoff: int | None) -> Sequence[str]:
        """Return the documents down to a rank."""
        return self.ranking[:cutoff]

    def found(self, holds: Callable[[str], bool], cutoff: int | None = None) -> Iterable[int]:
        """Return the number of documents down to each rank for which a condition holds."""
        return accumulate(map(holds, self.top(cutoff)))

    def count(self, holds: Callable[[str], bool], cutoff: int | None = None) -> int:
        """Return the number of documents of the ranking for which a condition holds."""
        return sum(map(holds, self.top(cutoff)))

    @property
    def n_relevant(self) -> int:
        """Return the number of relevant documents of the topic."""
        lowest = max(self.level, 0)
        return sum(grade >= lowest for grade in self.grades.values())

    @property
    def n_nonrelevant(self) -> int:
        """Return the number of documents of the topic that were judged not relevant."""
        return sum(0 <= grade < self.level for grade in self.grades.values())

    @property
    def n_judged(self) -> int:
        """Return the number of judged documents of the topic."""
        return self.n_relevant + self.n_nonrelevant

    @property
    def ideal_gains(self) -> list[float]:
        """Return the positive gains of the topic's documents, highest first."""
        return sorted((gain for gain in map(self.gain, self.grades) if gain > 0), reverse=True)


def share(part: float, whole: float) -> float:
    """Divide; return 0 where the divisor is 0, as trec_eval does."""
    return part / whole if whole else 0.0


def weight(persistence: float, rank: int) -> float:
    """Return the probability that a reader stops at a rank (Moffat & Zobel 2008)."""
    return (1 - persistence) * persistence ** (rank - 1)


def rank_biased_precision(relevant: Iterable[bool], persistence: float) -> float:
    """Add up the weights of the relevant ranks to the end of the list, without normalization."""
    return math.fsum(
        weight(persistence, rank)
        for rank, is_relevant in enumerate(relevant, start=1)
        if is_relevant
    )


def rank_biased_residual(judged: Sequence[bool], persistence: float, cutoff: int | None) -> float:
    """Add up the weights of the unjudged ranks and of the ranks below the end of the list."""
    last = cutoff or len(judged)
    unknown = [not is_judged for is_judged in judged[:last]] + [True] * (last - len(judged))
    tail = 0.0 if cutoff else persistence**last
    return rank_biased_precision(unknown, persistence) + tail


def precisions_at(judged: Judged, holds: Callable[[str], bool], cutoff: int | None) -> float:
    """Add up the share of such documents down to each of them."""
    return math.fsum(
        found / rank
        for rank, (document, found) in enumerate(
            zip(judged.top(cutoff), judged.found(holds, cutoff), strict=True), start=1
        )
        if holds(document)
    )


def average_precision(judged: Judged, cutoff: int | None) -> float:
    """Add up the precision at each relevant document; divide by the number of relevant ones."""
    return share(precisions_at(judged, judged.is_relevant, cutoff), judged.n_relevant)


def average_assessment_precision(judged: Judged, cutoff: int | None) -> float:
    """Add up the judged share at each judged document; divide by the number of judged ones."""
    return share(precisions_at(judged, judged.is_judged, cutoff), judged.n_judged)


def reciprocal_rank_of_assessment(judged: Judged, cutoff: int | None) -> float:
    """Return one over the rank of the first judged document."""
    found = [
        rank for rank, each in enumerate(judged.top(cutoff), start=1) if judged.is_judged(each)
    ]
    return 1 / found[0] if found else 0.0


def reciprocal_rank(judged: Judged, cutoff: int | None) -> float:
    """Return one over the rank of the first relevant document."""
    for rank, document in enumerate(judged.top(cutoff), start=1):
        if judged.is_relevant(document):
            return 1 / rank
    return 0.0


def discounted_gain(gains: Iterable[float]) -> float:
    """Add up grade / log2(rank + 1), as trec_eval does."""
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def normalized_discounted_gain(judged: Judged, cutoff: int | None) -> float:
    """Divide the discounted gain by the one of the ideal ranking of all judged documents."""
    gains = map(judged.gain, judged.top(cutoff))
    return share(discounted_gain(gains), discounted_gain(judged.ideal_gains[:cutoff]))


def expected_reciprocal_rank(judged: Judged, asked: Asked) -> float:
    """Follow the reader down the ranking until a document satisfies (Chapelle et al. 2009)."""
    expected, still_reading = 0.0, 1.0
    highest = int(asked.parameters.get("max_rel", HIGHEST_GRADE))
    for rank, document in enumerate(judged.top(asked.cutoff), start=1):
        satisfies = (2 ** min(judged.gain(document), highest) - 1) / 2**highest
        expected += still_reading * satisfies / rank
        still_reading *= 1 - satisfies
    return expected


def q_measure(judged: Judged) -> float:
    """Add up the blended ratio at each document with a gain, beta 1 (Sakai 2007)."""
    total, n_found, found_gain, ideal_gain = 0.0, 0, 0.0, 0.0
    ideal = judged.ideal_gains
    for rank, document in enumerate(judged.ranking, start=1):
        ideal_gain += ideal[rank - 1] if rank <= len(ideal) else 0
        found_gain += judged.gain(document)
        if judged.gain(document):
            n_found += 1
            total += (n_found + found_gain) / (rank + ideal_gain)
    return share(total, len(ideal))


def graded_precision(judged: Judged, persistence: float, cutoff: int | None) -> float:
    """Add up the weighted gains; where the topic has a grade above 1, its highest one gains 1."""
    highest = max([*judged.ideal_gains, 1])
    return math.fsum(
        weight(persistence, rank) * judged.gain(document) / highest
        for rank, document in enumerate(judged.top(cutoff), start=1)
    )


def yet_another_average_precision(judged: Judged) -> float:
    """Compare the expected number of relevant documents with the others (Robertson 2012)."""
    expected = average_precision(judged, None) * judged.n_relevant
    return math.log((1 + expected) / (1 + judged.n_relevant - expected))


def binary_preference(judged: Judged) -> float:
    """Count, for each relevant document, the pairs with a non-relevant document that comes first.

    Only the first R retrieved non-relevant documents count. R is the number of relevant documents,
    or the number of non-relevant ones where it is lower. (trec_eval corrects Buckley & Voorhees
    2004 in this way.)
    """
    n_relevant = judged.n_relevant
    n_countable = min(n_relevant, judged.n_nonrelevant)
    total = 0.0
    for rank, document in enumerate(judged.ranking):
        if judged.is_relevant(document):
            n_above = sum(map(judged.is_nonrelevant, judged.ranking[:rank]))
            total += 1 - share(min(n_above, n_relevant), n_countable)
    return share(total, n_relevant)


def inferred_average_precision(judged: Judged) -> float:
    """Estimate the precision at each relevant document from the judgements above it.

    The formula is from Yilmaz & Aslam 2006, as trec_eval computes it:
    1/k + (k - 1)/k |pooled above| / (k - 1) (relevant above + e) / (judged above + 2 e).
    """
    total = 0.0
    n_relevant = n_nonrelevant = n_unjudged = 0
    for n_above, document in enumerate(judged.ranking):
        if judged.is_relevant(document):
            if n_above == 0:
                total += 1
            else:
                pooled = (n_relevant + n_nonrelevant + n_unjudged) / n_above
                relevant = (n_relevant + SMOOTHING) / (n_relevant + n_nonrelevant + 2 * SMOOTHING)
                total += (1 + n_above * pooled * relevant) / (n_above + 1)
            n_relevant += 1
        n_nonrelevant += judged.is_nonrelevant(document)
        n_unjudged += judged.is_pooled_unjudged(document)
    return share(total, judged.n_relevant)


def interpolated_precision(judged: Judged, recall: float) -> float:
    """Return the highest precision over all ranks at which enough relevant documents are found."""
    share_of_relevant = recall * judged.n_relevant
    n_needed = (
        int(share_of_relevant + 0.9)
        if TREC_EVAL == 9
        else int(Decimal(share_of_relevant).to_integral_value(ROUND_HALF_UP))
    )
    found = enumerate(judged.found(judged.is_relevant), start=1)
    return max((each / rank for rank, each in found if each >= n_needed), default=0.0)


def read_gain(judged: Judged, asked: Asked) -> float:
    """Return the gain per document that a reader looks at, for measures of cwl_eval."""
    lowest = int(asked.parameters.get("min_rel", 0))
    highest = max(int(asked.parameters.get("max_rel", judged.highest_grade or 0)), lowest + 1)
    grades = [max(judged.grades.get(document, 0), 0) for document in judged.ranking]
    gains = [scaled(grade, lowest, highest) for grade in grades]
    wanted = Fraction(asked.parameters.get("T", "1"))
    persistence = float(asked.parameters.get("p", "0.9"))
    return gain_per_document(gains, continuation(asked.name, wanted, persistence), asked.cutoff)


def compatibility(judged: Judged, persistence: float, normalize: bool) -> float:
    """Compare with the nearest ideal ranking, depth by depth (Clarke et al. 2021)."""
    found = list(judged.ranking)
    ideal = [document for document in judged.grades if judged.gain(document)]
    ideal.sort(key=lambda each: found.index(each) if each in found else len(found))
    ideal.sort(key=judged.gain, reverse=True)
    depths = range(1, max(len(found), len(ideal)) + 1)

    def overlap(one: list[str]) -> float:
        return math.fsum(
            persistence ** (depth - 1) * len({*one[:depth]} & {*ideal[:depth]}) / depth
            for depth in depths
        )

    return share(
        overlap(found),
        overlap(ideal) if normalize else math.fsum(persistence ** (each - 1) for each in depths),
    )


def accuracy(judged: Judged, cutoff: int | None) -> float:
    """Count the pairs of a relevant and another document in which the relevant one is first."""
    relevant = [judged.is_relevant(document) for document in judged.top(cutoff)]
    pairs = [not other for rank, each in enumerate(relevant) if each for other in relevant[:rank]]
    n_pairs = sum(relevant) * (len(relevant) - sum(relevant))
    return float(any(relevant)) * (1 - share(sum(pairs), n_pairs))


def precision_at_multiple(judged: Judged, multiple: float) -> float:
    """Return the precision at a multiple of the number of relevant documents."""
    cutoff = int(multiple * judged.n_relevant + 0.9)
    return share(judged.count(judged.is_relevant, cutoff), cutoff)


def utility(judged: Judged, prices: Sequence[float], n_documents: int = 0) -> float:
    """Price the four cells of the table of found and relevant documents."""
    found = judged.count(judged.is_relevant)
    others_found = len(judged.ranking) - found
    missed = judged.n_relevant - found
    cells = (found, others_found, missed, n_documents - found - others_found - missed)
    return math.fsum(price * cell for price, cell in zip(prices, cells, strict=True))


def binary_g(judged: Judged) -> float:
    """Discount each relevant document by the documents above it that are not relevant."""
    total = 0.0
    for rank, document in enumerate(judged.ranking):
        if judged.is_relevant(document):
            total += 1 / math.log2(2 + rank - judged.count(judged.is_relevant, rank))
    return share(total, judged.n_relevant)


def graded_g(judged: Judged) -> float:
    """Discount each gain by what the ideal ranking has gained more, at least 1 at each rank."""
    ideal = judged.ideal_gains
    total, ideal_gain, found_gain = 0.0, 0.0, 0.0
    for rank, document in enumerate(judged.ranking):
        ideal_gain += max(ideal[rank], 1) if rank < len(ideal) else 1
        found_gain += judged.gain(document)
        total += judged.gain(document) / math.log2(2 + ideal_gain - found_gain)
    return share(total, sum(ideal))


def normalized_at_gains(judged: Judged) -> float:
    """Average nDCG over the documents with a gain; those not found have it at the end."""
    found = [
        normalized_discounted_gain(judged, rank)
        for rank, document in enumerate(judged.ranking, start=1)
        if judged.gain(document) > 0
    ]
    n_gains = len(judged.ideal_gains)
    missed = (n_gains - len(found)) * normalized_discounted_gain(judged, None)
    return max(share(math.fsum(found) + missed, n_gains), 0.0)


def normalized_at_levels(judged: Judged) -> float:
    """Average nDCG over the ends of the ideal ranking's levels, and the end of a longer one."""
    ideal = judged.ideal_gains
    ends = [rank for rank, gain in enumerate(ideal, 1) if [*ideal, None][rank] != gain]
    if len(judged.ranking) > len(ideal) + 1:
        ends.append(len(judged.ranking))
    scores = [normalized_discounted_gain(judged, end) for end in ends]
    return share(math.fsum(scores), len(ends)) if judged.n_relevant else 0.0


def set_f(precision: float, recall: float, beta: float) -> float:
    """Weigh precision and recall; as in trec_eval, beta is what others call its square."""
    return share((1 + beta) * precision * recall, beta * precision + recall)


# Every measure of Poolhouse, by name: its function of a ranking and of the measure's parts.
MEASURES: dict[str, Callable[[Judged, Asked], float]] = {
    "P": lambda of, asked: of.count(of.is_relevant, asked.cutoff) / at(asked),
    "AntiP": lambda of, asked: of.count(of.is_nonrelevant, asked.cutoff) / at(asked),
    "UnjudgedRate": lambda of, asked: 1 - of.count(of.is_judged, asked.cutoff) / at(asked),
    "A": lambda of, asked: of.count(of.is_judged, asked.cutoff) / at(asked),
    "RA": lambda of, asked: share(of.count(of.is_judged, asked.cutoff), of.n_judged),
    "AAP": lambda of, asked: average_assessment_precision(of, asked.cutoff),
    "ARprec": lambda of, _: share(of.count(of.is_judged, of.n_judged), of.n_judged),
    "ARR": lambda of, asked: reciprocal_rank_of_assessment(of, asked.cutoff),
    "Judged": lambda of, asked: share(
        of.count(of.is_judged, asked.cutoff), len(of.top(asked.cutoff))
    ),
    "R": lambda of, asked: share(of.count(of.is_relevant, asked.cutoff), of.n_relevant),
    "AP": lambda of, asked: average_precision(of, asked.cutoff),
    "GMAP": lambda of, _: max(average_precision(of, None), LEAST_AVERAGE_PRECISION),
    "Rprec": lambda of, _: share(of.count(of.is_relevant, of.n_relevant), of.n_relevant),
    "RR": lambda of, asked: reciprocal_rank(of, asked.cutoff),
    "Bpref": lambda of, _: binary_preference(of),
    "infAP": lambda of, _: inferred_average_precision(of),
    "Q": lambda of, _: q_measure(of),
    "nDCG": lambda of, asked: normalized_discounted_gain(of, asked.cutoff),
    "DCG": lambda of, asked: discounted_gain(map(of.gain, of.top(asked.cutoff))),
    "IdealDCG": lambda of, asked: discounted_gain(of.ideal_gains[: asked.cutoff]),
    "GradedRBP": lambda of, asked: graded_precision(of, asked.persistence, asked.cutoff),
    "RelP": lambda of, asked: share(
        of.count(of.is_relevant, asked.cutoff), min(at(asked), of.n_relevant)
    ),
    "RprecMult": lambda of, asked: precision_at_multiple(of, asked.recall or 0.0),
    "GMBpref": lambda of, _: max(binary_preference(of), LEAST_AVERAGE_PRECISION),
    "IPrecAvg": lambda of, _: math.fsum(
        interpolated_precision(of, tenths / 10) / 11 for tenths in range(11)
    ),
    "SetAP": lambda of, _: share(of.count(of.is_relevant) ** 2, len(of.ranking) * of.n_relevant),
    "BinG": lambda of, _: binary_g(of),
    "G": lambda of, _: graded_g(of),
    "nDCGRel": lambda of, _: normalized_at_gains(of),
    "RnDCG": lambda of, _: normalized_at_levels(of),
    "Utility": lambda of, asked: utility(of, asked.prices),
    "NumNonRelRet": lambda of, _: float(of.count(of.is_nonrelevant)),
    "NumQ": lambda *_: 1.0,
    "YAAP": lambda of, _: yet_another_average_precision(of),
    "Unj": lambda of, asked: (
        (len(of.top(asked.cutoff)) - of.count(of.is_judged, asked.cutoff)) / at(asked)
    ),
    "ERR": expected_reciprocal_rank,
    **dict.fromkeys(
        ("BPM", "SDCG", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11"), read_gain
    ),
    "Compat": lambda of, asked: compatibility(
        of,
        float(asked.parameters.get("p", "0.95")),
        asked.parameters.get("normalize", "true") == "true",
    ),
    "Accuracy": lambda of, asked: accuracy(of, asked.cutoff),
    "RBP": lambda of, asked: rank_biased_precision(
        map(of.is_relevant, of.top(asked.cutoff)), asked.persistence
    ),
    "RBPResidual": lambda of, asked: rank_biased_residual(
        [of.is_judged(document) for document in of.ranking], asked.persistence, asked.cutoff
    ),
    "Success": lambda of, asked: float(of.count(of.is_relevant, asked.cutoff) > 0),
    "IPrec": lambda of, asked: interpolated_precision(of, asked.recall or 0.0),
    "SetP": lambda of, asked: share(
        of.count(of.is_relevant),
        min(len(of.ranking), of.n_relevant) if asked.is_true("relative") else len(of.ranking),
    ),
    "SetR": lambda of, _: share(of.count(of.is_relevant), of.n_relevant),
    "SetF": lambda of, asked: set_f(
        share(of.count(of.is_relevant), len(of.ranking)),
        share(of.count(of.is_relevant), of.n_relevant),
        asked.beta,
    ),
    "NumRet": lambda of, asked: float(of.count(of.is_relevant) if asked.level else len(of.ranking)),
    "NumRel": lambda of, _: float(of.n_relevant),
    "NumRelRet": lambda of, _: float(of.count(of.is_relevant)),
}


def at(asked: Asked) -> int:
    """Return the cutoff of a measure that has one."""
    assert asked.cutoff is not None, f"{asked.name} needs a cutoff"
    return asked.cutoff


def score_of(  # noqa: PLR0913, PLR0917 - of the run, the judgements and the collection
    measure: str,
    ranking: Sequence[str],
    grades: Mapping[str, int],
    threshold: int,
    unjudged: str,
    highest_grade: int | None = None,
) -> float:
    """Score the ranking of one topic by a measure, under a treatment of unjudged documents."""
    asked = parse(measure)
    gains = asked.gains
    if asked.parameters.get("dcg") == "exp-log2":
        gains = {grade: 2**grade - 1 for grade in grades.values() if grade >= 0}
    if unjudged == "condensed" or asked.is_true("judged_only"):
        ranking = [each for each in ranking if grades.get(each, -1) >= 0]
    judged = Judged(ranking, grades, asked.level or threshold, gains, highest_grade)
    return MEASURES[asked.name](judged, asked)


# -- Over topics -----------------------------------------------------------------------------------

COUNTS = ("NumRet", "NumRel", "NumRelRet", "NumNonRelRet", "NumQ")


def over_topics(measure: str, scores: Sequence[float]) -> float | None:
    """Combine the scores of a run's topics: counts are added up, and GMAP is a geometric mean."""
    if not scores:
        return None
    name = parse(measure).name
    if name in COUNTS:
        return math.fsum(scores)
    if name in {"GMAP", "GMBpref"}:
        return float(math.prod(score ** (1 / len(scores)) for score in scores))
    return math.fsum(scores) / len(scores)
