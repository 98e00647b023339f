"""Errors in pools of few organizations, drawn from large pools.

The runs are cut at rank 100, so that the support of deeper ranks is missing. The judgements are the
ones of documents that a drawn run has down to the depth of the pool.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from poolhouse.building.build import build
from poolhouse.building.settings import keep_setting
from poolhouse.errors import PoolhouseError
from poolhouse.loading.load import load_into
from poolhouse.loading.request import LoadRequest
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of

SOURCES = ("TREC-2", "TREC-8")
SIZES = (3, 4, 5, 6, 8, 12)
DRAWS = 5
DEPTH = 20
LAST_RANK = 100
SEED = 7
MEASURE = "P@10"
_RANKINGS = """
    select runs.run_id, runs.organization, topics.topic_id, documents.doc_id, rankings.rank,
        judgements.grade
    from intermediate.int_collections as collections
    inner join intermediate.int_rankings as rankings using (collection_key)
    inner join intermediate.int_pooled_runs as pooled using (collection_key, run_key)
    inner join intermediate.int_runs as runs using (collection_key, run_key)
    inner join intermediate.int_topics as topics using (collection_key, topic_key)
    inner join intermediate.int_documents as documents using (collection_key, doc_key)
    left join intermediate.int_judgements as judgements
        on rankings.collection_key = judgements.collection_key
        and rankings.topic_key = judgements.topic_key
        and rankings.doc_key = judgements.doc_key and judgements.is_judged
    where collections.collection_id = $collection and rankings.rank <= $last_rank
    order by runs.run_id, topics.topic_id, rankings.rank
"""
_ERRORS = """
    select
        collection_id, estimator, n_runs, clipped_mae as mae, mean_error, coverage_68, coverage_95
    from fct_estimator_errors
    where
        level = 'organization' and subset = 'all' and unjudged = 'nonrelevant'
        and measure = $measure
"""


def measured(warehouse: Warehouse, folder: Path) -> pl.DataFrame:
    """Draw pools, load and build them; return one row per pool and estimator."""
    small = Warehouse(folder / "small_pools.duckdb")
    with small.change(), small.side() as connection:
        # the second is the main measure of an experiment, without which nothing is built
        measures = [MEASURE, "RBP(p=0.8)@10"]
        chosen = {"bias_measures": measures, "measures": measures}
        for name in chosen:
            keep_setting(connection, name, chosen)
        for source in SOURCES:
            for request in _requests(warehouse, source, folder):
                load_into(connection, request)
    if failed := build(small).failed:
        raise PoolhouseError("; ".join(failed))
    with small.read() as connection:
        errors = rows_of(connection, _ERRORS, {"measure": MEASURE})
    parts = pl.col("collection_id").str.split(",")
    return errors.with_columns(
        source=parts.list.get(0), n_organizations=parts.list.get(1).cast(pl.Int64)
    )


def _requests(warehouse: Warehouse, source: str, folder: Path) -> Iterator[LoadRequest]:
    """Write the runs once and the judgements of each drawn pool, and yield requests to load."""
    with warehouse.read() as connection:
        values = {"collection": source, "last_rank": LAST_RANK}
        rankings = rows_of(connection, _RANKINGS, values)
    files = write_runs(rankings, folder / source)
    owners = rankings.select("run_id", "organization").unique(maintain_order=True)
    names = sorted(owners["organization"].unique())
    stream = np.random.default_rng(SEED)
    for size in SIZES:
        for draw in range(DRAWS):
            drawn = [str(name) for name in stream.choice(names, size, replace=False)]
            runs = owners.filter(pl.col("organization").is_in(drawn))
            collection = f"{source},{size},{draw}"
            descriptions = folder / f"{collection}.csv"
            runs.select(
                pl.col("run_id").alias("run"), "organization", pl.lit("true").alias("pooled")
            ).write_csv(descriptions)
            qrels = folder / f"{collection}.qrels.gz"
            judged = rankings.filter(
                pl.col("rank") <= DEPTH,
                pl.col("grade").is_not_null(),
                pl.col("organization").is_in(drawn),
            ).select("topic_id", pl.lit(0).alias("iteration"), "doc_id", "grade")
            write_lines(qrels, judged.unique().sort(pl.all()))
            yield LoadRequest(
                collection,
                tuple(files[run] for run in runs["run_id"]),
                qrels,
                descriptions=descriptions,
                depth=DEPTH,
            )


def write_runs(rankings: pl.DataFrame, folder: Path) -> dict[str, Path]:
    """Write a file for each run, if it is not there."""
    files = {}
    for key, rows in rankings.group_by("run_id", maintain_order=True):
        run = str(key[0])
        files[run] = folder / f"{run}.gz"
        if not files[run].exists():
            lines = rows.select(
                "topic_id", pl.lit("Q0").alias("Q0"), "doc_id", "rank",
                -pl.col("rank").alias("score"), pl.lit(run).alias("tag"),
            )  # fmt: skip
            write_lines(files[run], lines)
    return files


def write_lines(path: Path, lines: pl.DataFrame) -> None:
    """Write a gzipped file of runs or qrels."""
    path.parent.mkdir(exist_ok=True)
    text = lines.write_csv(include_header=False, separator=" ", quote_style="never")
    path.write_bytes(gzip.compress(text.encode(), compresslevel=1))


def table(rows: pl.DataFrame) -> tuple[str, list[str], list[tuple[str, ...]]]:
    """Return means over drawn pools, with standard errors over these."""
    found = []
    for (source, size), group in rows.group_by("source", "n_organizations", maintain_order=False):
        by_name = {key[0]: each for key, each in group.group_by("estimator")}
        own, plain = by_name["expected_relevance"], by_name["unadjusted"]
        rival = by_name["webber_park_systems_no_substitution"]
        paired = own.join(rival, on="collection_id", suffix="_of_rival")
        found.append(
            (
                str(source),
                int(size),
                f"{own['n_runs'].to_numpy().mean():.0f}",
                *(_mean(each["mae"], 4) for each in (plain, rival, by_name["lipani"], own)),
                f"{(paired['mae'] < paired['mae_of_rival']).sum()} of {paired.height}",
                _mean(own["mean_error"], 4),
                _mean(own["coverage_68"], 2),
                _mean(own["coverage_95"], 2),
            )
        )
    columns = [
        "drawn from", "organizations", "runs", "unadjusted", "W & P, no substitution",
        "Lipani et al.", "expected relevance", "better than W & P", "mean error", "68 %", "95 %",
    ]  # fmt: skip
    rows_of_text = [tuple(map(str, row)) for row in sorted(found, key=lambda row: row[:2])]
    title = f"{MEASURE}, pools of depth {DEPTH}, {DRAWS} draws: mean ± standard error over draws"
    return title, columns, rows_of_text


def _mean(values: pl.Series, digits: int) -> str:
    known = values.drop_nulls().to_numpy()
    if not len(known):
        return ""
    error = known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else float("nan")
    return " ±".join(f"{each:.{digits}f}".replace("0.", ".", 1) for each in (known.mean(), error))
