"""Test the warehouse file: confined readers, one writer at a time, no partial publication."""

import errno
import fcntl
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import cycle
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

import duckdb
import pytest

from conftest import names_beside, state_of
from every_command import COMMANDS, LONG, invoked, write_run
from hostile_statements import (
    CONFIGURING,
    LEAVING,
    OVER_THE_WAREHOUSE,
    REACHING_FILES,
    WRITING,
)
from poolhouse.command_line.statuses import status_of_error
from poolhouse.errors import (
    DiskFullError,
    PoolhouseError,
    WarehouseBusyError,
    WarehouseMissingError,
    WarehouseUnreadableError,
)
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query


def add_collection(warehouse: Warehouse, name: str) -> None:
    with warehouse.change(), warehouse.side() as connection:
        connection.execute("insert into raw.collections (collection_id) values (?)", [name])


def collections(warehouse: Warehouse) -> list[str]:
    with warehouse.read() as connection:
        rows = connection.execute("select collection_id from raw.collections").fetchall()
    return sorted(row[0] for row in rows)


def in_another_process(warehouse: Warehouse, code: str) -> str:
    """Run Python code that has `warehouse`; return its output, or its traceback's last line."""
    given = f"""
from pathlib import Path
from poolhouse.warehouse.file import Warehouse
warehouse = Warehouse(Path({str(warehouse.path)!r}))
{code}
"""
    done = subprocess.run(
        [sys.executable, "-c", given], capture_output=True, text=True, check=False, timeout=60
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


COUNT = """
with warehouse.read() as connection:
    print(connection.execute("select count(*) from raw.collections").fetchone()[0])
"""


# ----------------------------------------------------------------------------------------- reading


@pytest.fixture(scope="module")
def open_once(
    loaded_once: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Warehouse, duckdb.DuckDBPyConnection]]:
    """Open a warehouse for reading once: every statement is refused, so that nothing changes."""
    folder = tmp_path_factory.mktemp("open_once")
    warehouse = Warehouse(Path(shutil.copyfile(loaded_once, folder / "poolhouse.duckdb")))
    (folder / "secret.csv").write_text("collection_id\nhidden\n")
    duckdb.connect(str(folder / "other.duckdb")).close()
    before, names = state_of(warehouse.path), names_beside(warehouse)
    with warehouse.read() as connection:
        yield warehouse, connection
    assert state_of(warehouse.path) == before
    assert names_beside(warehouse) == names


OpenOnce = tuple[Warehouse, duckdb.DuckDBPyConnection]


@pytest.mark.parametrize("statement", WRITING)
def test_a_reader_cannot_write(open_once: OpenOnce, statement: str) -> None:
    with pytest.raises(duckdb.Error, match="read-only mode"):
        open_once[1].execute(statement)


@pytest.mark.parametrize("statement", REACHING_FILES)
def test_a_reader_cannot_reach_other_files(open_once: OpenOnce, statement: str) -> None:
    warehouse, connection = open_once
    folder = warehouse.path.parent
    secret, other = folder / "secret.csv", folder / "other.duckdb"
    names = names_beside(warehouse)
    # The engine checks the permission before it looks whether the file exists.
    with pytest.raises(duckdb.PermissionException):
        connection.execute(statement.format(secret=secret, other=other, folder=folder)).fetchall()
    assert names_beside(warehouse) == names


@pytest.mark.parametrize("statement", CONFIGURING)
def test_a_reader_cannot_change_the_configuration(open_once: OpenOnce, statement: str) -> None:
    with pytest.raises(duckdb.Error, match="onfiguration"):
        open_once[1].execute(statement)


@pytest.mark.parametrize("statement", OVER_THE_WAREHOUSE)
def test_a_reader_cannot_write_over_the_warehouse(open_once: OpenOnce, statement: str) -> None:
    warehouse, connection = open_once
    before, names = warehouse.path.read_bytes(), names_beside(warehouse)
    with pytest.raises(duckdb.Error):
        connection.execute(statement.format(path=warehouse.path))
    assert warehouse.path.read_bytes() == before
    assert names_beside(warehouse) == names


