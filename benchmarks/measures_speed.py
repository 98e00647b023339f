"""Compare the time of measures: Poolhouse, pytrec_eval, ir_measures and ranx, on the same files."""

import gzip
import os
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

import click
import duckdb
import ir_measures
import pytrec_eval
import ranx

from commands import ARCHIVE, Cost, build, load, run
from poolhouse.building.build import build as build_here
from poolhouse.building.plan import plan_of
from poolhouse.command_line import console
from poolhouse.loading.run_files import run_id_of
from poolhouse.warehouse.file import Warehouse

COLLECTIONS = ("trec2-adhoc", "trec8-adhoc", "trec-covid-round1")
ANOTHER_MEASURE = "nDCG@15"

# Measures of Poolhouse in ranx's names, without the measures that ranx lacks.
RANX_MEASURES = [
    *("precision@5", "precision@10", "precision@20", "precision@30", "precision@100"),
    *("recall@10", "recall@100", "recall@1000", "map", "map@100", "r-precision"),
    *("mrr", "mrr@10", "bpref", "ndcg", "ndcg@10", "ndcg@20", "rbp.80"),
    *("hit_rate@1", "hit_rate@5", "hit_rate@10", "precision", "recall", "f1"),
]

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


@dataclass
class Times:
    """Wall and CPU seconds in all."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def __add__(self, other: "Times | Cost") -> "Times":
        return Times(self.seconds + other.seconds, self.cpu_seconds + other.cpu_seconds)


class Stopwatch:
    """A sum of the times of steps, by name."""

    def __init__(self) -> None:
        self.times: dict[str, Times] = defaultdict(Times)

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Time the statements within the context."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.times[step] += Times(time.perf_counter() - wall, time.process_time() - cpu)

    def total(self, *steps: str) -> Times:
        """Return the sum of the times of some steps."""
        return sum((self.times[step] for step in steps), Times())


# -- The other tools -------------------------------------------------------------------------------


def read_qrels(collection: Path) -> Grades:
    """Read judgements with plain Python."""
    grades: Grades = {}
    with gzip.open(collection / "qrels.txt.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            topic, _, document, grade = line.split()
            grades.setdefault(topic, {})[document] = int(grade)
    return grades


def read_run(file: Path) -> Scores:
    """Read a run with plain Python, and skip lines that do not have six fields."""
    scores: Scores = {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            try:
                scores.setdefault(fields[0], {})[fields[2]] = float(fields[4])
            except (IndexError, ValueError):
                continue
    return scores


def run_files(collection: Path) -> list[Path]:
    """List the run files of a collection."""
    return sorted((collection / "runs").iterdir())


def time_pytrec_eval(collections: Sequence[Path], watch: Stopwatch) -> None:
    """Read and evaluate one run at a time, by all measures of trec_eval, and by one measure."""
    for collection in collections:
        with watch("read"):
            qrels = read_qrels(collection)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures)
        another = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_15"})
        for file in run_files(collection):
            with watch("read"):
                scores = read_run(file)
            with watch("evaluate"):
                evaluator.evaluate(scores)
            with watch("evaluate one measure"):
                another.evaluate(scores)


def time_all_scores(collections: Sequence[Path], warehouse: Path, watch: Stopwatch) -> None:
    """Let pytrec_eval make all scores that the marts hold: each judgement set, each treatment.

    pytrec_eval is told which documents leave with which run. The warehouse has to find that out.
    """
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        for collection in collections:
            with watch("read"):
                qrels = read_qrels(collection)
            full = evaluators(qrels)
            left_out = documents_left_out(connection, collection.name)
            for file in run_files(collection):
                with watch("read"):
                    scores = read_run(file)
                with watch("evaluate"):
                    for evaluator in full:
                        evaluator.evaluate(scores)
                    for documents in left_out.get(run_id_of(file.name), ()):
                        for evaluator in evaluators(less(qrels, documents)):
                            evaluator.evaluate(scores)


def evaluators(qrels: Grades) -> list[pytrec_eval.RelevanceEvaluator]:
    """Return an evaluator for each treatment of unjudged documents."""
    return [
        pytrec_eval.RelevanceEvaluator(
            qrels, pytrec_eval.supported_measures, judged_docs_only_flag=is_condensed
        )
        for is_condensed in (False, True)
    ]


def documents_left_out(
    connection: duckdb.DuckDBPyConnection, collection: str
) -> dict[str, list[set[tuple[str, str]]]]:
    """Return the documents that leave the qrels with each run, by judgement set.

    For a pooled run, there are the documents that leave with the run alone, with its organization,
    and the relevant documents among the organization's. A run that was not pooled has only the last
    set. The set is empty where no run of its organization was pooled.
    """
    rows = connection.execute(
        """
        select runs.run_id, runs.is_pooled, judgements.topic_id, judgements.doc_id,
            judgements.sole_run is not distinct from runs.run_id, judgements.is_relevant
        from dim_runs as runs
        inner join fct_judgements as judgements
            on runs.collection_id = judgements.collection_id
            and runs.organization = judgements.sole_organization
        where runs.collection_id = ?
        """,
        [collection],
    ).fetchall()
    left_out: dict[str, dict[str, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for run_id, is_pooled, topic, document, is_of_run_alone, is_relevant in rows:
        if is_relevant:
            left_out[run_id]["without_unique_relevant"].add((topic, document))
        if is_pooled:
            left_out[run_id]["without_organization"].add((topic, document))
            if is_of_run_alone:
                left_out[run_id]["without_run"].add((topic, document))
    return {run_id: list(sets.values()) for run_id, sets in left_out.items()}


def less(qrels: Grades, documents: set[tuple[str, str]]) -> Grades:
    """Return the judgements without the given documents."""
    return {
        topic: {
            document: grade
            for document, grade in grades.items()
            if (topic, document) not in documents
        }
        for topic, grades in qrels.items()
    }


def time_ir_measures(
    collections: Sequence[Path], measures: list[ir_measures.Measure], watch: Stopwatch
) -> int:
    """Read and evaluate one run at a time; return the number of files that its reader refused."""
    n_refused = 0
    for collection in collections:
        with watch("whole"):
            qrels = ir_measures.read_trec_qrels(str(collection / "qrels.txt.gz"))  # type: ignore[no-untyped-call]
            evaluator = ir_measures.evaluator(measures, qrels)
        for file in run_files(collection):
            with watch("whole"):
                try:
                    lines = ir_measures.read_trec_run(str(file))  # type: ignore[no-untyped-call]
                    deque(evaluator.iter_calc(lines), maxlen=0)
                except ValueError:
                    n_refused += 1
    return n_refused


def time_ranx(collections: Sequence[Path], watch: Stopwatch) -> int:
    """Read and evaluate one run at a time; return the number of files that its reader refused."""
    with watch("compile"):  # numba compiles when the first run is read and evaluated
        qrels = ranx.Qrels.from_file(str(collections[0] / "qrels.txt.gz"))
        scores = ranx.Run.from_file(str(run_files(collections[0])[0]))
        ranx.evaluate(qrels, scores, RANX_MEASURES, make_comparable=True)
    n_refused = 0
    for collection in collections:
        with watch("read"):
            qrels = ranx.Qrels.from_file(str(collection / "qrels.txt.gz"))
        for file in run_files(collection):
            with watch("read"):
                try:
                    scores = ranx.Run.from_file(str(file))
                except ValueError:
                    n_refused += 1
                    continue
            with watch("evaluate"):
                ranx.evaluate(qrels, scores, RANX_MEASURES, make_comparable=True)
    return n_refused


# -- Poolhouse -------------------------------------------------------------------------------------


def time_poolhouse(collections: Sequence[Path], warehouse: Path, watch: Stopwatch) -> None:
    """Load and build all collections with commands, and ask for a measure that no mart has."""
    for collection in collections:
        watch.times["load"] += load(collection, warehouse)
    loaded = Path(copyfile(warehouse, warehouse.with_name("loaded.duckdb")))
    watch.times["build"] += build(warehouse)
    watch.times["build, what the measures need"] = times_of_measures(loaded)
    query = another_measure(collections)
    watch.times["one more measure, `poolhouse sql`"] += run("sql", query, "--db", str(warehouse))
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        with watch("one more measure, first time"):
            connection.execute(query).fetchall()
        with watch("one more measure, again"):
            connection.execute(query).fetchall()


def another_measure(collections: Sequence[Path]) -> str:
    """Return a query for the scores of every run and topic by a measure that no mart has."""
    scores = " union all ".join(
        f"select * from topic_scores('{collection.name}', '{ANOTHER_MEASURE}')"  # noqa: S608
        for collection in collections
    )
    return f"select collection_id, unjudged, count(*), sum(score) from ({scores}) group by all"  # noqa: S608


def times_of_measures(loaded: Path) -> Times:
    """Build again, and return the time of the tables that fct_run_scores needs, without tests."""
    plan = plan_of({})
    needed = {"fct_run_scores"}
    for node in reversed(plan.relations):
        if node.name in needed:
            needed.update(node.reads)
    watch = Stopwatch()
    at_work = ExitStack()

    def begin(step: str, _done: int, _total: int) -> None:
        at_work.close()
        at_work.enter_context(watch(step.partition(": ")[2]))

    build_here(Warehouse(loaded), progress=begin)
    at_work.close()
    return watch.total(*(node.name for node in plan.of_collections if node.name in needed))


def measures_of_mart(warehouse: Path) -> list[str]:
    """List the measures that a build makes."""
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        rows = connection.execute("select distinct measure from fct_run_scores order by all")
        return [measure for (measure,) in rows.fetchall()]


# -- The table -------------------------------------------------------------------------------------


def compare(collections: Sequence[Path], folder: Path) -> list[tuple[str, str, Times]]:
    """Time all tools; return rows of the tool, its task, and the times."""
    warehouse = folder / "benchmark.duckdb"
    poolhouse, trec_eval, all_scores, own_way, compiled = (Stopwatch() for _ in range(5))
    time_poolhouse(collections, warehouse, poolhouse)
    time_pytrec_eval(collections, trec_eval)
    time_all_scores(collections, warehouse, all_scores)
    known = [
        measure
        for measure in map(ir_measures.parse_measure, supported(measures_of_mart(warehouse)))
        if ir_measures.pytrec_eval.supports(measure)
    ]
    refused_by_ir_measures = time_ir_measures(collections, known, own_way)
    refused_by_ranx = time_ranx(collections, compiled)
    n_trec_eval = len(pytrec_eval.supported_measures)
    return [
        (
            "pytrec_eval",
            f"read + evaluate, {n_trec_eval} families",
            trec_eval.total("read", "evaluate"),
        ),
        ("pytrec_eval", "read by plain Python", trec_eval.total("read")),
        ("pytrec_eval", "evaluate (trec_eval's C code)", trec_eval.total("evaluate")),
        (
            "pytrec_eval",
            "read + evaluate, the marts' judgement sets and treatments",
            all_scores.total("read", "evaluate"),
        ),
        (
            "ir_measures",
            f"read + evaluate, {len(known)} measures, {refused_by_ir_measures} files refused",
            own_way.total("whole"),
        ),
        (
            "ranx",
            f"read + evaluate, {len(RANX_MEASURES)} measures, {refused_by_ranx} files refused",
            compiled.total("read", "evaluate"),
        ),
        ("ranx", "read", compiled.total("read")),
        ("ranx", "evaluate", compiled.total("evaluate")),
        ("ranx", "compile and first run, once", compiled.total("compile")),
        ("poolhouse", "load + build (commands)", poolhouse.total("load", "build")),
        *(("poolhouse", step, times) for step, times in poolhouse.times.items()),
        (
            "pytrec_eval",
            "one measure, read + evaluate",
            trec_eval.total("read", "evaluate one measure"),
        ),
        ("pytrec_eval", "one measure, evaluate", trec_eval.total("evaluate one measure")),
    ]


def supported(measures: Sequence[str]) -> list[str]:
    """Return the measures whose names ir_measures knows."""
    return [
        each for each in measures if hasattr(ir_measures, each.partition("(")[0].partition("@")[0])
    ]


@click.command()
@click.argument("collections", nargs=-1)
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ARCHIVE,
    help="Folder of the collections.",
)
def main(collections: tuple[str, ...], archive: Path) -> None:
    """Time measures over COLLECTIONS (default: all three)."""
    with tempfile.TemporaryDirectory() as folder:
        # The plan is compiled again, too.
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        paths = [archive / name for name in collections or COLLECTIONS]
        measured = compare(paths, Path(folder))
    whole = measured[0][2].seconds
    rows = [
        (
            tool,
            step,
            f"{times.seconds:.2f}",
            f"{times.cpu_seconds:.2f}",
            f"{times.seconds / whole:.2f}",
        )
        for tool, step, times in measured
    ]
    columns = ["tool", "what", "seconds", "CPU s", "to pytrec_eval"]
    console.write_table(
        columns, rows, f"{os.cpu_count()} cores; {', '.join(p.name for p in paths)}"
    )


if __name__ == "__main__":
    main()
