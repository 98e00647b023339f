"""Test `poolhouse export`: other tools read the rows of the marts, completely or not at all."""

import csv
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import polars as pl
import pytest
from click.testing import Result

from asking import invoke, invoke_on
from built_collections import load_together
from conftest import OF_DEV, NewWarehouse, write_toy_files
from poolhouse.building.build import build
from poolhouse.export import exporting
from poolhouse.export.descriptions import Table, croissant
from poolhouse.export.file_names import file_name_of
from poolhouse.export.mart_files import write_mart
from poolhouse.export.marts import Column, Mart
from poolhouse.file_digests import digest_of
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_files
from poolhouse.warehouse.file import Warehouse

# Such ids would leave the folder, end a text of SQL, or be invalid as the name of a file.
HOSTILE_COLLECTION = "../it's; drop table x--"
HOSTILE_ORGANIZATION = 'we "are", =1+1'
# The name of a target, which would end a text or a name of SQL.
ODD = 'it\'s "one"; é'


@pytest.fixture(scope="module")
def built(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Provide a collection, one with names that are hard to write down, and one not judged."""
    folder = tmp_path_factory.mktemp("export")
    warehouse = new_warehouse(folder)
    toy = write_toy_files(folder / "toy").request()
    runs = folder / "odd"
    runs.mkdir()
    for name in ("a", "b"):
        (runs / name).write_text("1 Q0 D1 1 2 t\n1 Q0 D'2\" 2 1 t\n")
    qrels = folder / "odd.txt"
    qrels.write_text("1 0 D1 1\n1 0 D'2\" 0\n")
    descriptions = folder / "odd.csv"
    with descriptions.open("w", newline="") as file:
        csv.writer(file).writerows(
            [("run", "organization"), ("a", HOSTILE_ORGANIZATION), ("b", "plain")]
        )
    odd = LoadRequest(
        HOSTILE_COLLECTION, run_files([runs]), qrels, descriptions=descriptions, depth=2
    )
    later = tmp_path_factory.mktemp("later") / "a"
    later.write_text("1 Q0 D1 1 2 t\n")
    unjudged = LoadRequest("later", (later,), unjudged=True)
    load_together(warehouse, (toy, odd, unjudged))
    build(warehouse)
    return warehouse


def exported(warehouse: Warehouse, target: Path, format_: str, *options: str) -> Result:
    return invoke_on(warehouse, "export", target, "--format", format_, *options)


def marts_of(warehouse: Warehouse) -> dict[str, str]:
    """Return the names of the marts of an export, and the same with their schemas."""
    with warehouse.read() as connection:
        rows = connection.execute(
            """
            select view_name, schema_name || '.' || view_name from duckdb_views()
            where
                list_contains(['main', 'audits', 'experiments'], schema_name)
                and not internal
                and view_name <> 'fct_quality_figures'
            """
        ).fetchall()
    return dict(rows)


def rows_of(connection: duckdb.DuckDBPyConnection, relation: str) -> list[tuple[object, ...]]:
    return sorted(connection.execute(f"from {relation}").fetchall(), key=repr)


def rows_there(connection: duckdb.DuckDBPyConnection, mart: str) -> list[tuple[object, ...]]:
    """Return the rows of a mart, without the history of a removed collection."""
    columns = connection.execute(f"describe {mart}").fetchall()
    has_collection = any(name == "collection_id" for name, *_ in columns)
    chosen = "where collection_id in (select collection_id from dim_collections)"
    return rows_of(connection, f"{mart} {chosen if has_collection else ''}")


@pytest.mark.heavy
def test_a_database_has_the_rows_and_the_comments(built: Warehouse, tmp_path: Path) -> None:
    target = tmp_path / f"{ODD}.duckdb"
    assert exported(built, target, "duckdb").exit_code == 0
    comments = """
        select table_name, column_name, data_type, comment from duckdb_columns()
        where
            list_contains(['main', 'audits', 'experiments'], schema_name)
            and not internal
            and (schema_name <> 'experiments' or regexp_matches(table_name, '^(dim|fct|rpt)_'))
            and table_name <> 'fct_quality_figures'
        order by all
    """
    with built.read() as there, duckdb.connect(str(target), read_only=True) as here:
        for mart, relation in marts_of(built).items():
            assert rows_of(here, mart) == rows_there(there, relation), mart
        assert here.execute(comments).fetchall() == there.execute(comments).fetchall()
        schemas = here.execute("select distinct schema_name from duckdb_tables()").fetchall()
        assert schemas == [("main",)]
    assert [entry.name for entry in tmp_path.iterdir()] == [target.name]


@pytest.fixture(scope="module")
def folders(built: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Export all marts as files, in both formats."""
    there = {each: tmp_path_factory.mktemp("files") / ODD for each in ("parquet", "csv")}
    for format_, folder in there.items():
        done = exported(built, folder, format_)
        assert done.exit_code == 0, done.output
    return there


@pytest.mark.heavy
@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_files_have_the_rows(built: Warehouse, folders: dict[str, Path], format_: str) -> None:
    target = folders[format_]
    read = f"read_{format_}"
    with built.read() as there, duckdb.connect() as here:
        for mart, relation in marts_of(built).items():
            types = there.execute(f"describe {relation}").fetchall()
            names = ", ".join(
                f'"{name}"::{type_} as "{name}"' if type_.endswith("]") else f'"{name}"'
                for name, type_, *_ in types
            )
            given = {name: "json" if type_.endswith("]") else type_ for name, type_, *_ in types}
            options = ""
            if format_ == "csv":
                options = f", delim = ',', quote = '\"', columns = {given}"
            path = str(target / f"{mart}.{format_}").replace("'", "''")
            found = rows_of(here, f"(select {names} from {read}('{path}'{options}))")
            assert found == rows_there(there, relation), mart


@pytest.mark.heavy
def test_a_data_package_is_valid_and_reads_the_files(
    built: Warehouse, folders: dict[str, Path]
) -> None:
    """By frictionless, the types, keys and references hold for the rows."""
    frictionless = pytest.importorskip("frictionless", reason=OF_DEV)
    with frictionless.system.use_context(trusted=True):
        package = frictionless.Package.from_descriptor(str(folders["csv"] / "datapackage.json"))
        report = package.validate()
    assert report.valid, report.flatten(["name", "type", "note", "message"])[:5]
    names = {resource.name for resource in package.resources}
    assert names == set(marts_of(built))
    scores = package.get_resource("fct_run_scores").schema
    assert scores.primary_key[:2] == ["collection_id", "run_id"]
    assert {key["reference"]["resource"] for key in scores.foreign_keys} >= {"dim_runs"}


def as_text(value: object) -> object:
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.heavy
@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_croissant_metadata_is_valid(built: Warehouse, tmp_path: Path, format_: str) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason=OF_DEV)
    target = tmp_path / "marts"
    marts = ("--mart", "leaderboard", "--mart", "dim_measures")
    assert exported(built, target, format_, *marts).exit_code == 0
    dataset = mlcroissant.Dataset(jsonld=str(target / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    assert dataset.metadata.ctx.is_v1_1()
    ranked = dataset.records(record_set="leaderboard#rows")
    found = {as_text(record["leaderboard#rows/collection_id"]) for record in ranked}
    assert found == {"toy", HOSTILE_COLLECTION}
    records = list(dataset.records(record_set="dim_measures#rows"))
    with built.read() as connection:
        measures = connection.execute("select measure from dim_measures").fetchall()
    values = {record["dim_measures#rows/measure"] for record in records}
    assert set(map(as_text, values)) == {measure for (measure,) in measures}


@pytest.mark.heavy
def test_croissant_reads_lists(tmp_path: Path) -> None:
    """Version 1.1 has arrays. They are numbers in Parquet."""
    mlcroissant = pytest.importorskip("mlcroissant", reason=OF_DEV)
    pl.DataFrame({"widths": [[1, 2], [3]]}).write_parquet(tmp_path / "lists.parquet")
    mart = Mart("main", "lists", "Lists.", (Column("widths", "INTEGER[]", "Numbers."),), ())
    digest = digest_of(tmp_path / "lists.parquet")
    described = croissant("lists", [Table(mart, "lists.parquet", digest, {})], date(2026, 1, 1))
    (tmp_path / "croissant.json").write_text(json.dumps(described))
    dataset = mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
    [field] = dataset.metadata.record_sets[0].fields
    assert field.data_type is int
    rows = [record["lists#rows/widths"] for record in dataset.records("lists#rows")]
    assert [list(map(int, row)) for row in rows] == [[1, 2], [3]]


@pytest.mark.heavy
def test_trec_files_are_what_trec_eval_prints_and_reads(built: Warehouse, tmp_path: Path) -> None:
    target = tmp_path / "trec"
    assert exported(built, target, "trec").exit_code == 0
    lines = (target / "toy" / "scores" / "blue.1.txt").read_text().splitlines()
    values = {tuple(line.split("\t")[:2]): line.split("\t")[2] for line in lines}
    with built.read() as connection:
        [(expected,)] = connection.execute(
            """
            select score from fct_run_scores where collection_id = 'toy' and run_id = 'blue.1'
            and measure = 'AP' and judgement_set = 'full' and unjudged = 'nonrelevant'
            """
        ).fetchall()
        judgements = connection.execute(
            "select topic_id, doc_id, relevance from fct_judgements where collection_id = 'toy'"
        ).fetchall()
    assert values[f"{'map':<22}", "all"] == f"{expected:.4f}"
    full = (target / "toy" / "qrels" / "full.txt").read_text().splitlines()
    assert sorted(full) == sorted(f"{topic} 0 {doc} {grade}" for topic, doc, grade in judgements)
    odd = target / file_name_of(HOSTILE_COLLECTION)
    file = odd / "qrels_without_organization" / f"{file_name_of(HOSTILE_ORGANIZATION)}.txt.gz"
    assert gzip.decompress(file.read_bytes()).decode() == "1 0 D'2\" 0\n1 0 D1 1\n"
    assert {entry.name for entry in tmp_path.iterdir()} == {"trec"}


@pytest.mark.heavy
def test_trec_has_no_files_of_what_is_not_judged(built: Warehouse, tmp_path: Path) -> None:
    target = tmp_path / "trec"
    done = exported(built, target, "trec", "--collection", "toy", "--collection", "later")
    assert done.exit_code == 0
    assert "note: later: not judged yet, and left out" in done.stderr
    assert {entry.name for entry in target.iterdir()} == {"README.txt", "toy"}


@pytest.mark.heavy
@pytest.mark.parametrize("options", [(), ("--collection", "page")])
def test_an_export_to_trec_of_nothing_judged_fails(
    unjudged_once: Warehouse, tmp_path: Path, options: tuple[str, ...]
) -> None:
    done = exported(unjudged_once, tmp_path / "trec", "trec", *options)
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: not judged: page; there are no scores and no qrels")
    assert "poolhouse pool make" in done.stderr
    assert "--qrels FILE" in done.stderr
    assert list(tmp_path.iterdir()) == []


def in_quepid(file: Path) -> list[tuple[str, ...]]:
    """Read ratings as Quepid's import does: the header is fixed, and a quote only toggles."""
    header, *lines = file.read_text(encoding="utf-8").split("\n")
    assert header == "query,docid,rating"
    rows = []
    for line in filter(None, map(str.strip, lines)):
        cells, is_quoted = [""], False
        for character in line:
            if character == '"':
                is_quoted = not is_quoted
            elif character == "," and not is_quoted:
                cells.append("")
            else:
                cells[-1] += character
        rows.append(tuple(cell.strip() for cell in cells))
    return rows


def in_rre(file: Path) -> dict[tuple[str, str], int]:
    """Read ratings as the engine of the Rated Ranking Evaluator does."""
    ratings = json.loads(file.read_text(encoding="utf-8"))
    assert ratings["index"]
    assert ratings["id_field"]
    found = {}
    for topic in ratings["topics"]:
        for group in topic["query_groups"]:
            for query in group["queries"]:
                assert query["template"]
                for document, judgement in group["relevant_documents"].items():
                    found[query["placeholders"]["$query"], document] = judgement["gain"]
    return found


@pytest.mark.heavy
def test_ratings_are_what_quepid_and_rre_read(built: Warehouse, tmp_path: Path) -> None:
    """A query is the title. Grades below 0 are left out; RRE takes each document as relevant."""
    done = exported(built, tmp_path / "quepid", "quepid")
    assert done.exit_code == 0, done.output
    assert f"{HOSTILE_COLLECTION}: the id is the query of 1 topic" in done.stderr
    assert "toy: the id" not in done.stderr
    assert "later: not judged yet, and left out" in done.stderr
    assert exported(built, tmp_path / "rre", "rre").exit_code == 0
    with built.read() as connection:
        judged = connection.execute(
            """
            select title, doc_id, relevance, is_relevant
            from fct_judgements inner join dim_topics using (collection_id, topic_id)
            where collection_id = 'toy' and relevance >= 0
            """
        ).fetchall()
    found = in_quepid(tmp_path / "quepid" / "toy.csv")
    assert sorted(found) == sorted((title, doc, str(grade)) for title, doc, grade, _ in judged)
    assert in_rre(tmp_path / "rre" / "toy.json") == {
        (title, doc): grade for title, doc, grade, is_relevant in judged if is_relevant
    }
    odd = file_name_of(HOSTILE_COLLECTION)
    assert in_quepid(tmp_path / "quepid" / f"{odd}.csv") == [("1", "D1", "1"), ("1", "D'2", "0")]
    assert in_rre(tmp_path / "rre" / f"{odd}.json") == {("1", "D1"): 1}


@pytest.mark.heavy
def test_a_title_of_two_topics_is_no_query(new_warehouse: NewWarehouse, tmp_path: Path) -> None:
    """Whoever tells queries apart by their text would mix the judgements of both topics."""
    files = write_toy_files(tmp_path / "toy")
    files.topics.write_text("1\tsame  title\n2\tSame title\n")
    warehouse = new_warehouse(tmp_path)
    load_together(warehouse, (files.request(),))
    build(warehouse)
    done = exported(warehouse, tmp_path / "quepid", "quepid")
    assert "toy: the id is the query of 2 topics" in done.stderr
    assert {query for query, *_ in in_quepid(tmp_path / "quepid" / "toy.csv")} == {"1", "2"}


def test_the_semantic_model_has_what_the_docs_say(built: Warehouse, tmp_path: Path) -> None:
    chosen = [f"--mart={mart}" for mart in ("leaderboard", "dim_runs", "fct_run_scores")]
    assert exported(built, tmp_path / "model.json", "semantic", *chosen).exit_code == 0
    model = json.loads((tmp_path / "model.json").read_text())
    marts = {each["name"]: each for each in model["datasets"]}
    assert set(marts) == {"leaderboard", "dim_runs", "fct_run_scores"}
    assert marts["dim_runs"]["primary_key"] == ["collection_id", "run_id"]
    advice = marts["fct_run_scores"]["ai_context"]["instructions"]
    assert "group by it: judgement_set, unjudged, measure (a row for each choice" in advice
    assert "ai_context" not in marts["leaderboard"]
    fields = {each["name"]: each for each in marts["leaderboard"]["fields"]}
    assert fields["run_id"]["ai_context"] == {"synonyms": ["system", "submission"]}
    assert fields["ap"]["datatype"] == "Float"
    assert "dimension" not in fields["ap"]
    assert {each["name"] for each in model["relationships"]} == {
        *("leaderboard_to_dim_runs", "fct_run_scores_to_dim_runs")
    }
    assert all(each["name"].startswith("leaderboard_") for each in model["metrics"])


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["model.yml", "model.json"])
def test_the_semantic_model_is_valid_and_asks_the_warehouse(
    built: Warehouse, tmp_path: Path, name: str
) -> None:
    """By azem and Ossie's schema; the SQL that it makes of a metric gives the leaderboard."""
    azem = pytest.importorskip("azem", reason=OF_DEV)
    from azem.compiler.request import QueryRequest  # noqa: PLC0415 - of group dev

    done = exported(built, tmp_path / name, "semantic")
    assert done.exit_code == 0, done.output
    model = azem.SemanticModel.from_file(tmp_path / name)
    assert {each.name for each in model.datasets} == set(marts_of(built))
    keys = {each.name: each.primary_key for each in model.datasets}
    assert all(keys[each.to] == each.to_columns for each in model.relationships)
    request = QueryRequest(
        metrics=["topic_leaderboard_mean_ap"],
        dimensions=["topic_leaderboard.run_id"],
        filters=[{"field": "dim_collections.collection_id", "op": "=", "value": "toy"}],
    )
    with built.read() as connection:
        found = connection.execute(model.compile(request, "duckdb")).fetchall()
        expected = connection.execute(
            "select run_id, ap from leaderboard where collection_id = 'toy'"
        ).fetchall()
        for metric in model.metrics:
            sql = metric.expression.dialects[0].expression
            mart = max(re.findall(r"(\w+)\.", sql), key=len)
            assert connection.execute(f"select {sql} from {mart}").fetchall(), metric.name
    assert dict(found) == pytest.approx(dict(expected))


def test_other_formats_have_what_is_not_judged(built: Warehouse, tmp_path: Path) -> None:
    target = tmp_path / "marts"
    chosen = ("--collection", "later", "--mart", "dim_runs")
    assert exported(built, target, "parquet", *chosen).exit_code == 0
    assert set(pl.read_parquet(target / "dim_runs.parquet")["run_id"]) == {"a"}


def test_where_memory_runs_out_one_thread_writes_all_again(
    built: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sort of 43 million scores needs more than 3 GB with two threads, and less with one."""
    threads: list[int] = []

    def scarce(connection: duckdb.DuckDBPyConnection, *arguments: Any) -> Table:  # noqa: ANN401
        threads.extend(connection.execute("select current_setting('threads')").fetchone() or ())
        if len(threads) == 2:
            raise duckdb.OutOfMemoryException("not enough")
        return write_mart(connection, *arguments)

    monkeypatch.setattr(exporting, "write_mart", scarce)
    chosen = ("--mart", "dim_runs", "--mart", "dim_measures")
    assert exported(built, tmp_path / "marts", "csv", *chosen).exit_code == 0
    assert len(threads) == 4
    assert threads[2:] == [1, 1]
    assert {"dim_runs.csv", "dim_measures.csv"} < {
        file.name for file in (tmp_path / "marts").iterdir()
    }


def test_chosen_collections_and_marts(built: Warehouse, tmp_path: Path) -> None:
    target = tmp_path / ODD
    chosen = ("--collection", "toy", "--mart", "leaderboard")
    assert exported(built, target, "parquet", *chosen).exit_code == 0
    assert {entry.name for entry in target.iterdir()} == {
        *("README.txt", "croissant.json", "datapackage.json", "leaderboard.parquet")
    }
    assert set(pl.read_parquet(target / "leaderboard.parquet")["collection_id"]) == {"toy"}


@pytest.mark.parametrize("format_", ["duckdb", "csv", "superset"])
@pytest.mark.parametrize(
    ("name", "message"),
    [(b"/", "/: name a file or a folder within it"), (b"caf\xe9", r"caf\xe9: is not UTF-8: give")],
)
def test_impossible_targets_are_refused(
    built: Warehouse, tmp_path: Path, name: bytes, message: str, format_: str
) -> None:
    done = exported(built, tmp_path / os.fsdecode(name), format_)
    assert done.exit_code == 1
    [line] = done.stderr.splitlines()
    assert message in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.heavy
@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_the_same_warehouse_gives_the_same_bytes(
    built: Warehouse, folders: dict[str, Path], tmp_path: Path, format_: str
) -> None:
    assert exported(built, tmp_path / "two", format_).exit_code == 0
    first, second = (
        {file.name: file.read_bytes() for file in each.glob(f"*.{format_}")}
        for each in (folders[format_], tmp_path / "two")
    )
    assert first == second != {}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--mart", "leaderbord"), "there is no mart 'leaderbord'"),
        (("--mart", "run_scores"), "table macros have no rows of their own"),
        (("--collection", "tyo"), "did you mean 'toy'?"),
    ],
)
def test_what_cannot_be_exported(
    built: Warehouse, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    done = exported(built, tmp_path / "marts", "csv", *options)
    assert done.exit_code == 1
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.heavy
def test_what_is_there_is_replaced_only_when_asked_for(built: Warehouse, tmp_path: Path) -> None:
    target = tmp_path / "marts"
    chosen = ("--mart", "dim_runs")
    assert exported(built, target, "csv", *chosen).exit_code == 0
    refused = exported(built, target, "csv", *chosen)
    assert refused.exit_code == 1
    assert "--replace" in refused.stderr
    assert exported(built, target, "parquet", *chosen, "--replace").exit_code == 0
    assert not list(target.rglob("*.csv"))
    assert {entry.name for entry in tmp_path.iterdir()} == {"marts"}


def test_a_folder_that_is_no_export_stays(built: Warehouse, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    (target / "thesis.tex").write_text("years of work")
    done = exported(built, target, "csv", "--replace")
    assert done.exit_code == 1
    assert "not the folder of an export" in done.stderr
    assert (target / "thesis.tex").read_text() == "years of work"
    assert {entry.name for entry in tmp_path.iterdir()} == {"mine"}


def test_the_warehouse_itself_is_no_target(built: Warehouse) -> None:
    before = built.path.read_bytes()
    done = exported(built, built.path, "duckdb", "--replace")
    assert done.exit_code == 1
    assert built.path.read_bytes() == before


@pytest.mark.heavy
@pytest.mark.parametrize("format_", ["duckdb", "csv", "trec"])
def test_killed_it_leaves_nothing_that_looks_whole(
    built: Warehouse, tmp_path: Path, format_: str
) -> None:
    """The export is killed at six moments; the next export deletes the leftovers."""
    copy = Path(copyfile(built.path, tmp_path / "copy.duckdb"))
    folder = tmp_path / "exports"
    folder.mkdir()
    command = [sys.executable, "-m", "poolhouse", "export", str(folder / "out")]
    chosen = ["--collection", "toy"] if format_ == "trec" else ["--mart", "leaderboard"]
    command += ["--format", format_, *chosen, "--db", str(copy)]
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.monotonic() - start
    whole = {entry.relative_to(folder) for entry in (folder / "out").rglob("*")}
    for part in range(6):
        process = subprocess.Popen([*command, "--replace"], stderr=subprocess.DEVNULL)
        time.sleep(seconds * part / 6)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        visible = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        assert [entry.name for entry in visible] in (["out"], [])
        if visible:
            assert {entry.relative_to(folder) for entry in (folder / "out").rglob("*")} == whole
    subprocess.run([*command, "--replace"], check=True, capture_output=True)
    assert [entry.name for entry in folder.iterdir()] == ["out"]


def test_names_of_files_tell_ids_apart() -> None:
    ids = [
        *("a", "A", "..", ".", "/etc/passwd", "a/b", "a b", "%2E", "x" * 300, "x" * 301),
        *("été", "\u202eabc", "con", "a\\b", "~"),
    ]
    names = [file_name_of(each) for each in ids]
    assert len(set(names)) == len(ids)
    for name in names:
        assert "/" not in name
        assert not name.startswith(".")
        assert name.isascii()
        assert len(name) < 200


def test_docs_are_listed_and_shown() -> None:
    listed = invoke("docs")
    assert "decisions/leaderboards" in listed.stdout
    shown = invoke("docs", "decisions/ties")
    path = invoke("docs", "decisions/ties.md", "--path").stdout.strip()
    assert shown.stdout == Path(path).read_text()
    wrong = invoke("docs", "verdict")
    assert wrong.exit_code == 1
    assert "did you mean 'verdicts'?" in wrong.stderr


def test_descriptions_are_json(built: Warehouse, tmp_path: Path) -> None:
    """Both descriptions describe every column of the files."""
    assert exported(built, tmp_path / "marts", "parquet", "--mart", "leaderboard").exit_code == 0
    package = json.loads((tmp_path / "marts" / "datapackage.json").read_text())
    [resource] = package["resources"]
    fields = {field["name"]: field["description"] for field in resource["schema"]["fields"]}
    assert set(fields) == set(pl.read_parquet(tmp_path / "marts" / resource["path"]).columns)
    assert all(fields.values())
