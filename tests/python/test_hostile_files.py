"""Test the contents of real and of hostile files: each is a small fixture with its outcome.

All files are loaded by the command line. Good runs are loaded together, once. A bad file is tried
on a warehouse that must stay unchanged. A collection of all files is built once (heavy).
"""

import bz2
import gzip
import io
import itertools
import lzma
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
from click.testing import Result

from asking import invoke, rows
from built_collections import kept_open
from conftest import AMBER, QRELS, ToyFiles, names_beside, state_of
from poolhouse.building.build import build
from poolhouse.errors import BadFileError
from poolhouse.loading.load import load_collection
from poolhouse.loading.parsers import RejectReason, SourceFile, parse_run, read_source
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

Rows = list[tuple[Any, ...]]


def error_line(done: Result) -> str:
    """Return the single line of an error, which has no character that a terminal would obey."""
    assert done.exit_code == 1
    assert done.stdout == ""
    (line,) = done.stderr.removesuffix("\n").split("\n")
    assert line.startswith("Error: ")
    assert line.isprintable()
    return line


# ------------------------------------------------------------------------------------------- runs


@dataclass(frozen=True)
class Run:
    """The content of a run file, the lines stored and rejected, and the number of blank lines.

    A stored line is (topic, document, rank, score), a rejected one (number, reason).
    """

    content: bytes
    stored: Rows
    n_blank: int = 0
    rejected: Rows = field(default_factory=list)


A_LINE = [("1", "D1", 1, 2.5)]
KEPT = [("1", "D9", 1, 1.0)]
GOOD = b"1 Q0 D9 1 1 t\n"
LONG = "D" * 10_000
NO_NUMBERS = (b"nan", b"inf", b"Infinity", b"2,5", b"1_000", b"--1", b"1e")


def aside(line: bytes, reason: str) -> Run:
    """Return a run of a bad line and a good one."""
    return Run(line + b"\n" + GOOD, KEPT, rejected=[(1, reason)])


def scored(text: str, score: float) -> Run:
    return Run(f"1 Q0 D1 1 {text} t\n".encode(), [("1", "D1", 1, score)])


