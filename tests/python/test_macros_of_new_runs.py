"""Table macros that score and adjust a run which is not loaded, on rows worked by hand.

Where macros build on each other, what the lower ones give is given: each is tested alone.
"""

from math import sqrt

import duckdb
import pytest

from macro_units import Table, call

RUN = "query varchar, docno varchar, score double"
RUN_AS_FILED = f"{RUN}, rank integer, line_number integer"
JUDGED_FOR_IT = "query varchar, docno varchar, grade integer"
# Of what a lower macro gives, it is the rows given for that which count.
ANY_RUN = Table(RUN)
NOTHING_JUDGED = Table(JUDGED_FOR_IT)

# Three collections use the same ids and keys, and differ in how they were pooled.
COLLECTIONS = Table(
    "collection_key, collection_id, relevance_threshold, pooling_order",
    (1, "ours", 1, "score"),
    (2, "ranked", 2, "rank"),
    (3, "filed", 1, "file"),
)
TOPICS = Table(
    "collection_key, topic_key, topic_id",
    *((key, *topic) for key in (1, 2, 3) for topic in ((1, "t1"), (2, "t2"), (3, "t3"))),
)
# Topic t3 is not judged.
JUDGED_TOPICS = Table(
    "collection_key, topic_key", *((key, topic) for key in (1, 2, 3) for topic in (1, 2))
)
DOCUMENTS = Table(
    "collection_key, doc_key, doc_id",
    *((key, number, f"D{number}") for key in (1, 2, 3) for number in range(1, 6)),
)

# Of ours, D1 is relevant, D2 in the qrels and not judged, D3 not there. What others hold of the
# same keys is another matter, and so is what is in another pool.
RANKED = {
    "int_collections": COLLECTIONS,
    "int_topics": TOPICS,
    "int_documents": DOCUMENTS,
    "int_judged_topics": JUDGED_TOPICS,
    "int_judgements": Table(
        "collection_key, topic_key, doc_key, is_judged, is_relevant",
        (1, 1, 1, True, True),
        (1, 1, 2, False, False),
        (1, 2, 3, True, False),
        (2, 1, 3, True, False),
    ),
    "int_pool_documents": Table(
        "collection_key, pool_key, topic_key, doc_key, is_relevant",
        (1, 0, 1, 1, True),
        (1, 5, 1, 2, True),
        (2, 0, 1, 3, False),
    ),
    "int_pool_depths": Table("collection_key, pool_depth", (1, 2), (2, 1), (3, 1)),
}

# D1 comes twice, and counts by its best score. As floats of 32 bits the scores of D2 and D3 are
# equal: by name, the higher one goes first.
LINES = (
    ("t1", "D1", 0.5, 3, 1),
    ("t1", "D2", 1.00000001, 2, 2),
    ("t1", "D3", 1.0, 1, 3),
    ("t1", "D1", 3.0, 4, 4),
    ("t1", "D9", 0.25, None, 5),
    ("t3", "D1", 1.0, 1, 6),
    ("t9", "D1", 1.0, 1, 7),
)


def test_rankings_of_a_new_run() -> None:
    columns = (
        "doc_id, topic_id, doc_key, rank, is_above_pool_depth, is_relevant, is_relevant_in_pool"
    )
    run = Table(RUN_AS_FILED, *LINES)
    assert call("int_new_run_rankings", RANKED, "ours", run, select=columns) == [
        ("D1", "t1", 1, 1, True, True, True),
        ("D2", "t1", 2, 3, False, None, None),
        ("D3", "t1", 3, 2, True, None, None),
        # Nobody returned or judged it before.
        ("D9", "t1", None, 4, False, None, None),
    ]


@pytest.mark.parametrize(
    ("collection", "columns", "contributed"),
    [
        ("ours", RUN_AS_FILED, ["D1", "D3"]),  # by score, down to 2
        ("ranked", RUN_AS_FILED, ["D3"]),  # by the given rank, down to 1
        ("ranked", RUN, ["D1"]),  # by score, where no rank is given
        ("filed", RUN_AS_FILED, ["D1"]),  # by the line where it first stands
    ],
)
def test_pooling_order_of_a_new_run(collection: str, columns: str, contributed: list[str]) -> None:
    lines = (line[: columns.count(",") + 1] for line in LINES)
    rows = call(
        "int_new_run_rankings",
        RANKED,
        *(collection, Table(columns, *lines)),
        select="doc_id, is_above_pool_depth",
    )
    assert [doc for doc, is_above in rows if is_above] == contributed