@pytest.mark.parametrize("query", LEAVING)
def test_no_query_leaves_the_warehouse(open_once: OpenOnce, query: str) -> None:
    warehouse, _ = open_once
    before, names = state_of(warehouse.path), names_beside(warehouse)
    with pytest.raises(PoolhouseError):
        run_query(warehouse, query)
    assert state_of(warehouse.path) == before
    assert names_beside(warehouse) == names


def test_a_missing_warehouse_says_what_to_do(warehouse: Warehouse) -> None:
    with (
        pytest.raises(WarehouseMissingError, match=r"poolhouse\.duckdb: no warehouse here; load"),
        warehouse.read(),
    ):
        pass
    assert not warehouse.path.parent.exists()


def test_a_folder_is_no_warehouse(tmp_path: Path) -> None:
    with pytest.raises(WarehouseMissingError), Warehouse(tmp_path).read():
        pass


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"no database at all\n" * 1000], ids=["empty", "short", "long"]
)
def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    warehouse = Warehouse(tmp_path / "thesis.txt")
    warehouse.path.write_bytes(content)
    problem = r"thesis\.txt: cannot be opened as a Poolhouse warehouse: [^\n]+$"
    with pytest.raises(WarehouseUnreadableError, match=problem), warehouse.read():
        pass
    with pytest.raises(WarehouseUnreadableError, match=problem), warehouse.change():
        pass
    assert warehouse.path.read_bytes() == content
    assert names_beside(warehouse) == {"thesis.txt"}


# What is said of a file of each kind. The commands take turns: they open it by one function.
KINDS = {
    "SQLite": "it is no DuckDB file",
    "DuckDB": "it is another database, or the warehouse of an earlier version",
    "text": "it is no DuckDB file",
}


@pytest.mark.some(6)
@pytest.mark.parametrize(("command", "kind"), list(zip((*COMMANDS, *LONG), cycle(KINDS))))
def test_a_file_of_somebody_else_stays_alone(tmp_path: Path, command: str, kind: str) -> None:
    """Every command says in one line what the file is, and leaves no file beside it."""
    stranger = Warehouse(tmp_path / "stranger" / "thesis.db")
    stranger.path.parent.mkdir()
    if kind == "SQLite":
        with closing(sqlite3.connect(stranger.path)) as connection:
            connection.execute("create table t (i)")
    elif kind == "DuckDB":
        duckdb.connect(str(stranger.path)).close()
    else:
        stranger.path.write_text("no database\n")
    before = state_of(stranger.path)
    done = invoked(command, stranger.path, write_run(tmp_path))
    assert done.exit_code == status_of_error(command), done.output
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"Error: {stranger.path}: cannot be opened as a Poolhouse warehouse: ")
    assert KINDS[kind] in line
    assert state_of(stranger.path) == before
    assert names_beside(stranger) == {"thesis.db"}


def test_a_warehouse_of_an_earlier_version_is_refused(loaded: Warehouse) -> None:
    with duckdb.connect(str(loaded.path)) as connection:
        connection.execute("alter table raw.runs drop column n_documents_left_out")
    earlier = "earlier version; load the files into a new one"
    with pytest.raises(WarehouseUnreadableError, match=earlier), loaded.read():
        pass


# ---------------------------------------------------------------------------------------- changing


def test_a_change_is_published_when_it_is_done(loaded: Warehouse) -> None:
    old_file = loaded.path.stat().st_ino
    with loaded.change():
        with loaded.side() as connection:
            connection.execute("insert into raw.collections (collection_id) values ('second')")
        assert collections(loaded) == ["toy"]
        assert loaded.path.stat().st_ino == old_file
    assert loaded.path.stat().st_ino != old_file  # renamed, so that readers keep the old file
    assert collections(loaded) == ["second", "toy"]
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


