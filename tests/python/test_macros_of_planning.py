"""Test what macros refuse that plan a pool, or rank runs without judgements.

Their rows are compared with a reference, in test_planning.py and test_without_judgements.py.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any

import duckdb
import pytest

from macro_units import Macro, Table, made

# `ours` is judged in topic 1 alone, and its runs a and b were pooled; `plain` is not judged.
KEYS = (1, 2)
GIVEN = {
    "int_collections": Table(
        "collection_key, collection_id, is_judged", (1, "ours", True), (2, "plain", False)
    ),
    "int_runs": Table(
        "collection_key, run_key, run_id, organization_key, organization",
        *((key, 10 * key + n, "abc"[n], 10 * key + n, "ABC"[n]) for key in KEYS for n in range(3)),
    ),
    "int_rankings": Table(
        "collection_key, run_key, topic_key, doc_key, rank, pooling_rank",
        *((key, 10 * key + n, 1, n, 1, 1) for key in KEYS for n in range(3)),
    ),
    "int_pooled_states": Table(
        "collection_key, run_key, is_pooled",
        *((1, 10, True), (1, 11, True), (1, 12, False)),
        *((2, 20 + n, None) for n in range(3)),
    ),
    "int_topics": Table("collection_key, topic_key, topic_id", *((key, 1, "t1") for key in KEYS)),
    "int_judged_topics": Table("collection_key, topic_key", (1, 1)),
}
# What only this macro reads.
OF_PSEUDO_QRELS = {
    "measures": Table(
        "name, aggregation", *((each, "mean") for each in ("AP", "P", "nDCG", "Bpref", "Q"))
    )
}


@pytest.fixture(scope="module")
def macro() -> Iterator[Callable[[str], Macro]]:
    """Provide each macro by its name."""
    with ExitStack() as open_databases:

        @cache
        def by_name(name: str) -> Macro:
            more = OF_PSEUDO_QRELS if name == "pseudo_qrels_scores" else {}
            return open_databases.enter_context(made(name, GIVEN | more))

        yield by_name


def test_depths_by_default(macro: Callable[[str], Macro]) -> None:
    pool_sizes = macro("pool_sizes")
    depths = [(1,), (5,), (10,), (20,), (30,), (50,), (100,)]
    assert pool_sizes("plain", select="depth") == depths
    assert pool_sizes("plain", depths=[7, 2, 7], select="depth") == [(2,), (7,)]


def test_popularity_counts_a_thousand_documents_by_default(macro: Callable[[str], Macro]) -> None:
    """A run that is asked for alone has no other run to be compared with."""
    columns = "run_id, depth, n_other_runs, popularity"
    rows = macro("run_popularity")("ours", of_runs=["a"], select=columns)
    assert rows == [("a", 1000, 0, None)]


# By macros: arguments, named arguments, and the message.
Refused = tuple[tuple[object, ...], dict[str, Any], str]
REFUSED: dict[tuple[str, ...], tuple[Refused, ...]] = {
    ("topic_pool_sizes", "pool_sizes", "run_contributions", "run_overlaps"): (
        (("other",), {}, "no collection is built with the name other"),
        ((None,), {}, "no collection is built with the name null"),
        (("ours",), {"depths": [1, 0]}, "a depth is 0, expected 1 or more"),
        (("ours",), {"depths": [1, None]}, "a depth is null, expected 1 or more"),
        (("ours",), {"depths": []}, "no depth is given"),
        (("ours",), {"depths": None}, "no depth is given"),
        (("ours",), {"of_runs": ["a", "z", "x"]}, "run 'x' is not in 'ours'"),
        (("ours",), {"of_runs": []}, r"no run of 'ours' is pooled: name some \(of_runs := "),
    ),
    ("planned_assessment",): (
        (("other", 5), {}, "no collection is built with the name other"),
        (("ours", 0), {}, "a depth is 0, expected 1 or more"),
        (("ours", None), {}, "a depth is null, expected 1 or more"),
        (("ours", 5), {"cutoffs": [10, 0]}, "a cutoff is 0, expected 1 or more"),
        (("ours", 5), {"cutoffs": []}, "no cutoff is given"),
        (("ours", 5), {"cutoffs": [None]}, "a cutoff is null, expected 1 or more"),
        (("ours", 5), {"of_runs": ["z"]}, "run 'z' is not in 'ours'"),
    ),
    ("run_popularity",): (
        (("other",), {}, "no collection is built with the name other"),
        (("ours",), {"depth": 0}, "a depth is 0, expected 1 or more"),
        (("ours",), {"depth": None}, "a depth is null, expected 1 or more"),
        (("ours",), {"of_runs": ["z"]}, "run 'z' is not in 'ours'"),
    ),
    ("pseudo_qrels_scores",): (
        (("other", "AP"), {}, "no collection is built with the name other"),
        (("plain", "AP"), {}, "'plain' is not judged yet: name the depth of the pool"),
        (("ours", "AP"), {"pool_depth": 0}, "a depth is 0, expected 1 or more"),
        (("ours", "AP"), {"pool_depth": 1, "of_runs": ["z"]}, "run 'z' is not in 'ours'"),
        (("ours", None), {}, "an argument is null"),
        (("ours", "AP"), {"seed": None}, "an argument is null"),
        (("ours", "MAP"), {}, r"MAP is written AP\["),
        (("ours", "P"), {}, "P is not written as P"),
        (("ours", "A@10"), {}, "A@10 is not a measure of relevant documents alone"),
        (("ours", "G"), {}, "G is not a measure of relevant documents alone"),
        (("ours", "AP(judged_only=true)"), {}, "has a parameter that pseudo-qrels cannot follow"),
        (("ours", "AP(rel=2)"), {}, r"AP\(rel=2\) asks for a grade, and pseudo-qrels have none"),
        (("ours", "AP"), {"share": 0}, "the share is 0, expected more than 0, and at most 1"),
        (("ours", "AP"), {"share": 1.5}, "the share is 1.5, expected more than 0"),
        (("ours", "AP"), {"repetitions": 0}, "the repetitions are 0, expected 1 or more"),
    ),
}


@pytest.mark.some(9)
@pytest.mark.parametrize(
    ("macros", "refused"), [(names, each) for names, cases in REFUSED.items() for each in cases]
)
def test_what_cannot_be_asked_is_an_error(
    macro: Callable[[str], Macro], macros: tuple[str, ...], refused: Refused
) -> None:
    arguments, named, message = refused
    for name in macros:
        with pytest.raises(duckdb.InvalidInputException, match=message):
            macro(name)(*arguments, **named)
