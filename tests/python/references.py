"""Compute scores by other tools, which the scores of the warehouse must equal.

`REFERENCES` says which tool has which measure, under what name, and where Poolhouse differs on
purpose. This module compares measures, and not the treatment of ties. trec_eval, which orders ties
as the warehouse does, gets the scores of a run. Every other tool gets the ranking by these scores.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property, partial
from io import StringIO
from itertools import accumulate
from math import ceil, exp, isnan, log

import ir_measures
import numpy as np
import pytrec_eval
from pyNTCIREVAL.metrics import QMeasure
from rbp_eval import DEPTH_FULL, Ordering, Rbp, load_qrels
from rbp_eval.ranking import QueryDocs

from measures_reference import Unjudged, score_of

Grades = Mapping[str, Mapping[str, int]]
"""Topic, document, grade."""
Rankings = Mapping[str, Sequence[str]]
"""Documents by topic, best first."""
Scores = dict[str, dict[str, float]]
"""Measure, topic, score."""

# Scores are compared to 1e-5. Ranks whose weights add up to less than this number are left out.
_NEGLIGIBLE = 1e-12


class Run:
    """A run on the judged topics as all tools see it, with each document once.

    A topic that the run does not answer has an empty ranking. A score is the number of lower scores
    of the topic. So a tool that reads 32-bit floats, as trec_eval 9 does, orders documents as
    trec_eval 10, which reads doubles.
    """

    def __init__(self, scores: Mapping[str, Mapping[str, float]], qrels: Grades) -> None:
        self.scores = {topic: _ordinals(scores.get(topic, {})) for topic in qrels}
        self.qrels = qrels

    def rankings(self, unjudged: Unjudged) -> Rankings:
        """Return the documents that count under a treatment of unjudged ones, best first."""
        return self._all if unjudged == "nonrelevant" else self._judged

    @cached_property
    def _all(self) -> Rankings:
        """Return all documents by score, then by document id, both descending."""
        rankings = {}
        for topic, scores in self.scores.items():
            pairs = sorted(zip(scores.values(), scores, strict=True), reverse=True)
            rankings[topic] = [document for _, document in pairs]
        return rankings

    @cached_property
    def _judged(self) -> Rankings:
        """Return only judged documents; a document with a negative grade is not judged."""
        return {
            topic: [each for each in ranking if self.qrels[topic].get(each, -1) >= 0]
            for topic, ranking in self._all.items()
        }


def _ordinals(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the number of lower different scores for each document."""
    written = np.fromiter(scores.values(), np.float64, len(scores))
    _, ordinals = np.unique(written, return_inverse=True)
    return dict(zip(scores, ordinals.astype(float).tolist(), strict=True))


# -- Tools -----------------------------------------------------------------------------------------


class Tool(ABC):
    """Another program, with the judgements of a collection and the lowest relevant grade."""

    def __init__(self, qrels: Grades, level: int) -> None:
        self.qrels = qrels
        self.level = level

    @abstractmethod
    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """Score the judged topics by measures that are given by the tool's own names."""


class TrecEval(Tool):
    """trec_eval's C code, called through pytrec_eval.

    trec_eval condenses rankings itself (option -J). `regrade` changes the judgements, so that
    trec_eval's measures count other documents than the relevant ones.
    """

    def __init__(
        self, qrels: Grades, level: int, regrade: Callable[[int, int], int] | None = None
    ) -> None:
        if regrade:
            qrels = {
                topic: {document: regrade(grade, level) for document, grade in grades.items()}
                for topic, grades in qrels.items()
            }
            level = 1
        super().__init__(qrels, level)
        self.evaluators: dict[tuple[str, ...], pytrec_eval.RelevanceEvaluator] = {}

    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """See Tool."""
        key = (unjudged, *names)
        if key not in self.evaluators:
            self.evaluators[key] = pytrec_eval.RelevanceEvaluator(
                self.qrels,
                names,
                relevance_level=self.level,
                judged_docs_only_flag=unjudged == "condensed",
            )
        topics = self.evaluators[key].evaluate(run.scores)
        # The names of the scores contain every parameter but the one of set_F.
        return {
            name: {
                topic: row["set_F" if name.startswith("set_F") else name]
                for topic, row in topics.items()
            }
            for name in names
        }


