"""Compare the decision matrix, and questions about it, with a reference on small collections."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
import scipy.stats

import decisions_reference
from built_collections import only_many
from compared_rows import assert_equals, assert_none, wrong_rows
from decisions_reference import TESTS, differing, is_more, studentized_range
from poolhouse.errors import PoolhouseError
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from questions import question
from random_collections import Generator
from reference import Collection, Description, Reference, Rows, RunLine, pooling_order

# The numbers of odd collections, and the seeds of contrasting ones. Together, they have every case
# by every test, and changes of case and of order.
COLLECTIONS = ((1, 3, 11, *range(300, 305)), range(10))

DEPTHS = (2, 5, 20)

# A call of a table macro, or a question with the values of its parameters.
Call = str | tuple[str, dict[str, str]]

# Calls of the macro and questions, the expected rows, and their key. The first call of each is
# tried on all collections, and another measure on every third one.
CALLS: tuple[tuple[Call, Callable[[Reference], Rows], str], ...] = (
    *(
        (
            f"papers.decision_matrix({{}}, '{measure}')",
            lambda each, asked=measure: decisions_reference.decision_matrix(each, asked),
            "run_id other_run_id",
        )
        for measure in ("P@5", "AP@12", "nDCG@4", "RR(rel=2)@3")
    ),
    *(
        (
            ("decision_swaps", {"performance": f"'{measure}'", "depths": f"{list(DEPTHS)}"}),
            lambda each, asked=measure: decisions_reference.decision_swaps(each, asked, DEPTHS),
            "run_id other_run_id depth deeper_depth",
        )
        for measure in ("P", "AP")
    ),
    *(
        (
            ("measure_agreement", {"measure": f"'{measure}'", "other_measure": f"'{other}'"}),
            lambda each, one=measure, two=other: decisions_reference.measure_agreement(
                each, one, two
            ),
            "test",
        )
        for measure, other in (("AP", "Bpref"), ("AP", "A@8"), ("GMAP", "NumRelRet"))
    ),
    (("baillie_tables_3_4", {}), decisions_reference.tables_3_4, "measure test decision_case"),
)


def name_of(call: Call) -> str:
    return call.partition("(")[0] if isinstance(call, str) else call[0]


def relation(call: Call, collection: str) -> str:
    if isinstance(call, str):
        return call.format(f"'{collection}'")
    name, values = call
    return question(name, **{"collection": f"'{collection}'", **values})


def contrasting(number: int) -> Collection:
    """Draw good and bad runs, judged well and badly, so that some of them differ significantly."""
    random = Random(number)  # noqa: S311 - nothing is secret
    topics = [str(each) for each in range(1, random.randint(6, 9))]
    documents = [f"D{each}" for each in range(40)]
    appeal = {(topic, each): random.random() for topic in topics for each in documents}
    runs: dict[str, list[RunLine]] = {}
    for run in range(random.randint(5, 7)):
        noise = random.choice((0.0, 0.1, 0.5, 3.0))
        length = random.choice((3, 15, 30))
        lines = runs[f"run{run}"] = []
        for topic in topics[: -2 if run == 1 else None]:
            liked = {each: appeal[topic, each] + noise * random.random() for each in documents}
            best = sorted(liked, key=liked.__getitem__, reverse=True)[:length]
            lines += [RunLine(topic, each, 0, liked[each]) for each in best]
    pooled = random.sample(list(runs), 3)
    descriptions = {run: Description(f"of-{run}") for run in runs}
    collection = Collection(f"contrasting-{number}", runs, [], descriptions)
    collection.qrels = [
        (topic, document, int(appeal[topic, document] > 0.7) + int(appeal[topic, document] > 0.9))
        for run in pooled
        for topic in topics
        for document in pooling_order([x for x in runs[run] if x.topic == topic], "score")[:8]
    ]
    collection.qrels = sorted(set(collection.qrels))
    return collection


@pytest.fixture(scope="module", params=only_many(COLLECTIONS))
def references(request: pytest.FixtureRequest) -> list[Reference]:
    odd, contrasts = request.param
    collections = [Generator(number).collection() for number in odd]
    return [Reference(each) for each in (*collections, *map(contrasting, contrasts))]


@pytest.mark.parametrize(("call", "rows", "key"), CALLS, ids=[str(call) for call, _, _ in CALLS])
def test_calls_and_questions_equal_the_reference(
    call: Call,
    rows: Callable[[Reference], Rows],
    key: str,
    references: list[Reference],
    built: Warehouse,
) -> None:
    turn = [each for each, _, _ in CALLS if name_of(each) == name_of(call)].index(call)
    wrong: list[str] = []
    n_rows = 0
    for reference in references[turn - 1 :: 3] if turn else references:
        name = reference.collection.name
        expected = rows(reference)
        n_rows += len(expected)
        wrong += wrong_rows(built, relation(call, name), key, expected)
    assert n_rows
    assert_none(wrong)


def test_shifts_equal_the_reference(references: list[Reference], built: Warehouse) -> None:
    expected = [decisions_reference.exclusive_judgement_shifts(each) for each in references]
    key = "collection_id run_id judgement_set unjudged"
    assert_equals(question("buckley_shifts"), key, expected, built)
    assert {row["is_opposite"] for each in expected for row in each.values()} >= {True, False}


def test_the_collections_have_every_case(references: list[Reference]) -> None:
    """Otherwise, the tests above could not detect a wrong rule."""
    cases: dict[str, set[object]] = {test: set() for test in TESTS}
    n_changes = {"has_other_case": 0, "has_other_order": 0}
    for reference in references:
        for measure in ("P@5", "AP@12", *(f"AP@{depth}" for depth in DEPTHS)):
            for row in decisions_reference.decision_matrix(reference, measure).values():
                for test, suffix in decisions_reference.SUFFIX.items():
                    cases[test].add(row[f"decision_case{suffix}"])
        for row in decisions_reference.decision_swaps(reference, "AP", DEPTHS).values():
            for column in n_changes:
                n_changes[column] += bool(row[column])
    assert all(each >= {1, 2, 3, 4} for each in cases.values()), cases
    assert all(n_changes.values()), n_changes


# ---------------------------------------------------------------------------- the reference itself


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(6))
def test_the_reference_is_scipys(number: int) -> None:
    """f_oneway tests one-way; the studentized range tests Tukey's, without effects of topics."""
    random = np.random.default_rng(number)
    n_runs, n_topics = int(random.integers(3, 7)), int(random.integers(4, 9))
    scores = random.random((n_runs, n_topics)) + np.arange(n_runs)[:, None] * random.random() / 2
    one_way = differing(scores)["one_way"]
    has_any = scipy.stats.f_oneway(*scores).pvalue < decisions_reference.ALPHA
    residuals = scores - scores.mean(axis=1, keepdims=True)
    freedom = scores.size - n_runs
    error = float((residuals**2).sum()) / freedom
    for (one, other), differs in one_way.items():
        t = abs(scores[one].mean() - scores[other].mean()) / np.sqrt(2 * error / n_topics)
        p = 2 * scipy.stats.t.sf(t, freedom) * len(one_way)
        assert differs == (has_any and p < decisions_reference.ALPHA)
    # Tukey's test on the one-way layout is scipy's; the reference's test has the same form.
    tukey = scipy.stats.tukey_hsd(*scores)
    least = studentized_range(n_runs, freedom) * np.sqrt(error / n_topics)
    for one, other in one_way:
        is_scipys = tukey.pvalue[one, other] < decisions_reference.ALPHA
        assert is_scipys == is_more(abs(scores[one].mean() - scores[other].mean()), float(least))