def test_the_schema_is_there_from_the_first_change(warehouse: Warehouse) -> None:
    with warehouse.change():
        pass
    assert collections(warehouse) == []


def test_the_file_is_of_the_version_that_older_clients_open(loaded: Warehouse) -> None:
    with loaded.read() as connection:
        [(version,)] = connection.execute(
            "select tags['storage_version'] from duckdb_databases() where not internal"
        ).fetchall()
    assert version.startswith("v1.5.0")


def test_an_error_during_a_change_leaves_the_published_file(loaded: Warehouse) -> None:
    before = state_of(loaded.path)
    with pytest.raises(ZeroDivisionError), loaded.change():
        with loaded.side() as connection:
            connection.execute("delete from raw.collections")
        raise ZeroDivisionError
    assert state_of(loaded.path) == before
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}
    add_collection(loaded, "second")
    assert collections(loaded) == ["second", "toy"]


def test_an_error_during_the_first_change_leaves_no_warehouse(warehouse: Warehouse) -> None:
    with pytest.raises(ZeroDivisionError), warehouse.change():
        raise ZeroDivisionError
    assert names_beside(warehouse) == {warehouse.lock_path.name}


def test_an_abandoned_change_leaves_the_published_file(loaded: Warehouse) -> None:
    before = state_of(loaded.path)
    with loaded.change() as change:
        with loaded.side() as connection:
            connection.execute("delete from raw.collections")
        change.abandoned = True
    assert state_of(loaded.path) == before
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


@pytest.mark.some(1)
@pytest.mark.parametrize("is_first", [True, False])
def test_what_a_killed_change_left_is_cleared_away(loaded: Warehouse, is_first: bool) -> None:
    if is_first:
        loaded.path.unlink()
    side = loaded.side_path
    side.write_bytes(b"half a database")
    for log in ("wal", "wal.checkpoint", "wal.recovery"):
        side.with_name(f"{side.name}.{log}").write_bytes(b"half a log")
    side.with_name(f"{side.name}.tmp").mkdir()
    (side.with_name(f"{side.name}.tmp") / "spilled").write_bytes(b"x")
    add_collection(loaded, "second")
    assert collections(loaded) == (["second"] if is_first else ["second", "toy"])
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


def test_a_change_writes_small_blocks_and_no_log(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "poolhouse.duckdb")
    with warehouse.change(), warehouse.side() as connection:
        connection.execute("insert into raw.collections (collection_id) values ('x')")
        assert not list(tmp_path.glob(".*.wal"))
    with warehouse.read() as connection:
        blocks = connection.execute("select block_size from pragma_database_size()").fetchall()
    assert blocks == [(32_768,)]


def test_a_side_file_that_is_still_open_is_not_published(loaded: Warehouse) -> None:
    before = state_of(loaded.path)
    with (
        ExitStack() as left_open,
        pytest.raises(PoolhouseError, match="already attached"),
        loaded.change(),
    ):
        connection = left_open.enter_context(loaded.side())
        connection.execute("insert into raw.collections (collection_id) values ('x')")
    assert state_of(loaded.path) == before
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


def test_a_place_that_cannot_hold_a_warehouse_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    warehouse = Warehouse(tmp_path / "file" / "poolhouse.duckdb")
    with pytest.raises(PoolhouseError, match=r"poolhouse\.duckdb"), warehouse.change():
        pass


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "folder")
    (warehouse.path / "thesis").mkdir(parents=True)
    with pytest.raises(WarehouseUnreadableError, match="it is not a file"), warehouse.change():
        pass
    assert (warehouse.path / "thesis").is_dir()
    assert names_beside(warehouse) == {"folder"}


