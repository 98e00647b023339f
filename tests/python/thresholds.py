"""Read thresholds from the seeds that define them, for references in plain Python."""

import csv

from poolhouse.building.project import project_folder


def seed(name: str) -> list[dict[str, str]]:
    """Read the rows of a seed."""
    with (project_folder() / "seeds" / f"{name}.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def least_average_precision() -> float:
    """Read the lowest AP at which a loss in per cent is considered."""
    [row] = seed("unique_contribution_limits")
    return float(row["value"])


def verdict_rules() -> dict[str, dict[str, str]]:
    """Read the rules of the verdict by their ids."""
    return {rule["rule_id"]: rule for rule in seed("verdict_rules")}