class TrecEvalAtRecall(TrecEval):
    """Interpolated precision of trec_eval 10, by trec_eval 9; names are recall levels here.

    Version 10 rounds level x relevant to a number of documents. Version 9 asks for as many at the
    level that is this number over all relevant ones.
    """

    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """See Tool."""
        found: Scores = {name: {} for name in names}
        for topic, grades in self.qrels.items():
            n_relevant = sum(grade >= self.level for grade in grades.values())
            levels = {name: _rounded_level(float(name), n_relevant) for name in names}
            key = (unjudged, topic, *names)
            if key not in self.evaluators:
                self.evaluators[key] = pytrec_eval.RelevanceEvaluator(
                    {topic: grades},
                    [f"iprec_at_recall_{level!r}" for level in set(levels.values())],
                    relevance_level=self.level,
                    judged_docs_only_flag=unjudged == "condensed",
                )
            row = self.evaluators[key].evaluate({topic: run.scores[topic]})[topic]
            for name, level in levels.items():
                found[name][topic] = row[f"iprec_at_recall_{level:.2f}"]
        return found


def _rounded_level(level: float, n_relevant: int) -> float:
    n_needed = Decimal(level * n_relevant).to_integral_value(ROUND_HALF_UP)
    return int(n_needed) / n_relevant if n_relevant else 0.0


def gain_as_grade(grade: int, _level: int) -> int:
    """Let trec_eval take the gains {1:9,2:4}, of which pytrec_eval cannot tell it."""
    return {1: 9, 2: 4}.get(grade, grade)


def exponential_gain_as_grade(grade: int, _level: int) -> int:
    """Let trec_eval take the gains of gdeval."""
    return 2**grade - 1 if grade >= 0 else grade


def judged_as_relevant(grade: int, _level: int) -> int:
    """Let trec_eval count judged documents."""
    return 1 if grade >= 0 else grade


def nonrelevant_as_relevant(grade: int, level: int) -> int:
    """Let trec_eval count documents that are judged not relevant."""
    return int(grade < level) if grade >= 0 else grade


class RbpEval(Tool):
    """rbp_eval, W. Webber's tool; names are `sum:p:k` and `err:p:k` here, and k 0 is all ranks."""

    def __init__(self, qrels: Grades, level: int) -> None:
        super().__init__(qrels, level)
        lines = (
            f"{topic} 0 {document} {int(grade >= level)}\n"
            for topic, grades in qrels.items()
            for document, grade in grades.items()
            if grade >= 0
        )
        self.judgements = load_qrels(StringIO("".join(lines)))

    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """See Tool."""
        scores: Scores = {name: {} for name in names}
        asked = [name.split(":") for name in names]
        persistences = sorted({float(persistence) for _, persistence, _ in asked})
        depths = sorted({int(depth) or DEPTH_FULL for _, _, depth in asked})
        enough = ceil(log(_NEGLIGIBLE) / log(persistences[-1]))
        rbp = Rbp(self.judgements, Ordering.OCCUR, persistences)
        for topic, ranking in run.rankings(unjudged).items():
            documents = QueryDocs(topic)
            for rank, document in enumerate(ranking[:enough], start=1):
                documents.add_doc_score(document, rank, -rank)
            rbp.init(documents)
            found = {}
            for depth in depths:
                values = rbp.calc_to_depth(depth)[0]
                for persistence, value in zip(persistences, values, strict=True):
                    found["sum", persistence, depth] = value.sum
                    # rbp_eval does not handle an empty ranking, and leaves its initial 0.
                    found["err", persistence, depth] = value.err if ranking else 1.0
            for name, (kind, p, k) in zip(names, asked, strict=True):
                scores[name][topic] = found[kind, float(p), int(k) or DEPTH_FULL]
        return scores


