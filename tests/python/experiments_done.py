"""Run every experiment on the random collection with few samples; tests look at the results.

The samples are computed in parts. The reference knows of no parts.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest

from experiment_collections import random_collection
from experiments_reference import ExperimentsReference, Sample
from poolhouse.experiments import running
from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.experiments.running import run_experiment
from poolhouse.option_values import EXPERIMENTS
from poolhouse.warehouse.file import Warehouse

DEPTH = 4
WIDTHS = (2, 4, 8)
N_SAMPLES = 12
SAMPLES_PER_PART = 8
N_TOPIC_SAMPLES = 6
COUNTS = (2, 5, 9, 30)  # all nine topics, and a number above
SEED = 77

# Equal values must not differ by the last digits of a float.
TOLERANCE = 1e-9

Row = tuple[Any, ...]


def assert_same(
    found: dict[Row, Row], expected: dict[Row, Row], tolerance: float = TOLERANCE
) -> None:
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        nearly = (
            each if each is None else pytest.approx(each, abs=tolerance, rel=0) for each in values
        )
        assert found[key] == tuple(nearly), key


def run_every_experiment(warehouse: Warehouse) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "SAMPLES_PER_PART", SAMPLES_PER_PART)
        for experiment in EXPERIMENTS:
            given: dict[str, Any] = {"n_samples": N_SAMPLES, "depth": DEPTH, "seed": SEED}
            if experiment == "topics":
                given |= {"n_topic_samples": N_TOPIC_SAMPLES}
            settings = ExperimentSettings(
                experiment, widths=WIDTHS, common_topic_counts=COUNTS, **given
            )
            run_experiment(warehouse, "random", settings)


@dataclass(frozen=True)
class Done:
    """The results of the experiments, and the reference that defines the correct ones."""

    warehouse: Warehouse

    @cached_property
    def reference(self) -> ExperimentsReference:
        """The reference for the same collection."""
        return ExperimentsReference(random_collection("random", 1), DEPTH)

    def rows(self, query: str) -> list[Row]:
        """Return the rows of a query on the warehouse."""
        with self.warehouse.read() as connection:
            return connection.execute(query).fetchall()

    def keyed(self, table: str, key: str, values: str) -> dict[Row, Row]:
        """Return the rows of a table, by their key."""
        n_key = len(key.split(","))
        found = self.rows(f"select {key}, {values} from {table}")
        by_key = {row[:n_key]: row[n_key:] for row in found}
        assert len(by_key) == len(found), f"{table} has a key twice"
        return by_key

    def samples(self, experiment: str) -> dict[Row, Sample]:
        """Return the samples that were drawn, by population, width and number."""
        runs: dict[Row, dict[str, list[str]]] = {}
        for *key, role, run_id in self.rows(
            f"""
            select population, width, sample, role, run_id
            from experiments.samples
            inner join intermediate.int_runs using (collection_key, run_key)
            where experiment = '{experiment}'
            """
        ):
            runs.setdefault(tuple(key), {"unpooled": [], "pooled": []})[role].append(run_id)
        return {
            key: Sample(unpooled, tuple(roles["pooled"]))
            for key, roles in runs.items()
            for [unpooled] in [roles["unpooled"]]
        }
