"""Test fair subsets of the judgements, and scores by them, on rows worked by hand."""

from collections.abc import Iterator
from math import log2
from typing import Any

import duckdb
import pytest

from macro_units import Macro, Table, made

# Runs a1 and a2 of organization 10 and run b of 20 are pooled to depth 3; c of 30 was not pooled.
# The other collection has the same keys for topics, documents and organizations.
#
#   topic 1   a1: z b y x    a2: b w z    b: v b u    c: t z
#   topic 2   b: z
#
# Nobody judged w, the qrels do not hold u, and c alone returned t. No run returned the judged
# documents of topic 3. The byte order of ids is not the order of keys: b comes before z.
RANKINGS = {
    (1, 1): (1, 2, 3, 4),
    (2, 1): (2, 5, 1),
    (3, 1): (6, 2, 7),
    (4, 1): (8, 1),
    (3, 2): (1,),
}
GRADES = {1: 1, 2: 0, 3: 2, 4: 1, 5: -1, 6: 1, 8: 1}
NAMES = {1: "z", 2: "b", 3: "y", 4: "x", 5: "w", 6: "v", 7: "u", 8: "t"}
GIVEN = {
    "int_collections": Table(
        "collection_key, collection_id, relevance_threshold, is_judged",
        (1, "ours", 1, True),
        (2, "theirs", 1, True),
        (3, "unpooled", 1, True),
        (4, "unjudged", 1, False),
    ),
    "int_pooled_runs": Table(
        "collection_key, run_key, organization_key, pool_depth",
        (1, 1, 10, 3),
        (1, 2, 10, 3),
        (1, 3, 20, 3),
        (2, 9, 10, 1),
    ),
    # The pooling rank counts, and not the rank: the two orders of b are opposite.
    "int_rankings": Table(
        "collection_key, run_key, topic_key, doc_key, pooling_rank, rank",
        *(
            (1, run, topic, doc, rank, len(docs) + 1 - rank if (run, topic) == (3, 1) else rank)
            for (run, topic), docs in RANKINGS.items()
            for rank, doc in enumerate(docs, start=1)
        ),
        (2, 9, 1, 1, 1, 1),
    ),
    "int_documents": Table(
        "collection_key, doc_key, doc_id", *((1, *each) for each in NAMES.items()), (2, 1, "o")
    ),
    "int_topics": Table(
        "collection_key, topic_key, topic_id", (1, 1, "t1"), (1, 2, "t2"), (1, 3, "t3"), (2, 1, "o")
    ),
    "int_judgements": Table(
        "collection_key, topic_key, doc_key, grade, is_judged, is_relevant",
        *((1, 1, doc, grade, grade >= 0, grade >= 1) for doc, grade in GRADES.items()),
        (1, 2, 1, 1, True, True),
        (1, 3, 2, 1, True, True),
        (2, 1, 1, 5, True, True),
    ),
}
SCORED = {
    **GIVEN,
    "int_runs": Table(
        "collection_key, run_key, run_id",
        *((1, 1, "a1"), (1, 2, "a2"), (1, 3, "b"), (1, 4, "c"), (2, 9, "o")),
    ),
    "int_run_topics": Table(
        "collection_key, run_key, topic_key, n_retrieved",
        *((1, run, topic, len(docs)) for (run, topic), docs in RANKINGS.items()),
        (2, 9, 1, 1),
    ),
    "int_judged_topics": Table(
        "collection_key, topic_key, n_judged", (1, 1, 6), (1, 2, 1), (1, 3, 1), (2, 1, 1)
    ),
    "measures": Table(
        "name, usage, aggregation, trec_eval_name", ("AP", "AP[(rel=l)][@k]", "mean", "map")
    ),
}


@pytest.fixture(scope="module")
def fair_judgements() -> Iterator[Macro]:
    with made("fair_judgements", GIVEN) as macro:
        yield macro


