"""Compare every row and value of the marts with the reference, on small random collections."""

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
import pytest
import yaml

import leaderboards_reference
import measures_reference
from built_collections import few_and_many, kept_open, load_and_build
from conftest import NewWarehouse
from measures_reference import TREATMENTS
from poolhouse.building.project import project_folder
from poolhouse.building.status import collection_status
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import JUDGEMENT_SETS, Reference, Rows, Value
from verdict_reference import audit_verdicts

# Each number is the seed of a collection. With these few, the test detects each of these changes of
# the reference's rules: the paper's tie rule, the tool's truth beyond the depth, lists condensed
# below the cutoff alone, ties by ascending run id, gaps that are not tolerated, another rule for
# the depth, and lambda with float noise.
TELLING = (0, 2, 6, 13, 18, 25, 41, 169)
FEW = (*TELLING[1:5], 205)
MANY = (*TELLING, *range(200, 260))
TOLERANCE = 1e-9
ROWS_SHOWN = 8

PROJECT: dict[str, Any] = yaml.safe_load((project_folder() / "dbt_project.yml").read_text())
MATERIALIZED: list[str] = PROJECT["vars"]["measures"]

# Every name of a measure, with parameters, levels and cutoffs that are not materialized.
ASKED = (
    "P(rel=3)@7",
    "AntiP(rel=2)@3",
    "UnjudgedRate@7",
    "A@4",
    "RA",
    "RA@6",
    "AAP",
    "AAP@5",
    "ARprec",
    "ARR",
    "ARR@2",
    "Judged",
    "Judged@12",
    "R(rel=2)@4",
    "AP(rel=5)",
    "AP(rel=2)@6",
    "GMAP(rel=2)",
    "Rprec(rel=2)",
    "RR(rel=2)@4",
    "Bpref(rel=2)",
    "infAP(rel=2)",
    "Q",
    "nDCG@3",
    "ERR",
    "ERR@3",
    "ERR(max_rel=2)@5",
    "BPM(T=1.5,max_rel=3)@6",
    "SDCG(min_rel=1,max_rel=3)@6",
    "INSQ(T=2,max_rel=3)",
    "INST(T=1.5,max_rel=2)",
    "NERR8(max_rel=3)@6",
    "NERR9(max_rel=3)@6",
    "NERR10(p=0.8,max_rel=3)",
    "NERR11(T=2,min_rel=1,max_rel=3)",
    "Compat(p=0.8)",
    "Compat(normalize=false)",
    "Accuracy(rel=2)",
    "Accuracy@4",
    "RBP(p=0.5,rel=2)@4",
    "RBP(rel=2,p=0.95)",
    "RBP@7",
    "RBPResidual",
    "RBPResidual(p=0.95)@7",
    "Success(rel=2)@2",
    "IPrec@0.33",
    "IPrec(rel=2)@0.75",
    "IPrec@1",
    "SetP(rel=2)",
    "SetR(rel=2)",
    "SetF(beta=0.5)",
    "SetF(rel=2,beta=3)",
    "NumRet",
    "NumRel(rel=2)",
    "NumRelRet(rel=2)",
    "RelP(rel=2)@4",
    "RprecMult(rel=2)@0.75",
    "GMBpref(rel=2)",
    "YAAP(rel=2)",
    "SetAP(rel=2)",
    "IPrecAvg(rel=2)",
    "BinG(rel=2)",
    "G(gains={0:-0.5,1:0.5,2:0.75})",
    "DCG(gains={0:-1,1:3})@4",
    "IdealDCG@3",
    "nDCGRel(gains={0:0.5,1:0})",
    "RnDCG(rel=2)",
    "GradedRBP@7",
    "Unj@7",
    "Utility(rel=2,p1=2,p2=-0.5,p3=-1,p4=0.25)",
    "NumNonRelRet(rel=2)",
    "NumQ",
)

