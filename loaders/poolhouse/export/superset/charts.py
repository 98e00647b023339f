"""Charts of the dashboard: the settings that Superset shows, and the query that it sends."""

import json
from collections.abc import Mapping
from typing import Any

Chart = Mapping[str, Any]

_MOST_ROWS = 1000
_SCORE = ".4f"


def settings_of(chart: Chart, floats: frozenset[str]) -> dict[str, object]:
    """Return the settings of a chart. `floats` are the columns whose numbers have a fraction."""
    shared = {
        "adhoc_filters": [
            {
                "clause": "WHERE",
                "expressionType": "SIMPLE",
                "operator": "IN",
                "operatorId": "IN",
                "subject": column,
                "comparator": values,
            }
            for column, values in _where(chart).items()
        ],
        "row_limit": _MOST_ROWS,
    }
    if "number" in chart:
        return shared | {
            "viz_type": "big_number_total",
            "metric": chart["number"],
            "y_axis_format": chart.get("format", "SMART_NUMBER"),
        }
    if "bars" in chart:
        first = chart["metrics"][0]
        return shared | {
            "viz_type": "echarts_timeseries_bar",
            "x_axis": chart["bars"],
            "metrics": chart["metrics"],
            "groupby": [],
            "x_axis_sort": first,
            "x_axis_sort_asc": False,
            "timeseries_limit_metric": first,
            "order_desc": True,
            "show_legend": len(chart["metrics"]) > 1,
            "rich_tooltip": True,
            "y_axis_format": chart.get("format", "SMART_NUMBER"),
            "xAxisLabelRotation": 45,
        }
    return shared | {
        "viz_type": "table",
        "query_mode": "raw",
        "all_columns": chart["rows"],
        "order_by_cols": [json.dumps(each) for each in _order(chart)],
        "column_config": {
            column: {"d3NumberFormat": _SCORE} for column in chart["rows"] if column in floats
        },
        "show_cell_bars": False,
    }


def query_of(chart: Chart, chosen: Mapping[str, object]) -> dict[str, object]:
    """Return the query of a chart for Superset's API, with the chosen values of columns."""
    filters = _where(chart) | {
        column: [value] for column, value in chosen.items() if value is not None
    }
    shared = {
        "filters": [
            {"col": column, "op": "IN", "val": values} for column, values in filters.items()
        ],
        "row_limit": _MOST_ROWS,
    }
    if "rows" in chart:
        return shared | {"columns": chart["rows"], "orderby": _order(chart)}
    metrics = [chart["number"]] if "number" in chart else chart["metrics"]
    columns = [chart["bars"]] if "bars" in chart else []
    return shared | {"columns": columns, "metrics": metrics, "orderby": [[metrics[0], False]]}


def _where(chart: Chart) -> dict[str, list[object]]:
    """Return the values that a chart takes of each column."""
    return {
        column: value if isinstance(value, list) else [value]
        for column, value in chart.get("where", {}).items()
    }


def _order(chart: Chart) -> list[tuple[str, bool]]:
    """Return the columns of the order, and whether each ascends."""
    return [(column, way == "ascending") for column, way in chart["order"].items()]