@pytest.mark.parametrize(
    ("collection", "lines", "message"),
    [
        ("other", [("t1", "D1", 1.0)], "no collection is built that is called other"),
        (None, [("t1", "D1", 1.0)], "no collection is built that is called null"),
        (
            "ours",
            [("t1", "D1", 1.0), ("t1", "D2", None)],
            "a row without a query, a docno or a score",
        ),
        (
            "ours",
            [("t3", "D1", 1.0), ("t9", "D1", 1.0)],
            "answers no topic that is judged in 'ours'",
        ),
        ("ours", [], "answers no topic that is judged in 'ours'"),
    ],
)
def test_wrong_new_runs(
    collection: str | None, lines: list[tuple[object, ...]], message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=message):
        call("int_new_run_rankings", RANKED, collection, Table(RUN, *lines), select="count(*)")


def test_a_new_run_without_a_column() -> None:
    run = Table("query varchar, score double", ("t1", 1.0))
    with pytest.raises(duckdb.BinderException, match="docno"):
        call("int_new_run_rankings", RANKED, "ours", run)


@pytest.mark.parametrize(("collection", "is_d4_relevant"), [("ours", True), ("ranked", False)])
def test_common_judgements(collection: str, is_d4_relevant: bool) -> None:
    """The highest of several grades counts, a negative one is none; the threshold is its own."""
    judged = Table(
        "query integer, docno varchar, grade varchar",
        *((1, "D1", "0"), (1, "D1", "2"), (1, "D1", "-1")),
        *((1, "D2", "-1"), (1, "D3", "0"), (2, "D4", "1")),
    )
    given = {"int_collections": COLLECTIONS}
    assert call("int_new_run_common_judgements", given, collection, judged) == [
        ("1", "D1", 2, True),
        ("1", "D3", 0, False),
        ("2", "D4", 1, is_d4_relevant),
    ]


def test_common_topics() -> None:
    given = {
        "int_collections": COLLECTIONS,
        "int_topics": TOPICS,
        "int_documents": DOCUMENTS,
        "int_judged_topics": JUDGED_TOPICS,
        "int_judgements": Table(
            "collection_key, topic_key, doc_key, grade, is_judged",
            *((1, 1, 1, 1, True), (1, 1, 2, 2, True), (1, 1, 5, -1, False), (1, 2, 1, 1, True)),
            (2, 1, 4, 0, True),
        ),
        # The run answers t1 alone.
        "int_new_run_rankings": Table("topic_id varchar", ("t1",), ("t1",)),
        "int_new_run_common_judgements": Table(
            "topic_id varchar, doc_id varchar, grade integer",
            ("t1", "D1", 1),
            ("t1", "D2", 0),  # the qrels say 2
            ("t1", "D4", 1),  # unknown to the qrels of ours, 0 in others
            ("t1", "D5", 1),  # in the qrels without a judgement
            ("t2", "D1", 0),  # the qrels say 1, but the run does not answer
            *(("t3", "D1", 1), ("t9", "D1", 1)),  # not judged, not there
        ),
    }
    columns = "n_common_topics, n_not_judged, n_not_answered, n_conflicting"
    arguments = ("ours", ANY_RUN, NOTHING_JUDGED)
    assert call("int_new_run_common_topics", given, *arguments, select=columns) == [(1, 2, 1, 1)]


def test_no_common_topics() -> None:
    given = {"int_new_run_rankings": Table("topic_id varchar", ("t1",))}
    none = call("int_new_run_common_topics", given, "ours", ANY_RUN, NOTHING_JUDGED)
    assert none == [(0, 0, 0, 0)]


def test_judgements_of_both() -> None:
    given = {
        "int_new_run_rankings": Table(
            "topic_key integer, topic_id varchar, doc_id varchar, rank integer, "
            "is_relevant boolean",
            (1, "t1", "D1", 1, True),
            (1, "t1", "D2", 2, None),
            (1, "t1", "D3", 3, None),
            (2, "t2", "D2", 1, None),
        ),
        "int_new_run_common_judgements": Table(
            "topic_id varchar, doc_id varchar, is_relevant boolean",
            *(("t1", "D1", False), ("t1", "D2", False), ("t1", "D9", True)),
        ),
    }
    arguments = ("ours", ANY_RUN, NOTHING_JUDGED)
    columns = "topic_key, rank, is_relevant, is_common, is_relevant_by_both"
    assert call("int_new_run_judgements", given, *arguments, select=columns) == [
        (1, 1, True, True, True),  # the qrels go first
        (1, 2, None, True, False),
        (1, 3, None, True, None),
        (2, 1, None, False, None),  # judged in another topic
    ]


