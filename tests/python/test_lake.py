"""A lake: built one collection a task, published whole, and read like a warehouse."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from shutil import copytree

import duckdb
import polars as pl
import pytest
from attrs import evolve

import poolhouse
from asking import invoke
from built_collections import built_and_tested, load_together, only_many
from lake_archives import write_archive
from natural_keys import tables_of
from page import write_collection
from poolhouse.building.build import BuildReport
from poolhouse.errors import PoolhouseError, PoolhouseWarning
from poolhouse.export.exporting import export
from poolhouse.export.request import ExportRequest, Format
from poolhouse.lake import collection
from poolhouse.lake.collection import Result
from poolhouse.lake.manifest import Keys, Publication, read_manifest
from poolhouse.lake.place import Place
from poolhouse.lake.publishing import LakeReport, Publisher, build_lake, remove_from_lake
from poolhouse.lake.reading import LakeWarehouse
from poolhouse.lake.request import LakeRequest
from poolhouse.lake.status import LakeState, lake_status
from poolhouse.loading.request import LoadRequest
from poolhouse.mcp_server.source import Source
from poolhouse.mcp_server.tools import tools_over
from poolhouse.report.writing import write_report
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

# Names that a path, a number, SQL or a page would take for something else.
NAMES = ("0101", 'it\'s "q" <b>50%</b>/.. ö', ".2021-01-01")
SCHEMAS = ("main", "audits", "intermediate")


def hostile(folder: Path) -> list[LoadRequest]:
    """Return the collection on a page under three names, once without judgements.

    They are three years of a track.
    """
    first, second, third = (
        evolve(
            write_collection(folder / str(number)),
            collection=name,
            depth=2,
            track="web",
            year=2000 + number,
            task="a",
        )
        for number, name in enumerate(NAMES)
    )
    return [first, second, evolve(third, qrels=None, unjudged=True)]


def files_of(lake: Path) -> set[str]:
    """Return the files of a lake, without its lock and what the last build replaced."""
    return {
        str(path.relative_to(lake))
        for path in lake.rglob("*")
        if path.is_file() and path.name != ".lock" and ".superseded" not in path.parts
    }


# The folder of a lake, its collections, and what its build said.
Made = tuple[Path, list[LoadRequest], LakeReport]


@pytest.fixture(scope="module", params=only_many(3))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("lake")
    requests = hostile(folder / "files")[: request.param]
    return folder / "lake", requests, build_lake(LakeRequest(str(folder / "lake"), requests))


@pytest.fixture
def changed(made: Made, tmp_path: Path) -> tuple[Path, list[LoadRequest]]:
    """Provide a copy of the lake that a test may change."""
    return Path(copytree(made[0], tmp_path / "lake")), made[1]


@pytest.mark.heavy
def test_a_lake_has_the_rows_of_a_warehouse(made: Made, warehouse: Warehouse) -> None:
    lake, requests, report = made
    assert sorted(report.built) == sorted(NAMES)
    assert not report.failed
    load_together(warehouse, requests)
    built_and_tested(warehouse)
    expected = tables_of(warehouse, SCHEMAS)
    found = tables_of(LakeWarehouse.at(str(lake)), SCHEMAS)
    assert len(expected) > 100
    assert found == expected


def test_an_unchanged_lake_is_not_built(made: Made, tmp_path: Path) -> None:
    """The same files may lie elsewhere, and have other times."""
    lake, requests, _ = made
    before = files_of(lake), (lake / "lake.json").read_bytes()
    names = sorted(each.collection for each in requests)
    assert sorted(build_lake(LakeRequest(str(lake), requests)).unchanged) == names
    elsewhere = hostile(tmp_path / "elsewhere")[: len(requests)]
    assert sorted(build_lake(LakeRequest(str(lake), elsewhere)).unchanged) == names
    assert (files_of(lake), (lake / "lake.json").read_bytes()) == before
    assert {each.state for each in lake_status(str(lake))} == {LakeState.BUILT}
    manifest, text = read_manifest(Place(str(lake)))
    assert manifest.to_json() == text
    keys = [each.keys.collection for each in manifest.published().values()]
    assert keys == list(range(1, len(requests) + 1))


@pytest.mark.heavy
def test_changed_collections_alone_are_built(changed: tuple[Path, list[LoadRequest]]) -> None:
    """A new run, a setting: others stay, and a reader of the old manifest finds its files."""
    lake, requests = changed
    first = requests[0]
    (first.run_files[0].parent / "new").write_text("1 Q0 d2 1 1 new\n")
    more = evolve(first, runs=(*first.run_files, first.run_files[0].parent / "new"))
    deeper = evolve(requests[1], depth=1)
    others = {path for path in files_of(lake) if "collection_id=0101" not in path}
    depths = "select pool_depth from dim_collections order by all"
    with LakeWarehouse.at(str(lake)).read() as connection:
        try:
            report = build_lake(LakeRequest(str(lake), [more, deeper, requests[2]]))
        finally:
            (first.run_files[0].parent / "new").unlink()
        assert connection.execute(depths).fetchall() == [(2,)] * 3
    assert poolhouse.open(lake).sql(depths).rows() == [(1,), (2,), (2,)]
    assert sorted(report.built) == sorted(NAMES[:2])
    assert report.unchanged == [NAMES[2]]
    assert {path for path in others if "%2E2021" in path} <= files_of(lake)
    runs = pl.read_parquet(lake / "marts/dim_runs/**/*.parquet", hive_partitioning=True)
    assert sorted(runs.filter(collection_id="0101")["run_id"]) == ["a1", "a2", "b1", "new"]
    rows = poolhouse.open(lake).sql("select * from dim_runs where collection_id = '0101'")
    assert sorted(rows["run_id"]) == ["a1", "a2", "b1", "new"]


@pytest.mark.heavy
def test_a_failed_collection_stops_no_other(changed: tuple[Path, list[LoadRequest]]) -> None:
    lake, requests = changed
    bad = requests[0].run_files[0].parent.parent / "bad.txt"
    bad.write_text("no qrels\n")
    failing = evolve(requests[0], qrels=bad)
    new = evolve(requests[1], collection="new")
    report = build_lake(LakeRequest(str(lake), [failing, new]))
    assert report.built == ["new"]
    assert list(report.failed) == ["0101"]
    assert str(bad) in report.failed["0101"]
    states = {each.collection: (each.state, each.reason) for each in lake_status(str(lake))}
    assert states["0101"] == (LakeState.FAILED, report.failed["0101"])
    assert states["new"] == (LakeState.BUILT, "")
    # the earlier build is kept
    assert poolhouse.open(lake).leaderboard("0101").height == 3
    assert build_lake(LakeRequest(str(lake), requests)).failed == {}
    assert {each.state for each in lake_status(str(lake))} == {LakeState.BUILT}


def test_any_error_is_one_of_its_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of Python too; and its words may not be UTF-8."""

    def fail(*_: object) -> None:
        raise RuntimeError("no \udcff\nmore")

    monkeypatch.setattr(collection, "load_collection", fail)
    lake = str(tmp_path / "lake")
    report = build_lake(LakeRequest(lake, [write_collection(tmp_path / "page")]))
    assert list(report.failed.values()) == ["RuntimeError: no \udcff"]
    assert [each.reason for each in lake_status(lake)] == list(report.failed.values())


