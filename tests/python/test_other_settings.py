"""Test builds with other settings than the default: against the reference, and at the limits."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest

import expected_relevance_reference
import leaderboards_reference
import measures_reference
import reference
import test_reference
from asking import invoke_on
from built_collections import load_and_build, load_together
from collection_files import write_files
from compared_rows import assert_equals
from conftest import NewWarehouse
from natural_keys import tables_of
from plain_dbt import run_dbt, vars_of
from poolhouse.building.build import build
from poolhouse.building.choosing import change_setting, setting_named
from poolhouse.building.settings import chosen_settings, keep_setting
from poolhouse.cookbook.answers import answer
from poolhouse.cookbook.entries import entry_named
from poolhouse.option_values import How
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Reference
from test_reference import MARTS

pytestmark = pytest.mark.heavy

Settings = Mapping[str, Sequence[str]]

OTHERS: Settings = {
    "measures": [
        *("P@3", "AntiP@2", "P@7", "nDCG@4", "RBP(p=0.5)@6", "AP(rel=2)", "SetF(beta=0.5)"),
        *("IPrec@0.1", "IPrec@0.3"),
    ],
    "trec_eval": ["9"],
    "bias_measures": ["P@7", "RBP(p=0.5)@6", "P@3"],
    "top_subset_share": ["0.4"],
    "lipani_alpha": ["0.3"],
    "lipani_tie_rule": ["paper"],
    "truth_beyond_depth": ["tool"],
    "ranks_per_tolerated_gap": ["3"],
    "best_manual_measure": ["nDCG@4"],
}

# Accepted settings, as far from the default as possible.
LIMITS: dict[str, Settings] = {
    "no precision, a subset without runs": {
        "measures": ["RBP@10"],
        "bias_measures": ["RBP@10"],
        "top_subset_share": ["0.01"],
        "lipani_alpha": ["0"],
        "ranks_per_tolerated_gap": ["1"],
        "experiment_measures": ["RBP(p=0.5)"],
        "best_manual_measure": ["RBP@10"],
    },
    "large and small numbers": {
        "measures": [
            *("AntiP@3", "P@1000", "RBP(p=0.0)@999", "RBP(p=0.999999)@1", "NumRet"),
            *("P(rel=999999)@999999", "SetF(beta=0)", "SetF(beta=999999,rel=2)", "IPrec@0.33333"),
        ],
        "bias_measures": ["P@1000", "RBP(p=0.0)@999", "RBP(p=0.999999)@1"],
        "top_subset_share": ["1"],
        "lipani_alpha": ["0.29"],
        "ranks_per_tolerated_gap": ["999999"],
        "experiment_measures": ["P", "RBP(p=0.0)", "RBP"],
        "best_manual_runs": ["999999"],
        "best_manual_measure": ["NumRet"],
    },
}


def choose(warehouse: Warehouse, settings: Settings) -> None:
    """Change settings in an order in which each change is possible."""
    measures = setting_named("measures")
    change_setting(warehouse, measures, How.ADD, settings["measures"])
    for name, values in settings.items():
        if name != "measures":
            change_setting(warehouse, setting_named(name), How.SET, values)
    change_setting(warehouse, measures, How.SET, settings["measures"])


@pytest.fixture(scope="module")
def references() -> list[Reference]:
    # Seed 205 has ties of merged rankings that an alpha of floats would break.
    return [Reference(Generator(number).collection()) for number in test_reference.FEW]


@pytest.fixture(scope="module")
def built_by_others(
    references: list[Reference],
    new_warehouse: NewWarehouse,
    tmp_path_factory: pytest.TempPathFactory,
) -> Warehouse:
    """Build with the default first, so that a setting changes only the tables that depend on it."""
    folder = tmp_path_factory.mktemp("others")
    collections = (each.collection for each in references)
    warehouse = load_and_build(collections, new_warehouse(folder), folder)
    choose(warehouse, OTHERS)
    report = build(warehouse)
    assert len(report.built) == len(references)
    assert not report.is_reworded
    return warehouse


@pytest.fixture(scope="module")
def by_others(references: list[Reference]) -> Iterator[list[Reference]]:
    """Provide references that follow the other settings for as long as the module's tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(test_reference, "MATERIALIZED", OTHERS["measures"])
        patch.setattr(leaderboards_reference, "MATERIALIZED", OTHERS["measures"])
        patch.setattr(measures_reference, "TREC_EVAL", 9)
        patch.setattr(reference, "PRECISION_CUTOFFS", (3, 7))
        patch.setattr(reference, "RBP", "RBP(p=0.5)@6")
        patch.setattr(expected_relevance_reference, "DEEPEST", 7)
        patch.setattr(reference, "TOP_SHARE", Fraction("0.4"))
        patch.setattr(reference, "ALPHA", Fraction("0.3"))
        patch.setattr(reference, "PAPER_TIES", True)
        patch.setattr(reference, "TRUTH_BEYOND_DEPTH", "tool")
        patch.setattr(reference, "RANKS_PER_GAP", 3)
        yield [Reference(each.collection) for each in references]


