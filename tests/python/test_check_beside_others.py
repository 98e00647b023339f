"""A check beside loads, builds and other checks: which results are recorded."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from conftest import ToyFiles
from poolhouse.building.plan import Plan, plan_of
from poolhouse.command_line.main import main
from poolhouse.expectations import check, checking, looking
from poolhouse.loading.load import load_collection
from poolhouse.loading.removal import remove
from poolhouse.progress import Progress
from poolhouse.warehouse import whole
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query
from poolhouse.warehouse.whole import locked


def recorded(warehouse: Warehouse) -> list[tuple[object, ...]]:
    query = "select distinct collection_id, load_key, fingerprint from ops.quality_results"
    return [tuple(row) for row in run_query(warehouse, query).rows]


def version(warehouse: Warehouse) -> tuple[object, ...]:
    """Read the version of the toy collection that a check looks at."""
    query = """
        select 'toy', (select max(load_key) from ops.load_history), fingerprint
        from ops.collection_fingerprints
    """
    (row,) = run_query(warehouse, query).rows
    return tuple(row)


def once(action: Callable[[], object]) -> Progress:
    """Do something while a check reads."""
    actions = [action]

    def progress(name: str, _done: int, _total: int) -> None:
        if name == "quality of judged lines" and actions:
            actions.pop()()

    return progress


@pytest.mark.heavy
def test_a_load_may_come_between(loaded: Warehouse, toy_files: ToyFiles) -> None:
    """Results are recorded with the state that was read, and the load is kept."""
    before = version(loaded)
    toy_files.qrels.write_text("1 0 D1 1\n2 0 D4 1\n")
    request = toy_files.request(replace=True)
    check(loaded, progress=once(lambda: load_collection(loaded, request)))
    assert recorded(loaded) == [before]
    assert version(loaded) != before
    check(loaded)
    assert sorted(recorded(loaded)) == sorted([before, version(loaded)])


@pytest.mark.heavy
def test_a_removal_may_come_between(loaded: Warehouse, toy_files: ToyFiles) -> None:
    """Results of a removed collection are history, as its loads are."""
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
        with locked(loaded.lock_path):
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
    with locked(loaded.lock_path):
        done = CliRunner().invoke(main, ["check", "--db", str(loaded.path), "--format", "json"])
    assert done.exit_code == 1
    assert [each["expectation"] for each in json.loads(done.stdout)] == ["few_lines_are_rejected"]
    *_, error = done.stderr.splitlines()
    assert error.startswith("Error: the results were shown, but were not recorded: ")
    assert "is running" in error
    assert recorded(loaded) == []


def test_pages_at_once_are_whole(tmp_path: Path) -> None:
    """Processes that write the same page take turns, and the last one wins."""
    page = tmp_path / "page.html"
    texts = [letter * 200_000 for letter in "abcdefgh"]

    def publish(text: str) -> None:
        for _ in range(20):
            whole.publish(page, text)

    threads = [threading.Thread(target=publish, args=[text]) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert page.read_text() in texts
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.heavy
def test_a_step_that_takes_too_long_is_named(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of({})
    [node] = (node for node in plan.relations if node.name == "int_quality_of_judged_lines")
    endless = "select sum(a.range + b.range) as value from range(1000000) as a, range(1000000) as b"
    others = (each for each in plan.nodes if each is not node)
    changed = Plan((replace(node, sql=endless), *others), plan.settings)
    monkeypatch.setattr(looking, "plan_of", lambda _: changed)
    done = CliRunner().invoke(main, ["check", "--db", str(loaded.path), "--timeout", "2"])
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: quality of judged lines: it took longer than 2 seconds; nothing was recorded; to "
        "wait longer: check --timeout\n"
    )
    assert recorded(loaded) == []


N_COLLECTIONS = 300


@pytest.mark.heavy
def test_a_collection_more_is_a_row_more_and_no_query(loaded: Warehouse) -> None:
    """Great Expectations returns 200 unexpected rows, and no further collection is forgotten."""
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
        if each.expectation == "every_row_is_stored" and each.success is False
    ]
    assert sorted(stored) == sorted(f"broken {number}" for number in range(N_COLLECTIONS))
    assert set(stored) <= set(broken)