@contextmanager
def _not_as_root() -> Iterator[None]:
    """Be nobody where the tests are run by root, who may write everywhere."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_folder_that_is_read_only_is_named(loaded_once: Path) -> None:
    # Others may not even enter the folders of pytest.
    with TemporaryDirectory() as name:
        warehouse = Warehouse(Path(copyfile(loaded_once, f"{name}/poolhouse.duckdb")))
        Path(name).chmod(0o555)
        refused = pytest.raises(PoolhouseError, match="cannot be written: Permission")
        with _not_as_root(), refused, warehouse.change():
            pass
        assert names_beside(warehouse) == {"poolhouse.duckdb"}
        Path(name).chmod(0o700)


def test_who_may_read_the_warehouse_stays_so(loaded: Warehouse) -> None:
    loaded.path.chmod(0o640)
    with loaded.change():
        assert stat.S_IMODE(loaded.side_path.stat().st_mode) == 0o600
    assert stat.S_IMODE(loaded.path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_whose_the_warehouse_is_stays_so(loaded: Warehouse) -> None:
    os.chown(loaded.path, 1234, 5678)
    add_collection(loaded, "second")
    assert (loaded.path.stat().st_uid, loaded.path.stat().st_gid) == (1234, 5678)


def test_a_linked_warehouse_is_replaced_where_it_lies(loaded: Warehouse, tmp_path: Path) -> None:
    link = Warehouse(tmp_path / "link.duckdb")
    link.path.symlink_to(loaded.path)
    add_collection(link, "second")
    assert link.path.is_symlink()
    assert collections(loaded) == ["second", "toy"]
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}
    with loaded.change(), pytest.raises(WarehouseBusyError), link.change():
        pass


def test_a_link_to_a_warehouse_that_is_not_there_yet(warehouse: Warehouse, tmp_path: Path) -> None:
    link = Warehouse(tmp_path / "link.duckdb")
    link.path.symlink_to(warehouse.path)
    with link.change():
        pass
    assert link.path.is_symlink()
    assert collections(warehouse) == []


def test_a_side_file_that_was_torn_is_not_published(loaded: Warehouse) -> None:
    before = state_of(loaded.path)
    with pytest.raises(WarehouseUnreadableError), loaded.change():
        os.truncate(loaded.side_path, 100)
    assert state_of(loaded.path) == before


def test_a_side_file_that_has_a_writer_is_not_published(loaded: Warehouse) -> None:
    """The writer may still write, even if it has written nothing."""
    before = state_of(loaded.path)
    refused = pytest.raises(PoolhouseError, match="this process has the file open")
    with ExitStack() as left_open, refused, loaded.change():
        left_open.enter_context(duckdb.connect(loaded.side_path))
    assert state_of(loaded.path) == before


@pytest.mark.heavy
def test_a_log_of_another_program_is_not_lost(loaded: Warehouse) -> None:
    """Nobody could open a file that is published beside a foreign log."""
    code = """
