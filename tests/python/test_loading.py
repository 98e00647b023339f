"""Test loads: the rows of a collection's files in raw, and that a bad file changes nothing."""

import gzip
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner

from asking import rows
from conftest import AMBER, BLUE, QRELS, ToyFiles, names_beside, state_of
from poolhouse import __version__
from poolhouse.building.status import collection_status
from poolhouse.command_line.main import main
from poolhouse.errors import AccountError, BadFileError, PoolhouseError
from poolhouse.loading import line_files
from poolhouse.loading.load import load_collection, load_into
from poolhouse.loading.parsers import ParsedFile, SourceFile, parse_run
from poolhouse.loading.removal import remove
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files, run_id_of
from poolhouse.warehouse.file import Warehouse

Rows = list[tuple[object, ...]]

OF_AMBER = "amber: none of its documents is in the qrels (it has D5, the qrels have D4)"
OF_GRADES = (
    "the qrels have grades up to 2: a document is relevant from grade 1 on (load --threshold N "
    "takes another)"
)
OF_NEGATIVE = (
    "1 of 4 judgements have a grade below 0: they count as in the pool and not judged (load "
    "--judged-from -1 makes them judged and not relevant)"
)


def run_lines(warehouse: Warehouse, run_id: str) -> Rows:
    return rows(
        warehouse,
        f"""
        select line_number, query, docno, rank, score, tag
        from raw.run_lines
        inner join raw.runs using (collection_key, run_key)
        where run_id = '{run_id}'
        order by line_number
        """,
    )


def everything(warehouse: Warehouse, but_of_run: str = "") -> dict[str, Rows]:
    """Return all rows that a load writes, but for those of one run."""
    not_its = f"not in (select run_key from raw.runs where run_id = '{but_of_run}')"
    sources = {
        "collections": "select * from raw.collections",
        "runs": f"select * from raw.runs where run_id <> '{but_of_run}'",
        "run_lines": f"select * from raw.run_lines where run_key {not_its}",
        "qrels_lines": "select * from raw.qrels_lines",
        "descriptions": "select * from raw.descriptions",
        "topics": "select * from raw.topics",
        "rejected_lines": f"select * from raw.rejected_lines where name <> '{but_of_run}'",
        "files": f"select * from ops.files where name <> '{but_of_run}'",
    }
    with warehouse.read() as connection:
        return {
            name: connection.execute(f"{sql} order by all").fetchall()
            for name, sql in sources.items()
        }


# ------------------------------------------------------------------------------------ what is kept


def test_every_good_line_is_in_raw(loaded: Warehouse) -> None:
    assert run_lines(loaded, "blue.1") == [
        (1, "1", "D1", 1, 3.5, "blue"),
        (2, "1", "D2", 2, 2.0, "blue"),
        (3, "1", "D3", 3, 2.0, "blue"),
        (5, "2", "D4", 2, 0.25, "blue"),
    ]
    assert run_lines(loaded, "green") == [
        (1, "1", "D2", 1, 9.0, "green"),
        (3, "2", "D4", 1, 8.0, "green"),
    ]
    assert run_lines(loaded, "amber") == [(1, "2", "D5", 1, 0.001, "amber two words")]
    assert rows(loaded, "select line_number, query, docno, grade from raw.qrels_lines") == [
        (1, "1", "D1", 1),
        (2, "1", "D2", 0),
        (3, "1", "D3", -1),
        (4, "2", "D4", 2),
    ]
    assert rows(loaded, "select * exclude (collection_key) from raw.descriptions") == [
        ("blue.1", "sky", "automatic", True, None, None, None),
        ("green", "meadow", None, None, None, None, None),
    ]
    assert rows(loaded, "select query, title from raw.topics order by query") == [
        ("1", "first topic"),
        ("2", "second topic"),
    ]


