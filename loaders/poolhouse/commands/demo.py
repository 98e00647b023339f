"""`poolhouse demo`."""

from typing import TYPE_CHECKING

import click

from poolhouse.options import db_option

if TYPE_CHECKING:
    from poolhouse.warehouse import Warehouse


@click.command()
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=2026,
    show_default=True,
    help="Seed of the simulation.",
)
@db_option
def demo(seed: int, warehouse: "Warehouse") -> None:
    """Simulate a small archive with known relevance, load and build it, show the findings."""
    from poolhouse.demo import run_demo

    run_demo(warehouse, seed)