@pytest.fixture(scope="module")
def fair_topic_scores() -> Iterator[Macro]:
    with made("fair_topic_scores", SCORED) as macro:
        yield macro


@pytest.fixture(scope="module")
def fair_run_scores() -> Iterator[Macro]:
    with made("fair_run_scores", SCORED) as macro:
        yield macro


@pytest.mark.parametrize(
    ("definition", "n", "in_topic_1"),
    [
        ("depth", 1, "bvz"),
        ("depth", 2, "bvwz"),
        ("depth", 3, "bvwyz"),  # x is at rank 4
        # Organization 10 has b, z, w, y, in this order, and organization 20 has v, b.
        ("contributions", None, "bvz"),
        ("contributions", 1, "bv"),
        ("contributions", 3, "bvwz"),
        ("contributions", 99, "bvwyz"),
        # Both have b; organization 10 alone has z, w, y, in this order, and 20 alone has v.
        ("unique", None, "bvz"),
        ("unique", 0, "b"),
        ("unique", 2, "bvwz"),
        ("unique", 99, "bvwyz"),
    ],
)
def test_which_documents_stay(
    fair_judgements: Macro, definition: str, n: int | None, in_topic_1: str
) -> None:
    """A document without a contributor never stays. Topic 2 has a single organization."""
    in_topic_2 = "" if (definition, n) == ("unique", 0) else "z"
    assert fair_judgements("ours", definition, n=n, select="topic_id, doc_id") == [
        *(("t1", document) for document in in_topic_1),
        *(("t2", document) for document in in_topic_2),
    ]


def test_columns_of_fair_judgements(fair_judgements: Macro) -> None:
    """The best rank is of any pooled run; organizations are counted, and not runs."""
    assert fair_judgements("ours", "depth", n=2) == [
        ("ours", "depth", 2, "t1", "b", 0, True, False, 1, 2),
        ("ours", "depth", 2, "t1", "v", 1, True, True, 1, 1),
        ("ours", "depth", 2, "t1", "w", -1, False, False, 2, 1),
        ("ours", "depth", 2, "t1", "z", 1, True, True, 1, 1),
        ("ours", "depth", 2, "t2", "z", 1, True, True, 1, 1),
    ]
    assert fair_judgements("theirs", "unique", select="topic_id, doc_id, relevance, n") == [
        ("o", "o", 5, None)
    ]


@pytest.mark.parametrize(
    ("measure", "unjudged", "expected"),
    [
        # z and v are relevant in topic 1, and z in topic 2, which b alone answers.
        ("AP", "nonrelevant", {"a1": 0.5, "a2": 1 / 6, "b": 1 / 6, "c": 0.25, "b t2": 1.0}),
        # Judged are b, v and z. Then c has z first, and b has b first, by its rank.
        ("AP", "condensed", {"a1": 0.5, "a2": 0.25, "b": 0.25, "c": 0.5, "b t2": 1.0}),
        ("NumRel", "nonrelevant", dict.fromkeys(("a1", "a2", "b", "c"), 2.0)),
        ("P@2", "nonrelevant", {"a1": 0.5, "a2": 0.0, "b": 0.0, "c": 0.5, "b t2": 0.5}),
        # From grade 2 on, none of the documents that stay is relevant.
        ("P(rel=2)@2", "nonrelevant", {}),
        ("UnjudgedRate@2", "nonrelevant", {"a1": 0.0, "a2": 0.5, "b": 0.5, "c": 0.5}),
        ("nDCG", "nonrelevant", {"a1": 1 / (1 + 1 / log2(3)), "b t2": 1.0}),
    ],
)
def test_fair_topic_scores(
    fair_topic_scores: Macro, measure: str, unjudged: str, expected: dict[str, float]
) -> None:
    """Each organization keeps as many documents as the one with the fewest: b, v, z of topic 1."""
    scores = fair_topic_scores(
        *("ours", measure, "contributions"),
        unjudged=unjudged,
        select="run_id, topic_id, score, is_answered",
    )
    assert len(scores) == 4 * 3
    found = {(run, topic): score for run, topic, score, _ in scores}
    for run in ("a1", "a2", "b", "c"):
        if measure != "nDCG" or run in expected:
            assert found[run, "t1"] == pytest.approx(expected.get(run, 0.0), abs=1e-9)
    if measure not in ("NumRel", "UnjudgedRate@2"):
        assert found["b", "t2"] == expected.get("b t2", 0.0)
        assert {found[run, "t3"] for run in ("a1", "a2", "b", "c")} == {0.0}
    assert {(run, topic) for run, topic, _, is_answered in scores if is_answered} == {
        *(("a1", "t1"), ("a2", "t1"), ("b", "t1"), ("c", "t1"), ("b", "t2"))
    }


