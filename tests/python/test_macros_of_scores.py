"""Test table macros that score by a measure on demand, on rows worked by hand."""

from collections.abc import Iterator
from math import log2
from typing import Any

import duckdb
import pytest

from macro_units import Macro, Table, call, made

# Both collections use the same keys for other things. In `ours`, documents are relevant from grade
# 1 on.
SCORED = {
    "int_collections": Table(
        "collection_key, collection_id, relevance_threshold", (1, "ours", 1), (2, "theirs", 2)
    ),
    "int_runs": Table("collection_key, run_key, run_id", (1, 1, "a"), (1, 2, "b"), (2, 3, "c")),
    "int_topics": Table(
        "collection_key, topic_key, topic_id", (1, 1, "t1"), (1, 2, "t2"), (2, 1, "other")
    ),
    # Run b does not answer topic 2.
    "int_run_topics": Table(
        "collection_key, run_key, topic_key, n_retrieved", (1, 1, 1, 3), (1, 1, 2, 1), (1, 2, 1, 2)
    ),
    # Run a was pooled, and run b was not: no document leaves with b. Topic 2 loses nothing.
    "int_judgement_sets": Table(
        "collection_key, run_key, topic_key, judgement_set, left_out_run_key, "
        "left_out_organization_key, left_out_relevant_organization_key",
        (1, 1, 1, "without_run", 1, None, None),
        (1, 1, 2, "without_run", None, None, None),
        (1, 2, 1, "without_run", None, None, None),
        (1, 2, 2, "without_run", None, None, None),
        (1, 1, 1, "without_organization", None, 10, None),
        (1, 1, 2, "without_organization", None, None, None),
        (1, 2, 1, "without_organization", None, None, None),
        (1, 2, 2, "without_organization", None, None, None),
        (1, 1, 1, "without_unique_relevant", None, None, 10),
        (1, 1, 2, "without_unique_relevant", None, None, None),
        (1, 2, 1, "without_unique_relevant", None, None, None),
        (1, 2, 2, "without_unique_relevant", None, None, None),
    ),
    "int_judged_topics": Table("collection_key, topic_key", (1, 1), (1, 2), (2, 1)),
    "int_left_out": Table(
        "collection_key, topic_key, left_out_run_key, left_out_organization_key, "
        "left_out_relevant_organization_key, n_judged",
        (1, 1, None, None, None, 3),
        (1, 2, None, None, None, 1),
        (1, 1, 1, None, None, 2),
        (1, 1, None, 10, None, 1),
        (1, 1, None, None, 10, 2),
        (2, 1, None, None, None, 1),
    ),
    # Topic 1 has a document of grade 2, which only run a contributed, and one of grade 1. Topic 2
    # has none.
    "int_contributed_judgements": Table(
        "collection_key, topic_key, doc_key, grade, is_relevant, sole_run_key, "
        "sole_organization_key, sole_relevant_organization_key",
        (1, 1, 1, 2, True, 1, 10, 10),
        (1, 1, 2, 0, False, None, 10, None),
        (1, 1, 3, 1, True, None, None, None),
        (1, 2, 4, 0, False, None, None, None),
        (2, 1, 1, 9, True, None, None, None),
    ),
    # Run a has grade 2 (its own), then grade 0, then an unjudged document. Run b has an unjudged
    # document, then grade 1.
    "int_judged_rankings": Table(
        "collection_key, run_key, topic_key, doc_key, rank, grade, is_relevant",
        (1, 1, 1, 1, 1, 2, True),
        (1, 1, 1, 2, 2, 0, False),
        (1, 1, 2, 4, 1, 0, False),
        (1, 2, 1, 3, 2, 1, True),
        (2, 3, 1, 1, 1, 9, True),
    ),
    "measures": Table(
        "name, usage, aggregation, trec_eval_name, trec_eval_name_at_cutoff",
        ("P", "P[(rel=l)]@k", "mean", None, "P_k"),
        ("AP", "AP[(rel=l)][@k]", "mean", "map", "map_cut_k"),
    ),
}


