"""Compare every row and value of the marts with the reference, on small random collections."""

from collections.abc import Callable

import polars as pl
import pytest

import leaderboards_reference
import measures_reference
import odd_collection
from asked_measures import ASKED, MATERIALIZED
from built_collections import few_and_many, with_tested_views
from compared_rows import assert_equals, assert_none, wrong_rows
from measures_reference import TREATMENTS
from poolhouse.building.project import project_folder
from poolhouse.building.status import collection_status
from poolhouse.warehouse.file import Warehouse
from questions import question
from random_collections import Generator
from reference import JUDGEMENT_SETS, Reference, Rows
from verdict_reference import audit_verdicts

# Each number is the seed of a collection. With these few, the test detects each of these changes of
# the reference's rules: the paper's tie rule, the tool's truth beyond the depth, lists condensed
# below the cutoff alone, ties by ascending run id, gaps that are not tolerated, another rule for
# the depth, and lambda with float noise.
TELLING = (0, 2, 6, 13, 18, 25, 41, 169)
FEW = (*TELLING[1:5], 205)
MANY = (*TELLING, *range(200, 215))
TOLERANCE = 1e-9

# The expected rows of each mart, and its key. Every other column of the reference is compared.
MARTS: dict[str, tuple[Callable[[Reference], Rows], str]] = {
    "dim_collections": (lambda each: each.dim_collections, "collection_id"),
    "audits.audit_pool_depths": (lambda each: each.audit_pool_depths, "collection_id depth"),
    "audit_collections": (lambda each: each.audit_collections, "collection_id"),
    "audit_verdicts": (lambda each: audit_verdicts(each, MATERIALIZED), "collection_id rule_id"),
    "dim_runs": (lambda each: each.dim_runs, "collection_id run_id"),
    "fct_judgements": (lambda each: each.fct_judgements, "collection_id topic_id doc_id"),
    "fct_topic_scores": (
        lambda each: each.fct_topic_scores(MATERIALIZED),
        "collection_id run_id topic_id judgement_set unjudged measure",
    ),
    "fct_run_scores": (
        lambda each: each.fct_run_scores(MATERIALIZED),
        "collection_id run_id judgement_set unjudged measure",
    ),
    "fct_bias_indicators": (
        lambda each: each.fct_bias_indicators,
        "collection_id run_id level subset cutoff",
    ),
    "fct_adjusted_scores": (
        lambda each: each.fct_adjusted_scores,
        "collection_id run_id level subset measure unjudged estimator",
    ),
    "fct_expected_relevance": (
        lambda each: each.fct_expected_relevance,
        "collection_id run_id topic_id doc_id",
    ),
    "fct_topic_deltas": (lambda each: each.fct_topic_deltas, "collection_id run_id level measure"),
    "audits.fct_generalizability": (
        lambda each: each.fct_generalizability,
        "collection_id measure",
    ),
    "fct_estimator_errors": (
        lambda each: each.fct_estimator_errors,
        "collection_id level subset measure unjudged estimator",
    ),
    "dim_recommended_estimators": (
        leaderboards_reference.recommended_estimators,
        "collection_id measure",
    ),
    "leaderboard": (leaderboards_reference.leaderboard, "collection_id run_id"),
    "topic_leaderboard": (
        leaderboards_reference.topic_leaderboard,
        "collection_id topic_id run_id",
    ),
}


@pytest.fixture(scope="module", params=few_and_many(FEW, MANY))
def references(request: pytest.FixtureRequest) -> list[Reference]:
    drawn = [Generator(number).collection() for number in request.param]
    return [
        Reference(each)
        for each in (*drawn, *map(odd_collection.collection, odd_collection.THRESHOLDS))
    ]


@pytest.mark.heavy
def test_no_view_breaks_its_tests(built: Warehouse) -> None:
    with_tested_views(built)


@pytest.mark.heavy
def test_the_many_collections_have_coverages_and_have_too_few_intervals(
    references: list[Reference],
) -> None:
    """Otherwise the comparison of coverages would compare nothing."""
    if len(references) < len(MANY):
        pytest.skip("few runs tell no coverage")
    rows = [row for each in references for row in each.fct_estimator_errors.values()]
    told = {row["coverage_68"] for row in rows}
    assert len(told - {None}) > 1
    assert any(row["n_intervals"] and row["coverage_68"] is None for row in rows)


