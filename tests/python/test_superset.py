"""Test `poolhouse export --format superset`: the file that Superset imports, without Superset.

`just superset` tests it in Superset itself, with a browser.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import duckdb
import pytest
import yaml

from asking import invoke
from conftest import OF_DEV, NewWarehouse
from poolhouse.building.build import build
from poolhouse.documentation import filters
from poolhouse.export.superset.bundle import declared
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse

Files = dict[str, dict[str, Any]]

# Such an id would end a text of YAML, of JSON or of SQL, or begin a template of Superset.
HOSTILE = "a: [\"'b, {{ 1 }}\\ - #&*!|>%@` 'or 1=1--"


def exported(warehouse: Warehouse, target: Path) -> Path:
    arguments = ["export", str(target), "--format", "superset", "--db", str(warehouse.path)]
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    return target


def files_of(folder: Path) -> Files:
    with ZipFile(folder / "superset.zip") as bundle:
        assert bundle.testzip() is None
        return {name: yaml.safe_load(bundle.read(name)) for name in bundle.namelist()}


@pytest.fixture(scope="module")
def files(exported_once: Path) -> Files:
    return files_of(exported_once)


@pytest.fixture
def marts(exported_once: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(exported_once / "marts.duckdb"), read_only=True) as connection:
        yield connection


def of_kind(files: Files, kind: str) -> list[dict[str, Any]]:
    return [content for name, content in files.items() if name.split("/")[1] == kind]


@pytest.mark.heavy
def test_ids_lead_to_what_there_is(files: Files) -> None:
    databases, data_sets, charts, [dashboard] = (
        of_kind(files, kind) for kind in ("databases", "datasets", "charts", "dashboards")
    )
    ids = [each["uuid"] for each in (*databases, *data_sets, *charts, dashboard)]
    assert len(set(ids)) == len(ids)
    assert {each["database_uuid"] for each in data_sets} == {databases[0]["uuid"]}
    assert {each["dataset_uuid"] for each in charts} <= {each["uuid"] for each in data_sets}
    positions = [each for each in dashboard["position"].values() if isinstance(each, dict)]
    placed = [each["meta"]["uuid"] for each in positions if "uuid" in each.get("meta", {})]
    assert sorted(placed) == sorted(each["uuid"] for each in charts)
    children = [child for each in positions for child in each.get("children", ())]
    assert set(children) <= dashboard["position"].keys()


@pytest.mark.heavy
def test_the_address_is_that_of_the_database(files: Files, exported_once: Path) -> None:
    [database] = of_kind(files, "databases")
    assert database["sqlalchemy_uri"] == (
        f"duckdb:///{exported_once.absolute()}/marts.duckdb?access_mode=read_only"
    )


@pytest.mark.heavy
def test_data_sets_are_the_marts(files: Files, marts: duckdb.DuckDBPyConnection) -> None:
    columns = marts.execute(
        "select table_name, column_name, data_type, comment from duckdb_columns()"
        " where not internal order by table_name, column_index"
    ).fetchall()
    assert [
        (each["table_name"], column["column_name"], column["type"], column["description"])
        for each in sorted(of_kind(files, "datasets"), key=lambda each: each["table_name"])
        for column in each["columns"]
    ] == columns
    assert all(each["description"] for each in of_kind(files, "datasets"))


@pytest.mark.heavy
def test_metrics_are_sql(files: Files, marts: duckdb.DuckDBPyConnection) -> None:
    sqlglot = pytest.importorskip("sqlglot", reason=OF_DEV)
    declared_metrics = declared()["metrics"]
    assert declared_metrics.keys() <= {each["table_name"] for each in of_kind(files, "datasets")}
    for each in of_kind(files, "datasets"):
        metrics = {metric["metric_name"]: metric["expression"] for metric in each["metrics"]}
        assert metrics == {"rows": "count(*)"} | declared_metrics.get(each["table_name"], {})
        query = f"select {', '.join(metrics.values())} from {each['table_name']}"
        assert len(sqlglot.parse_one(query, dialect="duckdb").expressions) == len(metrics)
        assert len(marts.execute(query).fetchall()) == 1


@pytest.mark.heavy
def test_charts_have_rows(files: Files, marts: duckdb.DuckDBPyConnection) -> None:
    """Each query of a chart runs, and takes columns and metrics of its data set only."""
    data_sets = {each["uuid"]: each for each in of_kind(files, "datasets")}
    with_rows = set()
    for chart in of_kind(files, "charts"):
        data_set = data_sets[chart["dataset_uuid"]]
        columns = {column["column_name"] for column in data_set["columns"]}
        metrics = {each["metric_name"]: each["expression"] for each in data_set["metrics"]}
        [query] = json.loads(chart["query_context"])["queries"]
        used = {*query["columns"], *(each["col"] for each in query["filters"])}
        assert used <= columns, chart["slice_name"]
        assert {name for name, _ in query["orderby"]} <= columns | metrics.keys()
        chosen = [*query["columns"], *(metrics[name] for name in query.get("metrics", ()))]
        conditions = [f"list_contains(?, {each['col']})" for each in query["filters"]]
        groups = f"group by {', '.join(query['columns']) or '()'}" if "metrics" in query else ""
        rows = marts.execute(
            f"select {', '.join(chosen)} from {data_set['table_name']} "
            f"where {' and '.join(['true', *conditions])} {groups}",
            [each["val"] for each in query["filters"]],
        ).fetchall()
        if rows:
            with_rows.add(chart["slice_name"])
    # No run of this collection is outside the pool, so that none needs an adjustment.
    titles = {chart["title"] for row in declared()["rows"] for chart in row["charts"]}
    assert titles - with_rows <= {"Expected gains"}


def test_no_chart_mixes_variants() -> None:
    """A chart or a filter chooses among the variants that the docs list, or shows each as a row."""
    plan = declared()
    needed = {mart: columns for mart, (columns, _) in filters().items()}
    for chart in (chart for row in plan["rows"] for chart in row["charts"]):
        by_filters = {plan["filters"][name]["column"] for name in chart.get("filters", ())}
        chosen = {*chart.get("where", {}), *by_filters, *chart.get("rows", ())}
        assert set(needed.get(chart["mart"], ())) <= chosen, chart["title"]
    assert {"fct_run_scores", "adjusted_leaderboard"} <= needed.keys()


@pytest.mark.heavy
def test_filters_leave_other_charts_alone(files: Files) -> None:
    [dashboard] = of_kind(files, "dashboards")
    charts = [chart for row in declared()["rows"] for chart in row["charts"]]
    for each in dashboard["metadata"]["native_filter_configuration"]:
        [target] = each["targets"]
        excluded = set(each["scope"]["excluded"])
        for number, chart in enumerate(charts, 1):
            assert (number in excluded) == (each["name"] not in chart.get("filters", ()))
        assert each["defaultDataMask"]["filterState"]["value"] != [None]
        assert target["column"]["name"] in {"collection_id", "measure"}


@pytest.mark.heavy
def test_hostile_names_are_values(
    new_warehouse: NewWarehouse, tmp_path: Path, files: Files
) -> None:
    run = tmp_path / "a: - 'b"
    run.write_text("1 Q0 D1 1 2 t\n1 Q0 D2 2 1 t\n")
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 D1 1\n1 0 D2 0\n")
    warehouse = new_warehouse(tmp_path)
    load_collection(warehouse, LoadRequest(HOSTILE, (run,), qrels))
    build(warehouse)
    before, files = files, files_of(exported(warehouse, tmp_path / "{{ x }}: - [é"))
    # The same names have the same ids, so that a second import replaces the first.
    assert {name: each.get("uuid") for name, each in files.items()} == {
        name: each.get("uuid") for name, each in before.items()
    }
    [dashboard] = of_kind(files, "dashboards")
    collection, *_ = dashboard["metadata"]["native_filter_configuration"]
    assert collection["defaultDataMask"]["filterState"]["value"] == [HOSTILE]
    texts = [each["query_context"] for each in of_kind(files, "charts")]
    assert [HOSTILE] in [
        each["val"] for text in texts for each in json.loads(text)["queries"][0]["filters"]
    ]


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("what?", (), "with ? or %"),
        ("a%41", (), "with ? or %"),
        ("marts", ("--mart", "leaderboard"), "leave out --mart"),
    ],
)
def test_what_is_refused(
    built_once: tuple[Path, LoadRequest, Warehouse],
    tmp_path: Path,
    target: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    arguments = ["export", str(tmp_path / target), "--format", "superset", *options]
    done = invoke(*arguments, "--db", built_once[0])
    assert done.exit_code == 1
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []
