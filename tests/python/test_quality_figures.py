"""Test the table of figures: its grain, what it reads, and that every figure is measured."""

import csv
import json
from typing import Any

from poolhouse.building.plan import plan_of
from poolhouse.building.project import project_folder
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import run_query

FIGURES = [
    row["figure"]
    for row in csv.DictReader(
        (project_folder() / "seeds" / "quality_figures.csv").open(encoding="utf-8")
    )
]
# Models of raw files, which a check reads where nothing is built.
OF_FILES = ("files", "rejected_lines", "judged_lines")


def test_a_collection_has_each_figure_and_a_value_of_each_run(page: Warehouse) -> None:
    query = "select * from audits.fct_quality_figures where collection_id = 'page'"
    table = run_query(page, query)
    rows: list[dict[str, Any]] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert len({(row["figure"], row["object"]) for row in rows}) == len(rows)
    assert {row["figure"] for row in rows} == set(FIGURES)
    runs = {row["object"] for row in rows if row["figure"] == "topic_share"}
    assert runs == {name for (name,) in run_query(page, "select run_id from dim_runs").rows}
    for row in rows:
        is_value = row["value"] is not None
        assert (row["n_unexpected"] is None) <= (is_value or row["n_values"] == 0)
        sample = json.loads(row["sample"])
        assert len(sample) == (1 if row["object"] else min(row["n_unexpected"] or 0, 5))


def test_each_figure_is_measured_and_files_are_read_before_a_build() -> None:
    nodes = {node.name: node for node in plan_of({}).relations}
    models = [name for name in nodes if name.startswith("int_quality_of_")]
    assert set(models) <= set(nodes["fct_quality_figures"].reads)
    text = "".join(nodes[name].sql for name in models)
    assert [figure for figure in FIGURES if text.count(f"'figure': '{figure}'") != 1] == []
    for name in OF_FILES:
        reads = nodes[f"int_quality_of_{name}"].reads
        assert all(each.startswith(("raw.", "ops.")) for each in reads)
