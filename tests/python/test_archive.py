"""Compare the real collections with published figures, and with known facts."""

from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import polars as pl
import pytest
import scipy

from archive import EXPECTED, TREC8
from poolhouse.expectations import check
from poolhouse.figures.catalogue import FIGURES
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of as answer
from questions import question

pytestmark = pytest.mark.archive

# Published figures have 4 decimals. A computed figure rounds to them if it differs by no more than
# this.
ROUNDING = 0.00005 + 1e-9


Rows = list[tuple[Any, ...]]


def published(name: str) -> pl.DataFrame:
    return pl.read_csv(EXPECTED / name)


def changes_of(measure: str) -> str:
    """Return CTEs: how scores of TREC-8's runs change when documents leave with their group."""
    return f"""
with scores as (
    pivot (
        select run_id, judgement_set, score from fct_run_scores
        where collection_id = 'trec8-adhoc' and measure = '{measure}' and unjudged = 'nonrelevant'
    ) on judgement_set in ('full', 'without_organization', 'without_unique_relevant')
    using any_value(score)
),

runs as (
    select run_id, is_pooled, bool_or(is_pooled) over (partition by organization) as is_of_group
    from dim_runs where collection_id = 'trec8-adhoc'
),

changes as (
    select
        is_pooled,
        "full" as score,
        without_organization - "full" as by_organization,
        without_unique_relevant - "full" as by_unique_relevant
    from scores inner join runs using (run_id)
    where is_of_group
)
"""


