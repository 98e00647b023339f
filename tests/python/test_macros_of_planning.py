"""Test table macros that plan a pool, on rows worked by hand.

Assessments and popularity are compared with their reference in test_without_judgements.py.
"""

from collections.abc import Iterator

import duckdb
import pytest

from macro_units import Macro, Table, made

# `ours` is judged in topic 1 alone, and runs a and b were pooled. `plain` is not judged, and
# nothing is declared of its runs. `told` is not judged, and b is declared as pooled.
COLLECTIONS = Table(
    "collection_key, collection_id, is_judged",
    *((1, "ours", True), (2, "plain", False), (3, "told", False)),
)
RUNS = Table(
    "collection_key, run_key, run_id, organization_key, organization, is_declared_pooled",
    *((1, 11, "a", 11, "A", None), (1, 12, "b", 12, "B", None), (1, 13, "c", 11, "A", None)),
    *((2, 21, "a", 21, "A", None), (2, 22, "b", 22, "B", None), (2, 23, "c", 21, "A", None)),
    *((3, 31, "a", 31, "A", None), (3, 32, "b", 32, "B", True), (3, 33, "c", 31, "A", False)),
)
# Each collection has these runs: a has D1, D2, D3 in topic 1; b has D2, D4; c has D1, D4, and D5 in
# topic 2.
RETRIEVED = ((1, 1, "123"), (2, 1, "24"), (3, 1, "14"), (3, 2, "5"))
RANKINGS = Table(
    "collection_key, run_key, topic_key, doc_key, rank, pooling_rank",
    *(
        (key, 10 * key + run, topic, int(document), 99, rank)
        for key in (1, 2, 3)
        for run, topic, documents in RETRIEVED
        for rank, document in enumerate(documents, start=1)
    ),
)
GIVEN = {
    "int_collections": COLLECTIONS,
    "int_runs": RUNS,
    "int_rankings": RANKINGS,
    "int_pooled_states": Table(
        "collection_key, run_key, is_pooled",
        *((1, 11, True), (1, 12, True), (1, 13, False)),
        *((2, 21, None), (2, 22, None), (2, 23, None)),
        *((3, 31, False), (3, 32, True), (3, 33, False)),
    ),
    "int_topics": Table(
        "collection_key, topic_key, topic_id",
        *((key, topic, f"t{topic}") for key in (1, 2, 3) for topic in (1, 2)),
    ),
    "int_judged_topics": Table("collection_key, topic_key", (1, 1)),
}
# D3 has a grade below 0: it is in the pool, and unjudged. D9 is judged, and no run returned it.
JUDGEMENTS = Table(
    "collection_key, topic_key, doc_key, is_judged",
    *((1, 1, 1, True), (1, 1, 2, True), (1, 1, 3, False), (1, 1, 9, True)),
)
JUDGED = GIVEN | {"int_judgements": JUDGEMENTS}


@pytest.fixture(scope="module")
def topic_pool_sizes() -> Iterator[Macro]:
    with made("topic_pool_sizes", JUDGED) as macro:
        yield macro


@pytest.fixture(scope="module")
def pool_sizes() -> Iterator[Macro]:
    with made("pool_sizes", JUDGED) as macro:
        yield macro


@pytest.fixture(scope="module")
def run_contributions() -> Iterator[Macro]:
    with made("run_contributions", JUDGED) as macro:
        yield macro


@pytest.fixture(scope="module")
def run_overlaps() -> Iterator[Macro]:
    with made("run_overlaps", GIVEN) as macro:
        yield macro


def test_pool_of_the_pooled_runs(topic_pool_sizes: Macro) -> None:
    """To depth 2, a and b have D1, D2, D2, D4; to depth 3 also D3, whose grade is no judgement."""
    assert topic_pool_sizes("ours", depths=[1, 2, 3], select="* exclude (collection_id)") == [
        ("t1", 1, 2, 2, 2, 2, 2, 2),
        ("t1", 2, 2, 4, 3, 2, 2, 2),
        ("t1", 3, 2, 5, 4, 2, 3, 3),
    ]


