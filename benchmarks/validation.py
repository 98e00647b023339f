"""Measure how many answers of people tell how far an author of labels is right.

The judgements of the reference are the answers, drawn by `pool make --validate` and by simple
random samples. The tables are in docs/judges.md:

    uv run python benchmarks/validation.py --db archive.duckdb --collection dl19 --collection dl21
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import click
import duckdb
import numpy as np
import polars as pl

from poolhouse.output.markdown import markdown
from poolhouse.pooling.author_status import validation_of
from poolhouse.pooling.lists import Flags
from poolhouse.pooling.validating import validation
from poolhouse.warehouse.frames import rows_of

SIZES = (50, 100, 200, 400, 800, 1600, 3200, 6400)
VERDICTS = [
    ("kappa", 0.4),
    *(("relevance_difference", 0.0), ("kendall_tau", 0.9), ("kendall_tau", 0.8)),
]
KEY = ["collection", "author", "design"]


def samples(documents: pl.DataFrame, seed: int) -> Iterator[tuple[str, int, Flags]]:
    """Yield samples of growing size, by the answers to the smaller ones, and simple ones."""
    frame = documents.rename({"answer": "truth"}).with_columns(is_drawn=pl.lit(value=False))
    order = np.random.default_rng(seed).permutation(frame.height)
    for size in (each for each in SIZES if each < frame.height):
        answered = frame.with_columns(answer=pl.when("is_drawn").then("truth"))
        drawn = validation(answered, size, seed).select("topic_id", "doc_id", "is_sampled")
        joined = frame.join(drawn, on=["topic_id", "doc_id"], maintain_order="left")
        frame = frame.with_columns(is_drawn=joined["is_sampled"])
        yield "validate", size, frame["is_drawn"].to_numpy()
        yield "simple", size, order < size


def found(documents: pl.DataFrame, seeds: Iterable[int]) -> Iterator[dict[str, object]]:
    """Yield a row for each sample and figure: its interval, and the truth by all answers."""
    whole, _ = validation_of(documents, "author")
    truth, true_scores = whole.figures(), whole.rectified()[0]
    for seed in seeds:
        for design, size, is_drawn in samples(documents, seed):
            # A simple random sample is weighed by the yes or no of the author.
            strata = whole.strata if design == "validate" else whole.labels.astype(np.int64)
            answers = np.where(is_drawn, whole.answers, np.nan)
            sample = replace(whole, strata=strata, answers=answers)
            if (sample.counts[1] < np.minimum(sample.counts[0], 2)).any():
                continue
            row = {"design": design, "size": size, "seed": seed}
            for figure, interval in sample.figures().items():
                yield {**row, "figure": figure, **interval._asdict(), "truth": truth[figure][0]}
            scores, errors = sample.rectified()
            is_held = np.abs(scores - true_scores) <= 1.96 * np.linalg.norm(errors, axis=1)
            yield {**row, "figure": "scores", "held": float(is_held.mean())}


def told(rows: pl.DataFrame) -> pl.DataFrame:
    """Return how many answers each verdict needs, as median, and how often it is then wrong."""
    verdicts = pl.DataFrame(VERDICTS, schema=["figure", "threshold"], orient="row")
    is_reached = pl.col("low") >= pl.col("threshold")
    known = rows.join(verdicts, on="figure").filter(
        is_reached | (pl.col("high") < pl.col("threshold"))
    )
    verdict, n_seeds = [*KEY, "figure", "threshold", "truth"], rows["seed"].n_unique()
    first = known.group_by(*verdict, "seed").agg(pl.col("size", "low").sort_by("size").first())
    # A sample that never tells needs more than the last size.
    sizes = pl.col("size").sort().extend_constant(99999, n_seeds - pl.len())
    is_wrong = is_reached != (pl.col("truth") >= pl.col("threshold"))
    return (
        first.group_by(verdict)
        .agg(answers=sizes.median(), known=pl.len() / n_seeds, wrong=is_wrong.mean())
        .sort(verdict)
    )


def coverage(rows: pl.DataFrame) -> pl.DataFrame:
    """Return how many intervals hold the truth, by figure and size."""
    is_held = pl.col("truth").is_between(pl.col("low") - 1e-9, pl.col("high") + 1e-9)
    held = pl.coalesce("held", is_held.cast(pl.Float64)).mean().round(3)
    by_size = rows.group_by("collection", "design", "figure", "size").agg(held=held)
    return by_size.sort("size").pivot("size", values="held").sort("collection", "figure", "design")


@click.command()
@click.option("--db", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--collection", "collections", multiple=True, required=True)
@click.option("--seeds", default=100, show_default=True)
def main(db: Path, collections: tuple[str, ...], seeds: int) -> None:
    """Draw samples of each author's labels, and print the answers that they need, and coverage."""
    rows = []
    with duckdb.connect(db, read_only=True) as connection:
        authors = rows_of(
            connection,
            "select collection_id, author from dim_authors where is_compared and kind = 'model' "
            "and list_contains($collections, collection_id) order by all",
            {"collections": list(collections)},
        )
        for collection, author in authors.rows():
            documents = rows_of(
                connection,
                "from planning.author_validation($collection, $author) where answer is not null",
                {"collection": collection, "author": author},
            )
            of_author = pl.DataFrame(list(found(documents, range(seeds))), infer_schema_length=None)
            rows.append(
                of_author.with_columns(collection=pl.lit(collection), author=pl.lit(author))
            )
    everything = pl.concat(rows, how="diagonal")
    tables = [("answers", told(everything)), ("coverage", coverage(everything))]
    sys.stdout.write(markdown([(title, each.columns, each.rows()) for title, each in tables]))


if __name__ == "__main__":
    main()
