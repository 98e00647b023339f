"""Test builds: the method on a page, which tables are rebuilt, and the state after a failure."""

import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from attrs import evolve

from built_collections import load_together
from plans import anew, build_by, with_another
from poolhouse.building import todo
from poolhouse.building.build import BuildReport, build
from poolhouse.building.staleness import CollectionState, State, collection_states
from poolhouse.errors import BuildFailedError, UnknownCollectionError
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query


@pytest.fixture
def built(built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path) -> Warehouse:
    """Provide a copy that a test may change; the shared warehouse stays unchanged."""
    (tmp_path / "built").mkdir()
    copy = shutil.copyfile(built_once[0], tmp_path / "built" / "poolhouse.duckdb")
    return Warehouse(Path(copy))


@pytest.fixture
def request_(built_once: tuple[Path, LoadRequest, Warehouse]) -> LoadRequest:
    return built_once[1]


def rows(warehouse: Warehouse, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in run_query(warehouse, sql).rows]


def state_of(warehouse: Warehouse) -> dict[str, State]:
    with warehouse.read() as connection:
        return {each.collection_id: each.state for each in collection_states(connection)}


def test_judgement_sets_by_hand(built: Warehouse) -> None:
    scores = rows(
        built,
        """
        pivot (select run_id, judgement_set, round(score, 9) as score from fct_run_scores
            where measure = 'P@5' and unjudged = 'nonrelevant')
        on judgement_set in (
            'full', 'without_run', 'without_organization', 'without_unique_relevant'
        )
        using any_value(score) order by run_id
        """,
    )
    assert scores == [
        ("a1", 0.2, 0.2, 0.0, 0.0),  # d1 stays judged while a2 is in the pool, and leaves with A
        ("a2", 0.4, 0.2, 0.0, 0.0),  # d3 leaves with a2
        ("b1", 0.4, 0.2, 0.2, 0.2),  # d4 leaves with b1, d1 stays
    ]


def test_left_out_organizations_by_hand(built: Warehouse) -> None:
    scores = rows(
        built,
        """
        select run_id, round(true_score, 9), round(unpooled_score, 9), round(adjustment, 9)
        from fct_adjusted_scores
        where level = 'organization' and subset = 'all' and measure = 'P@5'
            and unjudged = 'nonrelevant' and estimator = 'webber_park_systems'
        order by run_id
        """,
    )
    assert scores == [
        ("a1", 0.2, 0.0, 0.2),  # b1, withdrawn from the pool that has only b1, loses d4
        ("a2", 0.4, 0.0, 0.2),
        ("b1", 0.4, 0.2, 0.1),  # a1 loses no relevant document, a2 loses d3
    ]


def test_contributors_by_hand(built: Warehouse) -> None:
    judgements = rows(
        built,
        """
        select doc_id, n_contributing_runs, n_contributing_organizations, sole_run,
            sole_organization
        from fct_judgements order by doc_id
        """,
    )
    assert judgements == [
        ("d1", 2, 1, None, "A"),
        ("d2", 2, 2, None, None),
        ("d3", 1, 1, "a2", "A"),
        ("d4", 1, 1, "b1", "B"),
    ]


def test_nothing_to_build_leaves_the_file_alone(built: Warehouse) -> None:
    before = built.path.stat()
    assert build(built) == BuildReport(())
    assert built.path.stat().st_mtime_ns == before.st_mtime_ns
    assert built.path.stat().st_ino == before.st_ino