def test_status_counts_judgements_as_the_marts_do(
    references: list[Reference], built: Warehouse
) -> None:
    columns, rows = collection_status(built)
    counted = {row[0]: row[columns.index("judgements")] for row in rows}
    assert counted == {each.collection.name: len(each.judged) for each in references}


def test_significant_rank_errors_equal_the_reference(
    references: list[Reference], built: Warehouse
) -> None:
    key = "collection_id level subset measure unjudged estimator"
    asked = question("lipani_sre_star")
    assert_equals(asked, key, [each.significant_rank_errors for each in references], built)


@pytest.mark.parametrize("mart", MARTS)
def test_mart_equals_reference(mart: str, references: list[Reference], built: Warehouse) -> None:
    rows, key = MARTS[mart]
    assert_equals(mart, key, [rows(each) for each in references], built)


GAINS = """
(
    select
        collections.collection_id,
        runs.run_id,
        intervals.*
    from intermediate.int_expected_intervals as intervals
    inner join intermediate.int_runs as runs using (run_key)
    inner join intermediate.int_collections as collections
        on runs.collection_key = collections.collection_key
    where intervals.pool_key = 0
)
"""


def test_expected_gains_of_all_runs(references: list[Reference], built: Warehouse) -> None:
    key = "collection_id run_id target measure"
    assert_equals(GAINS, key, [each.expected_gains for each in references], built)


def test_reference_has_every_measure() -> None:
    names = pl.read_csv(project_folder() / "seeds" / "measures.csv")["name"]
    assert set(measures_reference.MEASURES) == set(names)
    assert {measures_reference.parse(measure).name for measure in ASKED} == set(names)


def test_reference_aggregates_every_measure_as_the_seed_says() -> None:
    seed = pl.read_csv(project_folder() / "seeds" / "measures.csv")
    combined = {name: measures_reference.over_topics(name, [1.0, 4.0]) for name in seed["name"]}
    by_aggregation = {"sum": 5.0, "mean": 2.5, "geometric_mean": 2.0}
    assert combined == {
        name: by_aggregation[aggregation]
        for name, aggregation in seed.select("name", "aggregation").iter_rows()
    }


@pytest.mark.some(1)
@pytest.mark.parametrize("measure", ASKED)
def test_measure_that_is_asked_for(
    measure: str, references: list[Reference], built: Warehouse
) -> None:
    """Each measure is asked of an odd and of a random collection; their kinds take turns."""
    turn = ASKED.index(measure)
    one, other = TREATMENTS[:: 1 if turn % 2 else -1]
    *drawn, odd, odder = references
    judgement_set = JUDGEMENT_SETS[turn // 2 % len(JUDGEMENT_SETS)]
    of_odd, of_drawn = (measure, "full", one), (measure, judgement_set, other)
    wrong = [
        *differences_of_call(built, (odd, odder)[turn // 2 % 2], "topic_scores", of_odd),
        *differences_of_call(built, drawn[turn % len(drawn)], "topic_scores", of_drawn),
    ]
    assert_none(wrong)


@pytest.mark.parametrize(
    ("judgement_set", "measure"),
    list(zip(JUDGEMENT_SETS, ("AP(rel=2)@5", "GMAP", "NumRet", "SetP"), strict=True)),
)
def test_measure_of_runs(
    judgement_set: str, measure: str, references: list[Reference], built: Warehouse
) -> None:
    """Every aggregation, judgement set and treatment."""
    wrong = [
        each
        for reference, unjudged in zip(references, TREATMENTS, strict=False)
        for each in differences_of_call(
            built, reference, "run_scores", (measure, judgement_set, unjudged)
        )
    ]
    assert_none(wrong)


def differences_of_call(
    warehouse: Warehouse, reference: Reference, macro: str, asked: tuple[str, str, str]
) -> list[str]:
    rows, key = {
        "topic_scores": (reference.topic_scores(*asked), "run_id topic_id"),
        "run_scores": (reference.run_scores(*asked), "run_id"),
    }[macro]
    measure, judgement_set, unjudged = asked
    call = (
        f"{macro}('{reference.collection.name}', '{measure}',"
        f" judgement_set := '{judgement_set}', unjudged := '{unjudged}')"
    )
    return wrong_rows(warehouse, call, key, rows)
