"""Estimate scores from a sample document by document and pair by pair, as the papers do."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from measures_reference import SMOOTHING, share

CUTOFF = 10


@dataclass(frozen=True)
class Drawn:
    """A row of a design. The grade is None where the document was not sampled."""

    stratum: int
    n_documents: int
    single: float
    joint: float
    between: float
    grade: int | None


# The documents of one topic that could be sampled.
Frame = Mapping[str, Drawn]


def probability_of(a: str, b: str, frame: Frame) -> float:
    """Return the probability that both documents are sampled."""
    one, other = frame[a], frame[b]
    if a == b:
        return one.single
    if one.stratum == other.stratum:
        return one.joint
    return one.between * one.single * other.single


class Sample:
    """A sample of one topic, and a ranking of its documents."""

    def __init__(self, ranking: Sequence[str], frame: Frame, level: int) -> None:
        self.frame = frame
        self.ranking = ranking
        self.rank_of = {document: rank for rank, document in enumerate(ranking, start=1)}
        self.sampled = [each for each, drawn in frame.items() if drawn.grade is not None]
        self.gain_of = {each: max(frame[each].grade or 0, 0) for each in self.sampled}
        self.relevant = [each for each in self.sampled if (frame[each].grade or 0) >= level]
        self.found = [each for each in self.relevant if each in self.rank_of]

    def total(self, value_of: Mapping[str, float] | Callable[[str], float]) -> float:
        """Estimate a sum over all documents of the frame."""
        get = value_of.__getitem__ if isinstance(value_of, Mapping) else value_of
        return math.fsum(get(each) / self.frame[each].single for each in self.sampled)

    # ------------------------------------------------------------------------------ inferred

    def inferred(self) -> float:
        """Infer AP by strata: Yilmaz, Kanoulas & Aslam 2008."""
        strata: dict[int, list[str]] = {}
        for document, drawn in self.frame.items():
            strata.setdefault(drawn.stratum, []).append(document)
        precisions = relevant = 0.0
        for members in strata.values():
            of_stratum = [each for each in members if each in self.relevant]
            n_sampled = sum(each in self.sampled for each in members)
            rate = len(members) / n_sampled
            relevant += rate * len(of_stratum)
            precisions += rate * math.fsum(
                self.expected_precision(each, strata) for each in of_stratum if each in self.rank_of
            )
        return share(precisions, relevant)

    def expected_precision(self, document: str, strata: Mapping[int, Sequence[str]]) -> float:
        """Return the precision that is expected at a relevant document."""
        rank = self.rank_of[document]
        expected = 1 / rank
        for members in strata.values():
            above = [each for each in members if self.rank_of.get(each, rank) < rank]
            n_sampled = sum(each in self.sampled for each in above)
            n_relevant = sum(each in self.relevant for each in above)
            chance = (n_relevant + SMOOTHING) / (n_sampled + 2 * SMOOTHING)
            expected += len(above) / rank * chance
        return expected

    # ------------------------------------------------------------------- Horvitz & Thompson

    def average_precision(self) -> tuple[float, float]:
        """Return AP and its variance."""
        n_relevant = self.total(lambda each: each in self.relevant)
        precisions = math.fsum(
            1 / probability_of(one, other, self.frame) / self.rank_of[one]
            for one in self.found
            for other in self.found
            if self.rank_of[other] <= self.rank_of[one]
        )
        score = share(precisions, n_relevant)
        influence = dict.fromkeys(self.sampled, 0.0)
        for one in self.relevant:
            change = -score
            if one in self.found:
                change += 1 / self.rank_of[one]
                for other in self.found:
                    if other != one:
                        chance = probability_of(one, other, self.frame) / self.frame[one].single
                        change += 1 / max(self.rank_of[one], self.rank_of[other]) / chance
            influence[one] = change / n_relevant
        return score, self.variance(influence)

    def precision(self) -> tuple[float, float]:
        """Return P at the cutoff, and its variance."""
        shares = {
            each: (each in self.relevant and self.rank_of.get(each, math.inf) <= CUTOFF) / CUTOFF
            for each in self.sampled
        }
        return self.total(shares), self.variance(shares)

    def number_of_relevant(self) -> tuple[float, float]:
        """Return the number of relevant documents of the topic, and its variance."""
        counts = {each: float(each in self.relevant) for each in self.sampled}
        return self.total(counts), self.variance(counts)

    def discounted_gain(self) -> tuple[float, float]:
        """Return nDCG and its variance, with the change of the ideal taken by a small step."""
        gains = {
            each: self.gain_of[each] / math.log2(self.rank_of[each] + 1)
            if each in self.rank_of
            else 0.0
            for each in self.sampled
        }
        weights = {each: 1 / self.frame[each].single for each in self.sampled}
        ideal = self.ideal(weights)
        score = share(self.total(gains), ideal)
        step = 1e-6
        influence = {
            each: (
                gains[each]
                - score * (self.ideal({**weights, each: weights[each] + step}) - ideal) / step
            )
            / ideal
            if ideal
            else 0.0
            for each in self.sampled
        }
        return score, self.variance(influence)

    def ideal(self, weights: Mapping[str, float]) -> float:
        """Return the DCG of the best order, where a document stands for so many documents."""
        place = total = 0.0
        for document in sorted(weights, key=self.gain_of.__getitem__, reverse=True):
            left = weights[document]
            while left > 0:
                rank = math.floor(place + 1e-9) + 1
                part = min(left, rank - place)
                total += part * self.gain_of[document] / math.log2(rank + 1)
                place, left = place + part, left - part
        return total

    def variance(self, values: Mapping[str, float]) -> float:
        """Return the variance of Sen, Yates & Grundy: a sum over all pairs of the sample."""
        total = 0.0
        for n, one in enumerate(self.sampled):
            for other in self.sampled[:n]:
                both = probability_of(one, other, self.frame)
                single, other_single = self.frame[one].single, self.frame[other].single
                difference = values[one] / single - values[other] / other_single
                total += (single * other_single / both - 1) * difference**2
        return total
