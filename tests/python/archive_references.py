"""Scores of the archives' runs by other tools: they take minutes to compute, and are kept."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from archive import ArchiveCollection
from kept import OF_TESTS, kept, key_of
from measures_reference import Unjudged
from references import References, Run

KEY = ["run_id", "topic_id", "unjudged", "measure"]

# Measures by the treatment of unjudged documents.
Measures = Mapping[Unjudged, Sequence[str]]


def scores_by_tools(collection: ArchiveCollection, measures: Measures) -> pl.DataFrame:
    """Return the scores of every run of a collection by other tools."""

    def write(file: Path) -> None:
        pl.concat(of_runs(collection, measures)).write_parquet(file)

    parts: list[str | Path] = [json.dumps(measures), *collection.request().paths]
    name = f"{collection.name} by {sum(map(len, measures.values()))} measures of tools"
    return pl.read_parquet(kept(name, key_of(of_runs, parts, [OF_TESTS]), write))


def of_runs(collection: ArchiveCollection, measures: Measures) -> Iterator[pl.DataFrame]:
    """Yield the scores of each run by other tools."""
    qrels = collection.qrels()
    references = {unjudged: References(qrels, measures[unjudged]) for unjudged in measures}
    for run_id, run_scores in collection.runs():
        run = Run(run_scores, qrels)
        for unjudged in measures:
            found = references[unjudged].scores(run, unjudged)
            yield pl.DataFrame(
                [
                    (run_id, topic, unjudged, measure, score, topic in run_scores)
                    for measure, topics in found.items()
                    for topic, score in topics.items()
                ],
                schema=[*KEY, "expected", "expected_is_answered"],
                orient="row",
            )
