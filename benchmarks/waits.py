"""Time the commands that people wait for: of this version and of an earlier one, in turn.

A wait is a whole command as a user types it. Its figure is CPU seconds, or the size of what it
writes. What the command needs is made before, and is not timed. Each version loads and builds its
own warehouses, because the earlier one may store them otherwise. Other tools score the same files.
"""

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shutil import copyfile
from statistics import median

import click

from commands import ARCHIVE, arguments_of_load, run_program
from four_measures import TOOLS
from odd_shapes import Shape, simulate
from poolhouse.command_line import console

# Simulated collections by the name of their shape; TREC-8 and the demo are the others.
SHAPES = {
    "tiny": Shape(1, 5, 3),
    "400 tiny": Shape(400, 5, 3),
    "2,000 runs": Shape(1, 2000, 50),
    "100,000 topics": Shape(1, 2, 100_000, run_depth=1),
}
NOW, BEFORE = "now", "before"
REAL, TREC8, DEMO = "TREC-8", "trec8-adhoc", "demo"
FOUR = ("-m", "AP", "-m", "nDCG@10", "-m", "P@10", "-m", "RR")
ALL = ("-m", "all_trec", "-q", "-c")

_ROOT = Path(__file__).parents[1]
_MEGABYTE = 1_000_000
_IMPORT = "import duckdb"
_OPENING = """
import sys, time, duckdb
duckdb.sql("select 1")
started = time.process_time()
duckdb.connect(sys.argv[1], read_only=True).sql("select 1").fetchall()
print(time.process_time() - started)
"""


@dataclass(frozen=True)
class Stage:
    """A version of Poolhouse by the folder of its package, and a folder for its warehouses."""

    loaders: Path
    folder: Path

    def run(self, *arguments: str, **environment: str) -> float:
        """Return the CPU seconds of a command."""
        env = {**os.environ, "PYTHONPATH": str(self.loaders), **environment}
        return run_program(sys.executable, "-m", "poolhouse", *arguments, env=env).cpu_seconds

    def files(self, shape: str) -> Sequence[str]:
        """Return the arguments of the load of a shape, whose files are simulated once."""
        if shape == REAL:
            return arguments_of_load(ARCHIVE / TREC8)
        folder = self.folder.parent / shape
        if not folder.exists():
            simulate(SHAPES[shape], folder)
        return "--archive", str(folder / "archive.yml")

    def loaded(self, shape: str) -> str:
        """Return a copy of the loaded warehouse of a shape."""
        return self._copy(shape, "loaded", lambda db: self.run("load", *self.files(shape), *db))

    def built(self, shape: str) -> str:
        """Return a copy of the built warehouse of a shape."""
        if shape == DEMO:
            return self._copy(shape, "built", lambda db: self.run("demo", *db))
        return self._copy(
            shape,
            "built",
            lambda db: (copyfile(self.loaded(shape), db[1]), self.run("build", *db)),
        )

    def _copy(self, shape: str, state: str, make: Callable[[tuple[str, str]], object]) -> str:
        """Make a warehouse once, and return a copy at a place of its own."""
        kept = self.folder / f"{shape} {state}.duckdb"
        if not kept.exists():
            make(("--db", str(kept)))
        return str(copyfile(kept, self.folder / f"{shape}.duckdb"))

    def new_file(self) -> str:
        """Return a place where there is no warehouse."""
        file = self.folder / "new.duckdb"
        file.unlink(missing_ok=True)
        return str(file)

    def new_run(self, shape: str) -> tuple[str, ...]:
        """Return a run file of a name that is not loaded, and the option of its collection."""
        new = self.folder / "new-run"
        if shape == REAL:
            copyfile(unpacked(self)[1], new)
            return str(new), "--collection", TREC8
        self.files(shape)
        copyfile(self.folder.parent / shape / "shape-000" / "runs" / "run0000", new)
        return str(new), "--collection", "shape-000"


