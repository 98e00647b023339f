"""Runs, judgements and titles from memory, as the text of the files that a load reads.

What is loaded has a name, a hash and an account of its lines in audit_load_history. Text that is
made from the same rows is the same bytes, so that loading them again changes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.parsers import SourceFile, run_id_of
from poolhouse.loading.run_files import is_name

# What separates fields and lines of a file, or ends text, and what has nothing in it.
_NO_FIELD = r"[ \t\v\f\r\n\x00]|^$"


@dataclass(frozen=True)
class MadeTexts:
    """What a load takes beside files."""

    runs: tuple[SourceFile, ...] = ()
    qrels: SourceFile | None = None
    topics: SourceFile | None = None


def run_text(run_id: str, rows: pl.DataFrame, origin: str) -> SourceFile:
    """Write a run as its file would be: `topic Q0 docno rank score tag`, in the order of the rows.

    `rows` has `query`, `docno` and `score`, and may have `rank`; else it is the place of the row
    within its topic, from 1. The tag is the run's id. `origin` says whence it is. Raise
    PoolhouseError where the id could not name a file, or a topic or document stand in one.
    """
    if not is_name(run_id) or "/" in run_id or run_id_of(run_id) != run_id:
        raise PoolhouseError(
            f"{run_id!r} cannot be the id of a run: it cannot be the name of a file"
        )
    place = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("query")
    lines = rows.select(
        "query",
        pl.lit("Q0").alias("q0"),
        "docno",
        pl.coalesce("rank", place).alias("rank") if "rank" in rows.columns else place.alias("rank"),
        "score",
        pl.lit(run_id).alias("tag"),
    )
    return SourceFile(Path(origin, run_id), _text(lines, f"the run {run_id!r}"))


def qrels_text(rows: pl.DataFrame, origin: str) -> SourceFile:
    """Write judgements as their file would be: `topic 0 docno grade`, in the order of the rows.

    `rows` has `query`, `docno` and `grade`. Raise PoolhouseError, as for runs.
    """
    lines = rows.select("query", pl.lit("0").alias("iteration"), "docno", "grade")
    return SourceFile(Path(origin, "qrels"), _text(lines, "the judgements"))


def topics_text(titles: Iterable[tuple[str, str]], origin: str) -> SourceFile:
    """Write titles as their file would be: topic, tab, title; its white space made single blanks.

    Raise PoolhouseError, as for runs.
    """
    rows = [(topic, " ".join(title.replace("\0", " ").split())) for topic, title in titles]
    lines = pl.DataFrame(rows, schema={"query": pl.String, "title": pl.String}, orient="row")
    return SourceFile(Path(origin, "topics"), _text(lines, "the topics", separator="\t"))


def _text(lines: pl.DataFrame, what: str, separator: str = " ") -> bytes:
    """Put fields into lines; refuse one that would not be read as it is."""
    for name in ("query", "docno"):
        if (
            name in lines.columns
            and not (odd := lines.filter(pl.col(name).str.contains(_NO_FIELD))[name]).is_empty()
        ):
            raise PoolhouseError(
                f"{what}: {odd[0]!r} cannot be a field of a file: it is not a single word"
            )
    return lines.write_csv(separator=separator, include_header=False, quote_style="never").encode()