# More lines are in test_parsers, beside plain Python.
RUNS = {
    # white space, line ends and encodings
    "leading_blanks": Run(b"   1 Q0 D1 1 2.5 t\n", A_LINE),
    "windows": Run(b"1 Q0 D1 1 2.5 t\r\n\r\n", A_LINE, n_blank=1),
    "byte_order_mark": Run(b"\xef\xbb\xbf1 Q0 D1 1 2.5 t\n", A_LINE),
    "latin_1": Run(b"1 Q0 caf\xe9 1 2.5 t\n", [("1", "caf\u00e9", 1, 2.5)]),
    "other_white_space": Run(b"1\x0bQ0\x0cD1 1 2.5 t\n", A_LINE),
    "no_utf_8_at_all": Run(b"1 Q0 \x80\xff 1 2.5 t", [("1", "\x80\u00ff", 1, 2.5)]),
    "old_mac": Run(
        b"1 Q0 D1 1 2.5 t\r1 Q0 D2 2 2 t\n" + GOOD, KEPT, rejected=[(1, "carriage_return_within")]
    ),
    "nul": aside(b"1 Q0 D\0001 1 2.5 t", "nul_byte"),
    # fields
    "quotes": Run(b'"1" Q0 "D 1 2.5 "my tag"\n', [('"1"', '"D', 1, 2.5)]),
    "four_fields": aside(b"1 Q0 D1 1", "too_few_fields"),
    "no_document": aside(b"1 Q0  1 2.5 t", "document_or_rank_missing"),
    "no_document_between_tabs": aside(b"1\tQ0\t\t1\t2.5\tt", "document_or_rank_missing"),
    # scores
    "nan": aside(b"1 Q0 D1 1 NaN t", "score_not_a_finite_number"),
    "hexadecimal": aside(b"1 Q0 D1 1 0x1p3 t", "score_not_a_finite_number"),
    "no_numbers": Run(
        b"".join(b"1 Q0 D1 1 %b t\n" % each for each in NO_NUMBERS) + GOOD,
        KEPT,
        rejected=[(line, "score_not_a_finite_number") for line in range(1, len(NO_NUMBERS) + 1)],
    ),
    "beyond_float": scored("1e39", 1e39),
    "below_float": scored("1e-50", 1e-50),
    "minus_zero": scored("-0.0", -0.0),
    # ranks
    "ranks_from_0": Run(
        b"1 Q0 D1 0 2 t\n1 Q0 D2 1 1 t\n", [("1", "D1", 0, 2.0), ("1", "D2", 1, 1.0)]
    ),
    "no_rank": Run(b"1 Q0 D1 - 2.5 t\n", [("1", "D1", None, 2.5)]),
    "rank_left_out": aside(b"1 Q0 D1 2.5 t", "document_or_rank_missing"),
    "rank_with_a_point": Run(b"1 Q0 D1 1.0 2.5 t\n", [("1", "D1", None, 2.5)]),
    # topics and documents
    "repeated": Run(b"1 Q0 D1 1 2 t\n1 Q0 D1 2 9 t\n", [("1", "D1", 1, 2.0), ("1", "D1", 2, 9.0)]),
    "normal_forms": Run(
        "\u00e9 Q0 D1 1 2 t\ne\u0301 Q0 D1 1 1 t\n".encode(),
        [("e\u0301", "D1", 1, 1.0), ("\u00e9", "D1", 1, 2.0)],
    ),
    "long_document": Run(f"1 Q0 {LONG} 1 2.5 t\n".encode(), [("1", LONG, 1, 2.5)]),
    "terminal_codes": Run(b"1 Q0 \x1b[31mD 1 2.5 \x9b2J\n", [("1", "\x1b[31mD", 1, 2.5)]),
    # values that look like other things
    "sql": Run(b"1 Q0 '); 1 2.5 drop table raw.runs; --\n", [("1", "');", 1, 2.5)]),
    "null": Run(b"null Q0 NULL NA 2.5 None\n", [("null", "NULL", None, 2.5)]),
    "second_byte_order_mark": Run(
        b"\xef\xbb\xbf\xef\xbb\xbf1 Q0 D1 1 2.5 t\n", [("\ufeff1", "D1", 1, 2.5)]
    ),
    "zlib_mark_in_latin_1": Run(b"x\xda Q0 D1 1 2.5 t\n", [("x\u00da", "D1", 1, 2.5)]),
    "zlib_mark": Run(b"x\x01 Q0 D1 1 2.5 t\n", [("x\x01", "D1", 1, 2.5)]),
}
# File names that are valid run ids.
NAMES = (
    *("Case", "case", "'; drop table raw.runs; --", '"quoted"', "a;b", "a..b", "=1+1", "-rf"),
    *("two words", "\u00e9", "e\u0301", "\U0001f600", "100%", "$HOME", "{{ 1 }}", "x" * 255),
)


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def loaded_together(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Result]]:
    """Load every run above, and one run for each name, as one collection with a hostile name."""
    folder = tmp_path_factory.mktemp("hostile")
    contents = {name: run.content for name, run in RUNS.items()} | dict.fromkeys(NAMES, GOOD)
    write(folder / "runs", contents)
    (folder / "qrels").write_text(QRELS)
    warehouse = Warehouse(folder / "poolhouse.duckdb")
    done = invoke(
        *("load", "../../etc/'; drop", "--runs", folder / "runs", "--qrels", folder / "qrels"),
        *("--db", warehouse.path),
    )
    assert done.exit_code == 0, done.stderr
    with warehouse.read() as connection:
        yield connection, done


LoadedTogether = tuple[duckdb.DuckDBPyConnection, Result]

# Not in the order of scores: sorting by a zero, the engine (1.5) drops its sign.
STORED = """
    select query, docno, rank, score from raw.run_lines inner join raw.runs using (run_key)
    where run_id = ? order by query, docno, rank, line_number
"""


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_loads(loaded_together: LoadedTogether, name: str) -> None:
    connection, run = loaded_together[0], RUNS[name]
    found = connection.execute(STORED, [name]).fetchall()
    assert found == run.stored
    assert [str(row[3]) for row in found] == [str(row[3]) for row in run.stored]  # -0.0 too
    aside = "select line_number, reason from raw.rejected_lines where name = ? order by all"
    assert connection.execute(aside, [name]).fetchall() == run.rejected
    account = "select n_lines, n_rows, n_blank, n_rejected from ops.files where name = ?"
    parts = len(run.stored), run.n_blank, len(run.rejected)
    assert connection.execute(account, [name]).fetchall() == [(sum(parts), *parts)]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_value(loaded_together: LoadedTogether, name: str) -> None:
    connection, _ = loaded_together
    assert connection.execute(STORED, [name]).fetchall() == KEPT
    found = connection.execute("select collection_id from raw.collections").fetchall()
    assert found == [("../../etc/'; drop",)]