# Known facts of the collections: a query, and its rows.
FACTS: dict[str, tuple[str, Rows]] = {
    "pools": (
        """
        select collection_id, pool_depth, pool_depth_source, pooled_runs_source, n_runs,
            n_pooled_runs, n_organizations, n_topics, n_judgements, n_relevant
        from dim_collections order by n_judgements
        """,
        [
            ("trec-covid-round1", 7, "inferred", "declared", 143, 56, 56, 30, 8_691, 2_352),
            ("trec2-adhoc", 100, "inferred", "inferred", 38, 36, 22, 50, 62_620, 11_645),
            ("trec8-adhoc", 100, "declared", "declared", 129, 71, 41, 50, 86_830, 4_728),
        ],
    ),
    # Of the lines of runs: blank, rejected, repeated, neither stored nor told, and not stored.
    "lines": (
        """
        select collection_id, sum(n_blank), sum(n_rejected), sum(n_duplicates),
            sum(n_lines - n_rows - n_blank - n_rejected), sum(n_rows) - any_value(n_stored)
        from ops.files
        inner join (
            select collection_key, count(*) as n_stored from raw.run_lines group by all
        ) using (collection_key)
        where kind = 'run' group by all order by all
        """,
        [
            ("trec-covid-round1", 0, 0, 0, 0, 0),
            ("trec2-adhoc", 25, 1, 1_107, 0, 0),
            ("trec8-adhoc", 0, 0, 0, 0, 0),
        ],
    ),
    "rejected lines": (
        """
        select file_name, line_number, reason, line_text from audits.audit_rejected_lines
        where collection_id = 'trec2-adhoc'
        """,
        [("UREKA3", 13_134, "document_or_rank_missing", "114 Q0 0625 0156 UREKA3")],
    ),
    "repeated documents": (
        """
        select count(*), sum(n_lines - 1) from audits.audit_repeated_lines
        where collection_id = 'trec2-adhoc' and file_kind = 'run'
        """,
        [(107, 1_107)],
    ),
    "words after the tag": (
        """
        select count(*) from raw.run_lines inner join raw.collections using (collection_key)
        where collection_id = 'trec2-adhoc' and tag like '% %'
        """,
        [(1_253,)],
    ),
    "judged or relevant, and not explained by the pool": (
        """
        select collection_id, round(share_judged_outside_pool, 2),
            round(share_relevant_outside_pool, 2)
        from audit_collections order by all
        """,
        [("trec-covid-round1", 0.20, 0.17), ("trec2-adhoc", 0.21, 0.12), ("trec8-adhoc", 0.0, 0.0)],
    ),
    # No run of TREC-8 loses as much as a significant difference needs; the table has 8 runs.
    "Tukey's test cannot have been printed": (
        """
        select
            tests.n_runs,
            round(critical_studentized_range * sqrt(error_mean_square / tests.n_topics), 3),
            (
                select round(max(abs(error)), 3) from fct_adjusted_scores
                where
                    collection_id = 'trec8-adhoc' and level = 'organization' and subset = 'top_75'
                    and measure = 'P@5' and unjudged = 'nonrelevant' and estimator = 'unadjusted'
            )
        from intermediate.int_layout_tests as tests
        inner join intermediate.int_true_layouts as layouts using (layout_key)
        inner join intermediate.int_pool_measures as measures using (pool_key, measure)
        inner join intermediate.int_collections as collections using (collection_key)
        where
            analysis = 'two_way' and level = 'organization' and subset = 'top_75'
            and measure = 'P@5' and collection_id = 'trec8-adhoc'
        """,
        [(53, 0.18, 0.092)],
    ),
    "the published tool's SRE*": (
        """
        select count(*), count(*) filter (
            where errors.sre_star_paired_t is distinct from tool.sre_star_paired_t
        )
        from seeds.published_tool_errors as tool
        inner join lipani_sre_star as errors
            using (collection_id, level, subset, measure, estimator)
        where errors.unjudged = 'nonrelevant'
        """,
        [(30, 0)],
    ),
    "TREC-8's pool is its qrels": (
        """
        with contributors as (
            select * from intermediate.int_pool_documents
            inner join raw.collections using (collection_key)
            where collection_id = 'trec8-adhoc' and pool_key = 0
        ),
        judgements as (
            select * from intermediate.int_judgements
            inner join raw.collections using (collection_key)
            where collection_id = 'trec8-adhoc'
        )
        select count(*), count(contributors.doc_key), count(judgements.doc_key)
        from contributors full join judgements using (topic_key, doc_key)
        """,
        [(86_830, 86_830, 86_830)],
    ),
    # Webber & Park 2009, section 2.1, give 24 % and 17 % of the relevant documents.
    "relevant documents of manual runs alone, and of automatic ones": (
        """
        with relevant as (
            select
                topic_key,
                doc_key,
                bool_and(runs.run_type = 'manual') as is_manual_alone,
                bool_and(runs.run_type = 'automatic') as is_automatic_alone
            from intermediate.int_judgements as judgements
            inner join intermediate.int_pool_contributions as contributions
                using (collection_key, topic_key, doc_key)
            inner join intermediate.int_runs as runs using (collection_key, run_key)
            inner join raw.collections using (collection_key)
            where judgements.is_relevant and pool_key = 0 and collection_id = 'trec8-adhoc'
            group by topic_key, doc_key
        )
        select count(*), round(avg(is_manual_alone::int), 2), round(avg(is_automatic_alone::int), 2)
        from relevant
        """,
        [(4_728, 0.24, 0.17)],
    ),
    "TREC-8's best eleven runs are manual": (
        """
        select run_type from fct_run_scores
        inner join dim_runs using (collection_id, run_id)
        where collection_id = 'trec8-adhoc' and judgement_set = 'full'
            and unjudged = 'nonrelevant' and measure = 'RBP(p=0.8)@10'
        order by score desc
        limit 12
        """,
        [("manual",)] * 11 + [("automatic",)],
    ),
    # Bpref rises without a group's unique contributions; without the relevant ones it falls.
    "Bpref turns round with what leaves": (
        f"""
        {changes_of("Bpref")}
        select
            count(*),
            count(*) filter (where by_organization > 1e-9),
            round(avg(by_organization), 4),
            count(*) filter (where by_unique_relevant < -1e-9),
            round(avg(by_unique_relevant), 4)
        from changes where is_pooled
        """,
        [(71, 69, 0.0087, 66, -0.0014)],
    ),
    # Losses are in per cent of each run's MAP, as in Buckley et al. 2006.
    "unpooled runs of pooled groups lose little": (
        f"""
        {changes_of("AP")}
        select
            count(*),
            round(avg(-100 * by_unique_relevant / score), 2),
            round(max(-100 * by_unique_relevant / score), 2)
        from changes where not is_pooled
        """,
        [(56, 0.09, 1.15)],
    ),
}


