"""Test the order of the models' folders: each reads only itself and the folders before it."""

from pathlib import Path

from poolhouse.building.plan import plan_of
from poolhouse.building.project import project_folder

IN_ORDER = (
    "staging",
    "intermediate/settings",
    "intermediate/entities",
    "intermediate/authors",
    "intermediate/runs",
    "intermediate/pool_depths",
    "intermediate/pools",
    "intermediate/left_out",
    "intermediate/leave_one_out",
    "intermediate/significance",
    "intermediate/estimators",
    "intermediate/adjustments",
    "intermediate/outside",
    "intermediate/judges",
    "intermediate/experiments",
    "intermediate/audits",
    "intermediate/verdicts",
    "intermediate/title_words",
    "marts",
    "quality",
    "table_macros/intermediate",
    "table_macros/marts",
)


def place(model: Path) -> int:
    """Return the place of a model's folder among the folders."""
    name = model.parent.relative_to(project_folder() / "models").as_posix()
    [found] = [place for place, each in enumerate(IN_ORDER) if f"{name}/".startswith(f"{each}/")]
    return found


def test_no_model_reads_a_later_folder() -> None:
    models = {model.stem: model for model in (project_folder() / "models").rglob("*.sql")}
    assert [
        f"{node.name} reads {read}"
        for node in plan_of({}).relations
        for read in node.reads
        if node.name in models and read in models
        if place(models[read]) > place(models[node.name])
    ] == []
