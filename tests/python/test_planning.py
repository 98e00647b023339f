"""Test the planning of a pool before judgements: runs without qrels, and the questions on them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from attrs import evolve

import planning_reference
from asking import invoke_on
from built_collections import only_many, with_tested_views
from compared_rows import assert_equals, assert_none, wrong_rows
from conftest import NewWarehouse
from natural_keys import Tables, tables_of
from page import write_collection
from poolhouse.building.build import build
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from random_collections import Generator
from reference import Collection, Description, Reference, Rows
from test_reference import MARTS

# Runs are pooled in every order, by declaration and by inference, with and without gaps; in some
# collections, no run is pooled. All runs of number 13 answer all topics.
MANY = (0, 1, 2, 3, 6, 9, 13, 25)
DEPTHS = (1, 3, 10, 1000)

# The expected rows of each table macro for some depths and runs, and its key.
MACROS: dict[str, tuple[Callable[[Reference, Sequence[int], Sequence[str]], Rows], str]] = {
    "topic_pool_sizes": (planning_reference.topic_pool_sizes, "topic_id depth"),
    "pool_sizes": (planning_reference.pool_sizes, "depth"),
    "run_contributions": (planning_reference.run_contributions, "run_id depth"),
    "run_overlaps": (planning_reference.run_overlaps, "run_id other_run_id depth"),
}


def unjudged(collection: Collection) -> Collection:
    """Remove the judgements, and every other collection's declarations of pooled runs."""
    descriptions = collection.descriptions
    if len(collection.runs) % 2:
        descriptions = {
            run: Description(each.organization, None, each.run_type)
            for run, each in descriptions.items()
        }
    return replace(
        collection, name=f"{collection.name}-unjudged", qrels=[], descriptions=descriptions
    )


@pytest.fixture(scope="module", params=only_many(MANY))
def references(request: pytest.FixtureRequest) -> list[Reference]:
    collections = [Generator(number).collection() for number in request.param]
    return [Reference(each) for judged in collections for each in (judged, unjudged(judged))]


@pytest.mark.heavy
def test_no_view_breaks_its_tests(built: Warehouse) -> None:
    with_tested_views(built)


@pytest.mark.some(2)
@pytest.mark.parametrize("macro", MACROS)
def test_planning_equals_reference(
    macro: str, references: list[Reference], built: Warehouse
) -> None:
    wrong = []
    n_refused = 0
    for reference in references:
        name = reference.collection.name
        runs = list(reference.collection.runs)
        by_default = runs if macro == "run_overlaps" else planning_reference.runs_to_pool(reference)
        depths = f"depths := {list(DEPTHS)}"
        if by_default:
            wrong += differences_of_call(built, reference, macro, depths, by_default)
        else:
            n_refused += 1
            with pytest.raises(PoolhouseError, match=f"no run of '{name}' is pooled: name some"):
                run_query(built, f"select * from planning.{macro}('{name}', {depths})")
        some = runs[::2]
        of_some = f"{depths}, of_runs := {some}"
        wrong += differences_of_call(built, reference, macro, of_some, some)
    assert_none(wrong)
    assert n_refused < len(references)


def differences_of_call(
    warehouse: Warehouse, reference: Reference, macro: str, options: str, runs: Sequence[str]
) -> list[str]:
    rows, key = MACROS[macro]
    expected = rows(reference, DEPTHS, runs)
    call = f"planning.{macro}('{reference.collection.name}', {options})"
    return wrong_rows(warehouse, call, key, expected)


STRATEGIES = (
    *("depth", "take", "take_by_topic", "rrf", "borda", "comb_sum", "comb_mnz", "comb_max"),
    *("comb_med", "dcg", "rbp_a", "perfect_precision"),
)