@pytest.mark.parametrize("fact", FACTS)
def test_known_fact(marts: duckdb.DuckDBPyConnection, fact: str) -> None:
    query, expected = FACTS[fact]
    asked = query.replace("lipani_sre_star", question("lipani_sre_star"))
    assert marts.execute(asked).fetchall() == expected


def test_trec2_errors_are_the_published_tools(marts: duckdb.DuckDBPyConnection) -> None:
    expected = published("trec2-adhoc-published-tool-errors.csv")
    computed = answer(
        marts,
        """
        select level, subset, measure, estimator, mae, sre, kendall_tau
        from fct_estimator_errors
        where collection_id = 'trec2-adhoc' and unjudged = 'nonrelevant'
        """,
    )
    both = expected.join(
        computed, on=["level", "subset", "measure", "estimator"], suffix="_computed"
    )
    assert both.height == expected.height == 30
    # Each difference above the rounding of the published figure is known, and has a reason.
    mae_at_most, sre_at_most = (
        pl.col("estimator").replace_strict(explained(marts, quantity), default=0.0)
        for quantity in ("mae", "sre")
    )
    off = both.filter(
        (
            (pl.col("mae_computed") - pl.col("mae")).abs()
            > pl.max_horizontal(mae_at_most, pl.lit(ROUNDING))
        )
        | ((pl.col("sre_computed") - pl.col("sre")).abs() > sre_at_most)
        | ((pl.col("kendall_tau_computed") - pl.col("kendall_tau")).abs() > 0.005)
    )
    assert off.is_empty(), off


def test_trec2_estimates_are_the_published_tools(marts: duckdb.DuckDBPyConnection) -> None:
    expected = published("trec2-adhoc-published-tool-scores.csv")
    computed = answer(
        marts,
        """
        with scores as (
            select * from fct_adjusted_scores
            where collection_id = 'trec2-adhoc' and unjudged = 'nonrelevant'
        )
        select level, subset, estimator, measure, run_id, adjusted_score as computed from scores
        union all
        select level, subset, 'true', measure, run_id, true_score
        from scores where estimator = 'unadjusted'
        """,
    )
    both = expected.join(computed, on=["level", "subset", "estimator", "measure", "run_id"])
    assert both.height == expected.height > 1000
    # Known discrepancies are of one estimator in general, or of one of its runs.
    of_run = answer(
        marts,
        """
        select estimator, run_id, at_most from seeds.known_discrepancies
        where collection_id = 'trec2-adhoc' and quantity = 'adjusted_score' and run_id is not null
        """,
    )
    assert of_run.rows() == [("lipani", "rutcomb1", 0.0064)]
    in_general = pl.col("estimator").replace_strict(
        explained(marts, "adjusted_score"), default=ROUNDING
    )
    # The tool ranks as trec_eval 9 does. An estimate of a run moves with the score of the run.
    moved = answer(
        marts,
        """
        select run_id, measure, trec_eval_9_score - trec_eval_10_score as moved
        from audits.audit_trec_eval_versions where collection_id = 'trec2-adhoc'
        """,
    )
    off = (
        both.join(of_run, on=["estimator", "run_id"], how="left")
        .join(moved, on=["run_id", "measure"], how="left")
        .filter(
            (pl.col("computed") + pl.col("moved").fill_null(0) - pl.col("score")).abs()
            > pl.coalesce("at_most", in_general)
        )
    )
    assert off.is_empty(), off


