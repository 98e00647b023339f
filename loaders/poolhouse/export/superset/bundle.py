"""The file that Superset imports: YAML about a database, its data sets, charts and a dashboard.

The format is the format in which Superset 6.1 exports dashboards. Ids are made of names, so that
Superset finds what it imported before. The file names no type of content: so Superset takes it both
as a dashboard, and as the assets of `api/v1/assets/import`, which replace older ones.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5
from zipfile import ZIP_DEFLATED, ZipFile

import duckdb
import yaml

from poolhouse.errors import PoolhouseError
from poolhouse.export.marts import Mart
from poolhouse.export.superset.charts import Chart, query_of, settings_of

# Files in the folder of an export.
DATABASE = "marts.duckdb"
BUNDLE = "superset.zip"

_VERSION = "1.0.0"
_NAMES = UUID("6f1a52a5-3f0e-4c0f-9a57-8d9f6c1f2b10")
_DECLARED = Path(__file__).with_name("dashboard.yml")
_ROOT = "ROOT_ID"
_GRID = "GRID_ID"


def check_place(folder: Path) -> None:
    """Raise PoolhouseError where no URI can name the folder of an export."""
    if {"?", "%"} & {*os.path.abspath(folder)}:  # noqa: PTH100 - as the export writes it
        raise PoolhouseError(f"{folder}: Superset cannot open a file in a path with ? or %")


def write_bundle(
    connection: duckdb.DuckDBPyConnection, marts: Sequence[Mart], folder: Path, target: Path
) -> None:
    """Write the file into the folder of an export, which will be renamed to the target.

    The connection has the exported marts, from which the filters take their first values.
    """
    plan = declared()
    defaults = {name: _first_value(connection, choice) for name, choice in plan["filters"].items()}
    database = Path(os.path.abspath(target)) / DATABASE  # noqa: PTH100 - links stay
    with ZipFile(folder / BUNDLE, "w", ZIP_DEFLATED) as bundle:
        for name, content in _contents(plan, database, marts, defaults):
            text = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
            bundle.writestr(f"poolhouse/{name}.yaml", text)


def _first_value(connection: duckdb.DuckDBPyConnection, choice: Mapping[str, Any]) -> object:
    """Return the declared value of a filter if the mart has it, or else its first value."""
    column, mart = choice["column"], choice["mart"]
    [(value,)] = connection.execute(
        f"""
        select coalesce(max({column}) filter ({column} = $default), min({column})) from {mart}
        """,  # noqa: S608 - declared names
        {"default": choice.get("default")},
    ).fetchall()
    return value


def declared() -> dict[str, Any]:
    """Return the declared dashboard: its metrics, filters, and rows of charts."""
    content: dict[str, Any] = yaml.safe_load(_DECLARED.read_text(encoding="utf-8"))
    return content


def _contents(
    plan: Mapping[str, Any], database: Path, marts: Sequence[Mart], defaults: Mapping[str, object]
) -> Iterator[tuple[str, dict[str, object]]]:
    charts = [chart for row in plan["rows"] for chart in row["charts"]]
    by_name = {mart.name: mart for mart in marts}
    yield "metadata", {"version": _VERSION}
    yield "databases/Poolhouse", _database(database)
    for mart in marts:
        yield f"datasets/Poolhouse/{mart.name}", _data_set(mart, plan["metrics"].get(mart.name, {}))
    for number, chart in enumerate(charts):
        chosen = {
            plan["filters"][name]["column"]: defaults[name] for name in chart.get("filters", ())
        }
        yield f"charts/{number:02}", _chart(chart, by_name[chart["mart"]], chosen)
    yield "dashboards/Poolhouse", _dashboard(plan, charts, defaults)


def _id(kind: str, name: str) -> str:
    return str(uuid5(_NAMES, f"{kind}/{name}"))


def _database(database: Path) -> dict[str, object]:
    return {
        "database_name": "Poolhouse",
        "sqlalchemy_uri": f"duckdb:///{database}?access_mode=read_only",
        "expose_in_sqllab": True,
        "allow_run_async": False,
        "allow_ctas": False,
        "allow_cvas": False,
        "allow_dml": False,
        "allow_csv_upload": False,
        "extra": {"allows_virtual_table_explore": True},
        "uuid": _id("database", "Poolhouse"),
        "version": _VERSION,
    }


def _data_set(mart: Mart, metrics: Mapping[str, str]) -> dict[str, object]:
    return {
        "table_name": mart.name,
        "schema": "main",
        "description": mart.description,
        "filter_select_enabled": True,
        "columns": [
            {
                "column_name": column.name,
                "type": column.type,
                "description": column.description,
                "is_dttm": column.type.startswith("TIMESTAMP"),
                "groupby": not column.is_nested,
                "filterable": not column.is_nested,
            }
            for column in mart.columns
        ],
        "metrics": [
            {"metric_name": name, "expression": sql}
            for name, sql in ({"rows": "count(*)"} | dict(metrics)).items()
        ],
        "uuid": _id("data set", mart.name),
        "database_uuid": _id("database", "Poolhouse"),
        "version": _VERSION,
    }


def _chart(chart: Chart, mart: Mart, chosen: Mapping[str, object]) -> dict[str, object]:
    floats = frozenset(column.name for column in mart.columns if column.type == "DOUBLE")
    settings = settings_of(chart, floats)
    context = {
        "datasource": {"id": 0, "type": "table"},  # Superset writes its own number
        "force": False,
        "queries": [query_of(chart, chosen)],
        "form_data": settings,
        "result_format": "json",
        "result_type": "full",
    }
    return {
        "slice_name": chart["title"],
        "viz_type": settings["viz_type"],
        "params": settings,
        "query_context": json.dumps(context),
        "uuid": _id("chart", chart["title"]),
        "dataset_uuid": _id("data set", chart["mart"]),
        "version": _VERSION,
    }


def _dashboard(
    plan: Mapping[str, Any], charts: Sequence[Chart], defaults: Mapping[str, object]
) -> dict[str, object]:
    return {
        "dashboard_title": plan["title"],
        "description": plan["description"],
        "slug": "poolhouse",
        "published": True,
        "uuid": _id("dashboard", plan["title"]),
        "position": _positions(plan),
        "metadata": {
            "native_filter_configuration": [
                _filter(name, choice, charts, defaults[name])
                for name, choice in plan["filters"].items()
            ],
            "cross_filters_enabled": False,
        },
        "version": _VERSION,
    }


def _positions(plan: Mapping[str, Any]) -> dict[str, object]:
    """Place the charts. The number of a chart here is its place in the file, from 1."""
    rows = [f"ROW-{number}" for number, _ in enumerate(plan["rows"])]
    places: dict[str, object] = {
        "DASHBOARD_VERSION_KEY": "v2",
        _ROOT: {"type": "ROOT", "id": _ROOT, "children": [_GRID]},
        _GRID: {"type": "GRID", "id": _GRID, "children": rows, "parents": [_ROOT]},
        "HEADER_ID": {"type": "HEADER", "id": "HEADER_ID", "meta": {"text": plan["title"]}},
    }
    n_charts = 0
    for name, row in zip(rows, plan["rows"], strict=True):
        children = []
        for chart in row["charts"]:
            n_charts += 1
            children.append(f"CHART-{n_charts}")
            places[children[-1]] = {
                "type": "CHART",
                "id": children[-1],
                "children": [],
                "parents": [_ROOT, _GRID, name],
                "meta": {
                    "chartId": n_charts,
                    "uuid": _id("chart", chart["title"]),
                    "sliceName": chart["title"],
                    "width": chart["width"],
                    "height": row["height"],
                },
            }
        places[name] = {
            "type": "ROW",
            "id": name,
            "children": children,
            "parents": [_ROOT, _GRID],
            "meta": {"background": "BACKGROUND_TRANSPARENT"},
        }
    return places


def _filter(
    name: str, choice: Mapping[str, Any], charts: Sequence[Chart], default: object
) -> dict[str, object]:
    """Describe a filter that always has one value, and the charts to which it does not apply."""
    others = [
        number for number, chart in enumerate(charts, 1) if name not in chart.get("filters", ())
    ]
    chosen = {
        "filterState": {"value": [default], "label": str(default)},
        "extraFormData": {
            "filters": [{"col": choice["column"], "op": "IN", "val": [default]}],
        },
    }
    return {
        "id": f"NATIVE_FILTER-{_id('filter', name)}",
        "name": name,
        "type": "NATIVE_FILTER",
        "filterType": "filter_select",
        "targets": [
            {"datasetUuid": _id("data set", choice["mart"]), "column": {"name": choice["column"]}}
        ],
        "controlValues": {"multiSelect": False, "enableEmptyFilter": True},
        "defaultDataMask": chosen if default is not None else {},
        "cascadeParentIds": [],
        "scope": {"rootPath": [_ROOT], "excluded": others},
    }
