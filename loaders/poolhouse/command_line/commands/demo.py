"""`poolhouse demo`."""

from typing import TYPE_CHECKING

import click

from poolhouse.command_line.options import demo_db_option, examples, format_option, work_options

if TYPE_CHECKING:
    from poolhouse.warehouse.file import Warehouse


@click.command(
    short_help="Simulate, load and build a small archive, and show its findings.",
    epilog=examples("demo", "demo --seed 7 --db demo-7.duckdb"),
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=2026,
    show_default=True,
    help="Seed of the simulation.",
)
@work_options
@format_option
@demo_db_option
def demo(seed: int, output: str, warehouse: "Warehouse") -> None:
    """Simulate a small archive with known relevance, load and build it, and show the findings.

    The demo uses its own warehouse file. It refuses a warehouse that holds collections of yours.
    """
    from poolhouse.demo.running import run_demo

    run_demo(warehouse, seed, output)