@pytest.fixture(scope="module")
def topic_scores() -> Iterator[Macro]:
    with made("topic_scores", SCORED) as macro:
        yield macro


@pytest.fixture(scope="module")
def run_scores() -> Iterator[Macro]:
    with made("run_scores", SCORED) as macro:
        yield macro


@pytest.mark.parametrize(
    ("asked", "scores"),
    [
        # One of the first two documents is relevant in both runs; topic 2 has no relevant one, and
        # b no answer.
        ("P@2", [0.5, 0.0, 0.5, 0.0]),
        # From grade 2 on, the document of b is not relevant.
        ("P(rel=2)@2", [0.5, 0.0, 0.0, 0.0]),
        # a has 2 of the ideal 2 + 1/log2(3), and b has 1/log2(3) of it.
        ("nDCG@2", [2 / (2 + 1 / log2(3)), 0.0, 1 / log2(3) / (2 + 1 / log2(3)), 0.0]),
        # At a cutoff of 1, the ideal is 2.
        ("nDCG@1", [1.0, 0.0, 0.0, 0.0]),
        # Two documents are relevant: a finds the first at rank 1, b finds one at rank 2.
        ("AP", [0.5, 0.0, 0.25, 0.0]),
        # Unjudged ranks count, and so do missing ones: a has one, b two.
        ("UnjudgedRate@3", [1 / 3, 2 / 3, 2 / 3, 1.0]),
    ],
)
def test_topic_scores(topic_scores: Macro, asked: str, scores: list[float]) -> None:
    grid = [("a", "t1", True), ("a", "t2", True), ("b", "t1", True), ("b", "t2", False)]
    assert topic_scores("ours", asked, select="run_id, topic_id, score, is_answered") == [
        (run, topic, round(score, 9), is_answered)
        for (run, topic, is_answered), score in zip(grid, scores, strict=True)
    ]


def test_topic_scores_of_the_other_collection(topic_scores: Macro) -> None:
    """The other collection's rows are only its own: one run, one topic, one document."""
    expected = [("theirs", "c", "other", "full", "nonrelevant", "NumRel", 1.0)]
    columns = "collection_id, run_id, topic_id, judgement_set, unjudged, measure, score"
    assert topic_scores("theirs", "NumRel", select=columns) == expected


def test_topic_scores_without_a_run(topic_scores: Macro) -> None:
    """Without run a, its document of grade 2 is unjudged for the run, and for no other run."""
    columns = "run_id, topic_id, score, judgement_set"
    assert topic_scores("ours", "AP", judgement_set="without_run", select=columns) == [
        ("a", "t1", 0.0, "without_run"),
        ("a", "t2", 0.0, "without_run"),
        ("b", "t1", 0.25, "without_run"),
        ("b", "t2", 0.0, "without_run"),
    ]


def test_topic_scores_condensed(topic_scores: Macro) -> None:
    """Without organization 10, nothing of a is judged in topic 1; the document of b moves up."""
    columns = "run_id, topic_id, score"
    sets = {"judgement_set": "without_organization", "unjudged": "condensed"}
    precision = topic_scores("ours", "P@1", select=columns, **sets)
    assert precision == [("a", "t1", 0.0), ("a", "t2", 0.0), ("b", "t1", 1.0), ("b", "t2", 0.0)]
    # The list ends after its judged documents.
    retrieved = topic_scores("ours", "NumRet", select=columns, **sets)
    assert retrieved == [("a", "t1", 0.0), ("a", "t2", 1.0), ("b", "t1", 1.0), ("b", "t2", 0.0)]