@pytest.mark.some(2)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_pool_documents_equal_reference(
    strategy: str, references: list[Reference], built: Warehouse
) -> None:
    """Strategies differ in values and costs: one of each kind of cost is cut by a budget, too."""
    wrong = []
    # Judged collections are every second one.
    for reference in references[STRATEGIES.index(strategy) % 2 :: 2]:
        name = reference.collection.name
        runs = list(reference.collection.runs)
        for budget in (None, 7) if strategy in {"depth", "take", "rrf"} else (None,):
            expected = planning_reference.pool_documents(reference, strategy, budget, runs)
            arguments = f"'{name}', '{strategy}', {budget or 'null'}, of_runs := {runs}"
            call = f"planning.pool_documents({arguments})"
            wrong += wrong_rows(built, call, "topic_id doc_id", expected)
    assert_none(wrong)


def test_every_strategy_in_sql_is_compared(built: Warehouse) -> None:
    query = "select strategy from dim_pooling_strategies where is_in_sql"
    assert {name for (name,) in run_query(built, query).rows} == set(STRATEGIES)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("'page', 'rff', 3", "rff is not a strategy of dim_pooling_strategies"),
        ("'page', 'hedge', 3", "hedge chooses one document after the other: use poolhouse pool"),
        ("'page', 'rrf', 0", "the budget is 0, expected 1 or more"),
        ("'pages', 'rrf', 3", "no collection is built with the name pages"),
        ("'page', 'rrf', 3, of_runs := ['x']", "run 'x' is not in 'page'"),
    ],
)
def test_pool_documents_names_the_wrong_argument(
    arguments: str, problem: str, unjudged_once: Warehouse
) -> None:
    with pytest.raises(PoolhouseError, match=problem):
        run_query(unjudged_once, f"select * from planning.pool_documents({arguments})")


OF_UNJUDGED = "(select * from {} where collection_id like '%-unjudged')"


@pytest.mark.parametrize("mart", ["dim_collections", "dim_runs"])
def test_mart_of_unjudged_collections_equals_reference(
    mart: str, references: list[Reference], built: Warehouse
) -> None:
    rows, key = MARTS[mart]
    expected = [rows(each) for each in references if not each.collection.qrels]
    assert_equals(OF_UNJUDGED.format(mart), key, expected, built)


# These marts have rows of every collection.
UNSCORED = {"dim_collections", "dim_runs", "audit_collections"}


@pytest.mark.parametrize("mart", sorted(MARTS.keys() - UNSCORED))
def test_nothing_is_scored_without_judgements(mart: str, built: Warehouse) -> None:
    """Nothing is estimated either, in a warehouse that holds other collections."""
    assert not run_query(built, f"select * from {OF_UNJUDGED.format(mart)}").rows
    assert run_query(built, f"select 1 from {mart} limit 1").rows


def test_collections_say_whether_they_are_judged(
    references: list[Reference], built: Warehouse
) -> None:
    rows = run_query(
        built,
        """
        select collection_id, is_judged, pooled_runs_source <> 'unknown' as is_told
        from dim_collections
        """,
    ).rows
    assert set(map(tuple, rows)) == {
        (
            each.collection.name,
            bool(each.collection.qrels),
            bool(each.collection.qrels and each.pool_depth) or each.declares_pooled_runs,
        )
        for each in references
    }


# ------------------------------------------------------------------------------ a state that passes


@pytest.fixture
def page(new_warehouse: NewWarehouse, tmp_path: Path) -> tuple[Warehouse, LoadRequest]:
    """Provide the collection on a page, loaded without its judgements and not built."""
    warehouse = new_warehouse(tmp_path)
    request = write_collection(tmp_path / "page")
    load_collection(warehouse, evolve(request, qrels=None, unjudged=True))
    return warehouse, request


def from_scratch(request: LoadRequest, warehouse: Warehouse) -> Tables:
    load_collection(warehouse, request)
    build(warehouse)
    return tables_of(warehouse)


