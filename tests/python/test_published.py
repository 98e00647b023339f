"""Test that a collection which is loaded from its export is equal, and what its card says."""

import csv
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from asking import invoke_on, rows
from conftest import OF_DEV, NewWarehouse
from page import DESCRIPTIONS, write_collection
from poolhouse.building.build import build
from poolhouse.loading.copying import copy_runs
from poolhouse.loading.raw_store import RawStore
from poolhouse.warehouse.file import Warehouse

pytestmark = pytest.mark.heavy

# The names of a collection and an author that are hard to write down in YAML, SQL and paths.
NAME = 'it\'s: "a" #1 é😀'
AUTHOR = "x/../y: 'z'"
# Marts about the work on the warehouse, and not about the collection.
KEYS = ("load_key", "collection_key", "run_key", "line_number")
OF_WORK = {"audit_load_history", "audit_verdict_changes", "fct_quality_results"}


class Published(NamedTuple):
    """A warehouse, the folder to which its collection was exported, and one loaded from this."""

    first: Warehouse
    folder: Path
    second: Warehouse


@pytest.fixture(scope="module")
def published(new_warehouse: NewWarehouse, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Judge a collection from lists, one of them a sample, and load it from its export."""
    folder = tmp_path_factory.mktemp("published")
    first, second = (new_warehouse(tmp_path_factory.mktemp(each)) for each in ("first", "second"))
    runs = folder / "page" / "runs"
    write_collection(folder / "page")
    for run in runs.iterdir():
        run.write_text(run.read_text() + f"2 Q0 d7 1 2 {run.name}\n2 Q0 d8 2 1 {run.name}\n")
    files = {
        "qrels": "1 2 d9 -1\n1 1 d6 -2\n1 1 d5 2\n1 1 d5 1\n",
        "labels": "1 0 d1 3\n1 0 d2 -1\n7 0 d1 1\n",
        "runs.csv": DESCRIPTIONS.replace("b1,B", 'b1,"B, ""C"""') + "gone,D\n",
        "titles": '1\tone, or "1"\n2\t= two\ttabs\n',
        "attributes": "topic,kind\n1,broad\n2,\n9,narrow\n",
        "authors": f"author,kind,threshold,highest,date,notes\n{AUTHOR},model,2,3,2026-01-31,a b\n",
        "common": "2 0 d7 1\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    load = (
        "load",
        NAME,
        "--threshold",
        "2",
        "--judged-from",
        "-1",
        "--title",
        "no",
        "--year",
        "2026",
    )
    named = ("--descriptions", folder / "runs.csv", "--topics", folder / "titles")
    invoke_on(first, *load, "--runs", runs, *named, "--unjudged", status=0)
    build(first)
    for strategy, budget in (("rrf", 4), ("uniform_sample", 6)):
        file = folder / strategy
        make = ("pool", "make", NAME, "--strategy", strategy, "--budget", budget, "-o", file)
        invoke_on(first, *make, status=0)
    answered = [
        line if line.startswith("#") else f"{line} {int(line[-1]) % 3}"
        for line in (folder / "rrf").read_text().split("\n")[:-1]
    ]
    (folder / "rrf").write_text("\n".join(answered))
    invoke_on(first, "load", NAME, "--qrels", folder / "qrels", "--depth", "2", status=0)
    invoke_on(
        first, "pool", "load", NAME, folder / "rrf", "--author", "anna", "--replace", status=0
    )
    more = ("--authors", folder / "authors", "--topic-attributes", folder / "attributes")
    labels = (
        "--qrels",
        f"{AUTHOR}={folder / 'labels'}",
        "--common-topics",
        "a1",
        folder / "common",
    )
    invoke_on(first, "load", NAME, *more, *labels, status=0)
    assert build(first).failed == ()
    invoke_on(first, "export", folder / "trec", "--format", "trec", status=0)
    [there] = [each for each in (folder / "trec").iterdir() if each.is_dir()]
    shutil.copytree(runs, there / "runs")
    invoke_on(second, "load", "--archive", there / "archive.yml", status=0)
    assert build(second).failed == ()
    return Published(first, there, second)


def content(warehouse: Warehouse, relation: str) -> list[tuple[Any, ...]]:
    """Return the distinct rows of a relation without times and keys, with rounded numbers."""
    with warehouse.read() as connection:
        columns = connection.execute(f"describe {relation}").fetchall()
        shown = ", ".join(
            f'round("{name}", 9) + 0 as "{name}"' if kind == "DOUBLE" else f'"{name}"'
            for name, kind, *_ in columns
            if kind != "TIMESTAMP" and name not in KEYS
        )
        return connection.execute(
            f"select distinct {shown} from {relation} order by all"
        ).fetchall()