def test_pool_where_nothing_is_judged(topic_pool_sizes: Macro) -> None:
    """All runs and topics count. To depth 2, a and c of A share D1, b and c D4, and a and b D2."""
    assert topic_pool_sizes("plain", depths=[1, 2], select="* exclude (collection_id)") == [
        ("t1", 1, 3, 3, 2, 0, 1, 2),
        ("t1", 2, 3, 6, 3, 0, 0, 1),
        ("t2", 1, 1, 1, 1, 0, 1, 1),
        ("t2", 2, 1, 1, 1, 0, 1, 1),
    ]


def test_pool_of_the_declared_runs(topic_pool_sizes: Macro) -> None:
    """Run b answers only topic 1; topic 2 stays, and has no document."""
    assert topic_pool_sizes("told", depths=[5], select="* exclude (collection_id)") == [
        ("t1", 5, 1, 2, 2, 0, 2, 2),
        ("t2", 5, 0, 0, 0, 0, 0, 0),
    ]


def test_pool_of_runs_that_are_asked_for(topic_pool_sizes: Macro) -> None:
    """These runs count, declared or not, pooled or not; judged collections have judged topics."""
    columns = "topic_id, n_runs, n_documents, n_judged"
    asked = {"depths": [2], "of_runs": ["c", "a"], "select": columns}
    assert topic_pool_sizes("ours", **asked) == [("t1", 2, 3, 2)]  # type: ignore[arg-type]
    assert topic_pool_sizes("told", **asked) == [("t1", 2, 3, 0), ("t2", 1, 1, 0)]  # type: ignore[arg-type]


def test_pool_sizes(pool_sizes: Macro) -> None:
    """Sizes are added up over topics; topics without documents count, and so does every run."""
    assert pool_sizes("plain", depths=[2], select="* exclude (collection_id)") == [
        (2, 3, 2, 7, 4, 2.0, 1, 3, 0, 1, 2)
    ]
    assert pool_sizes("told", depths=[2], select="* exclude (collection_id)") == [
        (2, 1, 2, 2, 2, 1.0, 0, 2, 0, 2, 2)
    ]


def test_depths_by_default(pool_sizes: Macro) -> None:
    depths = [(1,), (5,), (10,), (20,), (30,), (50,), (100,)]
    assert pool_sizes("plain", select="depth") == depths
    assert pool_sizes("plain", depths=[7, 2, 7], select="depth") == [(2,), (7,)]


def test_run_contributions(run_contributions: Macro) -> None:
    """In the pool of all three runs at depth 2, A alone has D1; c, and so A, alone has D5."""
    assert run_contributions("plain", depths=[2], select="* exclude (collection_id)") == [
        ("a", 2, "A", 1, 2, 0, 0, 1),
        ("b", 2, "B", 1, 2, 0, 0, 0),
        ("c", 2, "A", 2, 3, 0, 1, 2),
    ]
    columns = "run_id, n_documents, n_judged, n_of_one_run"
    assert run_contributions("ours", depths=[3], select=columns) == [("a", 3, 2, 2), ("b", 2, 1, 1)]


