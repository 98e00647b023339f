"""The figures of all engines as CSV, and as a short table in Markdown."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from .building import PLAIN, Figures


def write_tables(folder: Path, measured: Sequence[Figures]) -> None:
    """Write `engines.csv`, `collections.csv` and `lake.md`."""
    engines = pl.DataFrame([_row(each, measured[0]) for each in measured])
    engines.write_csv(folder / "engines.csv", float_precision=3)
    rows = [
        {
            "engine": each.engine,
            "collection": name,
            "lines": published.n_lines,
            "megabytes": published.n_bytes / 1e6,
            "seconds": published.seconds,
        }
        for each in measured
        for name, published in each.collections.items()
    ]
    if rows:
        collections = pl.DataFrame(rows).sort("engine", "lines", maintain_order=True)
        collections.write_csv(folder / "collections.csv", float_precision=3)
    (folder / "lake.md").write_text(_markdown(engines))


def _row(each: Figures, plain: Figures) -> dict[str, object]:
    """Return the figures of an engine, and their ratios to one warehouse.

    The task of the largest collection is compared with all tasks, and with the whole build, which
    cannot be shorter.
    """
    seconds = [published.seconds for published in each.collections.values()]
    return {
        "engine": each.engine,
        "seconds": each.first.seconds,
        "cpu_seconds": each.first.cpu_seconds,
        "seconds_ratio": each.first.seconds / plain.first.seconds,
        "cpu_ratio": each.first.cpu_seconds / plain.first.cpu_seconds,
        "megabytes": each.megabytes,
        "unchanged_seconds": each.unchanged.seconds,
        "unchanged_cpu_seconds": each.unchanged.cpu_seconds,
        "task_seconds": sum(seconds) if seconds else None,
        "largest_task_seconds": max(seconds, default=None),
        "largest_of_tasks": max(seconds) / sum(seconds) if seconds else None,
        "largest_of_build": max(seconds) / each.first.seconds if seconds else None,
    }


def _markdown(engines: pl.DataFrame) -> str:
    columns = {
        "engine": "",
        "seconds": "s",
        "cpu_seconds": "CPU s",
        "cpu_ratio": f"CPU, to {PLAIN}",
        "megabytes": "MB",
        "unchanged_seconds": "unchanged, s",
        "largest_task_seconds": "largest collection, s",
        "largest_of_tasks": "its share of all tasks",
    }
    lines = [f"| {' | '.join(columns.values())} |", "|" + " --- |" * len(columns)]
    for row in engines.select(*columns).iter_rows():
        cells = (f"{each:.2f}" if isinstance(each, float) else str(each or "") for each in row)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