@pytest.fixture(scope="module")
def waiting_once(made: Made, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Provide a lake without its first collection, and the folder of a task that waits there.

    So a build leaves them that was killed before its first publication.
    """
    lake = tmp_path_factory.mktemp("waiting") / "lake"
    [task, *_] = Publisher(Place(str(lake)), None).tasks(LakeRequest(str(lake), made[1][:1]))
    return lake, collection.build_collection(task).folder


@pytest.fixture
def waiting(waiting_once: tuple[Path, str], tmp_path: Path) -> tuple[Path, Path]:
    """Provide a copy of that lake, and the folder in it."""
    lake = Path(copytree(waiting_once[0], tmp_path / "lake"))
    return lake, lake / waiting_once[1]


def collections_after_build(lake: Path) -> list[str]:
    build_lake(LakeRequest(str(lake), []))
    return list(read_manifest(Place(str(lake)))[0].published())


@pytest.mark.heavy
def test_only_whole_tasks_of_ours_are_published(waiting: tuple[Path, Path]) -> None:
    lake, folder = waiting
    good = (folder / "done.json").read_text()
    told = json.loads(good)
    outside = [f"../../{path}" for path in told["paths"]]
    odd = [
        "",
        "[]",
        json.dumps({**told, "paths": outside}),
        json.dumps({**told, "publication": {**told["publication"], "name": "../x"}}),
        json.dumps({**told, "more": 1}),
    ]
    kept = lake.parent / "kept"
    copytree(folder, kept)
    for text in odd:
        copytree(kept, folder, dirs_exist_ok=True)
        (folder / "done.json").write_text(text)
        assert collections_after_build(lake) == []
    copytree(kept, folder)
    (folder / "7.parquet").unlink()
    assert collections_after_build(lake) == []
    copytree(kept, folder)
    assert collections_after_build(lake) == [NAMES[0]]
    assert {each.state for each in lake_status(str(lake))} == {LakeState.BUILT}
    assert not folder.exists()


@pytest.mark.heavy
def test_files_that_are_not_there_are_no_publication(waiting: tuple[Path, Path]) -> None:
    """Executors without the lake's disk write to one of their own."""
    lake, folder = waiting
    result = Result.waiting(Place(str(lake)), str(folder.relative_to(lake)))
    assert result
    (folder / "0.parquet").unlink()
    [published] = Publisher(Place(str(lake)), None).publish(result)
    assert "do the executors have the same lake?" in (published.failure or "")
    assert [each.state for each in lake_status(str(lake))] == [LakeState.FAILED]


@pytest.mark.heavy
def test_a_changed_file_is_stale(changed: tuple[Path, list[LoadRequest]]) -> None:
    lake, requests = changed
    [run, *_] = requests[0].run_files
    before = run.read_bytes()
    run.write_bytes(before)  # written again, and the same
    assert {each.state for each in lake_status(str(lake))} == {LakeState.BUILT}
    run.write_bytes(before + b"2 Q0 d1 1 1 a1\n")
    try:
        [stale] = [each for each in lake_status(str(lake)) if each.state is LakeState.STALE]
        assert (stale.collection, stale.reason) == ("0101", f"{run} changed since the build")
        run.unlink()
        os.mkfifo(run)  # a lake of somebody else may name one
        assert {each.state for each in lake_status(str(lake))} == {LakeState.BUILT}
    finally:
        run.unlink()
        run.write_bytes(before)


@pytest.mark.heavy
def test_a_lost_file_is_made_again(changed: tuple[Path, list[LoadRequest]]) -> None:
    lake, requests = changed
    n_files = len(files_of(lake))
    [lost] = (lake / "marts" / "dim_runs" / "collection_id=0101").iterdir()
    lost.unlink()
    [stale] = [each for each in lake_status(str(lake)) if each.state is LakeState.STALE]
    assert (stale.collection, stale.reason) == ("0101", "missing files: 1")
    with pytest.raises(PoolhouseError, match="is missing; poolhouse lake build makes it again"):
        run_query(LakeWarehouse.at(str(lake)), "from dim_runs")
    report = build_lake(LakeRequest(str(lake), requests))
    assert report.built == ["0101"]
    assert len(files_of(lake)) == n_files
    assert run_query(LakeWarehouse.at(str(lake)), "from dim_runs").rows


@pytest.mark.heavy
def test_removed_collections_are_gone(changed: tuple[Path, list[LoadRequest]]) -> None:
    lake, _ = changed
    remove_from_lake(str(lake), [NAMES[0]])
    partitions = {path.split("/")[-2] for path in files_of(lake) if "/" in path}
    assert partitions.isdisjoint({"collection_id=0101", "collection_key=1"})
    assert "collection_key=2" in partitions
    assert NAMES[0] not in poolhouse.open(lake).collections()["collection_id"]
    assert not (lake / ".superseded").exists()
    with pytest.raises(PoolhouseError, match="is not in the lake"):
        remove_from_lake(str(lake), [NAMES[0]])


@pytest.mark.heavy
def test_settings_of_the_models_and_lines_of_runs(changed: tuple[Path, list[LoadRequest]]) -> None:
    """Other settings, or lines to keep, build everything anew, and stay those of the lake."""
    lake, requests = changed
    settings = {"trec_eval": 9}
    # They are not those of the lake before a collection has them.
    build_lake(LakeRequest(str(lake), [], settings=settings, broken={"new": "no file"}))
    assert len(poolhouse.open(lake).collections()) == 3
    lines = "select count(*) from raw.run_lines"
    with pytest.raises(PoolhouseError, match="--raw"):
        run_query(LakeWarehouse.at(str(lake)), lines)
    asked = LakeRequest(str(lake), requests, settings=settings, keeps_raw=True)
    assert len(build_lake(asked).built) == 3
    assert len(build_lake(LakeRequest(str(lake), requests)).unchanged) == 3
    found = poolhouse.open(lake).sql("select distinct trec_eval_version from dim_collections")
    assert [str(version) for (version,) in found.rows()] == ["9"]
    assert run_query(LakeWarehouse.at(str(lake)), lines).rows == [(27,)]


@pytest.mark.heavy
def test_any_engine_reads_the_files(made: Made) -> None:
    """The column of the path is in no file, so that data frames can be read from the folder."""
    lake = made[0]
    expected = sorted(
        poolhouse.open(lake).sql("select collection_id, run_id from leaderboard").rows()
    )
    assert len(expected) == 6
    by_polars = pl.read_parquet(lake / "marts/leaderboard/**/*.parquet", hive_partitioning=True)
    assert sorted(by_polars.select("collection_id", "run_id").rows()) == expected
    by_duckdb = duckdb.execute(
        "select collection_id, run_id from read_parquet(?, hive_types_autocast = false)",
        [f"{lake}/marts/leaderboard/*/*.parquet"],
    ).fetchall()
    assert sorted(by_duckdb) == expected
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    by_pandas = pandas.read_parquet(lake / "marts" / "leaderboard")
    rows = zip(by_pandas["collection_id"].astype(str), by_pandas["run_id"], strict=True)
    assert sorted(rows) == expected


def test_files_keep_types_and_descriptions(made: Made) -> None:
    lake = made[0]
    [file] = (lake / "marts/fct_topic_deltas/collection_id=0101").iterdir()
    told = dict(
        duckdb.execute("select key, value from parquet_kv_metadata(?)", [str(file)]).fetchall()
    )
    columns = json.loads(told[b"columns"])
    with LakeWarehouse.at(str(lake)).read() as connection:
        types = connection.execute(
            """
            select column_name, data_type, comment from duckdb_columns()
            where table_name = 'fct_topic_deltas' and column_name <> 'collection_id'
            order by column_index
            """
        ).fetchall()
    in_file = duckdb.execute(f"describe from read_parquet('{file}', hive_partitioning = false)")
    assert [(name, type_) for name, type_, *_ in in_file.fetchall()] == [
        (name, type_) for name, type_, _ in types
    ]
    assert {name: columns[name] for name, _, _ in types} == {
        name: comment or "" for name, _, comment in types
    }
    assert told[b"description"]


@pytest.mark.parametrize(
    "query",
    [
        "from read_csv('/etc/hosts')",
        "copy (select 1) to 'lake://x.parquet'",
        "copy (select 1) to '{lake}/x.parquet'",
        "create table main.x as select 1",
        "attach '{lake}/x.duckdb' as x",
        "set allowed_directories = ['/']",
        "from read_text('lake://../page/qrels.txt')",
    ],
)
def test_readers_reach_nothing_else(made: Made, query: str) -> None:
    before = files_of(made[0])
    with pytest.raises(PoolhouseError) as raised:
        run_query(LakeWarehouse.at(str(made[0])), query.format(lake=made[0]))
    assert "\n" not in str(raised.value)
    assert "At: " not in str(raised.value)
    assert files_of(made[0]) == before


@pytest.mark.heavy
def test_reports_and_exports_of_a_lake(made: Made, tmp_path: Path) -> None:
    lake = LakeWarehouse.at(str(made[0]))
    write_report(lake, tmp_path / "report.html", ("0101",), None)
    page = (tmp_path / "report.html").read_text()
    assert "0101" in page
    done = export(lake, ExportRequest(tmp_path / "marts.duckdb", Format.DUCKDB))
    assert set(done.collections) == set(NAMES)
    with duckdb.connect(str(tmp_path / "marts.duckdb"), read_only=True) as connection:
        assert connection.execute("select count(*) from leaderboard").fetchall() == [(6,)]


@pytest.mark.heavy
def test_agents_read_a_lake(made: Made) -> None:
    tools = tools_over(Source(LakeWarehouse.at(str(made[0]))))
    found = tools["list_collections"].answer()
    assert {row[0] for row in found.rows} == set(NAMES)
    assert not found.notes
    assert "ap" in {name for name, *_ in tools["describe_table"].answer(table="leaderboard").rows}
    runs = [run_id for (run_id,) in tools["run_sql"].answer(query=_RUNS_OF_ONE).rows]
    scores = tools["score_runs"].answer(collection="0101", runs=runs, measures=["AP"])
    assert {row[0] for row in scores.rows} == set(runs)
    assert runs


_RUNS_OF_ONE = "select run_id from leaderboard where collection_id = '0101'"


def test_a_lake_is_read_only(made: Made) -> None:
    lake = poolhouse.open(made[0])
    assert lake.build() == BuildReport(())
    with pytest.raises(PoolhouseError, match="only lake build changes it"):
        lake.load("more", runs=made[1][0].run_files[0], qrels=made[1][0].qrels)


@pytest.fixture
def no_lake(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("mine")
    yield tmp_path / "other"
    assert (tmp_path / "other" / "thesis.tex").read_text() == "mine"


def test_other_folders_are_refused(no_lake: Path) -> None:
    with pytest.raises(PoolhouseError, match=r"has other files and no lake\.json"):
        build_lake(LakeRequest(str(no_lake), []))
    with pytest.raises(PoolhouseError, match="no lake here"):
        run_query(LakeWarehouse.at(str(no_lake)), "select 1")
    assert {path.name for path in no_lake.iterdir()} <= {"thesis.tex", ".lock"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is not the manifest of a lake"),
        ("[]", "is not the manifest of a lake"),
        ('{"format": 2}', "is a lake of format 2"),
        ('{"format": 1, "settings": {}, "collections": {"a": {}}}', "is not the manifest"),
        ("[" * 100_000, "is not the manifest"),
        ('{"format": 1, "settings": [1], "collections": {}}', "is not the manifest"),
        (
            '{"format": 1, "settings": {"of_another": 1}, "collections": {}}',
            "has the setting 'of_another', which this version",
        ),
    ],
    ids=lambda each: each[:40],
)
def test_broken_manifests_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "lake.json").write_text(text)
    for work in (
        lambda: build_lake(LakeRequest(str(tmp_path), [])),
        lambda: lake_status(str(tmp_path)),
        lambda: poolhouse.open(tmp_path).leaderboard(),
    ):
        with pytest.raises(PoolhouseError, match=problem):
            work()
    assert (tmp_path / "lake.json").read_text() == text