def test_every_line_is_accounted_for(loaded: Warehouse) -> None:
    assert rows(
        loaded,
        """
        select kind, name, n_lines, n_rows, n_blank, n_rejected
        from ops.files
        order by kind, name
        """,
    ) == [
        ("descriptions", "descriptions", None, 2, None, None),
        ("qrels", "qrels", 5, 4, 0, 1),
        ("run", "amber", 1, 1, 0, 0),
        ("run", "blue.1", 5, 4, 0, 1),
        ("run", "green", 3, 2, 1, 0),
        ("topics", "topics", 2, 2, 0, 0),
    ]
    assert rows(
        loaded,
        "select kind, name, line_number, reason, text from raw.rejected_lines order by kind",
    ) == [
        ("qrels", "qrels", 5, "too_few_fields", "2 0 D5"),
        ("run", "blue.1", 4, "score_not_a_finite_number", "2 Q0 D1 1 high blue"),
    ]


def test_the_report_counts_what_the_load_did(warehouse: Warehouse, toy_files: ToyFiles) -> None:
    told: list[tuple[str, int, int]] = []
    report = load_collection(warehouse, toy_files.request(), lambda *said: told.append(said))
    names = ["runs.csv", "topics.tsv", "qrels.txt", "amber", "green.gz", "input.blue.1"]
    assert told == [(name, done, 6) for done, name in enumerate(names)]
    assert report.changed
    assert (report.n_files, report.n_unchanged) == (6, 0)
    assert (report.n_rows, report.n_blank, report.n_rejected) == (11, 1, 2)
    # A file is known by where it lay, and by the hash of its bytes.
    green = toy_files.runs / "green.gz"
    assert rows(warehouse, "select path, sha256, n_bytes from ops.files where name = 'green'") == [
        (str(green), hashlib.sha256(green.read_bytes()).hexdigest(), green.stat().st_size)
    ]


@pytest.mark.heavy
def test_more_runs_than_one_insert_takes(warehouse: Warehouse, toy_files: ToyFiles) -> None:
    for number in range(40):
        (toy_files.runs / f"more.{number:02}").write_text(f"1 Q0 D{number} 1 1 t\n")
    load_collection(warehouse, toy_files.request())
    assert rows(
        warehouse,
        """
        select count(*), count(distinct run_key)
        from raw.run_lines
        inner join raw.runs using (run_key)
        where run_id = 'more.' || right('0' || docno[2:], 2)
        """,
    ) == [(40, 40)]
    assert rows(warehouse, "select count(*) from ops.files where kind = 'run'") == [(43,)]