def test_every_reason_is_tried_and_explained() -> None:
    tried = {reason for run in RUNS.values() for _, reason in run.rejected}
    elsewhere = {"too_many_fields", "grade_not_an_integer", "line_too_long", "preference_not_clear"}
    assert tried | elsewhere == set(RejectReason)
    seed = (Path(__file__).parents[2] / "seeds" / "reject_reasons.csv").read_text()
    assert {line.split(",")[0] for line in seed.splitlines()[1:]} == set(RejectReason)


def test_what_is_printed_of_the_load_is_printable(loaded_together: LoadedTogether) -> None:
    lines = loaded_together[1].stderr.splitlines()
    assert all(line.isprintable() for line in lines)
    n_rejected = sum(len(run.rejected) for run in RUNS.values()) + 1  # of the qrels
    assert f"lines rejected in all: {n_rejected}; after the build" in loaded_together[1].stderr


# -------------------------------------------------------------------------------------- bad files

# Each function makes one file of the toy collection bad, and returns the option, the file and the
# message.
Damage = Callable[[ToyFiles], tuple[str, Path, str]]


def bad(option: str, content: bytes, problem: str, name: str = "bad") -> Damage:
    def damage(files: ToyFiles) -> tuple[str, Path, str]:
        file = files.folder / name
        file.write_bytes(content)
        return option, file, problem

    return damage


def at(
    option: str, name: str, problem: str, make: Callable[[Path], object] = lambda _: None
) -> Damage:
    """Return the damage of a path below the folder of the files, which `make` may change first."""

    def damage(files: ToyFiles) -> tuple[str, Path, str]:
        make(files.folder)
        return option, files.folder / name, problem

    return damage


