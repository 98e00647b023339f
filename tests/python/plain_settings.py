"""The settings of a warehouse, as plain dbt is told them."""

import json

from poolhouse.settings import chosen_settings
from poolhouse.warehouse import Warehouse


def vars_of(warehouse: Warehouse) -> tuple[str, str]:
    """Give the option with which dbt compiles the models as the command line does for it."""
    with warehouse.read() as connection:
        return "--vars", json.dumps(chosen_settings(connection))