def test_every_mart_is_equal(published: Published) -> None:
    views = rows(
        published.first,
        """
        select schema_name || '.' || view_name, view_name from duckdb_views()
        where schema_name in ('main', 'audits') and not internal
        """,
    )
    differing = [
        mart
        for relation, mart in views
        if mart not in OF_WORK
        and content(published.first, relation) != content(published.second, relation)
    ]
    # The repeated judgement is left out, and what counts lines of files shows it.
    assert sorted(differing) == ["audit_grades", "audit_repeated_lines", "fct_quality_figures"]


RAW = ("pool_lists", "pool_documents", "descriptions", "topics", "topic_attributes", "author_lines")


@pytest.mark.parametrize("table", [*RAW, "common_judgements", "runs"])
def test_what_is_loaded_is_equal(published: Published, table: str) -> None:
    first, second = (content(each, f"raw.{table}") for each in (published.first, published.second))
    assert first == second != []


def test_a_record_has_the_same_times(published: Published) -> None:
    times = "select list_number, made_at from raw.pool_lists order by all"
    assert rows(published.first, times) == rows(published.second, times)
    assert len(rows(published.first, times)) == 2


def test_the_account_of_the_record_holds(published: Published, tmp_path: Path) -> None:
    copy = Warehouse(Path(shutil.copyfile(published.second.path, tmp_path / "copy.duckdb")))
    invoke_on(copy, "check", status=0)


def test_a_copy_takes_the_record_of_its_topics(published: Published) -> None:
    """The copy has the lists with these topics, and accounts for their documents."""
    [(original,)] = rows(published.second, "select collection_key from raw.collections")
    with published.second.change() as change, published.second.side() as connection:
        connection.begin()
        for name, topics in (("whole", None), ("part", ("2",)), ("none", ("9",))):
            store = RawStore.declared(connection, name)
            copy_runs(store, original, topics)
            documents = store.of_collection("select list_number, query from raw.pool_documents")
            numbers = store.of_collection("select list_number from raw.pool_lists")
            assert {number for (number,) in numbers} == {number for number, _ in documents}
            assert {query for _, query in documents} == set(topics or "12") - {"9"}
            account = store.of_collection("select n_rows from ops.files", "kind = 'pool'")
            assert account == ([(len(documents),)] if documents else [])
        connection.rollback()
        change.abandoned = True


def test_declarations_and_grades_are_kept(published: Published) -> None:
    declared = "select * exclude (collection_key) from raw.collections"
    [first], [second] = (rows(each, declared) for each in (published.first, published.second))
    assert first == second
    lines = (published.folder / "qrels" / "full.txt").read_text().splitlines()
    assert {"1 1 d5 2", "1 1 d6 -2", "1 2 d9 -1"} < set(lines)
    assert not {line for line in lines if line.startswith("1 1 d5 1")}
    answered = "select author, is_compared from dim_authors order by author"
    assert dict(rows(published.second, answered))["anna"] is False


def test_the_card_says_how_it_was_judged(published: Published) -> None:
    card: dict[str, Any] = json.loads((published.folder / "croissant.json").read_text())
    [(how, verdict)] = rows(
        published.first,
        "select how_judged, verdict from dim_collections natural join audit_collections",
    )
    assert card["name"] == NAME
    assert card["rai:dataAnnotationProtocol"] == [how]
    [use] = card["rai:dataUseCases"]
    assert use.startswith(f"To score runs that were not pooled: {verdict}")
    assert any(each.startswith(f"{AUTHOR}: model") for each in card["rai:annotatorDemographics"])
    findings = rows(
        published.first,
        "select rule_id, outcome || ': ' || finding from audit_verdicts order by position",
    )
    assert card["rai:dataLimitations"] == [
        f"{rule.replace('_', ' ')} {finding}" for rule, finding in findings
    ]
    described = {file["@id"]: file["sha256"] for file in card["distribution"]}
    there = {
        file.relative_to(published.folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in published.folder.rglob("*")
        if file.is_file() and file.parent.name != "runs" and file.name != "croissant.json"
    }
    assert described == there


def test_the_card_is_valid(published: Published) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason=OF_DEV)
    dataset = mlcroissant.Dataset(jsonld=str(published.folder / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    card = json.loads((published.folder / "croissant.json").read_text())
    assert dataset.metadata.data_limitations == card["rai:dataLimitations"]
    with (published.folder / "runs.csv").open(newline="") as file:
        assert "gone" in {row["run"] for row in csv.DictReader(file)}
