"""Every command, with arguments for the collection on a page (page.py)."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path

from click.testing import CliRunner, Result

from poolhouse.command_line.main import main

OF_PAGE = ("--collection", "page")
# RUN stands for the file of a run, and NEW for a file or a folder that is not there yet.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "status": (),
    "sql": ("select * from dim_collections",),
    "adjust": ("RUN", *OF_PAGE),
    "score": ("RUN", *OF_PAGE),
    "compare": ("RUN", "a1", "a2", *OF_PAGE, "--measure", "P@2"),
    "gate": ("RUN", "--baseline", "a1", *OF_PAGE, "--measure", "P@2"),
    "table": ("RUN", "a1", "a2", *OF_PAGE, "--measure", "P@2"),
    "common-topics": (*OF_PAGE, "--standard-error", "0.1"),
    "experiment": ("bias", *OF_PAGE, "--samples", "2", "--widths", "2"),
    "check": (),
    "pool": ("plan", "page", "--budgets", "2", "--strategy", "rrf"),
    "settings": (),
    "cookbook": ("hardest_topics", "--run"),
    "export": ("NEW", "--format", "csv", "--mart", "dim_runs"),
    "report": ("-o", "NEW"),
    "figure": ("judged_by_rank", *OF_PAGE, "-o", "NEW.svg"),
    "load": ("page", "RUN"),
    "build": (),
    "remove": ("page", "--run", "a2"),
}
# This command makes a warehouse in half a minute; test_demo.py tests it.
LONG = {"demo"}
# This command serves until its client ends; test_mcp.py tests it.
SERVING = {"mcp"}
# These commands need no warehouse; tests of export and of lakes have them.
WITHOUT_WAREHOUSE = {"docs", "lake"}

# Numbers for the files that a command makes, so that each call makes a new file.
_NUMBERS = count()


def write_run(folder: Path) -> Path:
    """Write a run that is not loaded."""
    file = folder / "new"
    file.write_text("1 Q0 d1 1 3 t\n1 Q0 d9 2 2 t\n")
    return file


def arguments_of(command: str, run_file: Path) -> list[str]:
    """Return a command and its arguments; files that it makes are beside the run."""
    new = f"{run_file}-{next(_NUMBERS)}"
    places = {"RUN": str(run_file), "NEW": new, "NEW.svg": f"{new}.svg"}
    return [command, *(places.get(each, each) for each in COMMANDS.get(command, ()))]


def invoked(command: str, file: Path, run_file: Path, *options: str, **terminal: str) -> Result:
    """Run a command on a warehouse, and check that nothing unexpected was raised."""
    arguments = [*arguments_of(command, run_file), *options, "--db", str(file)]
    done = CliRunner(env=terminal).invoke(main, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done