@pytest.mark.heavy
@pytest.mark.parametrize("column", ["n_lines", "n_blank"])
def test_an_account_that_does_not_balance_stops_the_load(
    loaded: Warehouse, toy_files: ToyFiles, monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    """No known file has this effect: the test makes the parser lose a line."""

    def parse_less(source: SourceFile) -> ParsedFile:
        parsed = parse_run(source)
        return replace(parsed, **{column: getattr(parsed, column) + 1})

    monkeypatch.setattr(line_files, "parse_run", parse_less)
    toy_files.blue.write_text("1 Q0 D1 1 2 t\n")
    before = state_of(loaded.path)
    with pytest.raises(AccountError, match=r"input\.blue\.1: [12] lines, but 1 rows, [01] blank"):
        load_collection(loaded, toy_files.request())
    assert state_of(loaded.path) == before


# -------------------------------------------------------------------------------------- once again


def test_loading_the_same_again_leaves_the_file_as_it_is(
    loaded: Warehouse, toy_files: ToyFiles
) -> None:
    before = state_of(loaded.path)
    report = load_collection(loaded, toy_files.request())
    assert state_of(loaded.path) == before
    assert not report.changed
    assert (report.n_files, report.n_unchanged, report.n_rows) == (6, 6, 0)
    assert names_beside(loaded) == {loaded.path.name, loaded.lock_path.name}


@pytest.mark.some(1)
@pytest.mark.parametrize("file_name", ["amber", "green.gz", "input.blue.1"])
def test_a_changed_run_replaces_its_own_lines_only(
    loaded: Warehouse, toy_files: ToyFiles, file_name: str
) -> None:
    run_id = run_id_of(file_name)
    others = everything(loaded, but_of_run=run_id)
    key = rows(loaded, f"select run_key from raw.runs where run_id = '{run_id}'")
    content = b"short line\n2 Q0 D9 1 7 changed\n"
    is_compressed = file_name.endswith(".gz")
    (toy_files.runs / file_name).write_bytes(gzip.compress(content) if is_compressed else content)
    report = load_collection(loaded, toy_files.request())
    assert report.changed
    assert (report.n_files, report.n_unchanged, report.n_rows) == (6, 5, 1)
    assert run_lines(loaded, run_id) == [(2, "2", "D9", 1, 7.0, "changed")]
    of_run = f"where name = '{run_id}'"
    assert rows(loaded, f"select n_lines, n_rows, n_rejected from ops.files {of_run}") == [
        (2, 1, 1)
    ]
    assert rows(loaded, f"select text from raw.rejected_lines {of_run}") == [("short line",)]
    assert rows(loaded, f"select run_key from raw.runs where run_id = '{run_id}'") == key
    assert everything(loaded, but_of_run=run_id) == others


def test_changed_qrels_descriptions_and_topics_replace_the_old(
    loaded: Warehouse, toy_files: ToyFiles
) -> None:
    toy_files.qrels.write_text("1 0 D1 0\n")
    toy_files.descriptions.write_text("run,organization\namber,river\n")
    toy_files.topics.write_text("2\tanother title\n")
    with pytest.raises(BadFileError, match="take away 2 and regrade 1 of the 3 judgements"):
        load_collection(loaded, toy_files.request())
    load_collection(loaded, toy_files.request(replace=True))
    assert rows(loaded, "select query, docno, grade from raw.qrels_lines") == [("1", "D1", 0)]
    assert rows(loaded, "select run_id, organization from raw.descriptions") == [("amber", "river")]
    assert rows(loaded, "select query, title from raw.topics") == [("2", "another title")]
    assert rows(loaded, "select * from raw.rejected_lines where kind = 'qrels'") == []
    assert rows(loaded, "select count(*), sum(n_rows) from ops.files where kind <> 'run'") == [
        (3, 3)
    ]


# Of kinds with one file: columns of raw, and two files with the rows and the remark of each.
WHOLE_TABLES: dict[str, tuple[str, list[tuple[str, Rows, list[str]]]]] = {
    "topic_attributes": (
        "query, attribute, value",
        [
            (
                "topic,kind,words\n1,broad,3\n9,narrow,\n",
                [("1", "kind", "broad"), ("1", "words", "3"), ("9", "kind", "narrow")],
                [
                    "judged topics without attributes: 2",
                    "topics with attributes that are not judged: 9",
                ],
            ),
            (
                "topic,kind\n1,broad\n2,narrow\n",
                [("1", "kind", "broad"), ("2", "kind", "narrow")],
                [],
            ),
        ],
    ),
    "official_results": (
        "run_id, title, label, value, n_decimals",
        [
            (
                "#### green\n```\nmap all 0.5\n```\n#### elsewhere\n```\nmap all 1\n```\n",
                [("elsewhere", "", "map", 1.0, 4), ("green", "", "map", 0.5, 4)],
                ["official results of runs that are not loaded: elsewhere"],
            ),
            (
                "#### elsewhere\n```\nmap all 1\n```\n",
                [("elsewhere", "", "map", 1.0, 4)],
                ["the official results are about runs that are not loaded, all of them"],
            ),
        ],
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("kind", WHOLE_TABLES)
def test_a_file_replaces_the_one_before_and_no_row_of_a_run_changes(
    loaded: Warehouse, toy_files: ToyFiles, kind: str
) -> None:
    fingerprints = "select fingerprint, frame_fingerprint from ops.collection_fingerprints"
    file = toy_files.folder / "file"
    file.write_text("")
    request = LoadRequest("toy", **{kind: file})  # type: ignore[arg-type]
    columns, files = WHOLE_TABLES[kind]
    states = rows(loaded, fingerprints)
    for content, expected, remarks in files:
        file.write_text(content)
        report = load_collection(loaded, request)
        assert (report.changed, report.n_files) == (True, 1)
        assert report.n_official_figures == len(expected) * (kind == "official_results")
        assert [each for each in report.remarks if kind.rpartition("_")[2] in each] == remarks
        assert rows(loaded, f"select {columns} from raw.{kind} order by all") == expected
        account = f"select n_lines, n_rows, n_rejected from ops.files where kind = '{kind}'"
        assert rows(loaded, account) == [(None, len(expected), None)]
        states += rows(loaded, fingerprints)
        assert not load_collection(loaded, request).changed
    assert len({whole for whole, _ in states}) == 3
    assert len({frame for _, frame in states}) == 1
    remove(loaded, "toy")
    assert rows(loaded, f"from raw.{kind}") == []


@pytest.mark.heavy
def test_collections_do_not_touch_each_other(loaded: Warehouse, toy_files: ToyFiles) -> None:
    toy = everything(loaded)
    load_collection(loaded, toy_files.request(collection="twin"))
    both = everything(loaded)
    for table, its in toy.items():
        assert set(its) < set(both[table])
        assert len(both[table]) == 2 * len(its)
    toy_files.qrels.write_text("1 0 D1 0\n")
    load_collection(loaded, LoadRequest("twin", qrels=toy_files.qrels, replace=True))
    of_toy = "where collection_key = (select collection_key from raw.collections limit 1)"
    assert rows(loaded, f"select * from raw.qrels_lines {of_toy}") == toy["qrels_lines"]


def test_what_was_replaced_stays_in_the_history(loaded: Warehouse, toy_files: ToyFiles) -> None:
    before = everything(loaded)["run_lines"]
    first = hashlib.sha256(toy_files.blue.read_bytes()).hexdigest()
    toy_files.blue.write_text("1 Q0 D1 1 2 t\n1 Q0 D1 1 3 t\nbad\n\n")
    second = hashlib.sha256(toy_files.blue.read_bytes()).hexdigest()
    load_collection(loaded, toy_files.request())
    load_collection(loaded, toy_files.request())  # nothing is new, and the history stays as it is
    of_blue = """
        select action, sha256, n_lines, n_rows, n_blank, n_rejected, n_duplicates, n_bytes, version
        from ops.load_history where name = 'blue.1' order by load_key
    """
    assert rows(loaded, of_blue) == [
        ("load", first, 5, 4, 0, 1, 0, len(BLUE), __version__),
        ("load", second, 4, 2, 1, 1, 1, 33, __version__),
    ]
    assert rows(loaded, "select count(*), count(distinct load_key) from ops.load_history") == [
        (7, 2)
    ]
    assert rows(loaded, "select bool_and(seconds > 0 and seconds < 60) from ops.load_history") == [
        (True,)
    ]
    assert rows(loaded, "select sha256 from ops.files where name = 'blue.1'") == [(second,)]
    # A file that goes back to what it was is loaded once more.
    toy_files.blue.write_text(BLUE)
    assert load_collection(loaded, toy_files.request()).changed
    assert everything(loaded)["run_lines"] == before


@pytest.mark.heavy
def test_a_hostile_name_does_not_pass_for_what_is_loaded(warehouse: Warehouse) -> None:
    """Two runs, and one run whose name spells both with their hashes, are two states."""
    folder = warehouse.path.parent
    folder.mkdir()
    (folder / "qrels").write_text(QRELS)
    texts = {"a": "1 Q0 D1 1 1 t\n", "b": "1 Q0 D2 1 1 t\n"}
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    both = f"a:{hashes['a']}|run:b"
    for name, text in {**texts, both: texts["b"]}.items():
        (folder / name).write_text(text)
    fingerprint = "select fingerprint from ops.collection_fingerprints"
    seen = set()
    for names in (("a", "b"), (both,)):
        request = LoadRequest("c", tuple(folder / name for name in names), folder / "qrels")
        load_collection(warehouse, request)
        seen |= set(rows(warehouse, fingerprint))
        remove(warehouse, "c")
    assert len(seen) == 2


# ---------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    "impossible",
    [
        *({"depth": 0}, {"threshold": 0}, {"pooling_order": "mood"}),
        *({"judged_from": 1}, {"judged_from": -(2**31)}),
    ],
)
def test_impossible_settings_are_refused(impossible: dict[str, Any]) -> None:
    with pytest.raises(PoolhouseError, match=r"expected -?\d+ to|is not one of"):
        LoadRequest("toy", **impossible)


@pytest.mark.heavy
def test_what_is_not_declared_keeps_what_was(loaded: Warehouse, toy_files: ToyFiles) -> None:
    declared = """
        select title, declared_pool_depth, relevance_threshold, pooling_order from raw.collections
    """
    assert rows(loaded, declared) == [(None, None, 1, "score")]
    first = {"title": "A toy", "depth": 100, "threshold": 2, "pooling_order": "file"}
    assert load_collection(loaded, toy_files.request(**first)).changed
    assert rows(loaded, declared) == [("A toy", 100, 2, "file")]
    assert not load_collection(loaded, toy_files.request()).changed
    second = {"depth": 50}
    assert load_collection(loaded, toy_files.request(**second)).changed
    assert rows(loaded, declared) == [("A toy", 50, 2, "file")]
    assert not load_collection(loaded, toy_files.request(**second)).changed


# ---------------------------------------------------------------------------------- which run files


def test_a_folder_stands_for_its_files_but_hidden_ones(toy_files: ToyFiles) -> None:
    (toy_files.runs / ".DS_Store").write_bytes(b"x")
    blue, green, amber = toy_files.blue, toy_files.runs / "green.gz", toy_files.runs / "amber"
    assert run_files([toy_files.runs]) == (amber, green, blue)
    assert run_files([blue, amber]) == (blue, amber)
    assert run_files([blue, toy_files.runs]) == (blue, amber, green)


def test_two_files_for_one_run_are_refused(
    warehouse: Warehouse, toy_files: ToyFiles, tmp_path: Path
) -> None:
    second = toy_files.runs / "blue.1.gz"
    second.write_bytes(gzip.compress(BLUE.encode()))
    with pytest.raises(BadFileError, match=r"input\.blue\.1: .*blue\.1\.gz is also run 'blue\.1'"):
        toy_files.request(runs=run_files([toy_files.runs]))
    second.unlink()
    runs = (toy_files.runs / "amber", tmp_path / "amber")
    runs[1].write_text(AMBER)
    with pytest.raises(BadFileError, match="is also run 'amber'; rename one"):
        toy_files.request(runs=runs)


def test_runs_are_named_by_folder_or_tag(tmp_path: Path) -> None:
    """A folder is read with its folders, and ir_metadata beside a run is none."""
    for name in ("a.run", "b"):
        folder = tmp_path / "upload" / name / "output"
        folder.mkdir(parents=True)
        (folder / "run.txt").write_text(f"# a comment\n\n1 Q0 D1 1 1 of {name}\n")
        (folder / "ir-metadata.yml").write_text("tag: any\n")
    named = {
        how: LoadRequest("any", [tmp_path / "upload"], run_id=how).run_ids
        for how in ("folder", "tag")
    }
    assert named == {"folder": ["a", "b"], "tag": ["of a", "of b"]}
    with pytest.raises(BadFileError, match=r"is also run 'run'; .*--run-id folder, or tag"):
        LoadRequest("any", [tmp_path / "upload"])
    (tmp_path / "run.json").write_text('{"1": {"D1": 1, "D2": 2, "D3": 3}}')
    with pytest.raises(BadFileError, match="has no tag in its first line"):
        LoadRequest("any", [tmp_path / "run.json"], run_id="tag")


def test_a_title_meets_its_topic_with_or_without_zeros(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    (tmp_path / "qrels").write_text("01 0 D1 1\n51 0 D1 1\n")
    (tmp_path / "run").write_text("01 Q0 D1 1 1 r\n51 Q0 D1 1 1 r\n")
    (tmp_path / "topics").write_text(
        "".join(f"<top><num> {number} <title> {number}</top>" for number in ("01", "051", "07"))
    )
    request = LoadRequest("c", [tmp_path / "run"], tmp_path / "qrels", topics=tmp_path / "topics")
    load_collection(warehouse, request)
    assert rows(warehouse, "select query, title from raw.topics order by all") == [
        *[("01", "01"), ("07", "07"), ("51", "051")]
    ]


def test_all_bad_files_are_named(warehouse: Warehouse, toy_files: ToyFiles) -> None:
    for name in ("x", "y"):
        (toy_files.runs / name).write_text("no run\n")
    with pytest.raises(BadFileError, match=r"runs/x: holds no ranked .*; bad too: y$"):
        load_collection(warehouse, toy_files.request(runs=run_files([toy_files.runs])))


def test_runs_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="missing: no such file or folder"):
        run_files([tmp_path / "missing"])
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / ".hidden").write_text(AMBER)
    with pytest.raises(BadFileError, match="empty: the folder holds no run files"):
        run_files([empty])


# ----------------------------------------------------------------------------------------- remarks


NOT_DESCRIBED = "not described, each counted as its own organization: "
NOT_LOADED = "runs that are described but not loaded: "

# Descriptions of the runs amber, blue.1 and green, and the remarks on them.
DESCRIBED: dict[str | None, list[str]] = {
    "blue.1,a\ngreen,b\namber,c": [],
    "blue.1,a\ngreen,b": [f"{NOT_DESCRIBED}amber"],
    "green,b": [f"{NOT_DESCRIBED}amber, blue.1"],
    "blue.1,a\ngreen,b\nambre,c": [f"{NOT_DESCRIBED}amber", f"{NOT_LOADED}ambre"],
    "blue.1,a\ngreen,b\namber,c\n" + "\n".join(f"z{number},d" for number in range(7)): [
        f"{NOT_LOADED}z0, z1, z2, z3, z4 and 2 more"
    ],
    None: ["no descriptions: every run counts as an organization of its own"],
}


def test_runs_and_descriptions_that_do_not_meet_are_remarked_on(
    warehouse: Warehouse, toy_files: ToyFiles
) -> None:
    with warehouse.change(), warehouse.side() as connection:
        for number, (described, remarks) in enumerate(DESCRIBED.items()):
            toy_files.descriptions.write_text(f"run,organization\n{described}\n")
            file = toy_files.descriptions if described else None
            request = toy_files.request(collection=f"c{number}", descriptions=file)
            report = load_into(connection, request)
            assert report.remarks == [*remarks, OF_AMBER, OF_GRADES, OF_NEGATIVE]


@pytest.mark.heavy
def test_the_threshold_is_said_where_another_is_possible(
    warehouse: Warehouse, toy_files: ToyFiles
) -> None:
    """Tracks differ in the grade from which on a document is relevant, and no file says it."""

    def said(**changes: Any) -> list[str]:  # noqa: ANN401 - fields of LoadRequest
        request = toy_files.request(replace=True, **changes)
        return [
            each for each in load_collection(warehouse, request).remarks if "relevant from" in each
        ]

    assert said() == [OF_GRADES]
    assert said() == []  # the same qrels again
    assert said(threshold=2) == []
    toy_files.qrels.write_text("1 0 D1 3\n2 0 D4 2\n")
    of_third = OF_GRADES.replace("up to 2", "up to 3").replace("grade 1", "grade 2")
    assert said() == [of_third]  # the threshold of the load before
    toy_files.qrels.write_text("1 0 D1 1\n2 0 D4 0\n")
    assert said() == []


def test_how_grades_below_0_count_is_said(warehouse: Warehouse, toy_files: ToyFiles) -> None:
    """The setting stays, and a load that changes it asks for a build."""

    def said(judged_from: int | None = None) -> tuple[bool, int, str]:
        report = load_collection(warehouse, toy_files.request(judged_from=judged_from))
        columns, [row] = collection_status(warehouse)
        n_judgements = row[columns.index("judgements")]
        assert isinstance(n_judgements, int)
        return (
            report.changed,
            n_judgements,
            " ".join(each for each in report.remarks if "0:" in each),
        )

    unjudged = "count as in the pool and not judged"
    toy_files.qrels.write_text("1 0 D1 1\n1 0 D2 -1\n2 0 D4 -2\n2 0 D5 0\n")
    below = "2 of 4 judgements have a grade below 0: "
    whole = f"they {unjudged} (load --judged-from -2 makes them judged and not relevant)"
    assert said() == (True, 2, below + whole)
    both = f"those from -1 on count as judged and not relevant, and the 1 below {unjudged}"
    assert said(-1) == (True, 3, below + both)
    assert said(-2) == (True, 4, f"{below}they count as judged and not relevant")
    assert said() == (False, 4, "")
    assert said(0) == (True, 2, below + whole)


@pytest.mark.heavy
def test_a_run_that_is_gone_from_its_folder_is_remarked_on(
    loaded: Warehouse, toy_files: ToyFiles, tmp_path: Path
) -> None:
    everywhere = toy_files.request()
    load_collection(loaded, everywhere)
    (tmp_path / "late").write_text(AMBER)
    elsewhere = LoadRequest("toy", [tmp_path / "late"])
    load_collection(loaded, toy_files.request(collection="here", descriptions=None))
    (toy_files.runs / "amber").unlink()
    gone = (
        "still loaded, though their files are no longer in the folder: amber (poolhouse remove "
        "removes runs)"
    )
    left = toy_files.request(collection="here", runs=run_files([toy_files.runs]))
    assert gone in load_collection(loaded, left).remarks
    assert not any("gone" in remark for remark in load_collection(loaded, elsewhere).remarks)
    remove(loaded, "here", ["amber"])
    assert not any("gone" in remark for remark in load_collection(loaded, left).remarks)


# -------------------------------------------------------------- judgements that were made for a run


def test_common_topics_that_are_replaced_are_counted(loaded: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "common"
    arguments = ["load", "toy", "--db", str(loaded.path), "--common-topics", "green", str(file)]

    def notes(text: str) -> list[str]:
        file.write_text(text)
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        return [line for line in result.stderr.splitlines() if "common topics of" in line]

    four = "1 0 D8 1\n1 0 D9 1\n1 0 D9 0\n2 0 D8 0\n2 0 D9 1\n"
    assert notes(four) == []
    assert notes(four) == []
    assert notes("2 0 D8 1\n") == [
        "note: common topics of run 'green': 1 judgements of 1 topics replaced 4 of 2 topics "
        "(a file holds all judgements for its run)"
    ]


# --------------------------------------------------------------- runs that came after the pool


def is_after_pool(warehouse: Warehouse, run_id: str) -> bool:
    [(mark,)] = rows(warehouse, f"select is_after_pool from raw.runs where run_id = '{run_id}'")
    return bool(mark)


@pytest.mark.heavy
def test_the_last_load_says_whether_a_run_came_after_the_pool(
    loaded: Warehouse, toy_files: ToyFiles
) -> None:
    """The same holds for an unchanged file: the state is as if this load were the only one."""
    states = rows(loaded, "select fingerprint from ops.collection_fingerprints")
    runs = run_files([toy_files.runs / "amber"])
    report = load_collection(loaded, LoadRequest("toy", runs, are_after_pool=True))
    assert (report.changed, report.n_unchanged) == (True, 1)
    assert is_after_pool(loaded, "amber")
    assert not is_after_pool(loaded, "green")
    assert rows(loaded, "select fingerprint from ops.collection_fingerprints") != states

    report = load_collection(loaded, toy_files.request())
    assert report.changed
    assert [each for each in report.remarks if "kept earlier" in each] == [
        "runs that were kept earlier as not pooled and now count like any other run: amber "
        "(adjust --keep, or descriptions, say that they were not)"
    ]
    assert not is_after_pool(loaded, "amber")
    assert rows(loaded, "select fingerprint from ops.collection_fingerprints") == states
    assert not load_collection(loaded, toy_files.request()).changed


def test_a_judgement_that_is_repeated_is_told_with_its_line(
    warehouse: Warehouse, toy_files: ToyFiles
) -> None:
    """trec_eval ends with an error. A load keeps the highest grade, and --strict refuses."""
    n_lines = toy_files.qrels.read_text().count("\n")
    with toy_files.qrels.open("a") as lines:
        lines.write("9 0 D1 0\n9 0 D1 1\n9 0 D1 1\n")
    said = f"qrels.txt: 2 lines judge a document again, the first is line {n_lines + 2} (topic 9,"
    assert said in " ".join(load_collection(warehouse, toy_files.request()).remarks)
    toy_files.qrels.write_text("9 0 D1 0\n9 0 D1 0\n")
    strict = evolve(toy_files.request(), strict=True, collection="strict")
    with pytest.raises(BadFileError, match=r"qrels.txt:2: topic 9, document D1 is judged twice"):
        load_collection(warehouse, strict)
