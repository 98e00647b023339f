"""Make a warehouse of TREC-2 without some runs: each leaves with its unique contributions."""

from pathlib import Path

import duckdb
import polars as pl
from attrs import evolve

from archive import TREC2
from poolhouse.building.build import build
from poolhouse.loading.load import load_collection
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.run_files import run_id_of
from poolhouse.warehouse.file import Warehouse

# The first run has the most unique relevant documents. The second has a rejected line. The third
# answers half of the topics. TREC-2's qrels hold documents that no run contributed. A sixth of its
# runs is enough, because a build merges every run with every other.
RUNS = ("citymf", "UREKA3", "rutcomb1")
N_RUNS = 7
FILES = (
    {run_id_of(file.name): file for file in TREC2.request().run_files}
    if TREC2.folder.is_dir()
    else {}
)


def whole() -> LoadRequest:
    """Return a request to load the three runs and some other runs."""
    chosen = [*RUNS, *(run for run in sorted(FILES) if run not in RUNS)][:N_RUNS]
    return evolve(TREC2.request(), runs=tuple(FILES[run] for run in chosen), depth=100)


def without(connection: duckdb.DuckDBPyConnection, run: str, folder: Path) -> LoadRequest:
    """Return a request for the collection without a run and its unique contributions."""
    judgements = connection.execute(
        """
        select topic_id || ' 0 ' || doc_id || ' ' || relevance as line from fct_judgements
        where collection_id = ? and sole_run is distinct from ?
        """,
        [TREC2.name, run],
    ).fetchall()
    pooled = connection.execute(
        """
        select list({'run': run_id, 'organization': organization,
            'pooled': case when is_pooled then 'yes' else 'no' end})
        from dim_runs where collection_id = ?
        """,
        [TREC2.name],
    ).fetchall()[0][0]
    folder.mkdir()
    qrels, descriptions = folder / "qrels.txt", folder / "runs.csv"
    qrels.write_text("".join(f"{line}\n" for (line,) in judgements))
    pl.DataFrame(pooled).write_csv(descriptions)
    request = whole()
    return evolve(
        request,
        collection=run,
        runs=tuple(file for file in request.runs if file != FILES[run]),
        qrels=qrels,
        descriptions=descriptions,
    )


def make_left_out(warehouse: Warehouse) -> None:
    """Load and build the whole collection, and collections named after the run that they lack."""
    load_collection(warehouse, whole())
    build(warehouse)
    folder = warehouse.path.parent
    with warehouse.read() as connection:
        rest = [without(connection, run, folder / run) for run in RUNS]
    for request in rest:
        load_collection(warehouse, request)
    build(warehouse)