# ----------------------------------------------------------------------------------------- mistakes


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("papers.decision_matrix('nowhere', 'P@10')", "no collection is built with the name"),
        ("papers.decision_matrix({}, 'AP')", "AP does not say to which depth runs are compared"),
        ("papers.decision_matrix({}, 'IPrec@1')", "IPrec@1 does not say to which depth"),
        ("papers.decision_matrix({}, 'map')", "map is written AP$"),
        ("papers.decision_matrix({}, 'MAP@10')", "MAP@10 is written AP@10$"),
        ("papers.decision_matrix({}, null)", "an argument is null"),
        (("measure_agreement", {"other_measure": "'bpref'"}), "bpref is written Bpref$"),
        (("measure_agreement", {"collection": "'nowhere'"}), "no collection is built"),
        (("decision_swaps", {"performance": "'Q'"}), "Q is not P or AP"),
        (("decision_swaps", {"performance": "null"}), "null is not P or AP"),
        (("decision_swaps", {"depths": "[10]"}), "only one depth is given: name two or more"),
        (("decision_swaps", {"depths": "'[0, 10]'"}), "a depth is 0, expected 1 or more"),
        (("decision_swaps", {"depths": "[]"}), "no depth is given"),
    ],
)
def test_a_mistake_is_an_error_that_names_it(
    built_once: tuple[Path, LoadRequest, Warehouse], call: Call, message: str
) -> None:
    _, request, warehouse = built_once
    with pytest.raises(PoolhouseError, match=message):
        run_query(warehouse, f"select * from {relation(call, request.collection)}")
