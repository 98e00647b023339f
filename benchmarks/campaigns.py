"""Campaigns from their first list on: verdicts of strategies, and intervals while a pool is judged.

A collection of an archive is loaded without its judgements. A list of `pool make` is answered from
its qrels, and the marts are built that the question reads. A document that the qrels lack is not
answered.

    uv run python benchmarks/campaigns.py verdicts ARCHIVE/trec8-adhoc --budget 20000
    uv run python benchmarks/campaigns.py intervals ARCHIVE/trec8-adhoc --depth 100 --seeds 20
"""

import csv
import gzip
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from time import process_time
from unittest.mock import patch

import click
import polars as pl

from poolhouse.building.build import build
from poolhouse.building.plan import Plan
from poolhouse.building.runner import Runner
from poolhouse.building.settings import chosen_settings, keep_setting, plan_by_choice
from poolhouse.building.todo import Todo
from poolhouse.building.work import Work
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.pooling.asking import PoolRequest, asked_of
from poolhouse.pooling.choosing import Chooser
from poolhouse.pooling.drawing import drawn_design, sampling_frame
from poolhouse.pooling.known_strategies import Strategy, known_strategies
from poolhouse.pooling.recording import record_lists
from poolhouse.pooling.rerunning import left_out
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

# The same documents have the same keys whatever is judged, so that these need not be built again.
_KEPT = {"int_topics", "int_documents", "int_rankings"}
_MEASURES = ("P@5", "P@10", "RBP(p=0.8)@10", "nDCG@10", "AP")
# Those that a verdict reads. Others take most of the time of a build.
_BUILT_MEASURES = (*("P@5", "P@10", "P@20", "P@30", "P@100"), *("AP", "RBP(p=0.8)@10", "nDCG@10"))
_SHARES = (0.1, 0.25, 0.5, 0.75)
# Of the weight of a run, so much may be unknown in the qrels.
_MOST_UNKNOWN = 0.05

Qrels = dict[tuple[str, str], int]


class Campaign:
    """A collection without judgements, and its qrels."""

    def __init__(self, archive: Path, folder: Path) -> None:
        self.folder = folder
        self.base = Warehouse(folder / "base.duckdb")
        with gzip.open(archive / "qrels.txt.gz", "rt") as lines:
            fields = [line.split() for line in lines]
        self.qrels: Qrels = {(topic, document): int(grade) for topic, _, document, grade in fields}
        load_collection(
            self.base,
            LoadRequest(
                "campaign",
                runs=[archive / "runs"],
                descriptions=archive / "runs.csv",
                unjudged=True,
            ),
        )
        with self.base.change(), self.base.side() as connection:
            keep_setting(connection, "measures", {"measures": list(_BUILT_MEASURES)})
        build(self.base)

    def copy(self) -> Warehouse:
        """Return a copy of the collection without judgements."""
        return Warehouse(Path(copyfile(self.base.path, self.folder / "copy.duckdb")))

    def list_of(
        self, warehouse: Warehouse, strategy: Strategy, budget: int, seed: int = 0
    ) -> pl.DataFrame:
        """Record the list of a whole pool, whose answers are known at once: its documents."""
        request = PoolRequest("campaign", budget, is_of_every_topic=True, seed=seed)
        request = request.of_campaign(warehouse)
        known: dict[str, dict[str, bool]] = {}
        for (topic, document), grade in self.qrels.items():
            known.setdefault(topic, {})[document] = grade > 0
        design = None
        with asked_of(warehouse, request) as connection:
            if strategy.kind == "sampled":
                design = drawn_design(sampling_frame(connection), request, strategy.name)
                documents = design.filter("is_sampled").select("topic_id", "doc_id")
            else:
                documents = Chooser(connection, request).documents(strategy, known)
                documents = documents.select("topic_id", "doc_id", "place")
        record_lists(warehouse, request, strategy.name, [documents], design)
        return documents

    def judge(self, warehouse: Warehouse, keys: Iterable[tuple[str, str]]) -> int:
        """Load the grades of documents. Return how many have one."""
        file = self.folder / "qrels.txt"
        known = [key for key in keys if key in self.qrels]
        file.write_text("".join(f"{t} 0 {d} {self.qrels[t, d]}\n" for t, d in known))
        load_collection(warehouse, LoadRequest("campaign", qrels=file))
        return len(known)


def build_for(warehouse: Warehouse, *targets: str) -> None:
    """Build what some relations read, and depends on judgements. Run no tests."""
    with warehouse.read() as connection:
        plan = plan_by_choice(chosen_settings(connection))
    needed = _behind_judgements(plan) & _read_by(plan, targets) - _KEPT
    whole = Todo.works

    def lean(todo: Todo, *arguments: object) -> list[Work]:
        works = whole(todo, *arguments)  # type: ignore[arg-type]
        return [replace(each, tables=each.tables & needed) for each in works]

    with patch.object(Todo, "works", lean), patch.object(Runner, "_test", lambda *_: None):
        build(warehouse)


def _read_by(plan: Plan, names: Iterable[str]) -> set[str]:
    nodes = {node.name: node for node in plan.nodes}
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found and name in nodes:
            found.add(name)
            left += nodes[name].reads
    return found


def _behind_judgements(plan: Plan) -> set[str]:
    found = {"raw.qrels_lines", "raw.pool_lists", "raw.pool_documents", "ops.files"}
    for _ in plan.nodes:
        more = {node.name for node in plan.nodes if found & set(node.reads)}
        if more <= found:
            break
        found |= more
    return found