class QuickQMeasure(QMeasure):  # type: ignore[misc]
    """Q-measure with grades as gains. The result is the same, and the time linear.

    QMeasure adds up all ranks above at each rank, and has weight 0 where nothing is relevant. So it
    gets the relevant documents alone, and is told their ranks.
    """

    def compute(self, ranked_list: list[tuple[str, int]]) -> float:
        self.ranks = [rank for rank, (_, grade) in enumerate(ranked_list, start=1) if grade]
        if not self.ranks:
            return 0.0
        relevant = [ranked_list[rank - 1] for rank in self.ranks]
        self.cumulated = list(accumulate(grade for _, grade in relevant))
        self.ideal = list(accumulate(self.ideal_grade_ranked_list))
        score: float = super().compute(relevant)
        return score

    def rank(self, idx: int) -> int:
        return self.ranks[idx]

    def gain(self, idx: int) -> float:
        rank = self.rank(idx)
        ideal = self.ideal[min(rank, len(self.ideal)) - 1]
        ratio: float = (self.relnum + self.beta * self.cumulated[idx]) / (rank + self.beta * ideal)
        return ratio


class NtcirEval(Tool):
    """pyNTCIREVAL, whose author ported T. Sakai's NTCIREVAL; levels of relevance are grades."""

    def __init__(self, qrels: Grades, level: int) -> None:
        super().__init__(qrels, level)
        self.measures = {topic: self._q(list(grades.values())) for topic, grades in qrels.items()}

    @staticmethod
    def _q(grades: list[int]) -> QuickQMeasure:
        levels = range(max(1, *grades) + 1)
        return QuickQMeasure([grades.count(level) for level in levels], list(levels[1:]), beta=1)

    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """See Tool."""
        of_topics = {}
        for topic, ranking in run.rankings(unjudged).items():
            grades = self.qrels[topic]
            levels = [(document, max(0, grades.get(document, 0))) for document in ranking]
            of_topics[topic] = self.measures[topic].compute(levels)
        return dict.fromkeys(names, of_topics)


class IrMeasures(Tool):
    """A provider of ir_measures; names are ir_measures' names.

    A measure gets the lowest relevant grade, and the highest grade of the qrels, if it takes them.
    """

    def __init__(self, qrels: Grades, level: int, provider: str) -> None:
        super().__init__(qrels, level)
        self.provider = ir_measures.providers.registry[provider]
        self.given = {
            "rel": level,
            "max_rel": max(grade for grades in qrels.values() for grade in grades.values()),
        }

    def _measure(self, name: str) -> ir_measures.Measure:
        measure = ir_measures.parse_measure(name.replace("true", "True").replace("false", "False"))
        taken = measure.SUPPORTED_PARAMS.keys() - measure.params.keys()
        given = {each: self.given[each] for each in taken & self.given.keys()}
        complete: ir_measures.Measure = measure(**given)
        return complete

    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """See Tool."""
        measures = {self._measure(name): name for name in names}
        cutoffs = [each.params.get("cutoff", 0) for each in measures]
        deepest = max(cutoffs) if all(cutoffs) else None
        tops = {topic: ranking[:deepest] for topic, ranking in run.rankings(unjudged).items()}
        # Documents that are not retrieved down to the cutoff do not affect measures with a cutoff.
        qrels = {
            topic: {
                document: grade
                for document in (top if deepest else self.qrels[topic])
                if (grade := self.qrels[topic].get(document, -1)) >= 0
            }
            for topic, top in tops.items()
        }
        # The providers return no score for topics without relevant documents.
        scores: Scores = {name: dict.fromkeys(tops, 0.0) for name in names}
        found = self.provider.iter_calc(
            list(measures),
            qrels,
            {
                # Compatibility takes documents that are not retrieved for documents with score 0.
                topic: {document: 1 / rank for rank, document in enumerate(top, start=1)}
                for topic, top in tops.items()
                if top
            },
        )
        for each in found:
            scores[measures[each.measure]][each.query_id] = each.value
        return scores


