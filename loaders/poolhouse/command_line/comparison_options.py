"""The options that `poolhouse compare` and `poolhouse table` share."""

from collections.abc import Callable
from typing import Any

import click

from poolhouse.command_line.options import collection_names
from poolhouse.option_values import REPETITIONS, SEED

collection_option = click.option(
    "--collection",
    required=True,
    help="The collection whose topics the runs answer.",
    shell_complete=collection_names,
)

measures_option = click.option(
    "-m",
    "--measure",
    "measures",
    required=True,
    multiple=True,
    help="A measure that is a mean over topics, such as AP or nDCG@10; may be repeated.",
)


def randomization_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --repetitions and --seed, the settings of the randomization test."""
    seed = click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=SEED,
        show_default=True,
        help="Seed of the flips.",
    )
    repetitions = click.option(
        "--repetitions",
        type=click.IntRange(min=1),
        default=REPETITIONS,
        show_default=True,
        help="Number of times that the randomization test draws sign flips.",
    )
    return repetitions(seed(command))
