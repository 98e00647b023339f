"""Scores for other tools: lines of scores, and a record of what they were computed from."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from poolhouse import __version__
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import IR_MEASURES
from poolhouse.scoring.scores import Scores


def lines_of(scores: Scores, output: str, *, by_topic: bool) -> Iterator[str]:
    """Yield the lines of scores that autojudge-evaluate reads (`tot`), or ir_measures prints.

    Each judged topic counts, as in ir_measures. `tot` has the run, measure, topic and unrounded
    value. A line of ir_measures has no run, and four decimals. Raise PoolhouseError where it would
    have to tell runs apart, and where an id would change the number of columns.
    """
    over = scores.over_topics
    of_topics = over.filter(pl.lit(by_topic), pl.col("aggregation").is_in(["mean", "sum"]))
    topics = scores.by_topic.filter(pl.col("measure").is_in(of_topics["measure"].to_list()))
    rows = pl.concat(
        [
            topics.select("run_id", "topic_id", "measure", value="score"),
            over.select(
                "run_id", pl.lit("all").alias("topic_id"), "measure", value="score_all_topics"
            ),
        ]
    ).drop_nulls("value")
    if output == IR_MEASURES and rows["run_id"].n_unique() > 1:
        raise PoolhouseError(
            "lines of ir_measures do not name the run: score one run, or take --format tot"
        )
    for bad in pl.concat([rows["run_id"], rows["topic_id"]]).unique(maintain_order=True):
        if bad.split() != [bad]:
            raise PoolhouseError(f"{bad!r} has a blank, which divides columns there: take json")
    for run, topic, measure, value in rows.iter_rows():
        if output != IR_MEASURES:
            yield f"{run}\t{measure}\t{topic}\t{value!r}"
        elif by_topic:
            yield f"{topic}\t{measure}\t{value:.4f}"
        else:
            yield f"{measure}\t{value:.4f}"


def provenance(scores: Scores, command: str, *, by_topic: bool) -> dict[str, Any]:
    """Return scores with the versions, the command, and the hash of each file behind them.

    A hash is null where no file is known, such as of standard input.
    """
    rows = scores.by_topic if by_topic else scores.over_topics
    files = [dict(zip(("kind", "name", "sha256"), file, strict=True)) for file in scores.files]
    return {
        "poolhouse": __version__,
        "trec_eval": scores.version,
        "command": command,
        "files": files,
        "scores": rows.to_dicts(),
    }