class Accuracy(IrMeasures):
    """The accuracy of ir_measures, which divides by 0 where all retrieved documents are relevant.

    Where there is no pair that could be in a wrong order, Poolhouse has 1.
    """

    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """See Tool."""
        scores: Scores = {name: {} for name in names}
        for name, of_topics in scores.items():
            for topic, grades in self.qrels.items():
                alone = Run({topic: run.scores[topic]}, {topic: grades})
                try:
                    of_topics.update(super().scores(alone, [name], unjudged)[name])
                except ZeroDivisionError:
                    of_topics[topic] = 1.0
        return scores


class Definition(Tool):
    """The definitions of trec_eval 10 that pytrec_eval lacks, in Python; names are Poolhouse's."""

    def scores(self, run: Run, names: Sequence[str], unjudged: Unjudged) -> Scores:
        """See Tool."""
        rankings = run.rankings(unjudged)
        return {
            name: {
                topic: score_of(name, ranking, self.qrels[topic], self.level, unjudged)
                for topic, ranking in rankings.items()
            }
            for name in names
        }


# -- Which tool has which measure ------------------------------------------------------------------


@dataclass(frozen=True)
class Reference:
    """The tool and the names by which the scores of some measures of Poolhouse are computed."""

    pattern: str
    """The pattern of the measures' names without `rel`; its groups are the parameters."""
    tool: str
    name: str
    """The tool's own name, with places for the parameters."""
    adapt: Callable[..., float] = lambda score, *_: score
    """The function that turns the tool's score (and the parameters) into Poolhouse's score."""
    difference: str = ""
    """The difference on purpose, for which the tool's score is adapted."""


TOOLS: Mapping[str, Callable[[Grades, int], Tool]] = {
    "trec_eval": TrecEval,
    "trec_eval at recall": TrecEvalAtRecall,
    "trec_eval of judged": partial(TrecEval, regrade=judged_as_relevant),
    "trec_eval of nonrelevant": partial(TrecEval, regrade=nonrelevant_as_relevant),
    "trec_eval of gains": partial(TrecEval, regrade=gain_as_grade),
    "trec_eval of exponential gains": partial(TrecEval, regrade=exponential_gain_as_grade),
    "definition": Definition,
    "rbp_eval": RbpEval,
    "pyNTCIREVAL": NtcirEval,
    "gdeval": partial(IrMeasures, provider="gdeval"),
    "judged": partial(IrMeasures, provider="judged"),
    "cwl_eval": partial(IrMeasures, provider="cwl_eval"),
    "compat": partial(IrMeasures, provider="compat"),
    "accuracy": partial(Accuracy, provider="accuracy"),
}


def down_to(score: float, cutoff: str) -> float:
    """Return a reciprocal rank with a cutoff: 0 where the rank is beyond the cutoff."""
    return score if score * int(cutoff) > 1 - _NEGLIGIBLE else 0.0


