"""The experiments on TREC-8, run as a user would, and kept."""

from archive import TREC8
from archive_warehouses import MARTS_OF, files_of, put_marts
from kept import put_kept
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.experiments.running import run_experiment
from poolhouse.warehouse.file import Warehouse

# As many samples as the statements need.
SETTINGS = {
    "bias": ExperimentSettings("bias", n_samples=100),
    "systems": ExperimentSettings("systems", n_samples=100),
    "topics": ExperimentSettings("topics", n_topic_samples=50, widths=(2, 40)),
    "intervals": ExperimentSettings(
        "intervals", n_samples=250, widths=(2, 40), common_topic_counts=(5, 10)
    ),
}


def put_experiments(warehouse: Warehouse) -> None:
    """Put the marts of the archives, and the results of all experiments on TREC-8."""
    put_kept(warehouse, "experiments", run_experiments, files_of(MARTS_OF))


def run_experiments(warehouse: Warehouse) -> None:
    """Run all experiments on TREC-8."""
    put_marts(warehouse)
    for settings in SETTINGS.values():
        assert run_experiment(warehouse, TREC8.name, settings).remarks == ()