@pytest.mark.heavy
def test_a_new_collection_is_built_alone_and_a_removed_one_goes(
    built: Warehouse, request_: LoadRequest
) -> None:
    load_collection(built, evolve(request_, collection="other"))
    assert state_of(built) == {"page": State.CURRENT, "other": State.NEW}
    built_at = rows(built, "select built_at from ops.builds")
    seen: list[tuple[int, int]] = []
    report = build(built, progress=lambda _name, done, total: seen.append((done, total)))
    assert report == BuildReport(("other",))
    assert set(built_at) < set(rows(built, "select built_at from ops.builds"))
    counts = rows(built, "select collection_id, count(*) from fct_topic_scores group by all")
    ((n_measures,),) = rows(built, "select count(*) from dim_measures")
    # three runs, one topic, four judgement sets, two treatments of unjudged documents
    assert dict(counts) == dict.fromkeys(("page", "other"), 3 * 4 * 2 * n_measures)
    # Progress reaches its total, which counts tests of tables that no build makes, too.
    assert len(seen) > 50
    [total] = {total for _, total in seen}
    assert [done for done, _ in seen] == list(range(len(seen)))
    assert total - 10 < len(seen) <= total

    remove(built, "other")
    assert state_of(built) == {"page": State.CURRENT, "other": State.REMOVED}
    assert build(built) == BuildReport((), removed=("other",))
    assert rows(built, "select distinct collection_id from fct_topic_scores") == [("page",)]
    assert rows(built, "select count(*) from intermediate.int_rankings") == [(9,)]


@pytest.mark.heavy
def test_a_load_changes_no_mart(built: Warehouse, tmp_path: Path) -> None:
    """Until the next build, the marts keep the last build's state, including names and settings."""
    marts = [
        name
        for (name,) in rows(
            built,
            "select schema_name || '.' || view_name from duckdb_views() where not internal",
        )
        # Figures of quality show the loaded files, as audits do.
        if re.match(r"\w+\.(dim_|fct_(?!quality_figures)|\w*leaderboard$)", name)
    ]
    assert len(marts) == 40
    before = {mart: rows(built, f"select * from {mart} order by all") for mart in marts}
    descriptions = tmp_path / "runs.csv"
    descriptions.write_text("run,organization,pooled\na1,Z,yes\na2,A,no\nb1,0,yes\n")
    settings: dict[str, Any] = {"title": "other", "depth": 1, "threshold": 2, "judged_from": -1}
    load_collection(built, LoadRequest("page", descriptions=descriptions, **settings))
    assert state_of(built) == {"page": State.CHANGED}
    assert {mart: rows(built, f"select * from {mart} order by all") for mart in marts} == before


@pytest.mark.heavy
def test_depths_that_are_hardly_told_are_remarked_on(
    built: Warehouse, request_: LoadRequest, tmp_path: Path
) -> None:
    """Two of three lists fall after rank 2: 4 times a third for depth 2, against 1 for no depth."""
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 d9 1\n1 0 d99 0\n")
    undeclared = evolve(request_, collection="undeclared", depth=None)
    load_together(built, (LoadRequest("page", qrels=qrels, replace=True), undeclared))
    assert state_of(built) == {"page": State.CHANGED, "undeclared": State.NEW}
    assert build(built, ["page"]) == BuildReport(
        ("page",),
        remarks=(
            "page: a1: none of its documents is in the qrels (it has d1, the qrels have d9); these "
            "runs do not meet the qrels either: a2, b1",
            "page: no run was pooled, so nothing is estimated: "
            "the qrels cover no run down to the declared depth 2",
        ),
    )
    assert state_of(built) == {"page": State.CURRENT, "undeclared": State.NEW}
    assert rows(built, "select count(*) from fct_adjusted_scores") == [(0,)]
    assert build(built).remarks == (
        "undeclared: the pool depth 2 is inferred with a probability of 0.57: see "
        "audits.audit_pool_depths, and declare it if it is known (load --depth)",
    )
    assert rows(
        built,
        """
        select pool_depth, pool_depth_source, round(pool_depth_confidence, 6) from dim_collections
        where collection_id = 'undeclared'
        """,
    ) == [(2, "inferred", round(4 / 7, 6))]


