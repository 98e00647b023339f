"""The schemas of the warehouse that Poolhouse writes without dbt."""

from pathlib import Path

_FOLDER = Path(__file__).parent

LOADED = ("raw", "ops")

# Tables of experiments, in the warehouse and in the file of running experiments.
EXPERIMENTS = (_FOLDER / "experiments_schema.sql").read_text(encoding="utf-8")
EXPERIMENT_TABLES = (
    "experiments.settings",
    "experiments.samples",
    "experiments.estimates",
    "experiments.topic_errors",
    "experiments.topic_estimates",
    "experiments.bootstrap_intervals",
    "experiments.pools",
    "experiments.pool_errors",
    "experiments.later_estimates",
)

ALL = (_FOLDER / "raw_schema.sql").read_text(encoding="utf-8") + EXPERIMENTS