def test_fair_run_scores(fair_run_scores: Macro) -> None:
    """The means are over the topics that a run answers, and over all three topics."""
    rows = fair_run_scores("ours", "AP", "depth", n=1, unjudged="condensed")
    assert rows == [
        ("ours", "a1", "depth", 1, "condensed", "AP", 0.5, round(0.5 / 3, 9), 1),
        ("ours", "a2", "depth", 1, "condensed", "AP", 0.25, round(0.25 / 3, 9), 1),
        ("ours", "b", "depth", 1, "condensed", "AP", 0.625, round(1.25 / 3, 9), 2),
        ("ours", "c", "depth", 1, "condensed", "AP", 0.5, round(0.5 / 3, 9), 1),
    ]


OF_A_SUBSET: list[tuple[tuple[object, ...], dict[str, Any], str]] = [
    ((None, "depth"), {"n": 1}, "an argument is null"),
    (("ours", None), {}, "an argument is null"),
    (("nowhere", "unique"), {}, "no collection is built with the name nowhere"),
    (("unjudged", "unique"), {}, "collection 'unjudged' is not judged yet"),
    (("unpooled", "unique"), {}, "no run of 'unpooled' is pooled"),
    (("ours", "fair"), {}, "fair is not depth, contributions or unique"),
    (("ours", "depth"), {}, "the definition depth needs a number"),
    (
        ("ours", "depth"),
        {"n": 4},
        "n is 4, expected a depth from 1 to the pool depth of 'ours', 3",
    ),
    (("ours", "depth"), {"n": 0}, "n is 0, expected a depth from 1"),
    (("ours", "contributions"), {"n": 0}, "n is 0, expected 1 or more documents of every"),
    (("ours", "unique"), {"n": -1}, "n is -1, expected 0 or more documents of every"),
]


@pytest.mark.some(2)
@pytest.mark.parametrize(("arguments", "named", "message"), OF_A_SUBSET)
def test_wrong_arguments_of_a_subset(
    fair_judgements: Macro,
    fair_run_scores: Macro,
    arguments: tuple[object, ...],
    named: dict[str, Any],
    message: str,
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        fair_judgements(*arguments, **named)
    with pytest.raises(duckdb.InvalidInputException, match=message):
        fair_run_scores(arguments[0], "AP", arguments[1], **named)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("measure", "unjudged", "message"),
    [
        ("map", "nonrelevant", "map is written AP$"),
        ("MRP", "nonrelevant", "MRP is not a measure that Poolhouse computes"),
        (None, "nonrelevant", "an argument is null"),
        ("AP", "half", "half is not nonrelevant or condensed"),
        ("AP", None, "an argument is null"),
    ],
)
def test_wrong_arguments_of_a_score(
    fair_topic_scores: Macro,
    fair_run_scores: Macro,
    measure: str | None,
    unjudged: str | None,
    message: str,
) -> None:
    for scores in (fair_topic_scores, fair_run_scores):
        with pytest.raises(duckdb.InvalidInputException, match=message):
            scores("ours", measure, "contributions", unjudged=unjudged)