@pytest.mark.heavy
def test_a_new_run_leaves_the_rows_of_the_others_alone(built: Warehouse, tmp_path: Path) -> None:
    """test_build_by_run tests the rows that a build adds; this test is about the rows that stay."""
    with duckdb.connect(built.path) as connection:
        for table, column in (("int_run_scores", "score"), ("int_candidate_views", "pool_score")):
            connection.execute(
                f"update intermediate.{table} set {column} = 0.75 where measure = 'P@5'"
            )
    new = tmp_path / "c1"
    new.write_text("1 Q0 d7 1 2 c1\n1 Q0 d1 2 1 c1\n")
    load_collection(built, LoadRequest("page", (new,)))
    assert build(built) == BuildReport(("page",))
    scores = rows(
        built,
        """
        select run_id, score from fct_run_scores
        where measure = 'P@5' and judgement_set = 'full' and unjudged = 'nonrelevant'
        order by run_id
        """,
    )
    assert scores == [("a1", 0.75), ("a2", 0.75), ("b1", 0.75), ("c1", 0.2)]
    left_out = "select distinct score from intermediate.int_candidate_topic_scores"
    where = "where measure = 'P@5' and judged_by = 'pool' and unjudged = 'nonrelevant'"
    assert rows(built, f"{left_out} {where}") == [(0.75,)]