@pytest.mark.parametrize("mart", MARTS)
def test_mart_equals_reference(
    mart: str, by_others: list[Reference], built_by_others: Warehouse
) -> None:
    rows, key = MARTS[mart]
    assert_equals(mart, key, map(rows, by_others), built_by_others)


def test_other_settings_give_what_a_build_from_nothing_gives(
    references: list[Reference], built_by_others: Warehouse, tmp_path: Path
) -> None:
    new = Warehouse(tmp_path / "new.duckdb")
    with built_by_others.read() as connection:
        chosen = chosen_settings(connection)
    with new.change(), new.side() as side:
        for name in chosen:
            keep_setting(side, name, chosen)
    load_together(
        new, (write_files(each.collection, tmp_path / each.collection.name) for each in references)
    )
    build(new)
    assert tables_of(built_by_others) == tables_of(new)


def test_a_paper_has_the_settings_of_the_warehouse(built_by_others: Warehouse) -> None:
    """The cutoffs of figure 1 are those of the setting `bias_measures`."""
    rows = answer(built_by_others, entry_named("lipani_figure_1"), {}).rows
    assert {cutoff for _, _, _, cutoff, *_ in rows} == {3, 7}


def test_plain_dbt_is_told_the_same_settings(built_by_others: Warehouse, tmp_path: Path) -> None:
    query = "select setting, value from dim_settings order by all"
    expected = run_query(built_by_others, query).rows
    copy = Warehouse(Path(copyfile(built_by_others.path, tmp_path / "plain.duckdb")))
    settings = vars_of(copy)
    with duckdb.connect(str(copy.path)) as connection:  # dbt has to make them
        for view in ("dim_settings", "intermediate.int_settings"):
            connection.execute(f"drop view {view}")
    select = ("--select", "settings", "int_settings+", "--exclude", "resource_type:unit_test")
    done = run_dbt(copy, "build", *settings, *select)
    assert done.returncode == 0, done.stdout
    assert run_query(copy, query).rows == expected


@pytest.mark.parametrize("settings", LIMITS.values(), ids=LIMITS)
def test_whatever_is_accepted_can_be_built_and_used(
    settings: Settings, new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    warehouse = new_warehouse(tmp_path)
    # These have an organization alone, gaps, and a long run.
    collections = [Generator(number).collection() for number in (6, 21, 25)]
    load_together(warehouse, (write_files(each, tmp_path / each.name) for each in collections))
    choose(warehouse, settings)
    assert build(warehouse).failed == ()
    with warehouse.read() as connection:
        assert chosen_settings(connection).keys() == settings.keys()
    first = next((tmp_path / "random-25" / "runs").iterdir())
    new_run = Path(copyfile(first, tmp_path / "a-new-run"))
    of_one = ("--collection", "random-25")
    for used in (
        ["check"],
        ["status"],
        ["adjust", new_run, *of_one],
        ["experiment", "all", *of_one, "--samples", "3"],
        ["common-topics", *of_one, "--standard-error", "0.05"],
    ):
        invoke_on(warehouse, *used, status=0)