def make_socket(folder: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    os.chdir(folder)  # the name of a socket is at most 108 bytes long
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    os.fchdir(here)
    os.close(here)


def run_named(name: str, problem: str) -> Damage:
    return at("--runs", "runs", problem, lambda folder: (folder / "runs" / name).write_text(AMBER))


def make_loop(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")


LOOP = "cannot be read: Too many levels of symbolic links"
NO_FILE = "neither a file nor a link to a file"

A_GZIP = gzip.compress(b"1 Q0 D1 1 2.5 t\n" * 100)
# A frame that holds its lines as they are: zstd cannot make so few bytes smaller.
A_ZSTD = b"\x28\xb5\x2f\xfd\x04\x00\x81\x00\x00" + b"1 Q0 D1 1 2.5 t\n"
A_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
A_BINARY = b"\x7fELF" + bytes(range(256)) * 4


def a_zip(content: bytes) -> bytes:
    """Pack a file as zip does where it cannot make it smaller: its lines are stored unchanged."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("run", content)
    return packed.getvalue()


def a_tar(content: bytes) -> bytes:
    """Pack a file as tar does."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("run")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


BAD_FILES: dict[str, Damage] = {
    "an empty run": bad("--runs", b"", "holds no ranked document (expected: topic Q0 docno"),
    "a run of blanks": bad("--runs", b"\n \n", "holds no ranked document"),
    "a zip": bad("--runs", a_zip(GOOD), "is a zip archive: unpack it"),
    "a tar": bad("--runs", a_tar(GOOD), "is a tar archive: unpack it"),
    "a tar in a gz": bad("--runs", gzip.compress(a_tar(GOOD)), "is a tar archive", "bad.tar.gz"),
    "half a bzip2 file": bad("--runs", bz2.compress(GOOD)[:-9], "not a whole bzip2 file"),
    "half an xz file": bad("--qrels", lzma.compress(GOOD)[:-9], "not a whole xz file"),
    "a bad zstd file": bad("--runs", A_ZSTD[:-1], "not a whole zstd file", "run.zst"),
    "an lz4 file": bad("--qrels", b"\x04\x22\x4d\x18" + GOOD, "is an lz4 file: unpack it"),
    "a pointer of Git LFS": bad("--runs", A_POINTER, "is a pointer of Git LFS: get the file"),
    "half a run in JSON": bad("--runs", b'{"1": {"D1": 2.5}', "is not whole JSON"),
    "no run in JSON": bad("--runs", b'{"1": {"D1": "x"}}', "topic '1', document 'D1' is not a fin"),
    "a list in JSON": bad("--runs", b'{"1": ["D1"]}', "topic '1' has no object of documents"),
    "a number of JSON that is none": bad(
        "--runs", b'{"1": {"D1": 1e999}}', "is not a finite number"
    ),
    "half a character in JSON": bad("--qrels", b'{"1": {"\\ud800": 1}}', "is not whole JSON"),
    "deep JSON": bad("--qrels", b'{"a":' * 9999, "is not whole JSON: maximum recursion"),
    "fractional grades in JSON": bad("--qrels", b'{"1": {"D1": 0.5}}', "the grade 0.5 is no whole"),
    "equal ranks": bad("--runs", b"1 D1 1\n1 D2 1\n", "bad:1: topic '1' has two documents of rank"),
    "fractional grades": bad("--qrels", b"1 0 D1 0\n1 0 D2 0.5\n", "bad:2: the grade '0.5' is no"),
    "a binary run": bad("--runs", A_BINARY, "holds no ranked document"),
    "a database as a run": bad("--runs", b"\0" * 4096, "line 1: nul byte"),
    "qrels in the place of a run": bad("--runs", b"1 0 D1 1\n", "line 1: too few fields"),
    "a run in the place of qrels": bad("--qrels", GOOD, "line 1: too many fields"),
    "binary qrels": bad("--qrels", A_BINARY, "holds no judgement"),
    "binary topics": bad("--topics", A_BINARY, "bad:1: "),
    "binary descriptions": bad("--descriptions", A_BINARY, "NUL bytes"),
    "utf-16": bad("--runs", GOOD.decode().encode("utf-16"), "is in UTF-16; convert it: iconv"),
    "a truncated gz": bad("--runs", A_GZIP[:-9], "not a whole gzip file", "bad.gz"),
    "a gz without its mark": bad("--runs", GOOD, "not a gzip file, though its name", "bad.gz"),
    "an empty gz": bad("--qrels", b"", "not a gzip file", "bad.gz"),
    "rubbish after a gz": bad("--runs", A_GZIP + b"rubbish", "not a whole gzip file", "bad.gz"),
    "text that looks like zlib": bad("--runs", zlib.compress(GOOD * 50), "no ranked document"),
    "a column twice": bad("--descriptions", b"run,run,organization\n", "bad:1: the header names"),
    "a comma too many": bad("--descriptions", b"run,organization\na,o, Inc.\n", "bad:2: more f"),
    "an open quote": bad("--descriptions", b'run,organization\na,"o\nb,p', "bad:3: a field of"),
    "an open quote at the end": bad("--descriptions", b'run,organization\na,"o', "bad:2: a field"),
    "a run described twice": bad(
        "--descriptions", b"run,organization\n%b,o\n%b,o\n" % (b"a" * 99999, b"a" * 99999), "bad:3"
    ),
    "topics of an old Mac": bad("--topics", b"1\ta\r2\tb\r", "bad:1: holds a NUL byte, or a carr"),
    "folder for a file": at("--qrels", "runs", "cannot be read: Is a directory"),
    "link to a folder": at(
        "--runs",
        "runs",
        f"{NO_FILE}: more;",
        lambda folder: (folder / "runs" / "more").symlink_to("."),
    ),
    "no such file": at("--topics", "missing\x1b[2J\n\udcff", "cannot be read: No such file"),
    "link loop": at("--qrels", "loop", LOOP, make_loop),
    "link loop as run": at("--runs", "loop", LOOP, make_loop),
    "broken link": at(
        *("--runs", "runs", f"{NO_FILE}: link"),
        lambda folder: (folder / "runs" / "link").symlink_to("nowhere"),
    ),
    "too long a name": at("--runs", "x" * 300, "cannot be read: File name too long"),
    "pipe without a writer": at(
        "--qrels", "pipe", "holds no judgement", lambda folder: os.mkfifo(folder / "pipe")
    ),
    "pipe in a folder": at(
        "--runs", "runs", f"{NO_FILE}: pipe", lambda folder: os.mkfifo(folder / "runs" / "pipe")
    ),
    "endless device": at("--descriptions", "/dev/zero", "is a device, not a file"),
    "device as a run": at("--runs", "/dev/null", "is a device, not a file"),
    "a socket": at("--qrels", "socket", "cannot be read: No such device", make_socket),
    "name of codes": run_named("a\x1b[31m\nb", "gives the run the id"),
    "name that is no utf 8": run_named(os.fsdecode(b"a\xff"), "gives the run the id"),
    "name of nothing": run_named("input.", "gives the run the id ''"),
}


@pytest.mark.some(12)
@pytest.mark.parametrize("what", BAD_FILES)
def test_a_bad_file_stops_the_load_with_one_line(
    loaded: Warehouse, toy_files: ToyFiles, what: str
) -> None:
    before = state_of(loaded.path)
    (toy_files.folder / "good").write_bytes(GOOD)
    option, file, problem = BAD_FILES[what](toy_files)
    done = invoke(*("load", "toy", "--db", loaded.path, toy_files.folder / "good", option, file))
    line = error_line(done)
    assert problem in line
    assert line.startswith(
        f"Error: {''.join(c if c.isprintable() else chr(0xFFFD) for c in str(file))}"
    )
    assert len(line) < 2500
    assert state_of(loaded.path) == before
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name} or (
        names_beside(loaded) == {loaded.path.name}  # refused before the lock
    )


@pytest.mark.parametrize(
    "name", ["", "  ", "a\x1b[31m", "a\nb", "tab\t", "\x00", "\u202eabc", "\udcff"]
)
def test_a_collection_name_that_cannot_be_shown_is_refused(
    loaded: Warehouse, toy_files: ToyFiles, name: str
) -> None:
    done = invoke("load", "--db", loaded.path, "--runs", toy_files.runs, "--", name)
    assert "is empty or not printable" in error_line(done)


def test_files_that_may_not_be_read_are_named(
    loaded: Warehouse, toy_files: ToyFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some users may read every file, so that the test invents the system's answer."""
    open_really = os.open

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    def refuse_qrels(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if Path(path) == toy_files.qrels:
            refuse()
        return open_really(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse_qrels)
    done = invoke("load", "toy", "--db", loaded.path, "--qrels", toy_files.qrels)
    assert f"{toy_files.qrels}: cannot be read: Permission denied" in error_line(done)
    monkeypatch.undo()
    monkeypatch.setattr(Path, "iterdir", refuse)
    done = invoke("load", "toy", "--db", loaded.path, "--runs", toy_files.runs)
    assert f"{toy_files.runs}: cannot be read: Permission denied" in error_line(done)


def test_no_more_is_read_than_the_limit_and_one(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_bytes(GOOD)
    assert read_source(file).stored == GOOD
    assert read_source(file, limit=3).stored == GOOD[:4]


@pytest.mark.parametrize(
    ("size", "times"),
    [*((size, itertools.repeat(0)) for size in (0, 3, 1000)), (len(GOOD), itertools.count())],
    ids=["empty", "smaller", "larger", "later"],
)
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, times: Iterator[int]
) -> None:
    """/proc and some file systems in user space tell other sizes: only part would be read."""
    file = tmp_path / "run"
    file.write_bytes(GOOD)
    mode = file.stat().st_mode
    monkeypatch.setattr(
        os, "fstat", lambda _: SimpleNamespace(st_mode=mode, st_size=size, st_mtime_ns=next(times))
    )
    with pytest.raises(BadFileError, match="changed while it was read; load it again"):
        read_source(file)


@pytest.mark.heavy
def test_what_a_process_writes_can_be_read(loaded: Warehouse, toy_files: ToyFiles) -> None:
    """A process is named as in `poolhouse load ... --qrels <(zcat qrels.gz)`."""
    with subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(0.1); print('1 0 D9 1')"],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        pipe = Path(f"/dev/fd/{process.stdout.fileno()}")
        done = invoke("load", "toy", "--replace", "--db", loaded.path, "--qrels", pipe)
    assert done.exit_code == 0, done.stderr
    assert rows(loaded, "select docno from raw.qrels_lines") == [("D9",)]


def test_one_file_by_several_ways_is_one_run(loaded: Warehouse, toy_files: ToyFiles) -> None:
    amber = toy_files.runs / "amber"
    (toy_files.folder / "link").symlink_to(toy_files.runs)
    (toy_files.folder / "hard").mkdir()
    os.link(amber, toy_files.folder / "hard" / "amber")
    ways = [
        *(amber, toy_files.runs / ".." / "runs" / "amber", toy_files.folder / "link" / "amber"),
        *(toy_files.folder / "hard" / "amber", toy_files.folder / "link"),
    ]
    done = invoke("load", "toy", "--db", loaded.path, *ways)
    assert done.exit_code == 0, done.stderr
    assert "0 files loaded, 3 unchanged" in done.stderr


def test_a_folder_whose_name_is_no_utf_8(warehouse: Warehouse, toy_files: ToyFiles) -> None:
    folder = toy_files.runs.rename(toy_files.folder / os.fsdecode(b"runs\xff"))
    done = invoke(
        *("load", "toy", "--runs", folder, "--qrels", toy_files.qrels, "--db", warehouse.path)
    )
    assert done.exit_code == 0, done.stderr
    assert "no longer in the folder" not in done.stderr
    assert rows(warehouse, "select path from ops.files where name = 'amber'") == [
        (f"{toy_files.folder}/runs\N{REPLACEMENT CHARACTER}/amber",)
    ]


# ------------------------------------------------------------------------------------------ size


MEGABYTE = 1024**2


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "content",
    [
        (GOOD * 80_000),
        gzip.compress(GOOD * 80_000),
        gzip.compress(GOOD) + gzip.compress(GOOD * 79_999),
        gzip.compress(GOOD) * 80_000,
    ],
    ids=["plain", "one_member", "second_member", "many_members"],
)
def test_a_file_has_a_limit_that_can_be_raised(
    loaded: Warehouse, toy_files: ToyFiles, content: bytes
) -> None:
    assert len(GOOD) * 80_000 > MEGABYTE
    before = state_of(loaded.path)
    file = toy_files.folder / "large"
    file.write_bytes(content)
    load = ("load", "toy", "--db", loaded.path, file, "--max-file-size")
    line = error_line(invoke(*load, "1"))
    assert f"{file}: holds more than 1 MB of text" in line
    assert "raise --max-file-size" in line
    assert state_of(loaded.path) == before
    done = invoke(*load, "10")
    assert done.exit_code == 0, done.stderr
    assert rows(loaded, "select n_rows from ops.files where name = 'large'") == [(80_000,)]


@pytest.mark.parametrize("size", ["0", "-1", "1e3", "99999999999999999999"])
def test_a_limit_that_is_none_is_wrong_usage(loaded: Warehouse, size: str) -> None:
    done = invoke("load", "toy", "--db", loaded.path, "--max-file-size", size)
    assert done.exit_code == 2


@pytest.mark.parametrize(
    ("option", "content", "limit"),
    [
        ("--runs", gzip.compress(b"\n" * 40_000), "32,769 lines"),  # each takes some memory
        ("--descriptions", b"x" * (MEGABYTE // 16 + 1), "0.0625 MB of text"),
        ("--topics", b"x" * (MEGABYTE // 16 + 1), "0.0625 MB of text"),
    ],
    ids=["lines", "descriptions", "topics"],
)
def test_lines_and_small_files_have_limits_too(
    loaded: Warehouse, toy_files: ToyFiles, option: str, content: bytes, limit: str
) -> None:
    file = toy_files.folder / ("lines.gz" if option == "--runs" else "large")
    file.write_bytes(content)
    done = invoke("load", "toy", "--db", loaded.path, option, file, "--max-file-size", "1")
    assert f"{file}: holds more than {limit}" in error_line(done)


def test_a_line_of_many_megabytes_is_set_aside() -> None:
    line = b"1 Q0 \x1b" + b"D" * (17 * MEGABYTE) + b" 1 2.5 t"
    parsed = parse_run(SourceFile(Path("run"), GOOD + line + b"\n" + GOOD))
    assert parsed.rows["line_number"].to_list() == [1, 3]
    [(number, reason, text)] = parsed.rejected.rows()
    assert (number, reason) == (2, "line_too_long")
    assert text == "1 Q0 \N{REPLACEMENT CHARACTER}" + "D" * 194


def test_many_pieces_have_one_count_of_lines() -> None:
    line = b"1 Q0 D%d 1 2.5 " + b"t" * MEGABYTE + b"\n"
    parsed = parse_run(SourceFile(Path("run"), b"".join(line % at for at in range(40)) + b"x"))
    assert parsed.rows.select("line_number", "docno").rows() == [
        (at + 1, f"D{at}") for at in range(40)
    ]
    assert parsed.rejected.rows() == [(41, "too_few_fields", "x")]


# The process below may take memory for the interpreter, its libraries, and the limit.
_MEASURE = """
import resource, sys
from pathlib import Path
from poolhouse.errors import BadFileError
from poolhouse.loading.parsers import parse_run, read_source

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    parse_run(read_source(Path(sys.argv[1]), {limit}))
    print("parsed")
except BadFileError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def growth(file: Path, limit: int) -> tuple[str, int]:
    """Parse a run in a separate process; return its output, and the MB that it took for the run."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE.format(limit=limit), str(file)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    said, megabytes = done.stdout.splitlines()
    return said, int(megabytes)


def bomb(n_bytes: int, *, members: bool) -> bytes:
    """Compress many bytes of a run that is never in memory: a member or a block is repeated."""
    block = GOOD * (16 * MEGABYTE // len(GOOD))
    n_blocks = n_bytes // len(block) + 1
    if members:
        return gzip.compress(block) * n_blocks
    packer = zlib.compressobj(wbits=31)
    start = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    repeated = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    return start + repeated * (n_blocks - 1) + b"\x03\x00" + b"\0" * 8  # a wrong checksum


@pytest.mark.heavy
@pytest.mark.parametrize("members", [True, False], ids=["many_members", "one_member"])
def test_a_bomb_of_10_gb_stays_within_its_limit(tmp_path: Path, members: bool) -> None:
    file = tmp_path / "bomb.gz"
    file.write_bytes(bomb(10 * 1024**3, members=members))
    assert file.stat().st_size < 40 * MEGABYTE
    said, megabytes = growth(file, 64 * MEGABYTE)
    assert "holds more than 64 MB of text" in said
    assert megabytes < 64 * 4 + file.stat().st_size // MEGABYTE


@pytest.mark.heavy
@pytest.mark.parametrize("text", [b" ", b"\t", b"a ", b"\xff"], ids=repr)
def test_a_line_of_nothing_but_fields_takes_no_gigabytes(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "run"
    file.write_bytes(text * (15 * MEGABYTE // len(text)))
    said, megabytes = growth(file, 64 * MEGABYTE)
    assert said == "parsed"
    assert megabytes < 400


# ------------------------------------------------------------------- everything at once, and built

HOSTILE = "'; drop table raw.runs; --"
# Runs, and the reciprocal rank of each: topic 1 has one relevant document, d1. Names that an engine
# or a reader could take for one, or for something else. More orders of scores: test_reference.
RANKINGS = {
    "Case": (b"1 Q0 d1 1 2 t\n", 1.0),
    "case": (b"1 Q0 d2 1 2 t\n1 Q0 d1 2 1 t\n", 0.5),
    "\u00e9": (b"1 Q0 d1 1 2 t\n", 1.0),
    "e\u0301": (b"1 Q0 d2 1 2 t\n", 0.0),
    "repeats": (b"1 Q0 d1 3 0.5 t\n1 Q0 d2 2 2 t\n1 Q0 d1 1 3e0 t\n1 Q0 d2 1 -1 t\n", 1.0),
    "repeats_below": (b"1 Q0 d1 1 0.5 t\n1 Q0 d1 2 0.25 t\n1 Q0 d2 3 2 t\n", 0.5),
    # Scores that are equal as 32-bit floats differ as doubles, which trec_eval 10 reads.
    "below_float": (b"1 Q0 d1 1 1e-50 t\n1 Q0 d2 2 0 t\n", 1.0),
    "beyond_float": (b"1 Q0 d1 1 1e40 t\n1 Q0 d2 2 1e39 t\n", 1.0),
    "'; drop table raw.run_lines; --": (b"1 Q0 d1 1 2 t\n", 1.0),
    "=1+1": (b"1 Q0 d1 1 2 t\n", 1.0),
}
OTHERS = {
    "unknown": b"999 Q0 d1 1 2 t\n",
    "named": b"qtest.12 Q0 d1 1 2 t\n",
    "normal_forms": "\u00e9 Q0 d1 1 2 t\ne\u0301 Q0 d2 1 2 t\n".encode(),
}
JUDGED = """\
1 0 d1 0
1 0.5 d1 1
1 0 d1 -1
1 0 d2 0
1 0 d2 0
1 0 d3 -2
qtest.12 0 d1 1
\u00e9 0 d1 1
e\u0301 0 d1 1
1 0 d1 relevant
"""
# Of the collection with the hostile name: what is asked, and the rows.
BUILT: dict[str, Rows] = {
    """
    select run_id, score from fct_topic_scores
    where topic_id = '1' and measure = 'RR' and judgement_set = 'full'
        and unjudged = 'nonrelevant' and is_answered
    """: sorted((name, score) for name, (_, score) in RANKINGS.items()),
    "select run_id from dim_runs": sorted((name,) for name in {**RANKINGS, **OTHERS}),
    "select topic_id, n_judged, n_relevant from dim_topics": [
        ("1", 2, 1),
        ("999", 0, 0),  # a run answers it, and nobody judged it
        ("e\u0301", 1, 1),
        ("qtest.12", 1, 1),
        ("\u00e9", 1, 1),
    ],
    """
    select run_id, topic_id, score from fct_topic_scores
    where topic_id <> '1' and measure = 'P@5' and judgement_set = 'full'
        and unjudged = 'nonrelevant' and is_answered
    """: [
        ("named", "qtest.12", 0.2),
        ("normal_forms", "e\u0301", 0.0),
        ("normal_forms", "\u00e9", 0.2),
    ],
    """
    select file_kind, file_name, topic_id, doc_id, n_lines, lowest_value, highest_value
    from audits.audit_repeated_lines
    """: [
        ("qrels", "qrels", "1", "d1", 3, -1.0, 1.0),
        ("qrels", "qrels", "1", "d2", 2, 0.0, 0.0),
        ("run", "repeats", "1", "d1", 2, 0.5, 3.0),
        ("run", "repeats", "1", "d2", 2, -1.0, 2.0),
        ("run", "repeats_below", "1", "d1", 2, 0.25, 0.5),
    ],
    "select file_kind, line_number, reason, line_text from audits.audit_rejected_lines": [
        ("qrels", 10, "grade_not_an_integer", "1 0 d1 relevant")
    ],
    """
    select count(*), sum(n_duplicates), bool_and(n_lines = n_rows + n_blank + n_rejected)
    from audits.audit_load_history
    """: [(len(RANKINGS) + len(OTHERS) + 3, 3 + 3, True)],
}


@pytest.fixture(scope="module")
def built_hostile(
    tmp_path_factory: pytest.TempPathFactory, built_once: tuple[Path, LoadRequest, Warehouse]
) -> Iterator[Warehouse]:
    """Build a collection with all files above, beside the collection on a page."""
    folder = tmp_path_factory.mktemp("built_hostile")
    runs = {name: content for name, (content, _) in RANKINGS.items()} | OTHERS
    write(folder / "runs", runs)
    (folder / "qrels").write_text(JUDGED)
    (folder / "runs.csv").write_text("run,organization\nCase,\"=cmd|' /C calc'!A0\"\n")
    (folder / "topics").write_text("1\t\x1b]0;owned\x07 title\nqtest.12\t<script>\n")
    there = Warehouse(Path(shutil.copyfile(built_once[0], folder / "poolhouse.duckdb")))
    request = LoadRequest(
        HOSTILE,
        [folder / "runs"],
        folder / "qrels",
        descriptions=folder / "runs.csv",
        topics=folder / "topics",
    )
    load_collection(there, request)
    report = build(there)
    assert report.built == (HOSTILE,)
    mismatch = "unknown: none of its topics is judged (it has 999, the qrels have 1)"
    assert f"{HOSTILE}: {mismatch}" in report.remarks
    yield from kept_open(there)


@pytest.mark.heavy
@pytest.mark.parametrize("query", BUILT, ids=lambda query: " ".join(query.split())[:60])
def test_every_name_and_line_is_itself_in_the_marts(built_hostile: Warehouse, query: str) -> None:
    joint = "and" if " where " in " ".join(query.split()) else "where"
    found = run_query(built_hostile, f"{query} {joint} collection_id = $name", {"name": HOSTILE})
    assert sorted(map(tuple, found.rows)) == BUILT[query]


@pytest.mark.heavy
def test_every_view_of_it_is_shown_and_none_runs(built_hostile: Warehouse) -> None:
    sql = ("sql", "--db", built_hostile.path)
    query = "select run_id, organization from dim_runs order by all"
    csv = invoke(*sql, query, "--format", "csv", "--spreadsheet-safe").stdout
    assert "'=1+1,'=1+1\n" in csv
    assert "Case,'=cmd|' /C calc'!A0\n" in csv
    for output in ("table", "json"):
        for command in (("status", *sql[1:]), (*sql, "select * from dim_topics")):
            text = invoke(*command, "--format", output).stdout
            assert text
            assert all(line.isprintable() for line in text.splitlines())


@pytest.mark.heavy
def test_a_hostile_name_can_be_removed(built_hostile: Warehouse, tmp_path: Path) -> None:
    warehouse = Warehouse(Path(shutil.copyfile(built_hostile.path, tmp_path / "copy.duckdb")))
    name = "'; drop table raw.run_lines; --"
    done = invoke("remove", HOSTILE, "--run", name, "--db", warehouse.path)
    assert done.exit_code == 0, done.stderr
    assert rows(warehouse, "select 1 from raw.runs where run_id = ?", name) == []
    assert invoke("remove", HOSTILE, "--db", warehouse.path).exit_code == 0
    assert rows(warehouse, "select count(*) from raw.runs") == [(3,)]  # of the page
