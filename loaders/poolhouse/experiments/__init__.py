"""The experiments of Webber & Park 2009, run on a collection of the warehouse.

What is drawn and computed is in the models (models/intermediate/experiments); here are the
settings, the parts that an experiment is done in (`parts`), the file that keeps those done
(`unfinished`), and the way from there into the warehouse (`running`).
"""

from poolhouse.experiments.running import ExperimentReport, run_experiment
from poolhouse.experiments.settings import ExperimentSettings, settings_of
from poolhouse.option_values import EXPERIMENTS

__all__ = ["EXPERIMENTS", "ExperimentReport", "ExperimentSettings", "run_experiment", "settings_of"]
