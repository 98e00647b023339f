"""Make a new run: take a pooled run and its unique contributions out of a collection."""

from dataclasses import replace

import polars as pl

from reference import Collection, Description, Reference, RunLine


def without(reference: Reference, run: str) -> Collection:
    """Return a collection without a run, and without the judgements of its unique contributions.

    A topic that loses all its judgements stays judged: otherwise the set of topics would change.
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
            other: Description(
                reference.organization(other),
                reference.is_pooled(other),
                pool_depth=reference.own_depths.get(other),
            )
            for other in whole.runs
            if other != run
        },
        pool_depth=reference.pool_depth,
    )


def as_frame(lines: list[RunLine]) -> pl.DataFrame:
    """Return the lines of a run as a parser returns them."""
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