# The expected rows of each mart, and its key. Every other column of the reference is compared.
MARTS: dict[str, tuple[Callable[[Reference], Rows], str]] = {
    "dim_collections": (lambda each: each.dim_collections, "collection_id"),
    "audits.audit_pool_depths": (lambda each: each.audit_pool_depths, "collection_id depth"),
    "audit_collections": (lambda each: each.audit_collections, "collection_id"),
    "audit_verdicts": (
        lambda each: audit_verdicts(each, MATERIALIZED),
        "collection_id rule_id",
    ),
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
    "fct_topic_deltas": (
        lambda each: each.fct_topic_deltas,
        "collection_id run_id level measure",
    ),
    "audits.fct_generalizability": (
        lambda each: each.fct_generalizability,
        "collection_id measure",
    ),
    "fct_estimator_errors": (
        lambda each: each.fct_estimator_errors,
        "collection_id level subset measure unjudged estimator",
    ),
    "intermediate.int_significant_rank_errors": (
        lambda each: each.int_significant_rank_errors,
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
    return [Reference(Generator(number).collection()) for number in request.param]


@pytest.fixture(scope="module")
def built(
    references: list[Reference],
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("reference")
    yield from kept_open(
        load_and_build((each.collection for each in references), new_warehouse(folder), folder)
    )


def rows_of(warehouse: Warehouse, mart: str, key: list[str], values: list[str]) -> Rows:
    columns = ", ".join(f'"{column}"' for column in key + values)
    result = run_query(warehouse, f"select {columns} from {mart}").rows
    rows: Rows = {}
    for row in result:
        rows[tuple(row[: len(key)])] = dict(zip(values, row[len(key) :], strict=True))  # type: ignore[arg-type]
    assert len(rows) == len(result), f"{mart} has a key twice"
    return rows


def test_status_counts_judgements_as_the_marts_do(
    references: list[Reference], built: Warehouse
) -> None:
    columns, rows = collection_status(built)
    counted = {row[0]: row[columns.index("judgements")] for row in rows}
    assert counted == {each.collection.name: len(each.judged) for each in references}


def is_same(found: Value, expected: Value) -> bool:
    if isinstance(found, float) and isinstance(expected, float):
        return abs(found - expected) <= TOLERANCE
    return type(found) is type(expected) and found == expected


def differences(found: Rows, expected: Rows) -> list[str]:
    missing = [f"missing: {key}" for key in expected.keys() - found.keys()]
    extra = [f"too many: {key}" for key in found.keys() - expected.keys()]
    different = [
        f"{key}: {column} is {found[key][column]}, expected {value}"
        for key in expected.keys() & found.keys()
        for column, value in expected[key].items()
        if not is_same(found[key][column], value)
    ]
    return sorted(missing) + sorted(extra) + sorted(different)


@pytest.mark.parametrize("mart", MARTS)
def test_mart_equals_reference(mart: str, references: list[Reference], built: Warehouse) -> None:
    rows, key = MARTS[mart]
    expected: Rows = {}
    for reference in references:
        expected |= rows(reference)
    values = list(next(iter(expected.values())))
    found = rows_of(built, mart, key.split(), values)
    wrong = differences(found, expected)
    assert not wrong, "\n".join(
        [f"{mart}: {len(wrong)} differences in {len(expected)} rows", *wrong[:ROWS_SHOWN]]
    )


UNPOOLED = """
(
    select
        collections.collection_id,
        runs.run_id,
        adjustments.measure,
        adjustments.adjustment,
        adjustments.standard_error,
        adjustments.degrees_of_freedom
    from intermediate.int_unpooled_adjustments as adjustments
    inner join intermediate.int_runs as runs using (run_key)
    inner join intermediate.int_collections as collections
        on runs.collection_key = collections.collection_key
    where adjustments.estimator = 'expected_relevance'
)
"""


def test_expected_relevance_of_runs_that_were_not_pooled(
    references: list[Reference], built: Warehouse
) -> None:
    expected: Rows = {}
    for reference in references:
        expected |= reference.expected_gains_of_others
    values = list(next(iter(expected.values())))
    found = rows_of(built, UNPOOLED, ["collection_id", "run_id", "measure"], values)
    wrong = differences(found, expected)
    assert not wrong, "\n".join([f"{len(wrong)} of {len(expected)}", *wrong[:ROWS_SHOWN]])


def test_reference_has_every_measure() -> None:
    names = pl.read_csv(project_folder() / "seeds" / "measures.csv")["name"]
    assert set(measures_reference.MEASURES) == set(names)
    assert {measures_reference.parse(measure).name for measure in ASKED} == set(names)


@pytest.mark.some(1)
@pytest.mark.parametrize("measure", ASKED)
def test_measure_that_is_asked_for(
    measure: str, references: list[Reference], built: Warehouse
) -> None:
    """Every treatment is tested; judgement sets and collections take turns."""
    turn = ASKED.index(measure)
    wrong = []
    for each, unjudged in enumerate(TREATMENTS, start=turn):
        reference = references[each % len(references)]
        asked = measure, JUDGEMENT_SETS[each % len(JUDGEMENT_SETS)], unjudged
        wrong += differences_of_call(built, reference, "topic_scores", asked)
        wrong += differences_of_call(built, reference, "run_scores", asked)
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:ROWS_SHOWN]])


def differences_of_call(
    warehouse: Warehouse, reference: Reference, macro: str, asked: tuple[str, str, str]
) -> list[str]:
    rows, key = {
        "topic_scores": (reference.topic_scores(*asked), ["run_id", "topic_id"]),
        "run_scores": (reference.run_scores(*asked), ["run_id"]),
    }[macro]
    measure, judgement_set, unjudged = asked
    call = (
        f"{macro}('{reference.collection.name}', '{measure}',"
        f" judgement_set := '{judgement_set}', unjudged := '{unjudged}')"
    )
    found = rows_of(warehouse, call, key, list(next(iter(rows.values()))))
    return [f"{call}: {each}" for each in differences(found, rows)]
