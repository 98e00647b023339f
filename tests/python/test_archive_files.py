"""Test files that list the collections of an archive: they are read, refused and loaded."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asking import rows
from conftest import ToyFiles, names_beside, state_of, write_toy_files
from crashing import Contents, contents
from poolhouse.command_line.archive_options import requests_of
from poolhouse.command_line.commands.load import load, request_of
from poolhouse.command_line.main import main
from poolhouse.errors import BadFileError
from poolhouse.loading import archives
from poolhouse.loading.archives import read_archive
from poolhouse.loading.load import load_into
from poolhouse.warehouse.file import Warehouse

DOCS = Path(__file__).parents[2] / "docs"

# Three collections. The second one has neither judgements nor titles.
THREE = """\
# the collections of the archive
- collection: first
  title: yes, a title
  track: web
  year: 2009
  task: ad-hoc
  runs: toy/runs
  qrels: toy/qrels.txt
  descriptions: toy/runs.csv
  topics: toy/topics.tsv
  depth: 2
- collection: 2010
  track: web
  year: 2010
  runs: [toy/runs/input.blue.1, toy/runs/amber]
  unjudged: true
- {collection: third, runs: toy/runs, qrels: toy/qrels.txt, threshold: 2, measure: nDCG@10,
   common-topics: [[amber, toy/common]]}
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Provide a folder with the toy collection's files, and an archive of three collections."""
    folder = tmp_path / "files"
    files = write_toy_files(folder / "toy")
    (files.folder / "common").write_text("2 0 D5 1\n")
    path = folder / "archive.yml"
    path.write_text(THREE)
    return path


def load_all(archive: Path, warehouse: Warehouse, *options: str) -> Result:
    arguments = ["load", "--archive", str(archive), *options, "--db", str(warehouse.path)]
    return CliRunner().invoke(main, arguments)


def raw(warehouse: Warehouse) -> Contents:
    return {**contents(warehouse, "raw"), **contents(warehouse, "ops")}