@pytest.mark.heavy
def test_qrels_that_come_later_take_its_place(
    page: tuple[Warehouse, LoadRequest], new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """The state is as if the qrels had been loaded at once, without another word about the runs."""
    warehouse, request = page
    build(warehouse)
    report = load_collection(warehouse, LoadRequest("page", qrels=request.qrels))
    assert not any("not judged yet" in each for each in report.remarks)
    build(warehouse)
    (tmp_path / "other").mkdir()
    assert tables_of(warehouse) == from_scratch(request, new_warehouse(tmp_path / "other"))


@pytest.mark.heavy
def test_runs_come_and_go_before_the_judgements(
    page: tuple[Warehouse, LoadRequest], new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    """After one declaration that there are no judgements, later loads need not repeat it."""
    warehouse, request = page
    build(warehouse)
    late = tmp_path / "late"
    late.write_text("1 Q0 d9 1 2 late\n2 Q0 d1 1 1 late\n")
    load_collection(warehouse, LoadRequest("page", runs=(late,)))
    remove(warehouse, "page", ["a2"])
    assert build(warehouse).built == ("page",)
    (tmp_path / "other").mkdir()
    left = tuple(file for file in request.run_files if file.name != "a2")
    at_once = evolve(request, runs=(*left, late), qrels=None, unjudged=True)
    assert tables_of(warehouse) == from_scratch(at_once, new_warehouse(tmp_path / "other"))
    sizes = run_query(
        warehouse,
        "from planning.topic_pool_sizes('page', depths := [1]) select topic_id, n_documents",
    )
    assert set(map(tuple, sizes.rows)) == {("1", 3), ("2", 1)}


@pytest.mark.heavy
def test_every_command_names_the_state(page: tuple[Warehouse, LoadRequest], tmp_path: Path) -> None:
    warehouse, request = page
    (row,) = json.loads(invoke_on(warehouse, "status", "--format", "json").stdout)
    assert (row["state"], row["judgements"]) == ("not built yet, not judged yet", None)
    built = invoke_on(warehouse, "build")
    assert built.exit_code == 0
    assert "page: not judged yet, so that nothing is scored; planning.pool_sizes" in built.stderr
    assert "no run was pooled" not in built.stderr
    assert "have no score" not in built.stderr
    (row,) = json.loads(invoke_on(warehouse, "status", "--format", "json").stdout)
    assert row["state"] == "up to date, not judged yet"
    load_collection(warehouse, LoadRequest("page", qrels=request.qrels))
    (row,) = json.loads(invoke_on(warehouse, "status", "--format", "json").stdout)
    assert (row["state"], row["judgements"]) == ("changed since the build", 4)
    remove(warehouse, "page")
    (row,) = json.loads(invoke_on(warehouse, "status", "--format", "json").stdout)
    assert row["state"] == "removed since the build"


REFUSAL = (
    "collection 'page' is not judged yet, so that nothing is scored: run poolhouse load COLLECTION "
    "--qrels FILE, or poolhouse pool load COLLECTION LIST, and then poolhouse build"
)


@pytest.mark.heavy
def test_what_scores_refuses_in_a_line(unjudged_once: Warehouse, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.write_text("1 Q0 d9 1 2 new\n")
    of_page = ("--collection", "page")
    for command in (
        ("adjust", new, *of_page),
        ("adjust", new, *of_page, "--keep"),
        ("experiment", "bias", *of_page),
        ("experiment", "all", *of_page),
        ("common-topics", *of_page, "--standard-error", "0.01"),
        ("compare", "a1", "b1", *of_page, "--measure", "AP"),
        ("report", "page", "--runs", "a1", "b1", "-o", tmp_path / "report.html"),
        ("figure", "left_out_scores", *of_page, "-o", tmp_path / "figure.svg"),
        ("sql", "select * from topic_scores('page', 'P@10')"),
        ("sql", "select * from run_scores('page', 'P@10')"),
        ("sql", "select * from planning.common_topics_needed('page', 0.01)"),
    ):
        refused = invoke_on(unjudged_once, *command)
        assert (refused.exit_code, refused.stdout) == (1, ""), command
        assert refused.stderr == f"Error: {REFUSAL}\n", command
    assert list(tmp_path.iterdir()) == [new]


@pytest.mark.heavy
def test_adjusting_in_sql_is_refused(unjudged_once: Warehouse) -> None:
    with unjudged_once.read() as connection:
        connection.execute(
            """
            create temp table my_run as
            select '1' as query, 'd9' as docno, 1.0 as score
            """
        )
        connection.execute(
            "create temp table mine as select '1' as query, 'd9' as docno, 1 as grade"
        )
        for call in (
            "adjusted_scores('page', 'my_run')",
            "adjusted_scores_from_topics('page', 'my_run', 'mine')",
        ):
            with pytest.raises(Exception, match="collection 'page' is not judged yet"):
                connection.sql(f"select * from {call}").fetchall()


# ---------------------------------------------------------------------------------- what is refused


def test_it_is_said_that_a_path_may_be_forgotten(warehouse: Warehouse, tmp_path: Path) -> None:
    request = write_collection(tmp_path / "page")
    refused = invoke_on(warehouse, "load", "page", "--runs", *request.runs)
    assert refused.exit_code == 1
    assert refused.stderr == (
        "Error: collection 'page' has no judgements; nothing was loaded: name them with --qrels, "
        "or say --unjudged where there are none yet\n"
    )
    assert not warehouse.path.exists()


@pytest.mark.parametrize("option", ["--qrels", "--common-topics"])
def test_unjudged_with_judgements_is_wrong_usage(
    warehouse: Warehouse, tmp_path: Path, option: str
) -> None:
    request = write_collection(tmp_path / "page")
    files = ("a1", request.qrels) if option == "--common-topics" else (request.qrels,)
    given = [each for each in files if each]
    refused = invoke_on(
        warehouse, "load", "page", "--runs", *request.runs, "--unjudged", option, *given
    )
    assert refused.exit_code == 2
    assert f"--unjudged means no judgements: leave out {option}" in refused.stderr


@pytest.mark.heavy
def test_unjudged_alone_loads_nothing(page: tuple[Warehouse, LoadRequest]) -> None:
    refused = invoke_on(page[0], "load", "page", "--unjudged")
    assert refused.exit_code == 2
    assert "nothing to load" in refused.stderr


def test_a_collection_without_runs_is_no_plan(warehouse: Warehouse, tmp_path: Path) -> None:
    refused = invoke_on(warehouse, "load", "page", "--unjudged", "--title", "nothing but a name")
    assert refused.exit_code == 1
    assert refused.stderr == (
        "Error: collection 'page' has no runs; nothing was loaded: name its run files, or their "
        "folder, by --runs\n"
    )


@pytest.mark.heavy
def test_judgements_are_not_lost_by_a_word(
    page: tuple[Warehouse, LoadRequest], tmp_path: Path
) -> None:
    warehouse, request = page
    load_collection(warehouse, LoadRequest("page", qrels=request.qrels))
    before = warehouse.path.read_bytes()
    refused = invoke_on(warehouse, "load", "page", "--runs", *request.runs, "--unjudged")
    assert refused.exit_code == 1
    assert refused.stderr == (
        "Error: collection 'page' has qrels, and --unjudged would not take them away: leave it out "
        "to add to the collection, or poolhouse remove it first\n"
    )
    assert warehouse.path.read_bytes() == before


@pytest.mark.heavy
def test_common_topics_wait_for_the_qrels(page: tuple[Warehouse, LoadRequest]) -> None:
    warehouse, request = page
    assert isinstance(request.qrels, Path)
    common = (("a1", request.qrels),)
    with pytest.raises(PoolhouseError, match="'page' is not judged yet: judgements of common"):
        load_collection(warehouse, LoadRequest("page", common_topics=common))
    load_collection(warehouse, LoadRequest("page", qrels=request.qrels, common_topics=common))
