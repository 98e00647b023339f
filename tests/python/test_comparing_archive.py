"""Compare runs of real collections: t with scipy's, and the range of ties with plain Python."""

from collections.abc import Callable
from itertools import groupby

import duckdb
import numpy as np
import pytest
from scipy import stats

from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection
from conftest import FIGURE
from measures_reference import score_of
from reference import as_read

pytestmark = pytest.mark.archive

# The runs whose scores depend most on ties, and a run whose scores are almost constant.
TIED = ((TREC2, "TOPIC2"), (TREC8, "uwmt8a0"), (TREC8, "UB99SW"))


@pytest.mark.parametrize("collection", [TREC2, TREC8, TREC_COVID], ids=lambda each: each.name)
def test_every_pair_has_the_t_of_scipy(
    collection: ArchiveCollection, marts: duckdb.DuckDBPyConnection
) -> None:
    """All pairs are tested, from the scores in the marts: 8,256 pairs of TREC-8."""
    scores = marts.execute(
        """
        select run_id, list(score order by topic_id) from fct_topic_scores
        where collection_id = ? and measure = 'AP' and judgement_set = 'full'
            and unjudged = 'nonrelevant'
        group by run_id
        """,
        [collection.name],
    ).fetchall()
    by_run = {run: np.array(values) for run, values in scores}
    found = marts.execute(
        """
        select run_id, other_run_id, mean_difference, paired_t, standard_error
        from run_comparisons($collection, 'AP')
        """,
        {"collection": collection.name},
    ).fetchall()
    n_runs = len(by_run)
    assert len(found) == n_runs * (n_runs - 1) // 2
    one, other = (np.array([by_run[row[side]] for row in found]) for side in (0, 1))
    expected = stats.ttest_rel(one, other, axis=1).statistic
    n_without = 0
    for row, t in zip(found, expected, strict=True):
        if row[3] is None:
            n_without += 1
            # Equal but for the order in which the engine's threads have added.
            assert np.abs(by_run[row[0]] - by_run[row[1]]).max() < 1e-12
        else:
            assert row[3] == pytest.approx(t, rel=1e-9, abs=1e-9), row
            assert row[2] / row[4] == pytest.approx(row[3])
    assert n_without <= len(found) // 1000


@pytest.mark.parametrize(("collection", "run"), TIED)
def test_the_ties_of_a_run(
    collection: ArchiveCollection,
    run: str,
    marts: duckdb.DuckDBPyConnection,
    record_property: Callable[[str, object], None],
) -> None:
    """Plain Python orders each group of ties best first and worst first, from the run's file."""
    qrels = collection.qrels()
    [(_, rankings)] = collection.runs({run})
    totals = dict.fromkeys(("lowest", "highest"), 0.0)
    n_tied = 0
    for topic, grades in qrels.items():
        best = {document: as_read(score) for document, score in rankings.get(topic, {}).items()}
        ordered = sorted(best, key=best.__getitem__, reverse=True)
        groups = [list(group) for _, group in groupby(ordered, best.__getitem__)]
        n_tied += sum(len(group) for group in groups if len(group) > 1)
        for which in totals:
            sign = -1 if which == "highest" else 1
            ranking = [
                document
                for group in groups
                for document in sorted(group, key=lambda each: sign * grades.get(each, 0))
            ]
            totals[which] += score_of("AP", ranking, grades, 1, "nonrelevant") / len(qrels)
    [row] = marts.execute(
        """
        select lowest_score, score_all_topics, highest_score, n_tied
        from run_tied_scores($collection, 'AP') where run_id = $run
        """,
        {"collection": collection.name, "run": run},
    ).fetchall()
    assert (row[0], row[2]) == pytest.approx((totals["lowest"], totals["highest"]), abs=1e-9)
    assert row[3] == n_tied
    assert row[0] < row[1] < row[2]
    record_property(FIGURE, f"{row[0]:.4f} {row[1]:.4f} {row[2]:.4f}, {row[3]} tied")