def test_scores_of_a_new_run() -> None:
    """Topic 1 has judged documents at ranks 1, 2 and 6, topic 2 at rank 2, which the pool lacks.

    RBP: 0.2 (1 + 0.8^5) = 0.265536, and 0.16. Their residuals: of the 1 - 0.8^10 that ten ranks
    have, what ranks 1, 2 and 6 do not take, 0.2 (1 + 0.8 + 0.8^5) = 0.425536, or rank 2, 0.16.
    """
    given = {
        "int_new_run_rankings": Table(
            "collection_key integer, topic_key integer, rank integer, is_relevant boolean, "
            "is_relevant_in_pool boolean",
            (1, 1, 1, True, True),
            (1, 1, 2, False, None),
            (1, 1, 3, None, None),
            (1, 1, 6, True, True),
            (1, 1, 101, True, True),
            (1, 2, 1, None, None),
            (1, 2, 2, True, None),
        )
    }
    rows = call(
        "int_new_run_scores",
        given,
        *("ours", ANY_RUN),
        select="judged_by, measure, score, collection_key, n_topics",
    )
    assert {row[3:] for row in rows} == {(1, 2)}
    scores = {row[:2]: row[2] for row in rows}
    ten_ranks = 1 - 0.8**10
    expected = {
        ("qrels", "P@5"): (1 / 5 + 1 / 5) / 2,
        ("qrels", "P@10"): (2 / 10 + 1 / 10) / 2,
        ("qrels", "P@100"): (2 / 100 + 1 / 100) / 2,
        ("qrels", "AntiP@5"): 1 / 5 / 2,
        ("qrels", "UnjudgedRate@5"): (3 / 5 + 4 / 5) / 2,
        ("qrels", "RBP(p=0.8)@10"): (0.265536 + 0.16) / 2,
        ("qrels", "RBPResidual(p=0.8)@10"): (2 * ten_ranks - 0.425536 - 0.16) / 2,
        ("pool", "P@5"): 1 / 5 / 2,
        ("pool", "AntiP@5"): 0.0,
        ("pool", "UnjudgedRate@5"): (4 / 5 + 5 / 5) / 2,
    }
    assert {name: scores[name] for name in expected} == pytest.approx(expected)


def test_bounds_of_a_new_run() -> None:
    given = {
        "int_experiments": Table(
            "measure, cutoff, pool_key",
            *(("P@5", 5, 0), ("RBP(p=0.8)@10", 10, 0), ("P@5", 5000, 1)),
        ),
        "int_new_run_rankings": Table(
            "rank integer, is_relevant boolean",
            *((1, True), (5, None), (6, None), (10, False)),
            *((1, None), (11, None)),
        ),
        "int_new_run_scores": Table(
            "collection_key integer, judged_by varchar, measure varchar, score double, "
            "n_topics integer",
            (1, "qrels", "P@5", 0.3, 2),
            (1, "qrels", "UnjudgedRate@5", 0.5, 2),
            (1, "qrels", "RBP(p=0.8)@10", 0.4, 2),
            (1, "qrels", "RBPResidual(p=0.8)@10", 0.61, 2),
            (1, "qrels", "AntiP@5", 0.2, 2),
            (1, "pool", "P@5", 0.1, 2),
            (1, "pool", "UnjudgedRate@5", 0.9, 2),
        ),
    }
    columns = (
        "measure, n_topics, n_top_documents, n_unjudged, unadjusted_score, lower_bound, upper_bound"
    )
    assert call("int_new_run_bounds", given, "ours", ANY_RUN, select=columns) == [
        # Ranks 1, 5 and 1, two of them unjudged.
        ("P@5", 2, 3, 2, 0.3, 0.3, 0.8),
        # All but rank 11; the sum is no more than 1.
        ("RBP(p=0.8)@10", 2, 5, 3, 0.4, 0.4, 1.0),
    ]


