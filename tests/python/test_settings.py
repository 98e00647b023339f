"""Test settings: which are shown or refused, and the state of a warehouse after a change."""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import pytest
from attrs import evolve
from dbt.clients.yaml_helper import load_yaml_text

from asking import invoke_on, rows
from collection_files import write_files
from conftest import NewWarehouse, state_of
from poolhouse.building.build import BuildReport, build
from poolhouse.building.choosing import change_setting, setting_named
from poolhouse.building.plan import plan_of
from poolhouse.building.project import project_folder
from poolhouse.building.settings import known_settings, problems_with
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.option_values import How
from poolhouse.warehouse.file import Warehouse
from random_collections import Generator

ALPHA = "lipani_alpha"


def settings_of(warehouse: Warehouse, *arguments: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(
        invoke_on(warehouse, "settings", *arguments, "--format", "json").stdout
    )
    return rows


def setting_of(warehouse: Warehouse, name: str) -> dict[str, Any]:
    (row,) = settings_of(warehouse, name)
    return row


@pytest.fixture
def built(
    built_once: tuple[Path, LoadRequest, Warehouse], tmp_path: Path
) -> tuple[Warehouse, LoadRequest]:
    copy, request, _ = built_once
    return Warehouse(Path(copyfile(copy, tmp_path / "poolhouse.duckdb"))), request


def test_every_variable_of_the_project_is_a_setting() -> None:
    project = load_yaml_text((project_folder() / "dbt_project.yml").read_text()) or {}
    known = known_settings()
    assert {name: each.default for name, each in known.items()} == project["vars"]


def test_the_defaults_are_possible() -> None:
    assert problems_with({}, plan_of({})) == []


def test_all_are_shown_where_there_is_no_warehouse_yet(warehouse: Warehouse) -> None:
    shown = settings_of(warehouse)
    assert [each["setting"] for each in shown] == list(known_settings())
    assert all(each["value"] == each["default"] for each in shown)
    assert {(each["is_changed"], each["is_built"]) for each in shown} == {(False, None)}
    assert not warehouse.path.exists()


def test_formats(warehouse: Warehouse) -> None:
    table = invoke_on(warehouse, "settings", "bias_measures").stdout
    assert "P@5 P@10 P@20 P@30 P@100 RBP(p=0.8)@10" in table
    (row,) = csv.DictReader(
        io.StringIO(invoke_on(warehouse, "settings", ALPHA, "--format", "csv").stdout)
    )
    assert (row["setting"], row["value"], row["is_changed"]) == (ALPHA, "1.0", "False")


@pytest.mark.heavy
def test_a_change_makes_a_warehouse_that_is_not_there_yet(warehouse: Warehouse) -> None:
    done = invoke_on(warehouse, "settings", ALPHA, ".5")
    assert done.exit_code == 0
    said = f"{ALPHA}: 0.5 (before: 1.0)\nnext: poolhouse load --help --db {warehouse.path}\n"
    assert done.stderr == said
    shown = setting_of(warehouse, ALPHA)
    assert (shown["value"], shown["default"], shown["is_changed"]) == (0.5, 1.0, True)


@pytest.mark.heavy
def test_lists_are_added_to_and_taken_from(loaded: Warehouse) -> None:
    default = known_settings()["measures"].default
    assert isinstance(default, list)
    done = invoke_on(loaded, "settings", "measures", "--add", "nDCG@50", "P@5", "RR@3")
    assert done.stderr == (
        f"measures: added nDCG@50 RR@3\nnext: poolhouse build --db {loaded.path}\n"
    )
    assert setting_of(loaded, "measures")["value"] == [*default, "nDCG@50", "RR@3"]
    assert (
        "measures: removed RR@3"
        in invoke_on(loaded, "settings", "measures", "--remove", "RR@3").stderr
    )
    assert setting_of(loaded, "measures")["value"] == [*default, "nDCG@50"]
    swapped = invoke_on(loaded, "settings", "experiment_measures", "P", "RBP(p=0.8)").stderr
    assert "experiment_measures: in the order P RBP(p=0.8)" in swapped
    invoke_on(loaded, "settings", "measures", "--default")
    assert setting_of(loaded, "measures")["is_changed"] is False


@pytest.mark.heavy
def test_a_default_by_any_name_is_kept_as_none(loaded: Warehouse) -> None:
    """A later version's default can then replace it."""
    for back in ("1", "--default"):
        invoke_on(loaded, "settings", ALPHA, "0.5")
        assert rows(loaded, "from ops.settings") == [(ALPHA, "0.5")]
        invoke_on(loaded, "settings", ALPHA, back)
        assert rows(loaded, "from ops.settings") == []


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "arguments",
    [
        (ALPHA, "1.0"),
        (ALPHA, "--default"),
        ("measures", "--add", "P@5"),
        ("best_manual_runs", "11"),
    ],
)
def test_what_is_that_already_leaves_the_file_alone(
    loaded: Warehouse, arguments: tuple[str, ...]
) -> None:
    before = state_of(loaded.path)
    done = invoke_on(loaded, "settings", *arguments)
    assert (done.exit_code, done.stderr) == (
        0,
        f"nothing changed: {arguments[0]} already has this value\n"
        f"next: poolhouse settings {arguments[0]} --db {loaded.path}\n",
    )
    assert state_of(loaded.path) == before


