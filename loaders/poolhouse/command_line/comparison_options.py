"""The options that `poolhouse compare` and `poolhouse table` share."""

from collections.abc import Callable
from typing import Any

import click

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
        "--seed", type=click.IntRange(min=0), help="Seed of the flips.  [default: 2009]"
    )
    repetitions = click.option(
        "--repetitions",
        type=click.IntRange(min=1),
        help="Number of times that the randomization test draws sign flips.  [default: 100000]",
    )
    return repetitions(seed(command))