def test_losses_by_a_new_run() -> None:
    """Pooled run 1 answers two topics; alone it contributed D1 of topic 1, and D2 of topic 2.

    The new run contributes D1 too, and D2 in another topic, or below the depth.
    """
    given = {
        "int_collections": COLLECTIONS,
        "int_new_run_rankings": Table(
            "collection_key integer, topic_key integer, doc_key integer, rank integer, "
            "is_above_pool_depth boolean",
            *((1, 1, 1, 2, True), (1, 1, 2, 1, True), (1, 2, 2, 9, False)),
        ),
        "int_lone_contributions": Table(
            "collection_key, pool_key, level, topic_key, doc_key, run_key, rank, "
            "other_contributor_key",
            (1, 0, "run", 1, 1, 1, 2, None),
            (1, 0, "run", 2, 2, 1, 6, None),
            (1, 0, "run", 1, 3, 1, 1, 2),  # run 2 contributed it too
            (1, 0, "organization", 1, 4, 1, 1, None),
            (1, 5, "run", 1, 5, 1, 1, None),  # in another pool
            (2, 0, "run", 1, 1, 3, 1, None),  # of another collection
        ),
        "int_pool_runs": Table(
            "collection_key, pool_key, run_key", (1, 0, 1), (1, 0, 2), (1, 5, 1), (2, 0, 3)
        ),
        "int_run_topics": Table(
            "collection_key, run_key, topic_key", (1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 3, 1)
        ),
    }
    rows = call(
        "int_new_run_losses",
        given,
        *("ours", ANY_RUN),
        select="run_key, has_substitution, measure, loss, collection_key",
    )
    assert {row[4] for row in rows} == {1}
    losses = {row[:3]: row[3] for row in rows}
    expected = {
        # Ranks 2 and 6, over two topics.
        (1, False, "P@5"): 1 / 5 / 2,
        (1, False, "P@10"): 2 / 10 / 2,
        (1, False, "RBP(p=0.8)@10"): 0.2 * (0.8 + 0.8**5) / 2,
        # Rank 2 stays judged.
        (1, True, "P@5"): 0.0,
        (1, True, "P@10"): 1 / 10 / 2,
        (1, True, "RBP(p=0.8)@10"): 0.2 * 0.8**5 / 2,
        # It alone contributed nothing.
        (2, False, "P@5"): 0.0,
        (2, True, "P@5"): 0.0,
    }
    assert {name: losses[name] for name in expected} == pytest.approx(expected)
    assert {run for run, *_ in losses} == {1, 2}


@pytest.mark.parametrize(
    ("new_doc", "new_rank", "relevant", "non_relevant", "at_5"),
    [
        # D6 ties with D1 at rank 1, and goes first since it moves up: 6, 1, 2, 3, 4 and then 5.
        (6, 1, 6, 5, 1),
        # D1 ties with D6 at rank 6, and goes last since it moves down: 2, 3, 4, 5, 6 and then 1.
        (1, 6, 1, 6, -1),
        # Where it stays, all stay.
        (3, 3, 3, 5, 0),
    ],
)
def test_merge_effects_of_a_new_run(
    new_doc: int, new_rank: int, relevant: int, non_relevant: int, at_5: int
) -> None:
    """Run 1 has D1 to D6 in topic 1, which the new run answers, and answers topic 2 too."""
    given = {
        "int_collections": COLLECTIONS,
        "int_new_run_rankings": Table(
            "topic_key integer, doc_key integer, rank integer",
            *((1, new_doc, new_rank), (1, None, new_rank + 1)),
        ),
        "int_rankings": Table(
            "collection_key, run_key, topic_key, doc_key, rank",
            *((1, 1, 1, doc, doc) for doc in range(1, 7)),
            *((1, 1, 2, 1, 1), (1, 2, 2, 1, 1), (2, 3, 1, 6, 1)),
        ),
        "int_pool_runs": Table(
            "collection_key, pool_key, run_key", (1, 0, 1), (1, 0, 2), (1, 5, 1), (2, 0, 3)
        ),
        "int_run_topics": Table(
            "collection_key, run_key, topic_key", (1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 3, 1)
        ),
        "int_pool_rankings": Table(
            "collection_key, pool_key, run_key, topic_key, rank, is_relevant",
            *((1, 0, 1, 1, relevant, True), (1, 0, 1, 1, non_relevant, False)),
            *((1, 0, 1, 2, 1, True), (1, 0, 2, 2, 1, True), (1, 5, 1, 1, 1, True)),
        ),
        "int_pool_documents": Table(
            "collection_key, pool_key, topic_key, doc_key, is_relevant",
            *((1, 0, 1, relevant, True), (1, 0, 1, non_relevant, False), (1, 0, 2, 1, True)),
            *((1, 5, 1, 2, True), (2, 0, 1, 2, False)),
        ),
        "int_experiments": Table(
            "measure_name, cutoff, pool_key",
            *(("P", 5, 0), ("P", 10, 0), ("RBP", 20, 0), ("P", 30, 1)),
        ),
    }
    columns = "run_key, cutoff, delta_precision, delta_anti_precision"
    effect = at_5 / 5 / 2
    assert call("int_new_run_merge_effects", given, "ours", ANY_RUN, select=columns) == [
        (1, 5, effect, -effect),
        (1, 10, 0.0, 0.0),
        # They have no topic in common.
        (2, 5, 0.0, 0.0),
        (2, 10, 0.0, 0.0),
    ]


