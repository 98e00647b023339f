"""Time commands that have next to nothing to do, beside the import of DuckDB."""

import tempfile
from pathlib import Path
from statistics import median

import click

from commands import Cost, run, run_python
from poolhouse.command_line import console

# CPU seconds that these commands may take more than `import duckdb`.
BUDGET = 0.4
OF_BUDGET = ("--help", "status", 'sql "select 1"')

_ENGINE = "import duckdb"


def measure(warehouse: Path, repeat: int) -> dict[str, list[Cost]]:
    """Run the commands in turn, so that other work of the machine affects all of them equally."""
    of_it = ("--db", str(warehouse))
    commands = {
        "--version": ("--version",),
        "--help": ("--help",),
        "load --help": ("load", "--help"),
        "status": ("status", *of_it),
        'sql "select 1"': ("sql", "select 1", *of_it),
        "build, nothing to do": ("build", *of_it),
    }
    costs: dict[str, list[Cost]] = {name: [] for name in (_ENGINE, *commands)}
    for _ in range(repeat):
        costs[_ENGINE].append(run_python("-c", _ENGINE))
        for name, arguments in commands.items():
            costs[name].append(run(*arguments))
    return costs


def summarize(costs: dict[str, list[Cost]]) -> list[tuple[object, ...]]:
    """Return a row per command: least and median CPU seconds, alone and less the engine's."""
    least = {name: min(each.cpu_seconds for each in all_) for name, all_ in costs.items()}
    middle = {name: median(each.cpu_seconds for each in all_) for name, all_ in costs.items()}
    return [
        (
            name,
            *(f"{each[name]:.2f}" for each in (least, middle)),
            *(f"{each[name] - each[_ENGINE]:+.2f}" for each in (least, middle)),
            f"{BUDGET:+.2f}" if name in OF_BUDGET else None,
        )
        for name in costs
    ]


@click.command()
@click.option("--db", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--repeat", type=click.IntRange(min=1), default=10, show_default=True)
def main(db: Path | None, repeat: int) -> None:
    """Time quick commands on a built warehouse (default: the warehouse of a demo)."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse = db or Path(folder) / "demo.duckdb"
        if not db:
            run("demo", "--db", str(warehouse))
        rows = summarize(measure(warehouse, repeat))
    columns = ["command", "least s", "median s", "least over", "median over", "budget over"]
    console.write_table(columns, rows, f"CPU seconds, over those of `{_ENGINE}`")


if __name__ == "__main__":
    main()