def explained(marts: duckdb.DuckDBPyConnection, quantity: str) -> dict[str, float]:
    """Return, by estimator, the largest difference on TREC-2 that has a known reason."""
    return dict(
        marts.execute(
            """
            select estimator, at_most from seeds.known_discrepancies
            where collection_id = 'trec2-adhoc' and quantity = ? and run_id is null
            """,
            [quantity],
        ).fetchall()
    )


def test_table_2_is_shown_cell_by_cell(marts: duckdb.DuckDBPyConnection) -> None:
    cells = answer(
        marts, f"select * from {question('lipani_table_2')} where collection_id = 'trec2-adhoc'"
    )
    assert cells.height == 15
    assert cells["n_runs"].unique().to_list() == [27]
    # The computed figures agree with the tool's. The last digits of the printed table sometimes
    # differ from the tool's.
    assert max((cells["computed_mae"] - cells["published_mae"]).abs()) <= 0.0003
    assert max((cells["computed_mae"] - cells["published_tool_mae"]).abs()) <= 0.0002
    assert cells["sre_difference"].abs().max() == 1
    unadjusted = cells.filter(pl.col("estimator") == "unadjusted")
    assert unadjusted["mae_difference"].to_list() == [0.0] * 5
    assert unadjusted["sre_difference"].to_list() == [0] * 5


# SRE* by the paired t-test: P@5, 10, 20, 30 and 100 (docs/decisions/significance.md).
SRE_STAR = {
    "trec2-adhoc": {
        "lipani": [0, 0, 0, 0, 4],
        "webber_park_systems_no_substitution": [0, 0, 0, 0, 3],
        "unadjusted": [0, 0, 0, 1, 10],
    },
    "trec8-adhoc": {
        "lipani": [4, 4, 1, 1, 2],
        "webber_park_systems_no_substitution": [4, 6, 2, 1, 3],
        "unadjusted": [4, 6, 2, 2, 3],
    },
}


@pytest.mark.parametrize("collection", SRE_STAR)
def test_sre_star_of_table_2(marts: duckdb.DuckDBPyConnection, collection: str) -> None:
    found = marts.execute(
        f"""
        select
            estimator,
            list(sre_star_paired_t order by cutoff),
            list(sre_star_tukey order by cutoff)
        from (
            select *, cast(regexp_extract(measure, '[0-9]+') as integer) as cutoff
            from {question("lipani_sre_star")}
            where collection_id = $1 and published_sre_star is not null
        )
        group by estimator
        """,
        [collection],
    ).fetchall()
    assert {estimator: by_t for estimator, by_t, _ in found} == SRE_STAR[collection]
    by_tukey = {estimator: each for estimator, _, each in found if any(each)}
    expected = {"unadjusted": [0, 0, 0, 0, 1]} if collection == "trec2-adhoc" else {}
    assert by_tukey == expected


# The number of runs, and E rho^2 and Phi of P@10 and P@100.
STABILITY = {
    "trec2-adhoc": (35, [0.951, 0.863], [0.967, 0.860]),
    "trec8-adhoc": (71, [0.974, 0.946], [0.971, 0.919]),
    "trec-covid-round1": (56, [0.968, 0.952], [0.972, 0.946]),
}
# The change of the error of P@10 and P@100 by Lipani et al., in percent.
CHANGES = {
    "trec2-adhoc": [-4.1, -27.0],
    "trec8-adhoc": [-4.8, -32.2],
    "trec-covid-round1": [-34.1, 1.0],
}


@pytest.mark.parametrize("collection", STABILITY)
def test_stability_of_figure_2(marts: duckdb.DuckDBPyConnection, collection: str) -> None:
    found = marts.execute(
        f"""
        select
            n_runs,
            [round(generalizability, 3), round(dependability, 3)],
            round(mae_change, 1),
            n_collections,
            generalizability_correlation,
            published_generalizability_correlation
        from {question("lipani_figure_2")}
        where collection_id = $1 and measure in ('P@10', 'P@100')
        order by measure
        """,
        [collection],
    ).fetchall()
    n_runs, *coefficients = STABILITY[collection]
    assert [row[:3] for row in found] == [
        (n_runs, *each) for each in zip(coefficients, CHANGES[collection], strict=True)
    ]
    # Three collections are too few for a correlation.
    assert [row[3:] for row in found] == [(3, None, 0.48), (3, None, 0.17)]