def test_run_overlaps(run_overlaps: Macro) -> None:
    """The overlaps are of every run of a judged collection, pooled or not, in judged topics."""
    assert run_overlaps("ours", depths=[1, 2], select="* exclude (collection_id)") == [
        ("a", "b", 1, 1, 1, 0, 0.0),
        ("a", "b", 2, 2, 2, 1, round(1 / 3, 9)),
        ("a", "c", 1, 1, 1, 1, 1.0),
        ("a", "c", 2, 2, 2, 1, round(1 / 3, 9)),
        ("b", "a", 1, 1, 1, 0, 0.0),
        ("b", "a", 2, 2, 2, 1, round(1 / 3, 9)),
        ("b", "c", 1, 1, 1, 0, 0.0),
        ("b", "c", 2, 2, 2, 1, round(1 / 3, 9)),
        ("c", "a", 1, 1, 1, 1, 1.0),
        ("c", "a", 2, 2, 2, 1, round(1 / 3, 9)),
        ("c", "b", 1, 1, 1, 0, 0.0),
        ("c", "b", 2, 2, 2, 1, round(1 / 3, 9)),
    ]
    # Topic 2, which c alone answers, counts where nothing is judged.
    pair = {
        "depths": [2],
        "of_runs": ["a", "c"],
        "select": "run_id, n_documents, n_shared, overlap",
    }
    assert run_overlaps("told", **pair) == [("a", 2, 1, 0.25), ("c", 3, 1, 0.25)]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def planned_assessment() -> Iterator[Macro]:
    with made("planned_assessment", GIVEN) as macro:
        yield macro


@pytest.fixture(scope="module")
def run_popularity() -> Iterator[Macro]:
    with made("run_popularity", GIVEN) as macro:
        yield macro


def test_popularity_counts_a_thousand_documents_by_default(run_popularity: Macro) -> None:
    """A run that is asked for alone has no other run to be compared with."""
    columns = "run_id, depth, n_other_runs, popularity"
    assert run_popularity("ours", of_runs=["a"], select=columns) == [("a", 1000, 0, None)]


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("other", 5), {}, "no collection is built with the name other"),
        (("ours", 0), {}, "a depth is 0, expected 1 or more"),
        (("ours", None), {}, "a depth is null, expected 1 or more"),
        (("ours", 5), {"cutoffs": [10, 0]}, "a cutoff is 0, expected 1 or more"),
        (("ours", 5), {"cutoffs": []}, "no cutoff is given"),
        (("ours", 5), {"cutoffs": [None]}, "a cutoff is null, expected 1 or more"),
        (("ours", 5), {"of_runs": ["z"]}, "run 'z' is not in 'ours'"),
    ],
)
def test_what_assessment_cannot_be_planned_is_an_error(
    planned_assessment: Macro,
    arguments: tuple[object, ...],
    named: dict[str, object],
    message: str,
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        planned_assessment(*arguments, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("other",), {}, "no collection is built with the name other"),
        (("ours",), {"depth": 0}, "a depth is 0, expected 1 or more"),
        (("ours",), {"depth": None}, "a depth is null, expected 1 or more"),
        (("ours",), {"of_runs": ["z"]}, "run 'z' is not in 'ours'"),
    ],
)
def test_what_has_no_popularity_is_an_error(
    run_popularity: Macro, arguments: tuple[object, ...], named: dict[str, object], message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        run_popularity(*arguments, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("other",), {}, "no collection is built with the name other"),
        ((None,), {}, "no collection is built with the name null"),
        (("ours",), {"depths": [1, 0]}, "a depth is 0, expected 1 or more"),
        (("ours",), {"depths": [1, None]}, "a depth is null, expected 1 or more"),
        (("ours",), {"depths": []}, "no depth is given"),
        (("ours",), {"depths": None}, "no depth is given"),
        (("ours",), {"of_runs": ["a", "z", "x"]}, "run 'x' is not in 'ours'"),
        (("ours",), {"of_runs": []}, r"no run of 'ours' is pooled: name some \(of_runs := "),
    ],
)
def test_what_cannot_be_planned_is_an_error(
    request: pytest.FixtureRequest,
    arguments: tuple[object, ...],
    named: dict[str, object],
    message: str,
) -> None:
    for name in ("topic_pool_sizes", "pool_sizes", "run_contributions", "run_overlaps"):
        macro: Macro = request.getfixturevalue(name)
        with pytest.raises(duckdb.InvalidInputException, match=message):
            macro(*arguments, **named)  # type: ignore[arg-type]