def test_topic_scores_without_unique_relevant(topic_scores: Macro) -> None:
    """Organization 10's document of grade 2 leaves, and its document of grade 0 always stays.

    From grade 3 on, nothing is relevant. The collection's threshold decides which documents leave.
    """
    sets = {"judgement_set": "without_unique_relevant", "unjudged": "condensed"}
    for measure, expected in [("NumRet", 1.0), ("NumRelRet", 0.0), ("AntiP(rel=3)@2", 0.5)]:
        scores = topic_scores("ours", measure, select="run_id, topic_id, score", **sets)
        assert scores[0] == ("a", "t1", expected)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((None, "P@1"), {}, "an argument is null"),
        (("ours", "P@1"), {"unjudged": None}, "an argument is null"),
        (("other", "P@1"), {}, "no collection is built with the name other"),
        (("ours", "P"), {}, r"P is not written as P\[\(rel=l"),
        (("ours", "ap"), {}, "ap is written AP$"),
        (("ours", "P_10"), {}, "P_10 is written P@10$"),
        (("ours", "Pi@1"), {}, "Pi@1 is not a measure"),
        (("ours", ""), {}, "an empty name is not a measure"),
        (
            ("ours", "P@1"),
            {"judgement_set": "half"},
            "half is not full, without_run, .* or without_u",
        ),
        (("ours", "P@1"), {"unjudged": "half"}, "half is not nonrelevant or condensed"),
    ],
)
def test_wrong_arguments_of_scores(
    topic_scores: Macro, arguments: tuple[object, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        topic_scores(*arguments, **named)


def test_wrong_arguments_of_run_scores(run_scores: Macro) -> None:
    """The join with the unknown measure does not remove the error."""
    for collection, measure in [("other", "P@1"), ("ours", "other")]:
        with pytest.raises(duckdb.InvalidInputException, match="other"):
            run_scores(collection, measure)


# These are the rows of topic_scores: run a answers two of three topics, run b none.
BY_TOPIC = Table(
    "collection_id varchar, run_id varchar, topic_id varchar, judgement_set varchar, "
    "unjudged varchar, measure varchar, trec_eval_name varchar, score double, is_answered boolean",
    *(
        ("ours", run, topic, "full", "nonrelevant", "M", "m", score, is_answered)
        for run, topic, score, is_answered in [
            ("a", "t1", 0.5, True),
            ("a", "t2", 0.125, True),
            ("a", "t3", 0.00001, False),
            ("b", "t1", 0.25, False),
        ]
    ),
)


@pytest.mark.parametrize(
    ("measure", "aggregation", "of_a", "of_a_all_topics"),
    [
        # The mean is (0.5 + 0.125) / 2, and the other one is over three topics.
        ("M", "mean", 0.3125, 0.625 / 3 + 0.00001 / 3),
        ("M@10", "sum", 0.625, 0.62501),
        # The means are the square root of 0.5 * 0.125, and the cube root of all three.
        ("M(rel=2)", "geometric_mean", 0.25, (0.0625 * 0.00001) ** (1 / 3)),
    ],
)
def test_run_scores(measure: str, aggregation: str, of_a: float, of_a_all_topics: float) -> None:
    given = {
        "topic_scores": BY_TOPIC,
        "measures": Table("name, aggregation", ("M", aggregation), ("N", "mean")),
    }
    columns = "run_id, score, score_all_topics, n_topics"
    assert call("run_scores", given, "ours", measure, select=columns) == [
        ("a", of_a, round(of_a_all_topics, 9), 2),
        # The run answers no topic: it has no score over answered topics, but one over all topics.
        ("b", None, 0.25, 0),
    ]


def test_run_scores_passes_its_arguments_on(run_scores: Macro) -> None:
    scores = run_scores(
        *("ours", "P@1"),
        judgement_set="without_organization",
        unjudged="condensed",
        select="run_id, judgement_set, unjudged, measure, score, score_all_topics, n_topics",
    )
    # The scores follow test_topic_scores_condensed: b finds a document in the only topic that it
    # answers.
    assert scores == [
        ("a", "without_organization", "condensed", "P@1", 0.0, 0.0, 2),
        ("b", "without_organization", "condensed", "P@1", 1.0, 0.5, 1),
    ]


def test_no_run_has_no_scores() -> None:
    nothing = {"int_collections": SCORED["int_collections"]}
    assert call("run_scores", nothing, "ours", "P@1") == []