def test_residuals_are_those_of_full_lists(marts: duckdb.DuckDBPyConnection) -> None:
    """Empty places of a short list count in the measures, but not in the gain that is possible."""
    by_fullness = marts.execute(
        """
        with

        lists as (
            select runs.run_id, min(run_topics.n_retrieved) >= 10 as are_full
            from intermediate.int_run_topics as run_topics
            inner join intermediate.int_runs as runs using (collection_key, run_key)
            inner join intermediate.int_collections as collections using (collection_key)
            where collections.collection_id = 'trec8-adhoc'
            group by runs.run_id
        )

        select lists.are_full, count(*), max(abs(deltas.mean_residual - scores.score))
        from fct_topic_deltas as deltas
        inner join lists using (run_id)
        inner join fct_run_scores as scores
            on deltas.collection_id = scores.collection_id
            and deltas.run_id = scores.run_id
            and scores.judgement_set = 'without_' || deltas.level
            and scores.unjudged = 'nonrelevant'
            and scores.measure = case deltas.measure
                when 'P@10' then 'UnjudgedRate@10'
                when 'RBP(p=0.8)@10' then 'RBPResidual(p=0.8)@10'
            end
        where deltas.collection_id = 'trec8-adhoc'
        group by lists.are_full
        order by lists.are_full
        """
    ).fetchall()
    [(_, n_short, of_short), (_, n_full, of_full)] = by_fullness
    # two measures at two levels
    assert (n_short, n_full) == (4 * 3, 4 * 68)
    assert of_full < 1e-12
    assert of_short > 0.01


def test_kendalls_tau_is_scipys(marts: duckdb.DuckDBPyConnection) -> None:
    """The correlation is over the adjusted scores of all runs."""
    case = ["collection_id", "level", "subset", "measure", "unjudged", "estimator"]
    scores = answer(marts, "select * from fct_adjusted_scores")
    errors = answer(marts, "select * from fct_estimator_errors")
    computed = {row[:6]: row[6] for row in errors.select(*case, "kendall_tau").rows()}
    # three collections, two levels and two subsets; for P at five cutoffs and RBP, three estimators
    # by each of two treatments; for P, lipani where unjudged is not relevant; for all six measures,
    # expected_relevance where unjudged is not relevant, by organization and over all runs
    assert len(computed) == 3 * (2 * 2 * (2 * 3 * 6 + 5) + 6)
    for key, runs in scores.group_by(case):
        true, adjusted = runs["true_score"].round(9), runs["adjusted_score"].round(9)
        assert computed.pop(key) == pytest.approx(
            scipy.stats.kendalltau(true, adjusted).statistic, abs=1e-9
        )
    assert computed == {}


def test_verdicts_and_what_is_unjudged_of_unpooled_runs(marts: duckdb.DuckDBPyConnection) -> None:
    """docs/verdicts.md has the figures; the shares were computed independently of the warehouse."""
    found = marts.execute(
        """
        select collections.collection_id, collections.verdict, verdicts.figure / 100
        from audit_collections as collections
        inner join audit_verdicts as verdicts using (collection_id)
        where verdicts.rule_id = 'unjudged_of_unpooled' and collections.not_told is null
        """
    ).fetchall()
    assert {name: verdict for name, verdict, _ in found} == {
        "trec2-adhoc": "reusable with care",
        "trec8-adhoc": "reusable",
        "trec-covid-round1": "not reusable",
    }
    shares = {name: share for name, _, share in found}
    assert shares["trec8-adhoc"] == pytest.approx(0.047, abs=0.0005)
    assert shares["trec-covid-round1"] == pytest.approx(0.351, abs=0.0005)