def test_topic_scores_of_a_new_run() -> None:
    given = {
        "int_new_run_judgements": Table(
            "topic_key integer, rank integer, is_common boolean, is_relevant boolean, "
            "is_relevant_by_both boolean",
            # Topic 1: relevant at rank 2, and by the other judgements at rank 1 too.
            *((1, 1, True, None, True), (1, 2, True, True, True)),
            # Topic 2: what is judged stands below the deepest cutoff.
            *((2, 1, False, None, None), (2, 101, False, True, True)),
        )
    }
    rows = call(
        "int_new_run_topic_scores",
        given,
        *("ours", ANY_RUN, NOTHING_JUDGED),
        select="topic_key, unjudged, measure, unpooled_score, true_score",
    )
    shown = {row[:3]: row[3:] for row in rows if row[2] in {"P@5", "RBP(p=0.8)@10"}}
    assert shown == {
        (1, "nonrelevant", "P@5"): (0.2, 0.4),
        (1, "condensed", "P@5"): (0.2, 0.4),
        (1, "nonrelevant", "RBP(p=0.8)@10"): (0.16, 0.36),
        (1, "condensed", "RBP(p=0.8)@10"): (0.2, 0.36),
        (2, "nonrelevant", "P@5"): (0.0, None),
        (2, "condensed", "P@5"): (0.2, None),
        (2, "nonrelevant", "RBP(p=0.8)@10"): (0.0, None),
        (2, "condensed", "RBP(p=0.8)@10"): (0.2, None),
    }


EXPERIMENTS = Table(
    "measure, cutoff, pool_key",
    *(("P@5", 5, 0), ("P@10", 10, 0), ("P@20", 20, 0), ("P@5", 50, 1)),
)


def scores_by_measure(*rows: tuple[str, str, float]) -> Table:
    return Table("judged_by varchar, measure varchar, score double", *rows)


def test_adjustments_of_a_new_run() -> None:
    """By the pool P = 0.2 and antiP = 0.4, so that k = 0.4, at every cutoff.

    At 5, the mean effects are 0.01 and -0.05, so that delta k = 0.04, and lambda is
    0.4 (0.01 * 0.4 + 0.05 * 0.2), above 0: k delta k = 0.016. At 10 they are -0.05 and 0.01: lambda
    is below 0. At 20 they are 0.05 and -0.01: lambda is above 0, and delta k below.
    """
    pool = (("P", 0.2), ("AntiP", 0.4))
    given = {
        "int_experiments": EXPERIMENTS,
        "int_new_run_scores": scores_by_measure(
            *(("qrels", f"{name}@{k}", 0.9) for name in ("P", "AntiP") for k in (5, 10, 20)),
            *(("pool", f"{name}@{k}", score) for name, score in pool for k in (5, 10, 20)),
        ),
        "int_new_run_losses": Table(
            "has_substitution boolean, measure varchar, loss double",
            *((True, "P@5", 0.1), (True, "P@5", 0.3), (False, "P@5", 0.2), (False, "P@5", 0.4)),
        ),
        "int_new_run_merge_effects": Table(
            "cutoff integer, delta_precision double, delta_anti_precision double",
            *((5, 0.02, -0.06), (5, 0.0, -0.04), (10, -0.05, 0.01), (20, 0.05, -0.01)),
        ),
    }
    columns = "estimator, measure, adjustment"
    assert call("int_new_run_adjustments", given, "ours", ANY_RUN, select=columns) == [
        ("lipani", "P@10", 0.0),
        ("lipani", "P@20", 0.0),
        ("lipani", "P@5", 0.016),
        ("unadjusted", "P@10", 0.0),
        ("unadjusted", "P@20", 0.0),
        ("unadjusted", "P@5", 0.0),
        ("webber_park_systems", "P@5", 0.2),
        ("webber_park_systems_no_substitution", "P@5", 0.3),
    ]