# ----------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "archive.yml: expected a list of collections"),
        (b"# nothing\n", "archive.yml: expected a list of collections"),
        (b"[]", "archive.yml:1: expected a list of collections"),
        (b"\ncollection: a\nruns: b\n", "archive.yml:2: expected a list of collections"),
        (b"a word", "archive.yml:1: expected a list of collections"),
        (
            b"- collection: a\n  runs: [b\n",
            "archive.yml:3: not an archive in YAML and UTF-8: expected ','",
        ),
        (
            b"- collection: a\n\truns: b\n",
            "archive.yml:2: not an archive in YAML and UTF-8: found char",
        ),
        (b"- collection: a\n--- \n- collection: b\n", "archive.yml:2: not an archive in YAML"),
        (
            b"- collection: a\n  title: caf\xe9\n",
            "archive.yml:2: not an archive in YAML and UTF-8: special",
        ),
        ("- collection: a".encode("utf-16"), "archive.yml: is in UTF-16"),
        (b"- collection: a\n  title: \x07\n", "archive.yml:2: not .*: special characters"),
        (b"- collection: a\0", "archive.yml:1: not .*: special characters"),
        (b"- &a [*a]\n", "archive.yml:1: not an archive in YAML and UTF-8: found unconstructable"),
        (b"- {[a]: b}\n", "archive.yml:1: not an archive in YAML and UTF-8: found unhashable key"),
        (b"[" * 5_000, "archive.yml: not an archive in YAML and UTF-8: maximum recursion depth"),
        (b'- "\\UFFFFFFFF"', "archive.yml: not an archive in YAML and UTF-8: "),
        (b"#" * 1024**2 + b"\n", "archive.yml: holds more than 1 MB, the limit for an archive"),
        (b"PK\x03\x04", "archive.yml: is a zip archive"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_list_of_collections(tmp_path: Path, text: bytes, message: str) -> None:
    file = tmp_path / "archive.yml"
    file.write_bytes(text)
    with pytest.raises(BadFileError, match=message) as raised:
        read_archive(file)
    assert "\n" not in str(raised.value)


def test_a_bomb_of_aliases_is_not_unfolded(archive: Path, warehouse: Warehouse) -> None:
    lines = ["- runs: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"- runs: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    archive.write_text("\n".join([*lines, "- *a29", "- collection: *a29"]))
    done = load_all(archive, warehouse, "--keep-going")
    said = done.stderr.splitlines()
    assert sum(line.startswith(f"Error: {archive}:") for line in said) == 32
    assert max(map(len, said)) < 500


def test_values_are_text_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "archive.yml"
    file.write_text(
        "- {collection: 2009, title: no, depth: 0x10, qrels: 1_000, task: !!timestamp 2009-01-01,\n"
        "   track: !!python/name:os.system x, runs: &runs [1.50, 'off', \"\\u00e9\"]}\n"
        "- {topics: *runs, year: ~}\n"
    )
    first, second = read_archive(file)
    assert first.values == {
        "collection": "2009",
        "title": "no",
        "depth": "0x10",
        "qrels": "1_000",
        "task": "2009-01-01",
        "track": "x",
        "runs": ["1.50", "off", "\u00e9"],
    }
    assert second.values == {"topics": ["1.50", "off", "\u00e9"], "year": "~"}
    assert (first.line, second.line) == (1, 3)


# Entries of an archive that are broken, and what is said of the last one of each text.
BROKEN = (
    ("- runs: toy/runs", "names no collection"),
    ("- just a word", "expected keys and values"),
    ("- [a, b]", "expected keys and values"),
    ("-", "expected keys and values"),
    ("- collection: NAME\n  run: toy/runs", "unknown key 'run' (known: collect"),
    ("- collection: NAME\n  <<: toy/runs", "unknown key '<<'"),
    ("- collection: NAME\n  db: other.duckdb", "unknown key 'db'"),
    ("- collection: NAME\n  more_runs: toy/runs", "unknown key 'more_runs'"),
    ("- collection: NAME\n  depth: 2\n  depth: 3", "depth occurs twice"),
    ("- collection: NAME\n  depth: deep", "depth: 'deep' is not a valid integer"),
    ("- collection: NAME\n  depth: 0", "depth: 0 is not in the range 1<=x"),
    ("- collection: NAME\n  depth: 2.5", "depth: '2.5' is not a valid integer"),
    ("- collection: NAME\n  depth: [2]", "depth: expected one value, not a list"),
    ("- collection: NAME\n  year: 20000", "year: 20000 is not in the range"),
    ("- collection: NAME\n  depth:", "depth: has no value"),
    ("- collection: NAME\n  title: ''", "title: has no value"),
    ("- collection: NAME\n  title: {a: b}", "title: expected one value"),
    ("- collection: NAME\n  strict: perhaps", "strict: 'perhaps' is not a valid"),
    ("- collection: NAME\n  pooling-order: tag", "pooling-order: 'tag' is not one"),
    ("- collection: [a, b]", "collection: expected one value, not a list"),
    ("- collection: NAME\n  runs: [[toy/runs]]", "runs: expected one value, not"),
    ("- collection: NAME\n  runs: nowhere", "runs: FOLDER/nowhere: no such file"),
    ('- collection: NAME\n  qrels: "a\\0b"', "qrels: embedded null byte"),
    ("- collection: NAME\n  common-topics: amber", "common-topics: expected a"),
    ("- collection: NAME\n  common-topics: [amber, toy/common]", "common-topics: expected a"),
    ("- collection: NAME\n  common-topics: [[amber]]", "common-topics: expected a list of 2"),
    ("- collection: NAME\n  common-topics: [amber, [b]]", "common-topics: expected a list of 2"),
    ('- collection: NAME\n  title: "\\e[31m"', "title '\\x1b[31m' is empty"),
    ('- collection: "\\e"\n  runs: toy/runs', "collection name '\\x1b' is empty"),
    ('- collection: NAME\n  title: "\\ud800"', "title '\\ud800' is empty"),
    ("- collection: NAME\n", "nothing to load"),
    ("- collection: NAME\n  unjudged: on\n  qrels: toy/qrels.txt", "leave out --qrels"),
    (
        "- collection: NAME\n  runs: [toy/runs, toy/amber]",
        "FOLDER/toy/runs/amber is also run 'amber'",
    ),
    ("- {collection: NAME, title: b}\n- {collection: NAME, title: c}", "is in line LINE"),
    (
        "- {collection: NAME, common-topics: [[amber, toy/common], [amber, toy/runs.csv]]}",
        "FOLDER/toy/runs.csv: FOLDER/toy/common also holds common topics of run 'amber'; "
        "put all judgements for this run into one file",
    ),
    # These faults are found when the files of the entries are read.
    ("- collection: NAME\n  qrels: toy/qrels.txt", "collection 'NAME' has no runs"),
    ("- collection: NAME\n  runs: toy/runs", "collection 'NAME' has no judgements"),
    (
        "- collection: NAME\n  runs: toy\n  unjudged: true",
        "FOLDER/toy/amber is also run 'amber'",
    ),
    ("- {collection: NAME, runs: toy/qrels.txt, qrels: toy/runs.csv}", "toy/runs.csv: "),
    # Judgements of authors.
    *(
        (f"- {{collection: NAME, runs: toy/runs, qrels: {qrels}}}", message)
        for qrels, message in {
            "{a: toy/qrels.txt, a: toy/common}": "a in qrels occurs twice",
            "{a: toy/qrels.txt, b: toy/common}": "and no reference",
            "{a: missing.txt}": "missing.txt: no such file or folder",
            "[toy/qrels.txt, toy/common]": "need the names of their authors",
            "{}": "has no value",
            "{a: [toy/qrels.txt]}": "expected one value, not a list",
            "{'a, else b': toy/qrels.txt}": "is between two authors",
        }.items()
    ),
)


def test_every_broken_entry_is_named(archive: Path, warehouse: Warehouse) -> None:
    """All are in one archive. Without --keep-going, the first one stops the load."""
    (archive.parent / "toy" / "amber").write_text("1 Q0 D1 1 1 amber\n")
    text, expected = "", {}
    for number, (entries, message) in enumerate(BROKEN):
        name, line = f"a{number}", text.count("\n") + 1
        at = line + entries.rstrip("\n").count("\n- ")
        about = f"collection '{name}'" if "NAME" in entries else r"entry \d+: |collection '"
        said = message.replace("FOLDER", str(archive.parent)).replace("NAME", name)
        expected[at] = about, said.replace("LINE", str(line))
        text += entries.replace("NAME", name) + "\n"
    archive.write_text(text)
    first = load_all(archive, warehouse)
    assert first.exit_code == 1
    assert first.stderr == (
        f"Error: {archive}:1: entry 1: names no collection (collection: NAME); nothing was loaded "
        "(with --keep-going the other collections are loaded)\n"
    )
    done = load_all(archive, warehouse, "--keep-going")
    assert done.exit_code == 1
    told = re.findall(rf"^Error: {re.escape(str(archive))}:(\d+): (.*)$", done.stderr, re.MULTILINE)
    errors = {int(line): error for line, error in told}
    for at, (about, message) in expected.items():
        assert re.match(about, errors[at])
        assert message in errors[at]
    assert not warehouse.path.exists()


def test_every_option_of_load_is_a_key(archive: Path, warehouse: Warehouse) -> None:
    """The options of an entry are not listed a second time."""
    archive.write_text("- nothing: 1")
    said = load_all(archive, warehouse).stderr
    [known] = re.findall(r"\(known: (.*?)\)", said)
    options = {
        each.opts[0].removeprefix("--") for each in load.params if isinstance(each, click.Option)
    }
    of_all = {"db", "archive", "keep-going", "format", "output", "memory", "spill"}
    of_all |= {"judged-by", "of", "of-depth"}  # they take everything from a built collection
    assert set(known.split(", ")) == (options - of_all) | {"collection"}


def test_other_options_name_no_collection_and_no_files(archive: Path, warehouse: Warehouse) -> None:
    for options, word in (
        (["first"], "COLLECTION"),
        (["--qrels", "toy/qrels.txt"], "--qrels"),
        (["--runs", "toy/runs"], "--runs"),
        (["--common-topics", "amber", "toy/common"], "--common-topics"),
    ):
        done = load_all(archive, warehouse, *options)
        assert done.exit_code == 2
        assert f"leave out {word}" in done.stderr
    done = CliRunner().invoke(main, ["load", "first", "--keep-going", "--db", str(warehouse.path)])
    assert (done.exit_code, "--keep-going works only with --archive" in done.stderr) == (2, True)
    done = CliRunner().invoke(main, ["load", "--db", str(warehouse.path)])
    assert (done.exit_code, "Missing argument 'COLLECTION'" in done.stderr) == (2, True)


_PIECES = (
    *("- ", "-", "\n", "  ", "\t", ": ", ":", "collection", "runs", "depth", "year", "2009", "a"),
    *("[", "]", "{", "}", ",", "&a ", "*a", "!!int ", "!x ", "? ", "| ", "> ", "'", '"', "\\", "#"),
    *("---", "...", "%YAML 1.1\n", "<<", "~", "null", "true"),
    *("\ufeff", "\u2028", "\x85", "\r", "\0"),
)


@pytest.mark.heavy
@settings(
    max_examples=10 * settings().max_examples,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(content=st.binary(max_size=60) | st.lists(st.sampled_from(_PIECES)).map("".join))
def test_whatever_bytes_come(tmp_path: Path, content: bytes | str) -> None:
    """The result is entries, each with settings or a problem, or else one error."""
    file = tmp_path / "archive.yml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with load.make_context("load", ["--archive", str(file)]) as context:
        try:
            entries = read_archive(file)
        except BadFileError as error:
            assert str(error).startswith(f"{file}:")
            return
        requests, broken = requests_of(context, entries, request_of)
    assert len(requests) + len(broken) == len(entries) > 0


# ----------------------------------------------------------------------------------------- loading


def three_requests(files: ToyFiles) -> Iterator[list[str]]:
    """Yield the arguments of the command line that load the same collections one by one."""
    runs, qrels = str(files.runs), str(files.qrels)
    yield [
        *("first", "--title", "yes, a title", "--track", "web", "--year", "2009"),
        *("--task", "ad-hoc", "--runs", runs, "--qrels", qrels, "--depth", "2"),
        *("--descriptions", str(files.descriptions), "--topics", str(files.topics)),
    ]
    yield [
        *("2010", "--track", "web", "--year", "2010", "--unjudged"),
        *("--runs", str(files.blue), "--runs", str(files.runs / "amber")),
    ]
    common = str(files.folder / "common")
    yield [
        *("third", "--runs", runs, "--qrels", qrels, "--threshold", "2", "--measure", "nDCG@10"),
        *("--common-topics", "amber", common),
    ]


@pytest.mark.heavy
def test_an_archive_is_what_its_collections_are_one_by_one(
    archive: Path, warehouse: Warehouse, tmp_path: Path
) -> None:
    """All rows are equal but for times; a second load of the archive changes nothing."""
    alone = Warehouse(tmp_path / "alone.duckdb")
    for arguments in three_requests(ToyFiles(archive.parent / "toy")):
        done = CliRunner().invoke(main, ["load", *arguments, "--db", str(alone.path)])
        assert done.exit_code == 0, done.output
    together = load_all(archive, warehouse)
    assert together.exit_code == 0, together.output
    assert raw(warehouse) == raw(alone)
    assert rows(warehouse, "select collection_id, track, year, task from raw.collections") == [
        ("first", "web", 2009, "ad-hoc"),
        ("2010", "web", 2010, None),
        ("third", None, None, None),
    ]
    names = re.findall(r"^(\w+) \(new\): \d+ files loaded", together.stderr, re.MULTILINE)
    assert names == ["first", "2010", "third"]
    assert together.stderr.count("next: poolhouse build") == 1

    before = state_of(warehouse.path)
    again = load_all(archive, warehouse)
    assert again.exit_code == 0
    assert "nothing new" in again.stderr
    assert state_of(warehouse.path) == before


@pytest.mark.heavy
def test_options_without_files_hold_for_entries_that_say_nothing_else(
    archive: Path, warehouse: Warehouse
) -> None:
    declared = ("--year", "1999", "--task", "routing", "--threshold", "3", "--measure", "P@20")
    done = load_all(archive, warehouse, *declared)
    assert done.exit_code == 0, done.output
    declarations = "collection_id, year, task, relevance_threshold, main_measure"
    assert rows(warehouse, f"select {declarations} from raw.collections") == [
        ("first", 2009, "ad-hoc", 3, "P@20"),
        ("2010", 2010, "routing", 3, "P@20"),
        ("third", 1999, "routing", 2, "nDCG@10"),
    ]
    archive.write_text(
        "- {collection: 2010, strict: no, title: again}\n- {collection: first, "
        "runs: toy/runs, title: again}"
    )
    done = load_all(archive, warehouse, "--strict")
    assert done.exit_code == 1
    assert f"{archive}:2: collection 'first': " in done.stderr, "rejected lines under --strict"


def break_in_the_middle(archive: Path) -> None:
    """Add a run file to the second of three collections that is not a file of text lines."""
    broken = archive.parent / "toy" / "broken.gz"
    broken.write_bytes(b"\x1f\x8b half a header")
    text = THREE.replace("toy/runs/amber]", "toy/runs/amber, toy/broken.gz]")
    archive.write_text(text.replace("[amber", "[none"))


def test_one_that_is_broken_stops_all_and_nothing_is_published(
    archive: Path, loaded: Warehouse
) -> None:
    break_in_the_middle(archive)
    before = state_of(loaded.path)
    done = load_all(archive, loaded)
    assert done.exit_code == 1
    assert f"{archive}:12: collection '2010': {archive.parent}/toy/broken.gz: not a whole gzip" in (
        done.stderr
    )
    assert state_of(loaded.path) == before
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


# Files that hold private text in a bad place, by the key of an entry that may name them.
PRIVATE = "hunter2"
PRIVATE_FILES = {
    "runs": f"root:{PRIVATE}:19000",
    "qrels": f"1 0 {PRIVATE}",
    "descriptions": f"run,organization,pooled\na,b,{PRIVATE}",
    "topics": f"{PRIVATE}\ta\n{PRIVATE}\tb",
    "authors": f"author,{PRIVATE}\na,b",
    "topic-attributes": f"topic,kind\n{PRIVATE},a\n{PRIVATE},b",
    "title-words": f"topic,word,document\n1,{PRIVATE}!,D1",
    "pool": f'{{"list": "{PRIVATE}"}}',
    "official-results": f"#### a\n```\n{PRIVATE} all 1\n{PRIVATE} all 2\n```",
}


def test_a_file_that_an_archive_names_is_not_quoted(archive: Path, warehouse: Warehouse) -> None:
    """The author of an archive need not be allowed to read what the operator can read."""
    entries = []
    for key, text in PRIVATE_FILES.items():
        (archive.parent / key).write_text(f"{text}\n")
        files = {"runs": "toy/runs", "qrels": "toy/qrels.txt", "topics": "toy/topics.tsv", key: key}
        entries.append({"collection": f"of {key}", **files})
    archive.write_text(json.dumps(entries))
    done = load_all(archive, warehouse, "--keep-going")
    assert done.exit_code == 1
    for key in PRIVATE_FILES:
        file = re.escape(str(archive.parent / key))
        assert re.search(rf"^Error: .*{file}\b.*(:|line )\d+: .", done.stderr, re.MULTILINE), key
    assert PRIVATE not in done.output
    with load.make_context("load", ["--archive", str(archive)]) as context:
        requests, _ = requests_of(context, read_archive(archive), request_of)
    with warehouse.change() as change:
        with warehouse.side() as connection:
            for _, request in requests:
                with pytest.raises(BadFileError, match=PRIVATE):
                    load_into(connection, evolve(request, is_quotable=True))
                connection.rollback()
        change.abandoned = True


def test_lines_that_are_left_out_are_not_quoted(archive: Path, warehouse: Warehouse) -> None:
    files = archive.parent / "toy"
    (files / "runs" / "amber").write_text(f"1 Q0 D1 1 {PRIVATE} t\n2 Q0 D5 1 1 t\n")
    (files / "qrels.txt").write_text(f"1 0 {PRIVATE} 1\n1 0 {PRIVATE} 1\n2 0 {PRIVATE}\n")
    done = load_all(archive, warehouse)
    assert done.exit_code == 0
    assert "note: amber: 1 of 2 lines rejected, line 1: score not a finite number\n" in done.stderr
    assert "the first is line 2: the highest grade counts" in done.stderr
    assert PRIVATE not in done.output
    strict = load_all(archive, warehouse, "--strict")
    assert strict.exit_code == 1
    assert PRIVATE not in strict.output


@pytest.mark.heavy
def test_keep_going_publishes_the_others_and_nothing_of_the_broken(
    archive: Path, warehouse: Warehouse, tmp_path: Path
) -> None:
    """The second fails as its files are read, the third at its end, and a fourth by its entry."""
    break_in_the_middle(archive)
    archive.write_text(f"{archive.read_text()}- {{collection: fourth, runs: nowhere}}\n")
    done = load_all(archive, warehouse, "--keep-going", "--format", "json")
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert [(each["collection"], each["changed"]) for each in said["loaded"]] == [("first", True)]
    assert len(said["refused"]) == 3
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    starts = [f"Error: {archive}:{n}: collection " for n in (19, 12, 17)]
    assert [error[: len(start)] for error, start in zip(errors, starts, strict=True)] == starts
    assert "'fourth': runs: " in errors[0]
    assert "run 'none' is not in collection 'third'" in errors[2]

    alone = Warehouse(tmp_path / "alone.duckdb")
    first = next(three_requests(ToyFiles(archive.parent / "toy")))
    CliRunner().invoke(main, ["load", *first, "--db", str(alone.path)])
    assert raw(warehouse) == raw(alone)
    load_all(archive, warehouse, "--keep-going")
    assert raw(warehouse) == raw(alone), "again, with a collection that is loaded"


def test_a_fault_of_the_machine_is_no_broken_entry(
    archive: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archives, "load_into", fails)
    done = load_all(archive, warehouse, "--keep-going")
    assert done.exit_code == 1
    assert "disk or quota full, nothing was published" in done.stderr
    assert not warehouse.path.exists()


@pytest.mark.heavy
def test_progress_is_over_all_collections(archive: Path, warehouse: Warehouse) -> None:
    """Progress is reported for each file in order, with the collection's number and name."""
    with load.make_context("load", ["--archive", str(archive)]) as context:
        requests, broken = requests_of(context, read_archive(archive), request_of)
    assert broken == []
    seen: list[tuple[str, int, int]] = []
    report = archives.load_archive(warehouse, requests, lambda *said: seen.append(said))
    assert [(done, total) for _, done, total in seen] == [(done, 13) for done in range(13)]
    names = [step.split(": ") for step, *_ in seen]
    assert list(dict.fromkeys(of for of, _ in names)) == [
        *("1 of 3, first", "2 of 3, 2010", "3 of 3, third")
    ]
    assert {file for of, file in names if "2010" in of} == {"input.blue.1", "amber"}
    assert report.changed


# ------------------------------------------------------------------------------------- the page


def test_the_archive_of_the_page_can_be_loaded(tmp_path: Path, warehouse: Warehouse) -> None:
    page = (DOCS / "archives.md").read_text(encoding="utf-8")
    [text] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    [attributes] = re.findall(r"^    (topic,.*?)\n\n", page, re.DOTALL | re.MULTILINE)
    for year in ("2009", "2010", "2011"):
        write_toy_files(tmp_path / year)
        (tmp_path / year / "runs.tsv").write_text("")
    (tmp_path / "2009" / "attributes.csv").write_text(
        "".join(f"{line.strip()}\n" for line in attributes.splitlines())
    )
    (tmp_path / "2009" / "results.md").write_text("#### green\n```\nmap all 0.5\n```\n")
    late = tmp_path / "2010" / "late"
    late.mkdir()
    (late / "input.one").write_text("1 Q0 D1 1 1 one\n")
    (late / "qrels.one").write_text("1 0 D1 1\n")
    (tmp_path / "archive.yml").write_text(text)
    done = load_all(tmp_path / "archive.yml", warehouse)
    assert done.exit_code == 0, done.output
    query = "select collection_id, year, declared_pool_depth, relevance_threshold "
    assert rows(warehouse, f"{query} from raw.collections order by all") == [
        ("web-2009", 2009, None, 1),
        ("web-2010", 2010, 20, 2),
        ("web-2011", 2011, None, 1),
    ]
    assert rows(warehouse, "select query, attribute, value from raw.topic_attributes") == [
        ("1", "kind", "broad"),
        ("1", "words", "3"),
        ("2", "kind", "narrow"),
        ("2", "words", "5"),
    ]
