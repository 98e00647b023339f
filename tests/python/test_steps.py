"""Test steps (macros/project/steps.sql): a new estimator by the recipe of CONTRIBUTING."""

from dataclasses import dataclass
from pathlib import Path
from shutil import copy, copytree

import polars as pl
import pytest

from page import write_collection
from plans import build_by
from poolhouse.building.build import build
from poolhouse.building.plan.compiling import compile_plan
from poolhouse.building.project import project_folder
from poolhouse.errors import PlanError
from poolhouse.estimating.adjusting import adjust
from poolhouse.loading.load import load_collection
from poolhouse.warehouse.file import Warehouse

# dbt compiles a copy of the project twice.
pytestmark = pytest.mark.heavy

FOLDER = "models/intermediate/estimators/doubled"
MODEL = """\
with

{{ imports('int_adjustments_webber_park_systems') }},

doubled as (

    select
        * replace (
            'doubled' as estimator,
            2 * adjustment as adjustment
        )
    from adjustments_webber_park_systems
    where estimator = 'webber_park_systems'

)

select * from doubled
"""
DESCRIPTION = """\
version: 2
models:
  - name: int_adjustments_doubled
    columns: [{name: collection_key}, {name: pool_key}, {name: run_key}]
"""
ADJUSTMENTS = "models/intermediate/adjustments/int_adjustments.sql"
WITH_STEPS = (
    "models/intermediate/outside/int_new_run_estimates.sql",
    "macros/rules/sampled_pools.sql",
)


@dataclass(frozen=True)
class Project:
    """A copy of the dbt project."""

    folder: Path
    scratch: Path

    def replace(self, name: str, old: str, new: str) -> None:
        """Change a file in one place."""
        file = self.folder / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, name
        file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Add an estimator to a copy of the project, and forget its step."""
    folder = tmp_path_factory.mktemp("with_estimator")
    for name in ("models", "macros", "seeds", "tests/generic", "tests/singular", "analyses"):
        copytree(project_folder() / name, folder / name)
    for name in ("dbt_project.yml", "profiles.yml"):
        copy(project_folder() / name, folder)
    project = Project(folder, folder / "scratch")
    (folder / FOLDER).mkdir()
    (folder / FOLDER / "int_adjustments_doubled.sql").write_text(MODEL)
    (folder / FOLDER / "schema.yml").write_text(DESCRIPTION)
    with (folder / "seeds/estimators.csv").open("a") as seed:
        seed.write("11,doubled,Adds twice as much,pooled runs,true,false,false,a joke\n")
    filled = "    filled='int_adjustments_filled'\n"
    project.replace(ADJUSTMENTS, filled, f"{filled[:-1]},\n    doubled='int_adjustments_doubled'\n")
    last = "    select * from filled\n"
    project.replace(ADJUSTMENTS, last, f"{last}    union all by name\n    select * from doubled\n")
    return project


def test_a_new_estimator_is_refused_without_its_step_and_stands_once_with_it(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the step, `adjust` would list the stored estimates of every pooled run."""
    with pytest.raises(
        PlanError,
        match=r"the step int_adjustments reads the stored rows of int_adjustments_doubled, which "
        r"do not follow from the CTE \w+: add int_adjustments_doubled to the steps of \w+, before "
        r"int_adjustments \(docs/decisions/steps.md\)",
    ):
        compile_plan(project.folder, project.scratch, {})

    for name in WITH_STEPS:
        step = "    'int_adjustments',\n"
        project.replace(name, step, f"    'int_adjustments_doubled',\n{step}")
    build_by(compile_plan(project.folder, project.scratch, {}), monkeypatch)
    warehouse = Warehouse(tmp_path / "poolhouse.duckdb")
    load_collection(warehouse, write_collection(tmp_path / "page"))
    build(warehouse)
    run = pl.DataFrame({"query": "1", "docno": ["d5", "d1"], "score": [2.0, 1.0]})
    scores = adjust(warehouse, "page", run).scores
    key = ["measure", "unjudged"]
    counts = scores.group_by(*key, "estimator").len()
    assert counts["len"].unique().to_list() == [1]
    of_one = scores.filter(estimator="webber_park_systems").select(*key, once="adjustment")
    of_other = scores.filter(estimator="doubled").select(*key, twice="adjustment")
    both = of_one.join(of_other, on=key, validate="1:1")
    assert both.height == of_one.height > 0
    assert both["twice"].to_list() == pytest.approx([2 * each for each in both["once"]])