def test_no_adjustments_where_no_run_was_pooled() -> None:
    given = {
        "int_experiments": EXPERIMENTS,
        "int_new_run_scores": scores_by_measure(("qrels", "P@5", 0.9), ("pool", "P@5", 0.0)),
        "int_new_run_losses": Table("has_substitution boolean, measure varchar, loss double"),
        "int_new_run_merge_effects": Table(
            "cutoff integer, delta_precision double, delta_anti_precision double"
        ),
    }
    columns = "estimator, measure, adjustment"
    rows = call("int_new_run_adjustments", given, "ours", ANY_RUN, select=columns)
    assert rows == [("unadjusted", "P@5", 0.0)]


# For P@5, run b has the score of a after rounding; for P@10 nobody has one.
OTHER_RUNS = {
    "int_runs": Table(
        "collection_key, run_key, run_id", (1, 1, "a"), (1, 2, "b"), (1, 3, "c"), (2, 4, "d")
    ),
    "int_run_scores": Table(
        "collection_key, run_key, judgement_set, unjudged, measure, score",
        (1, 1, "full", "nonrelevant", "P@5", 0.4),
        (1, 2, "full", "nonrelevant", "P@5", 0.4000000000001),
        (1, 3, "full", "nonrelevant", "P@5", 0.35),
        # None of these is another run's score as it is.
        (1, 3, "full", "nonrelevant", "P@10", None),
        (1, 1, "without_run", "nonrelevant", "P@5", 0.99),
        (1, 1, "full", "condensed", "P@5", 0.99),
        (2, 4, "full", "nonrelevant", "P@5", 0.99),
    ),
}

ADJUSTED = {
    **OTHER_RUNS,
    "int_experiments": EXPERIMENTS,
    "int_judged_topics": Table("collection_key, topic_key", (1, 1), (1, 2), (1, 3), (2, 1)),
    "int_pool_depths": Table("collection_key, pool_depth", (1, 5), (2, 50)),
    "int_new_run_bounds": Table(
        "collection_key integer, measure varchar, n_topics integer, n_top_documents integer, "
        "n_unjudged integer, unadjusted_score double, lower_bound double, upper_bound double",
        (1, "P@5", 2, 10, 4, 0.3, 0.3, 0.7),
        (1, "P@10", 2, 20, 0, 0.5, 0.5, 0.5),
    ),
    "int_new_run_adjustments": Table(
        "measure varchar, estimator varchar, adjustment double",
        *(("P@5", "unadjusted", 0.0), ("P@5", "lipani", 0.1), ("P@5", "too_much", 0.41)),
        ("P@10", "lipani", 0.1),
    ),
}


def test_adjusted_scores() -> None:
    columns = (
        "estimator, measure, adjustment, adjusted_score, is_outside_bounds, would_be_rank, "
        "n_ranked, beyond_pool_depth"
    )
    assert call("adjusted_scores", ADJUSTED, "ours", ANY_RUN, select=columns) == [
        # None of its documents is unjudged: its score stands. No other run has one.
        ("lipani", "P@10", 0.0, 0.5, False, 1, 1, True),
        # Equal to two, and above one.
        ("lipani", "P@5", 0.1, 0.4, False, 1, 4, False),
        ("too_much", "P@5", 0.41, 0.71, True, 1, 4, False),
        ("unadjusted", "P@5", 0.0, 0.3, False, 4, 4, False),
    ]


def test_adjusted_scores_but_for_one_run() -> None:
    columns = "estimator, measure, would_be_rank, n_ranked, n_topics, n_judged_topics"
    rows = call("adjusted_scores", ADJUSTED, "ours", ANY_RUN, except_run="a", select=columns)
    assert rows[-1] == ("unadjusted", "P@5", 3, 3, 2, 3)