def test_no_advised_score_is_beyond_what_pooling_the_run_could_give(
    marts: duckdb.DuckDBPyConnection,
) -> None:
    """Only unjudged documents down to the pool depth can gain; each weighs a tenth of a topic."""
    rows = marts.execute(
        """
        with unjudged as (
            select rankings.run_key, count(*) as n_unjudged
            from intermediate.int_rankings as rankings
            inner join intermediate.int_judged_topics using (collection_key, topic_key)
            inner join intermediate.int_pool_depths using (collection_key)
            left join intermediate.int_judgements as judgements
                using (collection_key, topic_key, doc_key)
            where
                rank <= 10 and pooling_rank <= pool_depth
                and not coalesce(judgements.is_judged, false)
            group by all
        )

        select
            run_id,
            advice,
            if_pooled - score,
            coalesce(n_unjudged, 0) / 10 / n_judged_topics,
            upper_bound_if_pooled - score
        from adjusted_leaderboard
        inner join intermediate.int_collections using (collection_id)
        inner join intermediate.int_runs using (collection_key, run_id)
        left join unjudged using (run_key)
        where measure = 'P@10' and not is_pooled
        """
    ).fetchall()
    assert len(rows) == 58 + 2 + 87
    for run, advice, gained, possible, bound in rows:
        assert bound == pytest.approx(possible, abs=1e-9), run
        assert gained is not None or advice == "cannot be told", run
        assert gained is None or -1e-12 <= gained <= possible + 1e-9, run
    # Twins with the same documents down to rank 7; one of them was pooled.
    twins = marts.execute(
        """
        select if_pooled from adjusted_leaderboard
        where measure = 'P@10' and run_id in ('BBGhelani1', 'BBGhelani2')
        """
    ).fetchall()
    assert len(twins) == 2
    # A mean over topics differs in its last digit with the order of the topics.
    assert len({round(score, 12) for (score,) in twins}) == 1


def test_a_score_that_cannot_be_told_has_no_line_of_its_error(archives: Warehouse) -> None:
    rows = FIGURES["new_places"].ask(archives, TREC8.name)
    has_line = rows["error_low"].is_not_null()
    assert has_line.to_list() == (rows["advice"] == "estimated").to_list()
    assert {"estimated", "cannot be told"} <= set(rows["advice"])


def test_the_archives_break_no_promise(archives: Warehouse, tmp_path: Path) -> None:
    """Suspicious rows are only the known ones (docs/decisions/expectations.md)."""
    report = check(Warehouse(Path(copyfile(archives.path, tmp_path / "poolhouse.duckdb"))))
    assert report.broken == []
    suspicions = {
        (each.collection_id, each.expectation, each.unexpected_count) for each in report.suspicions
    }
    assert suspicions == {
        ("trec2-adhoc", "runs_answer_most_topics", 2),
        ("trec2-adhoc", "ranks_agree_with_scores", 1),
        ("trec2-adhoc", "documents_in_qrels_are_retrieved", 3447),
        ("trec2-adhoc", "judgements_are_of_the_pool", 1),
        ("trec2-adhoc", "official_results_are_explained", 5),
        ("trec8-adhoc", "runs_return_enough_documents", 2),
        ("trec8-adhoc", "runs_differ", 4),
        ("trec8-adhoc", "scores_tell_documents_apart", 1),
        ("trec-covid-round1", "runs_return_enough_documents", 27),
        ("trec-covid-round1", "ranks_agree_with_scores", 11),
        ("trec-covid-round1", "runs_differ", 7),
        ("trec-covid-round1", "qrels_go_on_behind_the_pool_depth", 1),
        ("trec-covid-round1", "judgements_are_of_the_pool", 1),
        ("trec-covid-round1", "collections_are_reusable", 1),
        ("trec-covid-round1", "organizations_have_several_runs", 56),
        ("trec-covid-round1", "runs_lose_little_with_unique_relevant", 3),
    }