REFUSED = {
    (ALPHA, "half"): "half is not possible: it takes a number from 0 to 1, in hundredths",
    ("ranks_per_tolerated_gap", "1.5"): "1.5 is not possible",
    ("measures", "--add", "map"): "map is written AP[(rel=l,judged_only=false)][@k]",
    ("measures", "--add", "xyz"): "xyz is not a measure that Poolhouse computes; it has A, ",
    ("measures", "--add", "ndcg@10"): "ndcg@10 is written nDCG[(dcg=log2",
    ("measures", "--add", "P"): "P is not written as P[(rel=l,judged_only=false)]@k",
    ("measures", "--add", "G"): "G is computed on demand, and no mart has it",
    ("measures", "--add", "P(judged_only=true)@5"): "is computed on demand, and no mart has it",
    ("measures", "--add", "P@1000000"): "P@1000000 is not possible: it takes measures as ",
    ("measures", "--add", "AP", ""): "an empty name is not a measure",
    ("measures", "--remove", "nDCG@7"): "nDCG@7 is not in the list",
    ("measures", "--remove", "P@10"): "P@10 is not in measures, which must contain it",
    ("experiment_measures", "P@10"): "P@10 is not possible: it takes P and RBP[(p=0.8)]",
    ("experiment_measures", "--remove", "P", "RBP(p=0.8)"): "it takes at least one value",
    ("best_manual_measure", "AP@7"): "AP@7 is not in measures, which must contain it",
}


@pytest.mark.some(1)
@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_is_not_possible_is_refused_before_anything_is_written(
    arguments: tuple[str, ...], warehouse: Warehouse
) -> None:
    done = invoke_on(warehouse, "settings", *arguments)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: setting ")
    assert REFUSED[arguments] in line
    assert not warehouse.path.parent.exists()


# By setting: values that are possible, and values that are not.
BY_PATTERN = {
    "bias_measures": ("P@5 RBP(p=0.8)@10", "P@1001 P AP P(rel=2)@5 RBP(p=0.8) AntiP@5 P@0"),
    "experiment_measures": ("P RBP RBP(p=0.8)", "P@10 AP nDCG RBP(rel=2) RBP(p=0.1234567)"),
    "top_subset_share": (
        "0.75 1 1.0 0.50 .5 1e-05 2.5e-07",
        "0 0.0 .0 1.01 2 -1 nan inf half 0x1 5e-00 1e5",
    ),
    "lipani_alpha": ("0 1 0.0 1.0 0.05 .5 1.00", "0.005 1.01 2 -0.5 1e-1 nan"),
    "best_manual_runs": ("1 20 999999", "0 1000000 1.5 -1 1e3 +1 many"),
    "lipani_tie_rule": ("implementation paper", "Paper another"),
    "truth_beyond_depth": ("paper tool", "implementation"),
}