FROM_TOPICS = {
    **OTHER_RUNS,
    "int_collections": COLLECTIONS,
    "int_experiments": EXPERIMENTS,
    "quantiles": Table(
        "method, confidence, degrees_of_freedom, quantile",
        *(("normal", 0.68, None, 1.0), ("t", 0.68, 1, 2.0), ("t", 0.68, 2, 9.0)),
    ),
    # Topic 3 is not common.
    "int_new_run_judgements": Table(
        "topic_key integer, rank integer, is_common boolean, is_relevant_by_both boolean",
        *((1, 1, True, None), (1, 6, True, None), (2, 1, True, True), (3, 1, False, None)),
    ),
    "int_new_run_bounds": Table(
        "measure varchar, n_unjudged integer, lower_bound double, upper_bound double",
        *(("P@5", 4, 0.3, 0.55), ("P@10", 0, 0.3, 0.3)),
    ),
    "int_new_run_topic_scores": Table(
        "topic_key integer, unjudged varchar, measure varchar, unpooled_score double, "
        "true_score double",
        (1, "nonrelevant", "P@5", 0.4, 0.6),
        (2, "nonrelevant", "P@5", 0.2, 0.6),
        (3, "nonrelevant", "P@5", 0.3, None),
        (1, "nonrelevant", "P@10", 0.2, 0.2),
        (2, "nonrelevant", "P@10", 0.1, 0.1),
        (3, "nonrelevant", "P@10", 0.6, None),
    ),
}

NO_VERDICT = (None, None)


def test_adjusted_scores_from_topics() -> None:
    """N = 3, n = 2. For P@5 the mean of u is 0.3, that of t 0.6, and the deltas are 0.2 and 0.4.

    Their variance is 0.02, so that the error is sqrt((3 - 2) / 3 * 0.02 / 2) = sqrt(1 / 300). The
    true scores are alike, which says nothing about the third. Mixed: 0.3 + 0.3 * 2 / 3.
    """
    columns = (
        "measure, estimator, adjusted_score, standard_error, has_smaller_adjusted_variance, "
        "is_adjustment_beyond_its_error, is_outside_bounds, would_be_rank"
    )
    arguments = ("ours", ANY_RUN, NOTHING_JUDGED)
    error = round(sqrt(1 / 300), 9)
    assert call("adjusted_scores_from_topics", FROM_TOPICS, *arguments, select=columns) == [
        # Nothing is unjudged: the score stands, and it is no estimate.
        *(
            ("P@10", estimator, 0.3, 0.0, *NO_VERDICT, False, 1)
            for estimator in ("mixed", "sampled", "unadjusted", "webber_park_topics")
        ),
        ("P@5", "mixed", 0.5, None, *NO_VERDICT, False, 1),
        ("P@5", "sampled", 0.6, None, *NO_VERDICT, True, 1),
        ("P@5", "unadjusted", 0.3, None, *NO_VERDICT, False, 4),
        ("P@5", "webber_park_topics", 0.6, error, False, True, True, 1),
    ]


def test_intervals_from_topics() -> None:
    """Two common topics have one degree of freedom, whose quantile is given as 2."""
    rows = call(
        "adjusted_scores_from_topics",
        FROM_TOPICS,
        *("ours", ANY_RUN, NOTHING_JUDGED),
        except_run="a",
        select="measure, estimator, normal_68_low, normal_68_high, t_68_low, t_68_high, n_ranked, "
        "n_topics, n_common_topics, n_common_unjudged",
    )
    error = sqrt(1 / 300)
    bounds = (0.6 - error, 0.6 + error, 0.6 - 2 * error, 0.6 + 2 * error)
    # One document of the common topics is open at rank 1, another at rank 6.
    assert rows[-1] == ("P@5", "webber_park_topics", *(round(b, 9) for b in bounds), 3, 3, 2, 1)
    assert rows[0] == ("P@10", "mixed", 0.3, 0.3, 0.3, 0.3, 1, 3, 2, 2)


def test_no_topic_is_common() -> None:
    scores = FROM_TOPICS["int_new_run_topic_scores"]
    none = Table(scores.columns, *((*row[:4], None) for row in scores.rows))
    given = {**FROM_TOPICS, "int_new_run_topic_scores": none}
    with pytest.raises(duckdb.InvalidInputException, match="no topic is common"):
        call("adjusted_scores_from_topics", given, "ours", ANY_RUN, NOTHING_JUDGED)
