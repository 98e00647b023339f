"""Questions of the cookbook about papers, as relations that a query of a test can read."""

import re

from poolhouse.building.plan import plan_of


def question(name: str, **values: str) -> str:
    """Return the SQL of a question in parentheses. `values` are the SQL of its parameters."""
    sql = re.sub(r"\$(\w+)", lambda found: values[found[1]], plan_of({}).questions[name])
    return f"(\n{sql}\n)"
