"""Questions of the cookbook about papers, as relations that a query of a test can read."""

import re

from poolhouse.building.plan import plan_of
from poolhouse.cookbook.entries import compiled, entry_named


def question(name: str, **values: str) -> str:
    """Return the SQL of a question in parentheses.

    `values` are the SQL of its parameters, and another parameter has its default.
    """
    entry = compiled(entry_named(name), plan_of({}))
    known = {**entry.parameters, **values}
    sql = re.sub(r"\$(\w+)", lambda found: str(known[found[1]]), entry.sql)
    return f"(\n{sql}\n)"
