"""Test that a collection that cannot be built is named and left unchanged, and others are built."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest
from click.testing import CliRunner

from built_collections import load_together
from conftest import NewWarehouse, ToyFiles, names_beside, state_of, write_toy_files
from plans import AT_HAND, build_by, plan_with
from poolhouse.building import build as building
from poolhouse.building import work
from poolhouse.building.build import BuildReport, build
from poolhouse.building.plan import Kind, Node, Rule, plan_of
from poolhouse.building.settings import chosen_settings
from poolhouse.building.staleness import State, collection_states
from poolhouse.command_line.main import main
from poolhouse.errors import BuildFailedError, DiskFullError
from poolhouse.expectations.dbt_tests import broken_tests
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from poolhouse.warehouse.sql_text import quoted_text

NAMES = tuple(f"c{number}" for number in range(1, 6))

# The build reads the runs that this table holds, when runs changed.
_RUNS = Node(
    "int_runs",
    Kind.TABLE,
    "intermediate.int_runs",
    "select collection_key, run_key, run_id as organization, '' as sha256 "
    f"from raw.runs where {AT_HAND}",
    ("raw.runs",),
    Rule.BY_COLLECTION,
)
_MADE = Node(
    "made",
    Kind.TABLE,
    "main.made",
    f"""
    select collection_key, collection_id, count(*) as n_judgements
    from raw.collections inner join raw.qrels_lines using (collection_key)
    where {AT_HAND}
    group by all
    """,
    ("raw.collections", "raw.qrels_lines"),
    Rule.BY_COLLECTION,
)

# A function that lets builds use these two tables, and fail at collections of the given names.
Failing = Callable[..., None]


@pytest.fixture(scope="module")
def several_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("several")
    files = write_toy_files(folder / "toy")
    once = Warehouse(folder / "once.duckdb")
    load_together(once, (files.request(collection=name) for name in NAMES))
    return folder / "once.duckdb"


@pytest.fixture
def several(warehouse: Warehouse, several_once: Path) -> Warehouse:
    warehouse.path.parent.mkdir()
    copyfile(several_once, warehouse.path)
    return warehouse


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    def at(*bad: str, says: str = "", made_by: Node = _MADE) -> None:
        names = ", ".join(map(quoted_text, ("", *bad)))
        test = f"select collection_id from main.made where {AT_HAND} and collection_id in ({names})"
        if says:  # a test fails by its rows, or because it cannot be run
            test += f" and error({quoted_text(says)}) is null"
        nodes = [_RUNS, made_by, Node("none_is_bad", Kind.TEST, "", test, ("made",))]
        build_by(plan_with(nodes), monkeypatch)

    # The remarks after a build, and the history of verdicts, read marts that these builds do not
    # make.
    monkeypatch.setattr(building, "remarks_on", lambda *_: ())
    monkeypatch.setattr(building, "record_verdicts", lambda *_: None)
    return at


def states(warehouse: Warehouse) -> dict[str, State]:
    with warehouse.read() as connection:
        return {each.collection_id: each.state for each in collection_states(connection)}


def made(warehouse: Warehouse) -> dict[str, int]:
    """Return the collections that have rows, with their number of judgements."""
    rows = run_query(warehouse, "select collection_id, n_judgements from made").rows
    made = {str(name): int(str(n_judgements)) for name, n_judgements in rows}
    assert len(made) == len(rows)
    return made


def build_in_order(warehouse: Warehouse) -> tuple[BuildReport | Exception, list[str]]:
    """Build; return the result and the tried collections, in order: one's name, or how many."""
    tried: list[str] = []

    def tell(step: str, _done: int, _total: int) -> None:
        name, _, node = step.partition(": ")
        if node == _MADE.name:
            tried.append(name)

    try:
        return build(warehouse, progress=tell), tried
    except (BuildFailedError, DiskFullError) as error:
        return error, tried


