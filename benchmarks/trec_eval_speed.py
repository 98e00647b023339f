"""Time `score --qrels --format trec_eval` beside the program trec_eval, for one run and for all."""

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

import click

from commands import ARCHIVE, Cost, run, run_program
from poolhouse.command_line import console

_OPTIONS = ("-m", "all_trec", "-q", "-c")


def unpacked(collection: Path, folder: Path) -> tuple[Path, list[Path]]:
    """Unpack the judgements and the runs: the program does not read compressed files."""
    packed = [collection / "qrels.txt.gz", *sorted((collection / "runs").iterdir())]
    for file in packed:
        (folder / file.name.removesuffix(".gz")).write_bytes(gzip.decompress(file.read_bytes()))
    qrels, *runs = (folder / file.name.removesuffix(".gz") for file in packed)
    return qrels, runs


def by_program(program: Path, qrels: Path, runs: list[Path]) -> Cost:
    """Call the program once for each run."""
    costs = [run_program(str(program), *_OPTIONS, str(qrels), str(each)) for each in runs]
    return Cost(
        sum(cost.seconds for cost in costs),
        sum(cost.cpu_seconds for cost in costs),
        max(cost.megabytes for cost in costs),
    )


def by_poolhouse(qrels: Path, runs: list[Path]) -> Cost:
    """Call the command once for all runs."""
    files = [str(each) for each in runs]
    return run("score", *files, "--qrels", str(qrels), *_OPTIONS, "--format", "trec_eval")


@click.command()
@click.argument("program", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--archive", default=ARCHIVE, type=click.Path(exists=True, path_type=Path))
@click.option("--collection", default="trec8-adhoc", show_default=True)
@click.option("--repeat", default=3, type=click.IntRange(min=1), show_default=True)
def main(program: Path, archive: Path, collection: str, repeat: int) -> None:
    """Time both in turn; PROGRAM is a trec_eval that `make` built."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = unpacked(archive / collection, Path(folder))
        for chosen in (runs[:1], runs):
            tools: dict[str, Callable[[list[Path]], Cost]] = {
                "trec_eval": lambda files: by_program(program, qrels, files),
                "poolhouse": lambda files: by_poolhouse(qrels, files),
            }
            costs: dict[str, list[Cost]] = {tool: [] for tool in tools}
            for _ in range(repeat):
                for tool, timed in tools.items():
                    costs[tool].append(timed(chosen))
            rows += [
                (
                    len(chosen),
                    tool,
                    round(median(cost.seconds for cost in of_tool), 2),
                    round(median(cost.cpu_seconds for cost in of_tool), 2),
                    round(max(cost.megabytes for cost in of_tool)),
                )
                for tool, of_tool in costs.items()
            ]
    console.write_rows(["runs", "tool", "seconds", "CPU seconds", "MB"], rows, "table")


if __name__ == "__main__":
    main()
