"""What cannot be built is found, named and left as it was; the others are built all the same."""

from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import duckdb
import pytest
from click.testing import CliRunner

from conftest import NewWarehouse, ToyFiles, names_beside, state_of, write_toy_files
from poolhouse import building
from poolhouse.building import BuildReport, build
from poolhouse.cli import main
from poolhouse.errors import BuildFailedError, DiskFullError
from poolhouse.loading import LoadRequest, load_collection
from poolhouse.queries import run_query
from poolhouse.removal import remove
from poolhouse.staleness import State, collection_states
from poolhouse.warehouse import Warehouse

NAMES = tuple(f"c{number}" for number in range(1, 6))

_MODELS = """
    create or replace table made (collection_id varchar);
    create schema if not exists intermediate;
    create or replace table intermediate.int_runs (
        collection_key integer, run_key integer, sha256 varchar
    );
"""

# Stands in for dbt: fails where one of these collections is at hand, else makes a row of each.
Failing = Callable[..., list[tuple[str, ...]]]


@pytest.fixture(scope="module")
def several_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("several")
    files = write_toy_files(folder / "toy")
    for name in NAMES:
        load_collection(Warehouse(folder / "once.duckdb"), files.request(collection=name))
    return folder / "once.duckdb"


@pytest.fixture
def several(warehouse: Warehouse, several_once: Path) -> Warehouse:
    warehouse.path.parent.mkdir()
    copyfile(several_once, warehouse.path)
    return warehouse


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    def those_named(*bad: str, problem: str = "a key is there twice") -> list[tuple[str, ...]]:
        tried = []

        def run(warehouse: Warehouse, *, full_refresh: bool, progress: object) -> None:
            with warehouse.side() as connection:
                if full_refresh:
                    connection.execute(_MODELS)
                connection.execute(
                    """
                    insert into made
                    select collection_id
                    from ops.changed_collections
                    inner join raw.collections using (collection_key)
                    """
                )
                rows = connection.execute(
                    """
                    select collection_id from raw.collections
                    where collection_key in (select collection_key from ops.changed_collections)
                    order by all
                    """
                ).fetchall()
            at_hand = tuple(name for (name,) in rows)
            tried.append(at_hand)
            if set(at_hand) & set(bad):
                raise BuildFailedError([problem.format(*at_hand)], Path("dbt.log"))

        monkeypatch.setattr(building, "run_dbt", run)
        # The remarks after a build read marts, which these builds do not make.
        monkeypatch.setattr(building, "_remarks", lambda *_: ())
        return tried

    return those_named


def states(warehouse: Warehouse) -> dict[str, State]:
    with warehouse.read() as connection:
        return {each.collection_id: each.state for each in collection_states(connection)}


def made(warehouse: Warehouse) -> list[str]:
    return [str(name) for (name,) in run_query(warehouse, "from made order by all").rows]


@pytest.mark.parametrize("bad", [("c1",), ("c5",), ("c1", "c2"), ("c2", "c4", "c5")])
def test_the_others_are_published(
    several: Warehouse, failing: Failing, bad: tuple[str, ...]
) -> None:
    failing(*bad)
    report = build(several)
    good = [name for name in NAMES if name not in bad]
    assert sorted(report.built) == good
    assert report.failed == tuple(
        f"collection '{name}' cannot be built, and has no marts: a key is there twice"
        for name in bad
    )
    assert made(several) == good
    assert states(several) == dict.fromkeys(good, State.CURRENT) | dict.fromkeys(bad, State.NEW)
    assert names_beside(several) == {several.path.name, several.lock_path.name}


def test_what_was_built_of_it_stays(
    several: Warehouse, failing: Failing, toy_files: ToyFiles
) -> None:
    failing()
    build(several)
    toy_files.qrels.write_text("1 0 D1 1\n")
    for name in ("c3", "c5"):
        load_collection(several, LoadRequest(name, qrels=toy_files.qrels))
    tried = failing("c3")
    report = build(several)
    assert tried == [("c3", "c5"), ("c3",), ("c5",)]
    assert report.built == ("c5",)
    assert report.failed == (
        "collection 'c3' cannot be built, its marts are as the last build made them: "
        "a key is there twice",
    )
    assert made(several) == sorted([*NAMES, "c5"])
    assert states(several)["c3"] == State.CHANGED


def test_one_that_was_removed_goes_all_the_same(several: Warehouse, failing: Failing) -> None:
    failing()
    build(several)
    remove(several, "c2")
    remove(several, "c1", ["amber"])
    failing("c1")
    report = build(several)
    assert (report.built, report.removed) == ((), ("c2",))
    assert states(several) == {
        "c1": State.CHANGED,
        **dict.fromkeys(("c3", "c4", "c5"), State.CURRENT),
    }


def test_where_none_can_be_built_nothing_is_published(several: Warehouse, failing: Failing) -> None:
    failing(*NAMES, problem="a problem of {0}")
    before = state_of(several.path)
    with pytest.raises(BuildFailedError, match="unchanged: a problem of c1"):
        build(several)
    assert state_of(several.path) == before


def test_a_problem_of_all_of_them_is_not_looked_for_in_each(
    several: Warehouse, failing: Failing
) -> None:
    tried = failing(*NAMES)
    with pytest.raises(BuildFailedError, match="a key is there twice"):
        build(several)
    assert [each for each in tried if len(each) == 1] == [("c1",), ("c2",), ("c3",)]


def test_a_full_disk_is_no_collection_s_fault(several: Warehouse, failing: Failing) -> None:
    tried = failing("c1", problem="IO Error: No space left on device")
    with pytest.raises(DiskFullError):
        build(several)
    assert tried == [NAMES]


def test_the_command_says_so_and_fails(several: Warehouse, failing: Failing) -> None:
    failing("c4")
    result = CliRunner().invoke(main, ["build", "--db", str(several.path)])
    assert result.exit_code == 1
    assert "built c1, c2, c3, c5" in result.stderr
    assert "Error: collection 'c4' cannot be built, and has no marts: a key" in result.stderr


@pytest.mark.heavy
@pytest.mark.parametrize(
    "fault",
    [
        "insert into raw.topics from raw.topics where collection_key = {key}",
        "insert into raw.descriptions from raw.descriptions where collection_key = {key}",
        "insert into raw.rejected_lines from raw.rejected_lines where collection_key = {key}",
    ],
)
def test_by_dbt(
    new_warehouse: NewWarehouse, toy_files: ToyFiles, tmp_path: Path, fault: str
) -> None:
    """Rows that no load writes twice break a key of the marts, or of what shows the files."""
    warehouse = new_warehouse(tmp_path)
    for name in ("good", "twin", "bad"):
        load_collection(warehouse, toy_files.request(collection=name))
    with duckdb.connect(warehouse.path) as connection:
        [(key,)] = connection.execute(
            "select collection_key from raw.collections where collection_id = 'bad'"
        ).fetchall()
        connection.execute(fault.format(key=key))
    report = build(warehouse)
    assert sorted(report.built) == ["good", "twin"]
    assert len(report.failed) == 1
    assert build(warehouse, ["good"]) == BuildReport(())
