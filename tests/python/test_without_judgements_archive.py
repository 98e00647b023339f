"""Compare the figures of the real runs without judgements with published figures."""

import duckdb
import pytest

from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection

pytestmark = pytest.mark.archive

# Kendall's tau of AP and A@1000 over all runs, with 0 for unanswered topics, computed apart from
# Poolhouse.
TAU_OF_ASSESSMENT = {TREC2: 0.755, TREC8: 0.464, TREC_COVID: 0.597}
# Baillie et al. 2008, section 4.2.4, has .462 for TREC-8.
PUBLISHED, NEAR = 0.462, 0.003


@pytest.mark.parametrize("collection", TAU_OF_ASSESSMENT, ids=lambda each: each.name)
def test_popularity_explains_pseudo_qrels(
    marts: duckdb.DuckDBPyConnection, collection: ArchiveCollection
) -> None:
    """Pseudo-qrels rank the runs more like assessment than like the qrels."""
    taus = {
        (one, other): tau
        for one, other, tau in marts.execute(
            "select ranking, other_ranking, kendall_tau from papers.popularity_correlations(?)",
            [collection.name],
        ).fetchall()
    }
    by_qrels = taus["assessment", "qrels"]
    assert by_qrels == pytest.approx(TAU_OF_ASSESSMENT[collection], abs=0.0005)
    if collection is TREC8:
        assert by_qrels == pytest.approx(PUBLISHED, abs=NEAR)
        assert taus["assessment", "pseudo_qrels"] > 0.9
        assert taus["assessment", "popularity"] > 0.8
        assert max(taus["popularity", "qrels"], taus["pseudo_qrels", "qrels"]) < 0.5


def test_planned_assessment_is_what_the_qrels_assess(marts: duckdb.DuckDBPyConnection) -> None:
    """TREC-8 judged the top 100 of its declared runs, and nothing else."""
    for cutoff in (10, 30, 100, 500, 1000):
        rows = marts.execute(
            f"""
            select count(*), max(abs(assessment - score)),
                max(abs(assessment_all_topics - score_all_topics))
            from planned_assessment('trec8-adhoc', 100)
            inner join run_scores('trec8-adhoc', 'A@{cutoff}') using (run_id)
            where cutoff = {cutoff}
            """
        ).fetchall()
        [(n_runs, *largest)] = rows
        assert n_runs == 129
        assert max(largest) < 1e-12