@pytest.mark.heavy
@pytest.mark.parametrize("is_possible", [True, False])
def test_each_value_is_possible_or_not(is_possible: bool) -> None:
    """The settings are asked about together, each with its next value or with its whole list."""
    values = {name: each[not is_possible].split() for name, each in BY_PATTERN.items()}
    known = known_settings()
    for turn in range(max(map(len, values.values()))):
        chosen: dict[str, Any] = {}
        expected = []
        for name, of_it in values.items():
            asked = of_it if known[name].is_list else of_it[turn % len(of_it) :][:1]
            chosen[name] = asked if known[name].is_list else asked[0]
            takes = known[name].possible_values
            expected += [
                f"setting {name}: {each} is not possible: it takes {takes}" for each in asked
            ]
        found = problems_with(chosen, plan_of({}))
        assert sorted(found) == ([] if is_possible else sorted(expected))


def test_the_measures_come_first() -> None:
    """What other settings lack follows from a wrong measure, so that it is named after it."""
    chosen = {"measures": ["P@5", "map", "P@5"], "bias_measures": ["P@5", "P@7"]}
    problems = problems_with(chosen, plan_of({}))
    assert problems[0].startswith("setting measures: map is written AP")
    assert problems[1:] == [
        "setting measures: P@5 occurs twice",
        "setting best_manual_measure: RBP(p=0.8)@10 is not in measures, which must contain it",
        "setting bias_measures: P@7 is not in measures, which must contain it",
    ]


@pytest.mark.parametrize("value", [[0.5, 0.6], [0.5], [], {"a": 1}, None, True])
def test_a_file_may_hold_anything_in_place_of_a_number(value: object) -> None:
    (problem,) = problems_with({ALPHA: value}, plan_of({}))
    assert problem.startswith(f"setting {ALPHA}: {value} is not possible")


def test_the_nearest_setting_is_named(warehouse: Warehouse) -> None:
    done = invoke_on(warehouse, "settings", "alpha")
    assert done.exit_code == 1
    assert done.stderr == "Error: there is no setting 'alpha'; the nearest is lipani_alpha\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--add",),
        ("--default",),
        (ALPHA, "0.5", "0.6"),
        (ALPHA, "--add", "0.5"),
        (ALPHA, "0.5", "--default"),
        ("measures", "--add"),
        ("measures", "--add", "--remove", "P@5"),
    ],
    ids=" ".join,
)
def test_wrong_usage(warehouse: Warehouse, arguments: tuple[str, ...]) -> None:
    assert invoke_on(warehouse, "settings", *arguments).exit_code == 2
    assert not warehouse.path.exists()


@dataclass(frozen=True)
class ByHalf:
    """The tables of a collection that was built with the default weight, and then with another."""

    request: LoadRequest
    file: Path
    steps: list[str]