REFERENCES = (
    Reference(r"P@(\d+)", "trec_eval", "P_{}"),
    Reference(r"AntiP@(\d+)", "trec_eval of nonrelevant", "P_{}"),
    Reference(
        r"UnjudgedRate@(\d+)",
        "trec_eval of judged",
        "P_{}",
        lambda share, _: 1 - share,
        "trec_eval tells the share of judged documents",
    ),
    Reference(r"A@(\d+)", "trec_eval of judged", "P_{}"),
    Reference(r"RA@(\d+)", "trec_eval of judged", "recall_{}"),
    Reference(r"RA", "trec_eval of judged", "set_recall"),
    Reference(r"AAP", "trec_eval of judged", "map"),
    Reference(r"AAP@(\d+)", "trec_eval of judged", "map_cut_{}"),
    Reference(r"ARprec", "trec_eval of judged", "Rprec"),
    Reference(r"ARR", "trec_eval of judged", "recip_rank"),
    Reference(
        r"ARR@(\d+)", "trec_eval of judged", "recip_rank", down_to, "trec_eval has no cutoff"
    ),
    Reference(r"R@(\d+)", "trec_eval", "recall_{}"),
    Reference(r"RelP@(\d+)", "trec_eval", "relative_P_{}"),
    Reference(r"RprecMult@([\d.]+)", "trec_eval", "Rprec_mult_{}"),
    Reference(r"BinG", "trec_eval", "binG"),
    Reference(r"G", "trec_eval", "G"),
    Reference(r"G\(gains=.*\)", "trec_eval of gains", "G"),
    Reference(r"nDCGRel", "trec_eval", "ndcg_rel"),
    Reference(r"nDCGRel\(gains=.*\)", "trec_eval of gains", "ndcg_rel"),
    Reference(r"RnDCG", "trec_eval", "Rndcg"),
    Reference(r"RnDCG\(gains=.*\)", "trec_eval of gains", "Rndcg"),
    Reference(r"YAAP", "definition", "YAAP"),
    Reference(r"DCG\b(.*)", "definition", "DCG{}"),
    Reference(r"IdealDCG\b(.*)", "definition", "IdealDCG{}"),
    Reference(r"GradedRBP\b(.*)", "definition", "GradedRBP{}"),
    Reference(r"Unj@(\d+)", "definition", "Unj@{}"),
    Reference(r"Utility", "trec_eval", "utility"),
    Reference(
        r"GMBpref", "trec_eval", "gm_bpref", exp, "trec_eval has the logarithm of a topic's score"
    ),
    Reference(r"AP", "trec_eval", "map"),
    Reference(r"AP@(\d+)", "trec_eval", "map_cut_{}"),
    Reference(
        r"GMAP", "trec_eval", "gm_map", exp, "trec_eval has the logarithm of a topic's score"
    ),
    Reference(r"Rprec", "trec_eval", "Rprec"),
    Reference(r"RR", "trec_eval", "recip_rank"),
    Reference(r"RR@(\d+)", "trec_eval", "recip_rank", down_to, "trec_eval has no cutoff"),
    Reference(r"Bpref", "trec_eval", "bpref"),
    Reference(r"infAP", "trec_eval", "infAP"),
    Reference(r"nDCG", "trec_eval", "ndcg"),
    Reference(r"nDCG@(\d+)", "trec_eval", "ndcg_cut_{}"),
    Reference(r"nDCG\(gains=.*\)", "trec_eval of gains", "ndcg"),
    Reference(r"nDCG\(gains=.*\)@(\d+)", "trec_eval of gains", "ndcg_cut_{}"),
    Reference(r"nDCG\(dcg=exp-log2\)@(\d+)", "trec_eval of exponential gains", "ndcg_cut_{}"),
    Reference(r"Success@(\d+)", "trec_eval", "success_{}"),
    Reference(
        r"IPrec@(\d\.\d)",
        "trec_eval at recall",
        "{}",
        lambda score, _: 0.0 if isnan(score) else score,
        "trec_eval divides 0 by 0 where nothing is retrieved",
    ),
    Reference(r"IPrecAvg", "definition", "IPrecAvg"),
    Reference(r"NumRet\(rel=\d+\)", "trec_eval", "num_rel_ret"),
    Reference(r"NumRet", "trec_eval", "num_ret"),
    Reference(r"NumNonRelRet", "trec_eval", "num_nonrel_judged_ret"),
    Reference(r"NumQ", "trec_eval", "num_ret", lambda *_: 1.0, "each topic counts 1"),
    Reference(r"NumRel", "trec_eval", "num_rel"),
    Reference(r"NumRelRet", "trec_eval", "num_rel_ret"),
    Reference(r"SetP", "trec_eval", "set_P"),
    Reference(r"SetP\(relative=true\)", "trec_eval", "set_relative_P"),
    Reference(r"SetAP", "trec_eval", "set_map"),
    Reference(r"SetR", "trec_eval", "set_recall"),
    Reference(r"SetF", "trec_eval", "set_F"),
    Reference(r"SetF\(beta=([\d.]+)\)", "trec_eval", "set_F_{}"),
    Reference(r"RBP\(p=([\d.]+)\)@(\d+)", "rbp_eval", "sum:{}:{}"),
    Reference(r"RBP\(p=([\d.]+)\)", "rbp_eval", "sum:{}:0"),
    Reference(
        r"RBPResidual\(p=([\d.]+)\)@(\d+)",
        "rbp_eval",
        "err:{}:{}",
        lambda error, persistence, cutoff: error - float(persistence) ** int(cutoff),
        "rbp_eval adds the ranks beyond the cutoff",
    ),
    Reference(r"RBPResidual\(p=([\d.]+)\)", "rbp_eval", "err:{}:0"),
    Reference(r"ERR@(\d+)", "gdeval", "ERR@{}"),
    Reference(r"ERR", "gdeval", "ERR@1000000"),
    *(
        Reference(rf"{name}\b(.*)", "cwl_eval", name + "{}")
        for name in ("BPM", "SDCG", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11")
    ),
    Reference(r"Compat\b(.*)", "compat", "Compat{}"),
    Reference(
        r"Accuracy\b(.*)",
        "accuracy",
        "Accuracy{}",
        difference="ir_measures divides by 0 where every retrieved document is relevant",
    ),
    Reference(r"Q", "pyNTCIREVAL", "Q"),
    Reference(r"Judged@(\d+)", "judged", "Judged@{}"),
    Reference(r"Judged", "judged", "Judged@1000000"),
)


@dataclass(frozen=True)
class _Question:
    """A measure of Poolhouse, and the tool's name for it."""

    measure: str
    reference: Reference
    parameters: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.reference.name.format(*self.parameters)


class References:
    """The tools' scores of the runs of one collection."""

    def __init__(self, qrels: Grades, measures: Iterable[str], threshold: int = 1) -> None:
        """Raise KeyError for a measure that no tool has."""
        self.questions: dict[tuple[str, int, bool, str], list[_Question]] = {}
        for measure in measures:
            level, question = _question(measure, threshold)
            # trec_eval gives the scores of set_F one name, whatever their beta is.
            apart = question.name if question.name.startswith("set_F_") else ""
            key = (question.reference.tool, level, "judged_only=true" in measure, apart)
            self.questions.setdefault(key, []).append(question)
        self.tools = {key: TOOLS[key[0]](qrels, key[1]) for key in self.questions}

    def scores(self, run: Run, unjudged: Unjudged) -> Scores:
        """Score the judged topics by all measures."""
        scores: Scores = {}
        for key, questions in self.questions.items():
            names = sorted({each.name for each in questions})
            found = self.tools[key].scores(run, names, "condensed" if key[2] else unjudged)
            for each in questions:
                scores[each.measure] = {
                    topic: each.reference.adapt(score, *each.parameters)
                    for topic, score in found[each.name].items()
                }
        return scores


def _question(measure: str, threshold: int) -> tuple[int, _Question]:
    """Return the lowest relevant grade, and the tool's name for the measure."""
    level = re.search(r"\brel=(\d+)", measure)
    rest = re.sub(r"\b(rel=\d+|judged_only=true),?", "", measure)
    rest = rest.replace("()", "").replace(",)", ")")
    for reference in REFERENCES:
        if match := re.fullmatch(reference.pattern, rest) or re.fullmatch(
            reference.pattern, measure
        ):
            return int(level[1]) if level else threshold, _Question(
                measure, reference, match.groups()
            )
    raise KeyError(measure)
