"""Test table macros that rank runs without judgements, on rows worked by hand."""

from collections.abc import Iterator

import duckdb
import pytest

from macro_units import Macro, Table, made
from test_macros_of_planning import JUDGED

# D1 and D2 of topic 1 are judged (test_macros_of_planning.py), and so is D9, which no run returned.
GIVEN = JUDGED | {
    "int_rankings": Table(
        "collection_key, run_key, topic_key, doc_key, rank, pooling_rank",
        *(
            (key, 10 * key + run, topic, document, rank, rank)
            for key in (1, 2)
            for run, topic, documents in ((1, 1, (3, 2, 1)), (2, 1, (2, 4)), (3, 2, (5,)))
            for rank, document in enumerate(documents, start=1)
        ),
    ),
    "int_documents": Table(
        "collection_key, doc_id, doc_key",
        *((key, f"D{document}", document) for key in (1, 2) for document in (1, 2, 3, 4, 5, 9)),
    ),
    "measures": Table(
        "name, aggregation", *((each, "mean") for each in ("AP", "P", "nDCG", "Bpref", "Q"))
    ),
}


@pytest.fixture(scope="module")
def pseudo_qrels_scores() -> Iterator[Macro]:
    with made("pseudo_qrels_scores", GIVEN) as macro:
        yield macro


SCORES = "run_id, n_topics, score, score_all_topics, score_deviation, lowest_score, highest_score"


def test_the_whole_pool_is_relevant(pseudo_qrels_scores: Macro) -> None:
    """Each draw takes D1, D2 and D9; a has two of them, at ranks 3 and 2, and b has one on top."""
    a, b = round((1 / 2 + 2 / 3) / 3, 9), round(1 / 3, 9)
    assert pseudo_qrels_scores("ours", "AP", share=1, repetitions=2, select=SCORES) == [
        ("a", 1, a, a, 0.0, a, a),
        ("b", 1, b, b, 0.0, b, b),
        # c answers only topic 2, which is not judged
        ("c", 0, None, 0.0, 0.0, 0.0, 0.0),
    ]


@pytest.mark.heavy
def test_one_document_is_drawn_at_least(pseudo_qrels_scores: Macro) -> None:
    """One tenth of three rounds to none; one is drawn, which each run has or has not."""
    columns = "run_id, n_repetitions, share, seed, measure, score_all_topics"
    rows = pseudo_qrels_scores("ours", "P@3", share=0.1, repetitions=1, seed=5, select=columns)
    assert [row[:5] for row in rows] == [(run, 1, 0.1, 5, "P@3") for run in "abc"]
    scores = {
        tuple(
            round(3 * row[0])
            for row in pseudo_qrels_scores(
                "ours", "P@3", share=0.1, repetitions=1, seed=seed, select="score_all_topics"
            )
        )
        for seed in range(20)
    }
    # In the order of the scores, D9, D1 or D2 is drawn.
    assert scores == {(0, 0, 0), (0, 0, 1), (0, 1, 1)}


def test_pool_that_is_not_judged(pseudo_qrels_scores: Macro) -> None:
    """To depth 1, there are D3 and D2 in topic 1, and D5 in topic 2; chosen runs have only D2."""
    all_of_it = {
        "share": 1,
        "repetitions": 1,
        "select": "run_id, n_topics, score, score_all_topics",
    }
    assert pseudo_qrels_scores("plain", "AP", pool_depth=1, **all_of_it) == [  # type: ignore[arg-type]
        ("a", 1, 1.0, 0.5),
        ("b", 1, 0.5, 0.25),
        ("c", 1, 1.0, 0.5),
    ]
    asked = {"pool_depth": 1, "of_runs": ["b"]}
    assert pseudo_qrels_scores("plain", "AP", **asked, **all_of_it) == [  # type: ignore[arg-type]
        ("a", 1, 0.5, 0.5),
        ("b", 1, 1.0, 1.0),
        ("c", 0, None, 0.0),
    ]


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
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
    ],
)
def test_what_cannot_be_drawn_is_an_error(
    pseudo_qrels_scores: Macro,
    arguments: tuple[object, ...],
    named: dict[str, object],
    message: str,
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        pseudo_qrels_scores(*arguments, **named)  # type: ignore[arg-type]


RUN_SCORES = "collection_id varchar, run_id varchar, score_all_topics double"


def test_popularity_correlation() -> None:
    """One ranking of the three runs is the qrels', one has two equal runs, and one is reversed.

    The rows that are given for run_scores are used for both the measure and the assessment.
    """
    rows = (("a", 0.3, 0.3, 0.1), ("b", 0.2, 0.2 + 1e-15, 0.2), ("c", 0.1, 0.2, 0.3))
    given = {
        "run_scores": Table(RUN_SCORES, *(("ours", run, score) for run, score, *_ in rows)),
        "pseudo_qrels_scores": Table(
            RUN_SCORES, *(("ours", run, score) for run, _, score, _ in rows)
        ),
        "run_popularity": Table(
            "run_id varchar, popularity double", *((run, each) for run, *_, each in rows)
        ),
    }
    tied = round(2 / 6**0.5, 9)
    with made("popularity_correlation", given) as popularity_correlation:
        columns = "ranking, other_ranking, n_runs, kendall_tau"
        asked = {"collection": "ours", "measure": "AP", "assessed": "A@1000"}
        drawn = {"share": 0.1, "repetitions": 10, "seed": 1}
        assert popularity_correlation(select=columns, **asked, **drawn) == [
            ("assessment", "popularity", 3, -1.0),
            ("assessment", "pseudo_qrels", 3, tied),
            ("assessment", "qrels", 3, 1.0),
            ("popularity", "pseudo_qrels", 3, -tied),
            ("popularity", "qrels", 3, -1.0),
            ("pseudo_qrels", "qrels", 3, tied),
        ]
