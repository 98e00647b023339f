"""What an experiment found: a table for the terminal."""

from poolhouse import console
from poolhouse.queries import run_query
from poolhouse.warehouse import Warehouse


def write_findings(warehouse: Warehouse, collection: str, experiment: str, output: str) -> None:
    pass
