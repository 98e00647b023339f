"""A check beside loads, builds, kills and other checks: what is recorded, written and left."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from conftest import ToyFiles, names_beside
from poolhouse.command_line.main import main
from poolhouse.errors import PoolhouseError
from poolhouse.expectations import check, checking
from poolhouse.expectations.declaration import Subject, Suite, SuiteName, between
from poolhouse.expectations.raw import RAW
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.warehouse import pages, whole_files
from poolhouse.warehouse.ending import interruptible, limited, time_limit
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.locking import locked
from poolhouse.warehouse.queries import run_query

HOSTILE = ["../..", "a/b", "<script>", "%s", "nul\\x", "é", "A", "x" * 300, "a\nb"]


@pytest.fixture(autouse=True)
def _raw_files_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SUITES", (RAW,))


def recorded(warehouse: Warehouse) -> list[tuple[object, ...]]:
    query = "select distinct collection_id, load_key, fingerprint from ops.quality_results"
    return [tuple(row) for row in run_query(warehouse, query).rows]


def version(warehouse: Warehouse) -> tuple[object, ...]:
    """Read what of the toy collection a check looks at."""
    query = """
        select 'toy', (select max(load_key) from ops.load_history), fingerprint
        from ops.collection_fingerprints
    """
    (row,) = run_query(warehouse, query).rows
    return tuple(row)


def once(action: Callable[[], object]) -> checking.Progress:
    """Do something while a check reads."""
    actions = [action]

    def progress(name: str, _done: int, _total: int) -> None:
        if name == "raw.qrels_lines" and actions:
            actions.pop()()

    return progress


@pytest.mark.heavy
def test_a_load_may_come_between(loaded: Warehouse, toy_files: ToyFiles) -> None:
    """What was found is recorded as found in the state that was read, and the load is kept."""
    before = version(loaded)
    toy_files.qrels.write_text("1 0 D1 1\n2 0 D4 1\n")
    check(loaded, progress=once(lambda: load_collection(loaded, toy_files.request())))
    assert recorded(loaded) == [before]
    assert version(loaded) != before
    check(loaded)
    assert sorted(recorded(loaded)) == sorted([before, version(loaded)])


@pytest.mark.heavy
def test_a_removal_may_come_between(loaded: Warehouse, toy_files: ToyFiles) -> None:
    """Results of a collection that is gone are history, as its loads are."""
    before = version(loaded)
    report = check(loaded, progress=once(lambda: remove(loaded, "toy")))
    assert report.not_recorded == ""
    assert recorded(loaded) == [before]
    load_collection(loaded, toy_files.request())
    assert recorded(loaded) == [before]


@pytest.mark.heavy
def test_results_are_not_recorded_in_another_warehouse(
    loaded: Warehouse, toy_files: ToyFiles, tmp_path: Path
) -> None:
    other = Warehouse(tmp_path / "other.duckdb")
    load_collection(other, toy_files.request(collection="other"))
    report = check(loaded, progress=once(lambda: other.path.replace(loaded.path)))
    assert report.not_recorded == "the checked warehouse was replaced by another one"
    assert recorded(loaded) == []


@pytest.mark.heavy
def test_a_check_waits_for_a_writer(loaded: Warehouse) -> None:
    holding, checked = threading.Event(), threading.Event()

    def hold() -> None:
        with locked(loaded.lock_path, loaded.path):
            holding.set()
            checked.wait(60)
            time.sleep(0.2)

    writer = threading.Thread(target=hold)
    writer.start()
    holding.wait(60)

    def progress(name: str, _done: int, _total: int) -> None:
        if name == "recording the results":
            checked.set()

    report = check(loaded, progress=progress)
    writer.join()
    assert report.not_recorded == ""
    assert recorded(loaded) == [version(loaded)]


@pytest.mark.heavy
def test_a_check_that_waits_in_vain_says_what_is_lost(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_PATIENCE", 0.0)
    with locked(loaded.lock_path, loaded.path):
        done = CliRunner().invoke(main, ["check", "--db", str(loaded.path), "--format", "json"])
    assert done.exit_code == 1
    assert done.stdout == "[]\n"
    *_, page, error = done.stderr.splitlines()
    assert page == f"page: {loaded.path.with_name('poolhouse.quality.html')}"
    assert loaded.path.with_name("poolhouse.quality.html").exists()
    assert error.startswith("Error: the results are on that page, but were not recorded: ")
    assert "is running" in error
    assert recorded(loaded) == []


@pytest.mark.heavy
def test_the_page_of_some_collections_is_another(loaded: Warehouse, toy_files: ToyFiles) -> None:
    load_collection(loaded, toy_files.request(collection="second"))
    whole = check(loaded).page
    before = whole.read_bytes()
    done = CliRunner().invoke(main, ["check", "--db", str(loaded.path), "--collection", "second"])
    page = loaded.path.with_name("poolhouse.quality-of-second.html")
    assert f"page: {page}" in done.stderr
    assert "<h2>toy</h2>" not in page.read_text()
    assert whole.read_bytes() == before
    both = check(loaded, ["toy", "second"]).page
    assert both.name == "poolhouse.quality-of-second+toy.html"
    assert whole.read_bytes() == before


def test_names_of_pages_are_names_of_files(tmp_path: Path) -> None:
    """Each is one file beside the warehouse, and no two collections share one."""
    warehouse = tmp_path / "poolhouse.duckdb"
    asked = [[name] for name in (*HOSTILE, "a", "a-b", "e", "a+b")]
    asked += [["a", "b"], HOSTILE, [f"collection-{number}" for number in range(300)]]
    beside = [pages.page_beside(warehouse, names) for names in asked]
    for page in beside:
        whole_files.publish(page, "")
        assert page.parent == tmp_path
        assert page.name.isascii()
        assert page.name.isprintable()
        assert not {*'/\\<>%:*?"|'} & {*page.name}
    assert len({page.name.lower() for page in beside}) == len(asked)
    assert pages.page_beside(warehouse, ["b", "a"]) == pages.page_beside(warehouse, ["a", "b", "a"])
    assert len(list(tmp_path.iterdir())) == len(asked)


# Hangs where the page is whole, and not in its place.
_PUBLISHES = """
import sys, time
from pathlib import Path
from poolhouse.warehouse.whole_files import publish