import duckdb, os
connection = duckdb.connect(str(warehouse.path))
connection.execute("insert into raw.collections (collection_id) values ('second')")
print("written", flush=True)
os._exit(0)
"""
    assert in_another_process(loaded, code) == "written"
    before = state_of(loaded.path)
    with (
        pytest.raises(PoolhouseError, match=r"duckdb\.wal: another program writes"),
        loaded.change(),
    ):
        pass
    assert state_of(loaded.path) == before
    duckdb.connect(str(loaded.path)).close()
    add_collection(loaded, "third")
    assert collections(loaded) == ["second", "third", "toy"]


def test_a_change_by_another_program_is_not_overwritten(loaded: Warehouse) -> None:
    with (
        pytest.raises(PoolhouseError, match="in the meantime; nothing"),
        loaded.change(),
        duckdb.connect(str(loaded.path)) as connection,
    ):
        connection.execute("insert into raw.collections (collection_id) values ('second')")
    assert collections(loaded) == ["second", "toy"]


# ----------------------------------------------------------------------------- several at one time


@pytest.mark.heavy
def test_who_removes_the_lock_lets_nothing_half_done_through(loaded: Warehouse) -> None:
    before = state_of(loaded.path)
    with pytest.raises(PoolhouseError, match="in the meantime; nothing"), loaded.change():
        loaded.lock_path.unlink()
    with pytest.raises(PoolhouseError, match="in the meantime; nothing"), loaded.change():
        loaded.lock_path.unlink()
        loaded.lock_path.touch()
    assert state_of(loaded.path) == before
    add_collection(loaded, "second")
    assert collections(loaded) == ["second", "toy"]


def test_a_lock_whose_holder_has_no_name_yet_is_asked_again(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    with loaded.lock_path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        monkeypatch.setattr("time.sleep", lambda _: loaded.lock_path.write_text("process 4711"))
        with pytest.raises(WarehouseBusyError, match=r"\(process 4711\)"), loaded.change():
            pass
        monkeypatch.setattr("time.sleep", lambda _: fcntl.flock(lock, fcntl.LOCK_UN))
        loaded.lock_path.write_text("")
        add_collection(loaded, "second")
    assert collections(loaded) == ["second", "toy"]


def test_a_file_system_without_locks_is_named(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    before = state_of(loaded.path)
    with pytest.raises(PoolhouseError, match="No locks available: use a file system that"):
        add_collection(loaded, "second")
    assert state_of(loaded.path) == before


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_says_how_much_room_is_needed(
    loaded: Warehouse, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(shutil, "copyfile", refuse)
    before = state_of(loaded.path)
    problem = r"full, nothing was published: .*\(\d+\.\d MB now, \d+\.\d MB free there\)"
    with pytest.raises(DiskFullError, match=problem), loaded.change():
        pass
    assert state_of(loaded.path) == before
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


def test_a_second_writer_is_refused_and_told_who_is_at_work(loaded: Warehouse) -> None:
    loaded.lock_path.write_text("process 1, killed long ago")
    with loaded.change():
        with (
            pytest.raises(WarehouseBusyError, match=rf"is running \(process {os.getpid()}\); try"),
            loaded.change(),
        ):
            pass
        # The refusal did not disturb the writer at work.
        with loaded.side() as connection:
            connection.execute("insert into raw.collections (collection_id) values ('second')")
    assert collections(loaded) == ["second", "toy"]


@pytest.mark.heavy
def test_another_process_is_refused_as_well(loaded: Warehouse) -> None:
    with loaded.change():
        said = in_another_process(loaded, "with warehouse.change(): print('not refused')")
        assert "WarehouseBusyError" in said
        assert f"(process {os.getpid()})" in said


def test_readers_see_a_whole_state_each(loaded: Warehouse) -> None:
    """A reader that was opened before a publish keeps its state; later ones see the new state.

    The readers run in separate processes: within one process, an open connection keeps the old file
    in use.
    """
    with loaded.read() as before:
        add_collection(loaded, "second")
        assert in_another_process(loaded, COUNT) == "2"
        assert before.execute("select count(*) from raw.collections").fetchall() == [(1,)]
    assert collections(loaded) == ["second", "toy"]


@pytest.mark.heavy
def test_a_program_that_has_the_file_open_for_writing_is_named(loaded: Warehouse) -> None:
    said = (
        "another program has the file open for writing: close it there, or open it there with "
        "read_only"
    )
    with duckdb.connect(str(loaded.path)):
        for command in ("read", "change"):
            code = f"with warehouse.{command}(): print('not refused')"
            assert said in in_another_process(loaded, code)


@pytest.mark.heavy
def test_readers_do_not_wait_for_a_writer(loaded: Warehouse) -> None:
    with loaded.change(), loaded.side() as connection:
        connection.execute("delete from raw.collections")
        assert in_another_process(loaded, COUNT) == "1"