@pytest.fixture(scope="module")
def by_half(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> ByHalf:
    folder = tmp_path_factory.mktemp("by_half")
    warehouse = new_warehouse(folder)
    request = write_files(Generator(6).collection(), folder / "collection")
    load_collection(warehouse, request)
    build(warehouse)
    change_setting(warehouse, setting_named(ALPHA), How.SET, ["0.5"])
    steps: list[str] = []
    report = build(warehouse, (), lambda name, *_: steps.append(name))
    assert report.built == (request.collection,)
    return ByHalf(request, warehouse.path, steps)


@pytest.fixture
def changed(by_half: ByHalf, tmp_path: Path) -> Warehouse:
    return Warehouse(Path(copyfile(by_half.file, tmp_path / "changed.duckdb")))


@pytest.mark.heavy
def test_only_what_reads_a_setting_is_made_again(by_half: ByHalf) -> None:
    plan = plan_of({})
    tables = {node.name for node in plan.of_collections}
    readers = {"int_merged_counts"}
    for node in plan.relations:
        if not readers.isdisjoint(node.reads):
            readers.add(node.name)
    made = {step.rpartition(": ")[2] for step in by_half.steps}
    assert made & tables == readers & tables
    assert "int_merge_effects" in made
    assert "int_scores" not in made


@pytest.mark.heavy
def test_the_marts_say_by_what_they_were_built(changed: Warehouse) -> None:
    shown = "select value from dim_settings where setting = 'lipani_alpha'"
    assert rows(changed, shown) == [("0.5",)]
    assert setting_of(changed, ALPHA)["is_built"] is True
    assert (
        "settings that differ from the default: lipani_alpha\n"
        in invoke_on(changed, "status").stderr
    )
    done = invoke_on(changed, "settings", ALPHA, "--default")
    assert done.stderr.endswith(f"next: poolhouse build --db {changed.path}\n")
    assert rows(changed, shown) == [("0.5",)]
    assert setting_of(changed, ALPHA)["is_built"] is False
    status = invoke_on(changed, "status")
    assert "note: not built yet: lipani_alpha\n" in status.stderr
    assert "built by other models or settings" in status.stdout
    done = invoke_on(changed, "settings", ALPHA, "0.5")
    assert "\nnothing to build: the marts were built with these settings\n" in done.stderr
    assert build(changed) == BuildReport(())


@pytest.mark.heavy
def test_settings_outlast_loads_builds_and_removals(by_half: ByHalf, changed: Warehouse) -> None:
    load_collection(changed, evolve(by_half.request, collection="other"))
    assert build(changed).built == ("other",)
    remove(changed, by_half.request.collection)
    build(changed)
    assert setting_of(changed, ALPHA)["value"] == 0.5
    assert rows(changed, "select value from dim_settings where setting = 'lipani_alpha'") == [
        ("0.5",)
    ]


@pytest.mark.heavy
def test_what_somebody_wrote_into_the_file_never_becomes_sql(
    built: tuple[Warehouse, LoadRequest], tmp_path: Path
) -> None:
    warehouse, _ = built
    victim = tmp_path / "victim"
    value = json.dumps(f"0.5) from t; copy (select 1) to '{victim}'; --")
    with duckdb.connect(str(warehouse.path)) as connection:
        connection.execute("insert into ops.settings values ('top_subset_share', ?)", [value])
        connection.execute("insert into ops.settings values ('lipani_alpha', 'no json')")
        connection.execute("insert into ops.settings values ('of_another_version', '1')")
    with pytest.raises(PoolhouseError, match=r"^setting lipani_alpha: no json is not possible: it"):
        build(warehouse)
    assert not victim.exists()
    # each setting can be corrected, although the other one is wrong, too
    assert invoke_on(warehouse, "settings", ALPHA, "--default").exit_code == 0
    assert invoke_on(warehouse, "settings", "top_subset_share", "--default").exit_code == 0
    assert build(warehouse) == BuildReport(())


@pytest.mark.heavy
def test_the_demo_needs_its_measure(warehouse: Warehouse) -> None:
    invoke_on(warehouse, "settings", "bias_measures", "--remove", "P@10")
    done = invoke_on(warehouse, "demo")
    assert done.exit_code == 1
    assert "the demo shows P@10, which bias_measures lacks here" in done.stderr
    assert [each.name for each in warehouse.path.parent.iterdir() if each.is_dir()] == []


def test_a_change_waits_for_nobody(loaded: Warehouse) -> None:
    with loaded.change() as change:
        change.abandoned = True
        done = invoke_on(loaded, "settings", ALPHA, "0.5")
    assert done.exit_code == 1
    assert "another load, removal, build or check is running" in done.stderr
