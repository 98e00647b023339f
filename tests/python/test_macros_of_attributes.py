"""Test scores by attributes of topics, on rows worked by hand."""

from collections.abc import Iterator

import duckdb
import pytest

from macro_units import Macro, Table, made

# Topics 1 and 2 are broad, 3 is narrow, and 4 has no attribute; the other collection has none.
GIVEN = {
    "int_collections": Table("collection_key, collection_id", (1, "ours"), (2, "theirs")),
    "int_topics": Table(
        "collection_key, topic_key, topic_id",
        (1, 11, "t1"),
        (1, 12, "t2"),
        (1, 13, "t3"),
        (1, 14, "t4"),
        (2, 11, "t1"),
    ),
    "int_topic_attributes": Table(
        "collection_key, topic_key, attribute, value",
        (1, 11, "kind", "broad"),
        (1, 12, "kind", "broad"),
        (1, 13, "kind", "narrow"),
        (1, 11, "words", "3"),
    ),
    "topic_scores": Table(
        "collection_id varchar, run_id varchar, topic_id varchar, judgement_set varchar, "
        "unjudged varchar, measure varchar, score double, is_answered boolean",
        *(
            ("ours", run, topic, "full", "nonrelevant", "AP", score, is_answered)
            for run, topic, score, is_answered in [
                ("a", "t1", 0.5, True),
                ("a", "t2", 0.25, True),
                ("a", "t3", 1.0, True),
                ("a", "t4", 0.125, True),
                ("b", "t1", 0.5, True),
                ("b", "t2", 0.0, False),
                ("b", "t3", 0.0, False),
                ("b", "t4", 0.75, True),
            ]
        ),
    ),
    "measures": Table("name, aggregation", ("AP", "mean"), ("N", "sum")),
}
COLUMNS = "run_id, attribute, value, score, score_all_topics, n_topics, n_judged_topics"


@pytest.fixture(scope="module")
def attribute_scores() -> Iterator[Macro]:
    with made("attribute_scores", GIVEN) as macro:
        yield macro


def test_scores_of_each_value(attribute_scores: Macro) -> None:
    assert attribute_scores("ours", "AP", "kind", select=COLUMNS) == [
        ("a", "kind", "broad", 0.375, 0.375, 2, 2),
        ("a", "kind", "narrow", 1.0, 1.0, 1, 1),
        ("a", "kind", None, 0.125, 0.125, 1, 1),
        ("b", "kind", "broad", 0.5, 0.25, 1, 2),
        ("b", "kind", "narrow", None, 0.0, 0, 1),
        ("b", "kind", None, 0.75, 0.75, 1, 1),
    ]
    assert attribute_scores("ours", "AP", "words", select=COLUMNS)[:2] == [
        ("a", "words", "3", 0.5, 0.5, 1, 1),
        ("a", "words", None, round(1.375 / 3, 9), round(1.375 / 3, 9), 3, 3),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ours", "AP", None), "an argument is null"),
        (("other", "AP", "kind"), "no collection is built with the name other"),
        (("theirs", "AP", "kind"), "theirs has no attributes of topics: poolhouse load --topic-a"),
        (("ours", "AP", "Kind"), "Kind is no attribute of topics of ours; it has kind, words"),
    ],
)
def test_wrong_arguments(
    attribute_scores: Macro, arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        attribute_scores(*arguments)