@pytest.mark.heavy
def test_new_models_build_everything(built: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = build_by(anew(), monkeypatch)
    assert state_of(built) == {"page": State.OUTDATED}
    assert build(built) == BuildReport(("page",))
    assert state_of(built) == {"page": State.CURRENT}
    assert rows(built, "select models_version from ops.builds") == [(plan.version,)]
    assert rows(built, "select count(*) from intermediate.int_rankings") == [(9,)]


def test_a_build_by_another_process_in_the_meantime_is_enough(
    built: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = built.path.stat().st_mtime_ns
    stale = [CollectionState(1, "page", State.CHANGED)]
    answers = iter([stale, []])  # the first answer is before the lock, the second under it
    monkeypatch.setattr(todo, "collection_states", lambda _: next(answers))
    assert build(built) == BuildReport(())
    assert built.path.stat().st_mtime_ns == before


def test_an_unknown_collection_is_refused(built: Warehouse) -> None:
    with pytest.raises(UnknownCollectionError, match=r"'pge'.*loaded: page"):
        build(built, ["pge"])


@pytest.mark.heavy
def test_a_failed_build_publishes_nothing(
    built: Warehouse, request_: LoadRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_collection(built, evolve(request_, collection="other"))
    broken = with_another("int_run_scores", "topic_scores.score", "topic_scores.no_such")
    before = built.path.read_bytes()
    with monkeypatch.context() as patch, pytest.raises(BuildFailedError) as failure:
        build_by(broken, patch)
        build(built)
    assert re.search(r"int_run_scores: .*no_such", str(failure.value))
    assert built.path.read_bytes() == before
    assert not built.side_path.exists()
    assert state_of(built) == {"page": State.CURRENT, "other": State.NEW}


def test_marts_have_the_columns_of_the_contract(built: Warehouse) -> None:
    """A change of these columns is a breaking change: it needs a reason and a line in CHANGELOG."""
    contract = {
        "dim_collections": "collection_id title pool_depth pool_depth_source n_runs n_pooled_runs "
        "n_organizations n_topics n_judgements n_relevant",
        "dim_runs": "collection_id run_id organization run_type is_pooled n_topics",
        "dim_topics": "collection_id topic_id title n_judged n_relevant",
        "dim_measures": "measure position name title formula relevance_level cutoff recall_level "
        "aggregation lower_bound upper_bound is_recall_normalized trec_eval_name source",
        "dim_estimators": "estimator position title needs has_condensed is_recommended "
        "is_on_leaderboard source",
        "dim_recommended_estimators": "collection_id measure trec_eval_name estimator mae "
        "unadjusted_mae n_runs n_organizations n_topics mean_residual pool_depth beyond_pool_depth",
        "leaderboard": "collection_id rank run_id organization run_type is_pooled n_topics "
        "n_judged_topics ap p_5 p_10 p_20 p_100 ndcg_3 ndcg_5 ndcg_10 ndcg_20 rr rr_10 rprec bpref "
        "infap r_100 r_1000 unjudged_10",
        "topic_leaderboard": "collection_id topic_id rank run_id organization run_type is_pooled "
        "is_answered ap p_5 p_10 p_20 p_100 ndcg_3 ndcg_5 ndcg_10 ndcg_20 rr rr_10 rprec bpref "
        "infap r_100 r_1000 unjudged_10",
        "adjusted_leaderboard": "collection_id measure trec_eval_name run_id organization run_type "
        "is_pooled n_topics n_judged_topics score rank lower_bound upper_bound advice estimator "
        "expected_error if_judged if_judged_rank if_pooled",
        "fct_judgements": "collection_id topic_id doc_id relevance n_contributing_runs "
        "n_contributing_organizations sole_run sole_organization",
        "dim_authors": "collection_id author is_reference is_compared kind model prompt judged_on "
        "notes relevance_threshold highest_grade n_judged n_relevant n_topics "
        "n_judged_by_reference_too share_of_reference n_labels_beyond n_unknown_topics "
        "n_lines_of_unknown_topics n_above_scale first_judged_at last_judged_at",
        "fct_author_judgements": "collection_id author topic_id doc_id grade reference_grade "
        "is_judged is_relevant grade_of_reference is_relevant_by_reference judged_at",
        "fct_topic_scores": "collection_id run_id topic_id judgement_set unjudged measure "
        "trec_eval_name score is_answered",
        "fct_run_scores": "collection_id run_id judgement_set unjudged measure trec_eval_name "
        "score score_all_topics n_topics",
        "fct_bias_indicators": "collection_id run_id level subset cutoff precision anti_precision "
        "unjudged_rate delta_precision delta_anti_precision delta_unjudged_rate bias_lambda",
        "fct_adjusted_scores": "collection_id run_id level subset measure unjudged estimator "
        "true_score unpooled_score adjustment adjusted_score error lower_bound upper_bound "
        "is_outside_bounds clipped_score beyond_pool_depth",
        "fct_estimator_errors": "collection_id level subset measure unjudged estimator n_runs mae "
        "sre kendall_tau clipped_mae clipped_sre clipped_kendall_tau",
        "fct_generalizability": "collection_id measure n_runs n_topics run_variance topic_variance "
        "residual_variance generalizability dependability",
    }
    columns = rows(
        built,
        """
        select table_name, column_name, comment from duckdb_columns()
        where schema_name in ('main', 'audits') and database_name = current_database()
        order by table_name, column_index
        """,
    )
    for mart, expected in contract.items():
        found = [column for table, column, _ in columns if table == mart]
        assert [column for column in found if column in expected.split()] == expected.split(), mart
    assert {table for table, _, _ in columns} > set(contract)
    undescribed = [(table, column) for table, column, comment in columns if not comment]
    assert undescribed == []


def test_every_level_subset_measure_and_estimator_is_there(built: Warehouse) -> None:
    combinations = rows(
        built,
        """
        select level, subset, measure, unjudged, count(distinct estimator)
        from fct_estimator_errors
        group by all order by all
        """,
    )
    precision = [f"P@{cutoff}" for cutoff in (5, 10, 20, 30, 100)]
    of_lipani = [(measure, "nonrelevant") for measure in precision]
    of_expected_relevance = ("organization", "all", "nonrelevant")
    assert combinations == sorted(
        (
            *(level, subset, measure, unjudged),
            3
            + ((measure, unjudged) in of_lipani)
            + ((level, subset, unjudged) == of_expected_relevance),
        )
        for level in ("run", "organization")
        for subset in ("all", "top_75")
        for measure in [*precision, "RBP(p=0.8)@10"]
        for unjudged in ("nonrelevant", "condensed")
    )
