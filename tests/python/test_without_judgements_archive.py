"""Compare the figures of the real runs without judgements with published figures."""

import duckdb
import pytest

from archive import TREC2, TREC8, TREC_COVID, ArchiveCollection
from questions import question

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
    asked = question("popularity_correlation", collection=f"'{collection.name}'")
    taus = {
        (one, other): tau
        for one, other, tau in marts.execute(
            f"select ranking, other_ranking, kendall_tau from {asked}"
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
    cutoffs = (10, 30, 100, 500, 1000)
    scored = " union all ".join(
        f"select {cutoff} as cutoff, * from run_scores('trec8-adhoc', 'A@{cutoff}')"
        for cutoff in cutoffs
    )
    rows = marts.execute(
        f"""
        with planned as materialized (from planning.planned_assessment('trec8-adhoc', 100))
        select cutoff, count(*), max(abs(assessment - score)),
            max(abs(assessment_all_topics - score_all_topics))
        from planned
        inner join ({scored}) as scored using (cutoff, run_id)
        group by cutoff
        """
    ).fetchall()
    assert {(cutoff, n_runs) for cutoff, n_runs, *_ in rows} == {(each, 129) for each in cutoffs}
    assert max(each for _, _, *largest in rows for each in largest) < 1e-12
