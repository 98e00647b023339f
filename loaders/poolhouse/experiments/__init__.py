"""The experiments of Webber & Park 2009, run on a collection of the warehouse.

The models draw and compute (models/table_macros/intermediate/experiments). This package has the
settings, the parts of an experiment (`parts`), the database of computed results (`results`), and
the publication in the warehouse (`running`).
"""

from poolhouse.experiments.running import ExperimentReport, run_experiment
from poolhouse.experiments.settings import ExperimentSettings, settings_of
from poolhouse.option_values import EXPERIMENTS

__all__ = ["EXPERIMENTS", "ExperimentReport", "ExperimentSettings", "run_experiment", "settings_of"]