# Each of these collections has this many judgements at first.
N_JUDGEMENTS = 4


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("bad", "says"),
    [(("c2", "c4", "c5"), ""), (("c1",), "no number"), (("c5",), ""), (("c1", "c2"), "no number")],
)
def test_the_others_are_published(
    several: Warehouse, failing: Failing, bad: tuple[str, ...], says: str
) -> None:
    failing(*bad, says=says)
    report = build(several)
    good = [name for name in NAMES if name not in bad]
    assert sorted(report.built) == good
    problem = f"Invalid Input Error: {says}" if says else "1 rows that break the test"
    assert report.failed == tuple(
        f"collection '{name}' cannot be built, and has no marts: none_is_bad: {problem}"
        for name in bad
    )
    assert made(several) == dict.fromkeys(good, N_JUDGEMENTS)
    assert states(several) == dict.fromkeys(good, State.CURRENT) | dict.fromkeys(bad, State.NEW)
    assert names_beside(several) == {several.path.name, several.lock_path.name}


@pytest.mark.heavy
def test_what_fails_is_found_by_halves(several: Warehouse, failing: Failing) -> None:
    """Collections that are built together are built only once."""
    failing("c4")
    report, tried = build_in_order(several)
    assert tried == [
        "5 collections",
        "2 collections",  # c1, c2
        "3 collections",
        "c3",
        "2 collections",
        "c4",
        "c5",
    ]
    assert isinstance(report, BuildReport)
    assert report.built == ("c1", "c2", "c3", "c5")