@pytest.mark.parametrize("name", [each.name for each in fields(Publication)])
def test_a_publication_has_values_of_its_types(name: str) -> None:
    whole = Publication(Keys(1, 1, 2), "0" * 16, "x", "y", "2026", 1, 2, 3, 4, has_raw=False)
    assert Publication.from_json(asdict(whole)) == whole
    with pytest.raises((TypeError, ValueError, KeyError)):
        Publication.from_json({**asdict(whole), name: None})


def test_names_that_no_path_can_hold(tmp_path: Path) -> None:
    page = write_collection(tmp_path / "page")
    names = ("NULL", "__HIVE_DEFAULT_PARTITION__", "ö" * 40)
    requests = [evolve(page, collection=name) for name in names]
    report = build_lake(LakeRequest(str(tmp_path / "lake"), requests))
    assert set(report.failed) == set(names)
    assert all("paths of a lake" in problem for problem in report.failed.values())
    states = [each.state for each in lake_status(str(tmp_path / "lake"))]
    assert states == [LakeState.FAILED] * len(names)


@pytest.mark.heavy
def test_broken_entries_stop_no_other_collection(tmp_path: Path) -> None:
    """They are in the status too; a second entry of a name hides no build of the first one."""
    archive = write_archive(tmp_path, ["good", "no-file", "twice"])
    entries = json.loads(archive.read_text())
    entries[1]["qrels"] = "none.txt"
    archive.write_text(json.dumps([*entries, {**entries[2]}, {"runs": "good/runs"}]))
    lake = str(tmp_path / "lake")
    done = invoke("lake", "build", archive, "--to", lake)
    assert done.exit_code == 1
    assert "2 collections built, 0 unchanged, 3 failed" in done.stderr
    assert "names no collection" in done.stderr
    states = {each.collection: (each.state, each.reason) for each in lake_status(lake)}
    assert states["good"] == states["twice"] == (LakeState.BUILT, "")
    state, reason = states["no-file"]
    assert state is LakeState.FAILED
    assert "none.txt: no such file" in reason
    entries[1]["qrels"] = "no-file/qrels.txt"
    archive.write_text(json.dumps(entries[1:2]))
    done = invoke("lake", "build", archive, "--to", lake)
    assert "1 collections built, 0 unchanged" in done.stderr
    assert {each.state for each in lake_status(lake)} == {LakeState.BUILT}


@pytest.mark.heavy
def test_a_lake_of_other_models(changed: tuple[Path, list[LoadRequest]]) -> None:
    """A reader computes from stored tables, so that it needs the models that made them."""
    lake, _ = changed
    manifest = lake / "lake.json"
    told = json.loads(manifest.read_text())
    told["collections"]["0101"]["published"]["models_version"] = "other"
    manifest.write_text(json.dumps(told))
    states = {each.collection: each.state for each in lake_status(str(lake))}
    assert states["0101"] is LakeState.STALE
    with pytest.warns(PoolhouseWarning, match=r"1 of 3 collections are left out.* \(0101\)"):
        opened = poolhouse.open(lake)
    assert "0101" not in opened.collections()["collection_id"]
    shown = invoke("sql", "select 1", "--lake", lake)
    assert "note: " in shown.stderr
    assert "1 of 3 collections are left out" in " ".join(shown.stderr.split())
    for each in told["collections"].values():
        each["published"]["models_version"] = "other"
    manifest.write_text(json.dumps(told))
    with pytest.raises(PoolhouseError, match="was built by other models"):
        poolhouse.open(lake).collections()
