"""A pooled run, taken out of its collection with all that it alone contributed: a new run."""

from dataclasses import replace

import polars as pl

from reference import Collection, Description, Reference, RunLine


def without(reference: Reference, run: str) -> Collection:
    """Take a run and what it alone contributed out of a collection; the rest is as it was.

    A topic that loses all its judgements stays judged: else it would be another set of topics.
    """
    whole = reference.collection
    left = reference.judgement_set(run, "without_run")
    emptied = set(reference.topics) - {topic for topic, _ in left}
    return replace(
        whole,
        name=f"{whole.name} without {run}",
        runs={other: lines for other, lines in whole.runs.items() if other != run},
        qrels=[(*pair, reference.grades[pair]) for pair in sorted(left)]
        + [(topic, "nobody-returned-this", 0) for topic in sorted(emptied)],
        descriptions={
            other: Description(reference.organization(other), reference.is_pooled(other))
            for other in whole.runs
            if other != run
        },
        pool_depth=reference.pool_depth,
    )


def as_frame(lines: list[RunLine]) -> pl.DataFrame:
    """Give the lines of a run as a parser does."""
    return pl.DataFrame(
        {
            "query": [line.topic for line in lines],
            "docno": [line.document for line in lines],
            "score": [line.score for line in lines],
            "rank": [line.rank for line in lines],
            "line_number": range(1, len(lines) + 1),
        },
        schema_overrides={"score": pl.Float64},
    )
