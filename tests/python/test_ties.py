"""Compare the lowest and the highest score of tied documents with the scores of every order."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import duckdb
import pytest

import comparing_reference
import measures_reference
from macro_units import Macro, Table, made
from measures_reference import parse, score_of
from reference import RunLine, scoring_order

N_LISTS = 60
LEVELS = (1, 2)
SCORES = (1.0, 2.0, 3.0)
GRADES = (-1, 0, 0, 1, 1, 2, 3, 5)

# Every measure that can be asked for, with cutoffs within and around the groups of ties.
MEASURES = (
    *("P@1", "P@2", "P@3", "P(rel=2)@3", "P@9", "AntiP@2", "AntiP(rel=2)@3", "UnjudgedRate@1"),
    *("UnjudgedRate@3", "A@2", "RA", "RA@2", "AAP", "AAP@2", "ARprec", "ARR", "ARR@2", "Judged"),
    *("Judged@2", "R@2", "R(rel=2)@3", "AP"),
    *("AP(rel=2)", "AP@2", "GMAP", "Rprec", "Rprec(rel=2)", "RR", "RR@2", "RR(rel=3)", "Bpref"),
    *("Bpref(rel=2)", "Q", "nDCG", "nDCG@2", "ERR", "ERR@3", "RBP@3", "RBP(p=0.5,rel=2)"),
    *("ERR(max_rel=2)@3", "SDCG(max_rel=3)@3", "INSQ(max_rel=3)", "NERR8(max_rel=3)@3"),
    *("NERR9(max_rel=3)@3", "NERR10(p=0.7,max_rel=3)", "NERR11(min_rel=1,max_rel=3)"),
    *("Compat", "Compat(p=0.5,normalize=false)"),
    *("RBPResidual", "RBPResidual(p=0.3)@3", "Success@1", "Success(rel=2)@2", "IPrec@0.0"),
    *("IPrec@0.5", "IPrec(rel=2)@1.0", "SetP", "SetR", "SetF", "NumRet", "NumRel", "NumRelRet"),
    *("RelP@2", "RprecMult@0.5", "GMBpref", "YAAP", "SetAP", "IPrecAvg", "BinG", "DCG@2", "DCG"),
    *("IdealDCG", "GradedRBP@3", "Unj@2", "Utility", "NumNonRelRet", "NumQ"),
)


@dataclass(frozen=True)
class Listed:
    """The list of a run for one topic, and the grades of the topic."""

    lines: list[RunLine]
    grades: dict[str, int]


def lists() -> Iterator[Listed]:
    """Draw lists of at most five documents, in groups of any size; the first list has one score."""
    chance = random.Random(15)  # noqa: S311 - nothing is secret
    for number in range(N_LISTS):
        documents = [f"d{each}" for each in range(7)]
        grades = {each: chance.choice(GRADES) for each in documents if chance.random() < 0.7}
        grades["nobody-returned-this"] = chance.choice(GRADES)
        retrieved = chance.sample(documents, 5 if number == 0 else chance.randint(1, 5))
        scores = (1.0,) if number == 0 else SCORES
        yield Listed(
            [RunLine(str(number), each, 0, chance.choice(scores)) for each in retrieved], grades
        )


LISTS = tuple(lists())


def tables(level: int) -> Mapping[str, Table]:
    """Return the tables that the macro reads; each list is a topic."""
    rows: dict[str, list[tuple[object, ...]]] = {
        name: [] for name in ("topics", "retrieved", "totals", "judgements", "judged", "ties")
    }
    for topic, each in enumerate(LISTS):
        rows["topics"].append((1, topic, str(topic)))
        rows["retrieved"].append((1, 1, topic, len(each.lines)))
        rows["totals"].append((1, topic, sum(grade >= 0 for grade in each.grades.values())))
        rows["judgements"] += [(1, topic, grade, grade >= level) for grade in each.grades.values()]
        for rank, document in enumerate(scoring_order(each.lines), start=1):
            if (held := each.grades.get(document)) is not None:
                relevant = held >= level if held >= 0 else None
                rows["judged"].append((1, 1, topic, rank, held, relevant))
        first = 1
        for group in comparing_reference.groups(each.lines):
            if len(group) > 1:
                rows["ties"].append((1, 1, topic, first, first + len(group) - 1))
            first += len(group)
    cell = "collection_key, run_key, topic_key"
    return {
        "int_collections": Table(
            "collection_key, collection_id, relevance_threshold, is_judged",
            (1, "ours", level, True),
        ),
        "int_runs": Table("collection_key, run_key, run_id", (1, 1, "r")),
        "int_topics": Table("collection_key, topic_key, topic_id", *rows["topics"]),
        "int_run_topics": Table(f"{cell}, n_retrieved", *rows["retrieved"]),
        "int_judged_topics": Table("collection_key, topic_key, n_judged", *rows["totals"]),
        "int_judgements": Table(
            "collection_key, topic_key, grade, is_relevant", *rows["judgements"]
        ),
        "int_judged_rankings": Table(f"{cell}, rank, grade, is_relevant", *rows["judged"]),
        "int_ties": Table(f"{cell}, first_rank, last_rank", *rows["ties"]),
    }


@pytest.fixture(scope="module", params=LEVELS)
def level(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def tied_scores(level: int) -> Iterator[Macro]:
    with made("tied_scores", tables(level)) as macro:
        yield macro


@pytest.mark.some(3)
@pytest.mark.parametrize("measure", MEASURES)
def test_no_order_of_tied_documents_scores_lower_or_higher(
    measure: str, level: int, tied_scores: Macro
) -> None:
    """Every order that the scores allow is tried, and both limits are reached."""
    columns = "topic_id, score, lowest_score, highest_score, n_tied"
    found = {row[0]: row[1:] for row in tied_scores("ours", measure, select=columns)}
    assert len(found) == N_LISTS
    for topic, each in enumerate(LISTS):
        lowest, highest = comparing_reference.extremes(measure, each.lines, each.grades, level)
        ranking = scoring_order(each.lines)
        score = score_of(measure, ranking, each.grades, level, "nonrelevant")
        expected = (score, lowest, highest, comparing_reference.n_tied(each.lines))
        assert found[str(topic)] == pytest.approx(expected, rel=0, abs=2e-9), (measure, topic)


def test_every_measure_is_tried_or_refused() -> None:
    assert {parse(measure).name for measure in MEASURES} == measures_reference.MEASURES.keys() - {
        *("infAP", "G", "nDCGRel", "RnDCG", "BPM", "INST", "Accuracy")
    }


@pytest.mark.heavy
def test_the_lists_have_what_is_to_be_tried() -> None:
    """Some list changes every measure that depends on the order; counts do not depend on it."""
    unchanged = {
        measure
        for measure in MEASURES
        if all(
            low == high
            for each in LISTS
            for low, high in [comparing_reference.extremes(measure, each.lines, each.grades, 1)]
        )
    }
    sets = {"SetP", "SetR", "SetF", "NumRet", "NumRel", "NumRelRet", "RA", "Judged", "P@9"}
    assert unchanged == sets | {"SetAP", "Utility", "NumNonRelRet", "NumQ", "IdealDCG"}


def test_what_no_order_is_known_to_bound_is_refused(tied_scores: Macro) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="infAP has no lowest and highest score"):
        tied_scores("ours", "infAP")


def test_why_infap_is_refused() -> None:
    """An unjudged document of the pool that moves above a relevant one raises infAP."""
    grades = {"a": 1, "pooled": -1, "b": 1}
    ranking = ["a", "x1", "x2", "x3", "x4", "x5"]
    relevant_first = score_of("infAP", [*ranking, "b", "pooled"], grades, 1, "nonrelevant")
    relevant_last = score_of("infAP", [*ranking, "pooled", "b"], grades, 1, "nonrelevant")
    assert relevant_last > relevant_first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "AP"), "no collection is built with the name nowhere"),
        (("ours", "MAP"), r"MAP is written AP\["),
        (("ours", None), "an argument is null"),
    ],
)
def test_a_mistake_is_an_error(
    tied_scores: Macro, arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        tied_scores(*arguments)
