"""Test the map of the models: its tables are those of the plan, and its example has its scores."""

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import NewWarehouse
from poolhouse.building.build import build
from poolhouse.building.project import project_folder
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.queries import run_query

RUNS = {"fox": ("D1", "D9"), "owl": ("D1", "D3"), "elk": ("D9", "D4")}
GRADES = {"D1": 1, "D3": 0, "D9": 1}


@pytest.mark.heavy
def test_the_tables_are_those_of_the_plan() -> None:
    script = project_folder() / "scripts" / "map_page.py"
    subprocess.run([sys.executable, script, "--check"], check=True)


@pytest.mark.heavy
def test_the_example_has_the_scores_of_the_page(
    new_warehouse: NewWarehouse, tmp_path: Path
) -> None:
    for run, documents in RUNS.items():
        lines = [f"7 Q0 {each} 0 {-n} {run}\n" for n, each in enumerate(documents)]
        (tmp_path / run).write_text("".join(lines))
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"7 0 {each} {grade}\n" for each, grade in GRADES.items()))
    warehouse = new_warehouse(tmp_path)
    load_collection(
        warehouse,
        LoadRequest("page", tuple(tmp_path / run for run in RUNS), qrels, depth=2),
    )
    build(warehouse)
    scores = run_query(
        warehouse,
        """
        select run_id, judgement_set, score
        from run_scores('page', 'P@2')
        union all
        select run_id, judgement_set, score
        from run_scores('page', 'P@2', judgement_set := 'without_run')
        """,
    ).rows
    assert {(run, judged): score for run, judged, score in scores} == {
        ("fox", "full"): 1,
        ("owl", "full"): 0.5,
        ("elk", "full"): 0.5,
        ("fox", "without_run"): 0.5,
        ("owl", "without_run"): 0.5,
        ("elk", "without_run"): 0.5,
    }
    pooled = run_query(warehouse, "select run_id from dim_runs where is_pooled order by all").rows
    assert [run for (run,) in pooled] == ["fox", "owl"]