@click.group()
def main() -> None:
    """Campaigns from their first list on."""


@main.command()
@click.argument("archive", type=click.Path(path_type=Path, exists=True))
@click.option("--budget", type=int, required=True)
@click.option("--strategy", "names", multiple=True)
@click.option("--again/--not-again", default=False, help="Run strategies again, without runs.")
def verdicts(archive: Path, budget: int, names: tuple[str, ...], again: bool) -> None:
    """Print the verdict of the pool of each strategy, and the figures of the rules."""
    table = csv.writer(sys.stdout)
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(archive, Path(folder))
        with campaign.base.read() as connection:
            known = known_strategies(connection)
        for number, name in enumerate(names or known):
            started = process_time()
            warehouse = campaign.copy()
            documents = campaign.list_of(warehouse, known[name], budget)
            n_judged = campaign.judge(warehouse, documents.select("topic_id", "doc_id").rows())
            build_for(warehouse, "audit_collections", "audit_verdicts", "int_listed_pools")
            with warehouse.read() as connection:
                [(verdict,)] = connection.execute(
                    "select verdict from audit_collections"
                ).fetchall()
                figures = dict(
                    connection.execute("select rule_id, figure from audit_verdicts").fetchall()
                )
            rerun = None
            if again and known[name].kind != "sampled":
                rerun = left_out(warehouse, "campaign").mean("unjudged_without_again")
            if not number:
                table.writerow(["strategy", "listed", "judged", "verdict", *figures, "again", "s"])
            seconds = process_time() - started
            table.writerow(
                [name, documents.height, n_judged, verdict, *figures.values(), rerun, seconds]
            )
            sys.stdout.flush()


@main.command()
@click.argument("archive", type=click.Path(path_type=Path, exists=True))
@click.option("--depth", type=int, required=True)
@click.option("--seeds", type=int, default=20)
@click.option("--by-place", is_flag=True, help="Judge the first places of each topic first.")
def intervals(archive: Path, depth: int, seeds: int, by_place: bool) -> None:
    """Print how many intervals hold while a share of the pool of a depth is judged.

    The documents are judged in a random order.
    """
    table = csv.writer(sys.stdout)
    table.writerow(
        ["share", "seed", "measure", "runs", "told", "holds", "error", "error as judged", "s"]
    )
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(archive, Path(folder))
        with campaign.base.read() as connection:
            strategy = known_strategies(connection)["depth"]
            [(budget,)] = connection.execute(
                "select n_documents from planning.pool_sizes('campaign', depths := [?])", [depth]
            ).fetchall()
        warehouse = campaign.copy()
        documents = campaign.list_of(warehouse, strategy, budget)
        lines = documents.select("topic_id", "doc_id", "place").rows()
        campaign.judge(warehouse, campaign.qrels)
        build_for(warehouse, "fct_run_scores", *_of_estimates())
        truths = {measure: _truth(warehouse, measure) for measure in _MEASURES}
        for seed in range(seeds):
            order = random.Random(seed).sample(lines, len(lines))  # noqa: S311 - no secret
            if by_place:
                order.sort(key=lambda line: line[2])
            keys = [(topic, document) for topic, document, _ in order]
            for share in _SHARES:
                started = process_time()
                warehouse = campaign.copy()
                campaign.list_of(warehouse, strategy, budget)
                campaign.judge(warehouse, keys[: round(share * len(keys))])
                build_for(warehouse, *_of_estimates())
                for measure in _MEASURES:
                    row = _compared(warehouse, measure, truths[measure])
                    table.writerow([share, seed, measure, *row, process_time() - started])
                sys.stdout.flush()


def _of_estimates() -> tuple[str, ...]:
    return ("interim_leaderboard", "dim_runs", "dim_collections")


def _truth(warehouse: Warehouse, measure: str) -> dict[str, tuple[float, float]]:
    """Return the scores of runs by all judgements, where hardly any weight is unknown."""
    rows = _interim(warehouse, measure).filter(pl.col("unjudged_share") <= _MOST_UNKNOWN)
    return {
        run_id: (score, score + (share if measure.startswith(("P@", "RBP")) else 0.0))
        for run_id, score, share in rows.select("run_id", "score", "unjudged_share").rows()
    }


def _interim(warehouse: Warehouse, measure: str) -> pl.DataFrame:
    with warehouse.read() as connection:
        return rows_of(
            connection,
            "from planning.interim_leaderboard('campaign', $measure)",
            {"measure": measure},
        )


def _compared(
    warehouse: Warehouse, measure: str, truths: dict[str, tuple[float, float]]
) -> Iterator[object]:
    told = _interim(warehouse, measure).filter(pl.col("run_id").is_in(list(truths)))
    estimated = told.filter(pl.col("if_judged").is_not_null())
    holds, errors, as_judged = 0, [], []
    for run_id, mean, low, high, score in estimated.select(
        "run_id", "if_judged", "if_judged_95_low", "if_judged_95_high", "score"
    ).rows():
        least, most = truths[run_id]
        holds += low <= most + 1e-9 and high >= least - 1e-9
        errors.append(max(least - mean, mean - most, 0))
        as_judged.append(max(least - score, score - most, 0))
    n = len(errors)
    yield from (len(truths), n, holds)
    yield from ((sum(errors) / n, sum(as_judged) / n) if n else (None, None))


if __name__ == "__main__":
    main()