@cache
def unpacked(stage: Stage) -> list[str]:
    """Return the judgements and the runs of TREC-8: trec_eval does not read compressed files."""
    folder = stage.folder.parent / "unpacked"
    folder.mkdir(exist_ok=True)
    collection = ARCHIVE / TREC8
    packed = [collection / "qrels.txt.gz", *sorted((collection / "runs").iterdir())]
    for file in packed:
        (folder / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
    return [str(folder / file.stem) for file in packed]


# -- What is timed ---------------------------------------------------------------------------------


def first_load(stage: Stage, shape: str = "tiny") -> float:
    """Load into a new file."""
    return stage.run("load", *stage.files(shape), "--db", stage.new_file())


def demo(stage: Stage) -> float:
    """Simulate, load and build the demo."""
    return stage.run("demo", "--db", stage.new_file())


def first_build(stage: Stage, shape: str = "tiny", **environment: str) -> float:
    """Build a loaded file."""
    return stage.run("build", "--db", stage.loaded(shape), **environment)


def first_start(stage: Stage) -> float:
    """Build with an empty cache, so that the plan is compiled, or taken from where it is kept."""
    with tempfile.TemporaryDirectory() as cache_home:
        return first_build(stage, XDG_CACHE_HOME=cache_home)


def changed_build(shape: str) -> Callable[[Stage], float]:
    """Build after a run was added."""

    def timed(stage: Stage) -> float:
        warehouse = stage.built(shape)
        run, _, collection = stage.new_run(shape)
        stage.run("load", collection, "--runs", run, "--db", warehouse)
        return stage.run("build", "--db", warehouse)

    return timed


def opening(stage: Stage) -> float:
    """Open a built file: parse its views and macros."""
    command = [sys.executable, "-c", _OPENING, stage.built("tiny")]
    return float(subprocess.check_output(command, text=True))


def of_built(shape: str, *arguments: str) -> Callable[[Stage], float]:
    """Run a command on a built warehouse."""
    return lambda stage: stage.run(*arguments, "--db", stage.built(shape))


def report(shape: str) -> Callable[[Stage], float]:
    """Write a report."""
    return lambda stage: stage.run(
        "report", "-o", str(stage.folder / "report.html"), "--db", stage.built(shape)
    )


def of_new_run(command: str, shape: str, *options: str) -> Callable[[Stage], float]:
    """Run a command on a run that is not loaded."""
    return lambda stage: stage.run(
        command, *stage.new_run(shape), *options, "--db", stage.built(shape)
    )


def compare(stage: Stage) -> float:
    """Compare two loaded runs."""
    runs = ("AntHoc1", "8manexT3D1N0")
    return stage.run(
        *("compare", *runs, "--collection", TREC8, "-m", "AP", "-m", "P@10"),
        *("--db", stage.built(REAL)),
    )


def score(*options: str, n_runs: int | None = None) -> Callable[[Stage], float]:
    """Score all runs of TREC-8 from their files, or the first ones."""

    def timed(stage: Stage) -> float:
        qrels, *runs = unpacked(stage)
        return stage.run("score", *runs[:n_runs], "--qrels", qrels, *options)

    return timed


def by_tool(tool: str) -> Callable[[Stage], float]:
    """Score all runs of TREC-8 from their files with another tool."""
    program = str(Path(__file__).with_name("four_measures.py"))
    return lambda stage: run_program(sys.executable, program, tool, *unpacked(stage)).cpu_seconds


def by_program(program: Path, n_runs: int) -> Callable[[Stage], float]:
    """Call trec_eval once for each run."""

    def timed(stage: Stage) -> float:
        qrels, *runs = unpacked(stage)
        command = (str(program), *ALL, qrels)
        return sum(run_program(*command, each).cpu_seconds for each in runs[:n_runs])

    return timed


def size(stage: Stage) -> float:
    """Return the size of a built file."""
    return Path(stage.built("tiny")).stat().st_size / _MEGABYTE


def export(stage: Stage) -> float:
    """Export all marts; the size is 0 where the engine's memory does not suffice."""
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        target = Path(folder) / "marts"
        command = ("export", str(target), "--format", "parquet", "--db", stage.built("2,000 runs"))
        try:
            stage.run(*command)
        except SystemExit:
            return 0
        return _megabytes(target)


def pages(stage: Stage) -> float:
    """Return the size of a report on many collections."""
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        file = str(Path(folder) / "report.html")
        stage.run("report", "-o", file, "--db", stage.built("400 tiny"))
        return _megabytes(Path(folder))


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / _MEGABYTE


@dataclass(frozen=True)
class Wait:
    """A command, its goal, and the unit of both. A long one is timed once."""

    name: str
    timed: Callable[[Stage], float]
    goal: float | None = None
    unit: str = "CPU s"
    is_long: bool = False
    is_of_others: bool = False
    figures: dict[str, list[float]] = field(default_factory=dict, compare=False)


def waits(trec_eval: Path | None) -> Iterator[Wait]:
    """List the waits; `trec_eval` is the program that `make` built."""
    yield Wait(_IMPORT, lambda _: run_program(sys.executable, "-c", _IMPORT).cpu_seconds)
    yield Wait("--help", lambda stage: stage.run("--help"))
    yield Wait("status, tiny", of_built("tiny", "status"))
    yield Wait('sql "select 1", tiny', of_built("tiny", "sql", "select 1"))
    yield Wait("build, nothing to do, tiny", of_built("tiny", "build"))
    yield Wait("load, tiny, new file", first_load)
    yield Wait("first build, tiny", first_build, 1.3)
    yield Wait("build after a run was added, tiny", changed_build("tiny"), 0.9)
    beside = "400 tiny"
    yield Wait(f"build after a run was added, {beside}", changed_build(beside), is_long=True)
    yield Wait("opening a built file, tiny", opening, 0.05)
    yield Wait("size of a built file, tiny", size, 6, "MB")
    yield Wait("demo", demo, 10.6)
    yield Wait("first start of a clone", first_start, 15)
    for shape, goal in (("tiny", 2.5), (DEMO, 6), (REAL, 7)):
        yield Wait(f"report, {shape}", report(shape), goal)
    for shape, goal in (("tiny", 1.0), (REAL, 1.5)):
        yield Wait(
            f"score --collection, {shape}, 4 measures", of_new_run("score", shape, *FOUR), goal
        )
    for shape, goal in (("tiny", 0.8), (REAL, 3)):
        yield Wait(f"adjust, {shape}", of_new_run("adjust", shape), goal)
    yield Wait("compare, TREC-8", compare, 3)
    asked = "score, runs: 129, 4 measures"
    yield Wait(asked, score(*FOUR), 5.5)
    for tool in TOOLS:
        yield Wait(f"{asked}: {tool}", by_tool(tool), is_of_others=True)
    for n_runs, most in ((1, None), (129, 10)):
        asked = f"score, runs: {n_runs}, all_trec -q -c"
        yield Wait(asked, score(*ALL, "--format", "trec_eval", n_runs=n_runs), most)
        if trec_eval:
            yield Wait(f"{asked}: trec_eval", by_program(trec_eval, n_runs), is_of_others=True)
    yield Wait("load, TREC-8", lambda stage: first_load(stage, REAL))
    yield Wait("first build, TREC-8", lambda stage: first_build(stage, REAL), 30)
    topics = "100,000 topics"
    yield Wait(f"first build, {topics}", lambda stage: first_build(stage, topics), 25, is_long=True)
    yield Wait("export, 2,000 runs", export, None, "MB", is_long=True)
    yield Wait("report pages, 400 tiny", pages, None, "MB", is_long=True)


# -- The table -------------------------------------------------------------------------------------


def measure(stages: dict[str, Stage], all_waits: Sequence[Wait], repeat: int) -> None:
    """Time every wait with both versions in turn, so that other work affects both equally."""
    for wait in all_waits:
        for _ in range(1 if wait.is_long else repeat):
            for version, stage in stages.items():
                if version == NOW or not wait.is_of_others:
                    wait.figures.setdefault(version, []).append(wait.timed(stage))
        found = (f"{median(figures):.2f} {version}" for version, figures in wait.figures.items())
        console.remark(f"{wait.name}: {', '.join(found)}")


def row(wait: Wait, versions: Sequence[str]) -> tuple[object, ...]:
    """Return the median of each version, the ratio of the last to the first, and the goal."""
    medians = {version: median(figures) for version, figures in wait.figures.items()}
    ratio = medians[NOW] / medians[BEFORE] if medians.get(BEFORE) else None
    shown = [*map(medians.get, versions), ratio]
    figures = [None if value is None else f"{value:.2f}" for value in shown]
    return wait.name, *figures, wait.goal, wait.unit


@click.command()
@click.option("--before", help="A commit whose version is timed in turn with this one.")
@click.option("--only", default="", help="Time the waits whose names have this text.")
@click.option("--repeat", default=5, show_default=True, type=click.IntRange(min=1))
@click.option("--long/--no-long", "has_long", default=True, help="Time those of a minute, once.")
@click.option(
    "--trec-eval", type=click.Path(exists=True, path_type=Path), help="The program, built."
)
def main(
    before: str | None, only: str, repeat: int, has_long: bool, trec_eval: Path | None
) -> None:
    """Print what each wait takes, before and now."""
    chosen = [each for each in waits(trec_eval) if only in each.name]
    chosen = [each for each in chosen if has_long or not each.is_long]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stages = {NOW: Stage(_ROOT / "loaders", folder / NOW)}
        if before:
            tree = folder / "tree"
            git = ("git", "-C", str(_ROOT), "worktree")
            run_program(*git, "add", "--detach", str(tree), before)
            stages = {BEFORE: Stage(tree / "loaders", folder / BEFORE), **stages}
        try:
            for stage in stages.values():
                stage.folder.mkdir()
                stage.built("tiny")  # compiles the plan, where it is not kept
            measure(stages, chosen, repeat)
        finally:
            if before:
                run_program(*git, "remove", "--force", str(tree))
    columns = ["", *stages, "ratio", "goal", "unit"]
    rows = [row(each, list(stages)) for each in chosen]
    console.write_table(columns, rows, f"{os.cpu_count()} cores, medians of {repeat} in turn")


if __name__ == "__main__":
    main()
