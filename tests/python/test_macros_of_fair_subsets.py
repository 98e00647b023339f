"""Test what test_unique_contributions does not try of fair subsets, such as wrong arguments."""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from macro_units import Macro, Table, call, made

GIVEN = {
    "int_collections": Table(
        "collection_key, collection_id, relevance_threshold, is_judged",
        (1, "ours", 1, True),
        (3, "unpooled", 1, True),
        (4, "unjudged", 1, False),
    ),
    "int_pooled_runs": Table(
        "collection_key, run_key, organization_key, pool_depth", (1, 1, 10, 3)
    ),
}
MEASURES = Table(
    "name, usage, aggregation, trec_eval_name", ("AP", "AP[(rel=l)][@k]", "mean", "map")
)


@pytest.fixture(scope="module")
def fair_judgements() -> Iterator[Macro]:
    with made("fair_judgements", GIVEN) as macro:
        yield macro


@pytest.fixture(scope="module")
def fair_topic_scores() -> Iterator[Macro]:
    with made("fair_topic_scores", GIVEN | {"measures": MEASURES}) as macro:
        yield macro


@pytest.fixture(scope="module")
def fair_run_scores() -> Iterator[Macro]:
    with made("fair_run_scores", GIVEN | {"measures": MEASURES}) as macro:
        yield macro


def test_documents_of_one_rank_are_in_the_order_of_their_ids() -> None:
    """Of two runs of one organization, each has another document on top; the keys say no order."""
    given = GIVEN | {
        "int_pooled_runs": Table(
            "collection_key, run_key, organization_key, pool_depth", (1, 1, 10, 1), (1, 2, 10, 1)
        ),
        "int_rankings": Table(
            "collection_key, run_key, topic_key, doc_key, pooling_rank, rank",
            *((1, 1, 1, 1, 1, 1), (1, 2, 1, 2, 1, 1)),
        ),
        "int_documents": Table("collection_key, doc_key, doc_id", (1, 1, "z"), (1, 2, "b")),
        "int_topics": Table("collection_key, topic_key, topic_id", (1, 1, "t")),
        "int_judgements": Table("collection_key, topic_key, doc_key", (1, 1, 1), (1, 1, 2)),
    }
    for definition in ("contributions", "unique"):
        asked = {"n": 1, "select": "doc_id"}
        assert call("fair_judgements", given, "ours", definition, **asked) == [("b",)]  # type: ignore[arg-type]


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