def hang(*_):
    print("ready", flush=True)
    time.sleep(600)

Path.replace = hang
publish(Path(sys.argv[1]), "a page")
"""


@pytest.mark.heavy
@pytest.mark.parametrize("collections", [(), ("toy",), ("[a]",)])
def test_what_a_killed_check_leaves_is_cleared(
    loaded: Warehouse, toy_files: ToyFiles, collections: tuple[str, ...]
) -> None:
    page = pages.page_beside(loaded.path, collections)
    draft = page.with_name(f".{page.name}.next")
    before = names_beside(loaded)
    with subprocess.Popen(
        [sys.executable, "-c", _PUBLISHES, page], stdout=subprocess.PIPE
    ) as killed:
        try:
            assert killed.stdout
            assert killed.stdout.readline() == b"ready\n"
            load_collection(loaded, toy_files.request(collection="first"))
            assert draft.exists()  # its process is at work
        finally:
            killed.send_signal(signal.SIGKILL)
    assert draft.exists()
    load_collection(loaded, toy_files.request(collection="second"))
    assert names_beside(loaded) - before <= {loaded.lock_path.name}


def test_pages_at_once_are_whole(tmp_path: Path) -> None:
    """Checks at the same page take turns, and the last one has it."""
    page = tmp_path / "page.html"
    texts = [letter * 200_000 for letter in "abcdefgh"]

    def publish(text: str) -> None:
        for _ in range(20):
            whole_files.publish(page, text)

    threads = [threading.Thread(target=publish, args=[text]) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert page.read_text() in texts
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.heavy
def test_an_expectation_that_takes_too_long_is_named(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = "select 1 as collection_key, a.range as n from range(1000000) a, range(1000000) b"
    subject = Subject("raw.endless", ("n",), (between("n", 0, 1),), endless, "collection_key")
    monkeypatch.setattr(checking, "SUITES", (Suite(SuiteName.MODELS, "", (subject,)),))
    monkeypatch.setattr(checking, "_is_current", lambda _: True)
    command = ["check", "--db", str(loaded.path), "--timeout", "0.5"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: the expectations of raw.endless were not compared within 0.5 seconds; nothing was "
        "recorded; to wait longer: check --timeout\n"
    )
    assert recorded(loaded) == []


def test_a_query_that_the_engine_forgets_is_interrupted() -> None:
    """The one of docs/decisions/duckdb_hang.md: where it ends, that page is to be reviewed."""
    query = """
        with numbers as materialized (select range as number from range(100000))

        select *
        from numbers as one
        inner join numbers as other using (number)
        limit 5
    """
    with (
        duckdb.connect() as connection,
        interruptible(connection),
        pytest.raises(PoolhouseError, match="it took too long"),
        limited(time_limit(1, "it took too long")),
    ):
        connection.execute(query).fetchall()


_STUCK = """
import time
from poolhouse.warehouse.ending import limited, time_limit

with limited(time_limit(0.2, "it took too long")):
    time.sleep(600)
"""


def test_a_process_that_does_not_wake_up_is_ended() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _STUCK], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "Error: it took too long"


N_COLLECTIONS = 300


@pytest.mark.heavy
def test_a_collection_more_is_a_row_more_and_no_query(loaded: Warehouse) -> None:
    """Great Expectations hands on 200 unexpected rows: of more collections none is forgotten."""
    asked: list[str] = []
    check(loaded, progress=lambda name, _done, _total: asked.append(name))
    with duckdb.connect(str(loaded.path)) as connection:
        connection.execute(
            f"""
            insert into raw.collections (collection_key, collection_id)
            select 1000 + range, 'broken ' || range from range({N_COLLECTIONS});
            insert into ops.load_history by name
            select history.* replace (1000 + range as collection_key,
                'broken ' || range as collection_id)
            from ops.load_history as history, range({N_COLLECTIONS}) where kind = 'qrels'
            """
        )
    asked_then: list[str] = []
    report = check(loaded, progress=lambda name, _done, _total: asked_then.append(name))
    assert asked_then == asked
    broken = [each.collection_id for each in report.results if not each.success and each.sample]
    stored = [
        each.collection_id
        for each in report.results
        if each.expectation.name == "every_row_is_stored" and each.success is False
    ]
    assert sorted(stored) == sorted(f"broken {number}" for number in range(N_COLLECTIONS))
    assert set(stored) <= set(broken)