@pytest.mark.heavy
def test_together_they_are_small(
    several: Warehouse, failing: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing()
    with several.read() as connection:
        [(n_lines,)] = connection.execute(
            "select sum(n_rows) / count(distinct collection_key) from ops.files"
        ).fetchall()
    monkeypatch.setattr(work, "MOST_LINES", 2 * n_lines)
    report, tried = build_in_order(several)
    assert tried == ["2 collections", "2 collections", "c5"]
    assert report == BuildReport(NAMES)


def load_one_judgement(warehouse: Warehouse, files: ToyFiles, *names: str) -> None:
    files.qrels.write_text("1 0 D1 1\n")
    for name in names:
        load_collection(warehouse, LoadRequest(name, qrels=files.qrels, replace=True))


@pytest.mark.heavy
def test_what_was_built_of_it_stays(
    several: Warehouse, failing: Failing, toy_files: ToyFiles
) -> None:
    failing()
    build(several)
    load_one_judgement(several, toy_files, "c3", "c5")
    failing("c3")
    report, tried = build_in_order(several)
    assert tried == ["2 collections", "c3", "c5"]
    assert report == BuildReport(
        ("c5",),
        failed=(
            "collection 'c3' cannot be built, its marts are still those of the last build: "
            "none_is_bad: 1 rows that break the test",
        ),
    )
    assert made(several) == {**dict.fromkeys(NAMES, N_JUDGEMENTS), "c5": 1}
    assert states(several)["c3"] == State.CHANGED
    failing()
    assert build(several).built == ("c3",)
    assert made(several)["c3"] == 1


@pytest.mark.heavy
def test_what_other_models_built_of_it_goes(several: Warehouse, failing: Failing) -> None:
    """Otherwise, nobody would know which models made these rows."""
    failing()
    build(several)
    failing("c3", made_by=replace(_MADE, sql=_MADE.sql.replace("count(*)", "2 * count(*)")))
    assert states(several) == dict.fromkeys(NAMES, State.OUTDATED)
    report = build(several)
    assert report.failed == (
        "collection 'c3' cannot be built, and has no marts: none_is_bad: 1 rows that break "
        "the test",
    )
    good = [name for name in NAMES if name != "c3"]
    assert made(several) == dict.fromkeys(good, 2 * N_JUDGEMENTS)
    assert states(several) == {**dict.fromkeys(good, State.CURRENT), "c3": State.NEW}


@pytest.mark.heavy
def test_one_that_was_removed_goes_all_the_same(several: Warehouse, failing: Failing) -> None:
    failing()
    build(several)
    remove(several, "c2")
    remove(several, "c1", ["amber"])
    failing("c1")
    report = build(several)
    assert (report.built, report.removed) == ((), ("c2",))
    assert made(several) == dict.fromkeys(set(NAMES) - {"c2"}, N_JUDGEMENTS)
    assert states(several) == {
        "c1": State.CHANGED,
        **dict.fromkeys(("c3", "c4", "c5"), State.CURRENT),
    }


@pytest.mark.heavy
def test_where_none_can_be_built_nothing_is_published(several: Warehouse, failing: Failing) -> None:
    """Each collection is tried alone, once; the first problem is reported, and its SQL kept."""
    failing(*NAMES)
    before = state_of(several.path)
    failure, tried = build_in_order(several)
    assert isinstance(failure, BuildFailedError)
    assert "unchanged: none_is_bad: 1 rows that break the test (log: " in str(failure)
    assert [name for name in tried if name in NAMES] == list(NAMES)
    assert state_of(several.path) == before
    assert states(several) == dict.fromkeys(NAMES, State.NEW)
    log = Path(str(failure).rpartition("(log: ")[2].rstrip(")")).read_text()
    assert log.startswith(
        "none_is_bad: 1 rows that break the test\n\nselect collection_id from main.made"
    )
    # The file holds the SQL of the last build, and not of an earlier one.
    failing(*NAMES, says="no number")
    failure, _ = build_in_order(several)
    log = Path(str(failure).rpartition("(log: ")[2].rstrip(")")).read_text()
    assert "no number" in log
    assert "1 rows that break the test" not in log


@pytest.mark.heavy
def test_a_full_disk_is_no_collection_s_fault(several: Warehouse, failing: Failing) -> None:
    failing("c1", says="IO Error: No space left on device")
    before = state_of(several.path)
    failure, tried = build_in_order(several)
    assert isinstance(failure, DiskFullError)
    assert tried == ["5 collections"]
    assert state_of(several.path) == before


@pytest.mark.heavy
def test_the_command_says_so_and_fails(several: Warehouse, failing: Failing) -> None:
    failing("c4")
    result = CliRunner().invoke(main, ["build", "--db", str(several.path)])
    assert result.exit_code == 1
    assert "built c1, c2, c3, c5" in result.stderr
    assert "Error: collection 'c4' cannot be built, and has no marts: none_is" in result.stderr


@pytest.fixture
def good_and_bad(
    new_warehouse: NewWarehouse, toy_files: ToyFiles, tmp_path: Path
) -> tuple[Warehouse, int]:
    """Load three collections; provide the key of the last one, `bad`."""
    warehouse = new_warehouse(tmp_path)
    names = ("good", "twin", "bad")
    load_together(warehouse, (toy_files.request(collection=name) for name in names))
    [(key,)] = run_query(
        warehouse, "select collection_key from raw.collections where collection_id = 'bad'"
    ).rows
    return warehouse, int(str(key))


def twice(table: str, good_and_bad: tuple[Warehouse, int]) -> None:
    """Write the rows of the bad collection a second time, as no load does."""
    warehouse, key = good_and_bad
    with duckdb.connect(warehouse.path) as connection:
        connection.execute(f"insert into {table} from {table} where collection_key = {key}")


@pytest.mark.heavy
def test_by_rows_that_no_load_writes(good_and_bad: tuple[Warehouse, int]) -> None:
    """They break a key of a table, which a build tests."""
    warehouse, _ = good_and_bad
    twice("raw.descriptions", good_and_bad)
    report = build(warehouse)
    assert sorted(report.built) == ["good", "twin"]
    assert len(report.failed) == 1
    assert build(warehouse, ["good"]) == BuildReport(())


@pytest.mark.heavy
def test_rows_twice_in_views(good_and_bad: tuple[Warehouse, int]) -> None:
    """A build tests what it stores; a check tests the views, and tells collections apart."""
    warehouse, bad = good_and_bad
    twice("raw.topics", good_and_bad)
    twice("raw.rejected_lines", good_and_bad)
    assert build(warehouse).failed == ()
    with warehouse.read() as connection:
        query = "select collection_key, collection_id from raw.collections"
        collections = dict(connection.execute(query).fetchall())
        broken = broken_tests(connection, plan_of(chosen_settings(connection)), collections)
    assert len(broken) == 3
    assert [key for key, tests in broken.items() if tests] == [bad]
    for view in ("dim_topics", "audit_rejected_lines"):
        assert any(test.startswith(f"rows_{view}") for test in broken[bad])
