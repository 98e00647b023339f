"""Measure how right scores estimated from samples are, and how often their intervals cover.

Samples of the judged documents are drawn again and again, and the scores of all runs are estimated
from each. The truth is the score by all judgements. The tables are in docs/decisions/samples.md:

    uv run python benchmarks/samples.py --db archive.duckdb

The warehouse holds TREC-8 and TREC-COVID round 1, built. The script changes a copy of it.
"""

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import copyfile
from statistics import NormalDist
from tempfile import TemporaryDirectory

import click
import duckdb
import polars as pl

from poolhouse.output.markdown import markdown
from poolhouse.pooling.drawing import DESIGNS
from poolhouse.warehouse.frames import put_table, registered, rows_of

COLLECTIONS = {"trec8-adhoc": 100, "trec-covid-round1": 1000}  # with the depth of the ranks
SHARES = (0.05, 0.1, 0.2)
# Of samples of this share, every second line is left without an answer, too.
SHARE_OF_HALVES = 0.1
# So many runs of a collection are scored, at equal distances in the order of their true AP.
N_RUNS = 24
KEY = ["collection", "share", "answered", "design", "measure", "estimator"]

# All judged documents, of which a few are in no pooled ranking to this depth.
FRAME = """
    select
        topic_id,
        doc_id,
        coalesce(best_rank, $depth + 1) as best_rank,
        coalesce(weight, min(weight) over ()) as weight
    from fct_judgements
    left join planning.sampling_frame($collection, pool_depth := $depth) using (topic_id, doc_id)
    where collection_id = $collection and is_judged
    order by all
"""

SOME_RUNS = """
    with placed as (
        select
            any_value(run_key) as run_key,
            row_number() over (order by avg(score), run_id) as place,
            count(*) over () as n
        from truth
        inner join intermediate.int_runs using (run_id)
        inner join intermediate.int_collections using (collection_key)
        where collection_id = $collection and measure = 'AP'
        group by run_id
    )
    delete from intermediate.int_rankings
    where run_key in (
        select run_key from placed where place * $n_runs // n = (place - 1) * $n_runs // n
    )
"""

TRUTH = """
    create or replace temp table truth as
    select run_id, topic_id, measure, score from topic_scores($collection, 'AP')
    union all
    select run_id, topic_id, measure, score from topic_scores($collection, 'P@10')
"""

# The score of each run over the topics of the sample, its error, and the true score over them.
SCORES = """
    select
        measure,
        estimator,
        avg(found.score) as score,
        sqrt(sum(pow(standard_error, 2))) / count(*) as standard_error,
        avg(truth.score) as true_score,
        count(*) as n_topics
    from planning.sample_topic_scores($collection, 'design') as found
    inner join truth using (run_id, topic_id, measure)
    group by measure, estimator, run_id
"""


def estimates(
    connection: duckdb.DuckDBPyConnection, collection: str, n_seeds: int
) -> Iterator[pl.DataFrame]:
    """Yield the scores of all runs by each sample."""
    connection.execute(TRUTH, {"collection": collection})
    values = {"collection": collection, "depth": COLLECTIONS[collection]}
    frame = rows_of(connection, FRAME, values)
    connection.execute(SOME_RUNS, {"collection": collection, "n_runs": N_RUNS})
    sizes = frame.group_by("topic_id").len()
    for seed, share, design in product(range(n_seeds), SHARES, DESIGNS):
        budget = {topic: max(round(share * n), 8) for topic, n in sizes.rows()}
        drawn = DESIGNS[design](frame, budget, seed)
        for answered in (1, 2) if share == SHARE_OF_HALVES else (1,):
            rows = scores(connection, collection, drawn, answered, seed)
            labels = {"share": share, "design": design, "seed": seed, "answered": 1 / answered}
            yield rows.with_columns(
                collection=pl.lit(collection), **{name: pl.lit(x) for name, x in labels.items()}
            )


def scores(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    drawn: pl.DataFrame,
    answered: int,
    seed: int,
) -> pl.DataFrame:
    """Return the scores by a sample where one of so many lines of each topic is answered."""
    listed = drawn.filter("is_sampled").sample(fraction=1, shuffle=True, seed=seed)
    left_out = listed.filter(pl.int_range(pl.len()).over("topic_id") % answered > 0)
    put_table(connection, "design", drawn)
    with registered(connection, "left_out", left_out):
        connection.execute("begin")
        connection.execute(
            """
            delete from intermediate.int_judgements
            where (collection_key, topic_key, doc_key) in (
                select (collection_key, topic_key, doc_key)
                from left_out
                inner join intermediate.int_documents using (doc_id)
                inner join intermediate.int_topics using (collection_key, topic_id)
            )
            """
        )
        try:
            return rows_of(connection, SCORES, {"collection": collection})
        finally:
            connection.execute("rollback")


def table(found: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each design, measure and estimator: means over the samples and runs."""
    error = pl.col("score") - pl.col("true_score")
    z = NormalDist().inv_cdf(0.975)
    return (
        found.group_by(KEY)
        .agg(
            n_topics=pl.col("n_topics").mean().round(1),
            mean_error=error.mean().round(4),
            rms_error=(error**2).mean().sqrt().round(4),
            rms_standard_error=(pl.col("standard_error") ** 2).mean().sqrt().round(4),
            coverage=(error.abs() <= z * pl.col("standard_error")).mean().round(3),
        )
        .sort(KEY)
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--db", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--collection", type=click.Choice(list(COLLECTIONS)), multiple=True)
@click.option("--seeds", default=20, show_default=True)
@click.option("--output", type=click.Path(path_type=Path), help="CSV file for all scores.")
def main(db: Path, collection: tuple[str, ...], seeds: int, output: Path | None) -> None:
    """Draw samples, and print errors and coverage of the scores estimated from them."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.duckdb"
        copyfile(db, copy)
        with duckdb.connect(copy) as connection:
            found = pl.concat(
                rows
                for each in collection or COLLECTIONS
                for rows in estimates(connection, each, seeds)
            )
    if output:
        found.write_csv(output)
    rows = table(found)
    sys.stdout.write(markdown([("samples", rows.columns, rows.rows())]))


if __name__ == "__main__":
    main()
