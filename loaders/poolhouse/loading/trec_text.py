"""Runs, judgements and titles from memory, as the text of the files that a load reads.

Such text has a name, a hash and an account of its lines in audits.audit_load_history. The same rows
give the same bytes, so that loading them again changes nothing. Where an id holds a blank, such as
the text of a query, the text is JSON, which has no ranks and iterations.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.parsers import SourceFile
from poolhouse.loading.parsers.json_lists import NO_ID
from poolhouse.loading.parsers.lines import COMMENT_MARK
from poolhouse.loading.run_files import is_name, run_id_of

# How the origin of judgements begins to which answers were added (`pool load`).
ANSWERS = "answers in"

# Characters that separate fields and lines of a file or end text, and empty fields.
_NO_FIELD = r"[ \t\v\f\r\n\x00]|^$"


def run_text(run_id: str, rows: pl.DataFrame, origin: str) -> SourceFile:
    """Write a run as a file has it: `topic Q0 docno rank score tag`, in the order of the rows.

    `rows` has `query`, `docno` and `score`, and may have `rank`. Without `rank`, the rank is the
    place of the row within its topic, from 1. The tag is the id of the run. Raise PoolhouseError
    where the id cannot name a file, or a file cannot hold a topic or document id.
    """
    if not is_name(run_id) or "/" in run_id:
        raise PoolhouseError(
            f"{run_id!r} cannot be the id of a run: it cannot be the name of a file"
        )
    if (known := run_id_of(run_id)) != run_id:
        raise PoolhouseError(
            f"{run_id!r} cannot be the id of a run: a file of this name has the run {known!r}"
        )
    place = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("query")
    lines = _without_comments(rows, f"the run {run_id!r}").select(
        "query",
        pl.lit("Q0").alias("q0"),
        "docno",
        pl.coalesce("rank", place).alias("rank") if "rank" in rows.columns else place.alias("rank"),
        "score",
        pl.lit(run_id).alias("tag"),
    )
    text = _json(lines, "score") or _text(lines, f"the run {run_id!r}")
    return SourceFile(Path(origin, run_id), text)


def qrels_text(rows: pl.DataFrame, origin: str) -> SourceFile:
    """Write judgements in the format of a file: `topic 0 docno grade`, in the order of the rows.

    `rows` has `query`, `docno` and `grade`, and may have `iteration`, for which 0 is written
    otherwise. Raise PoolhouseError, as for runs.
    """
    rows = _without_comments(rows, "the judgements")
    iteration = "iteration" if "iteration" in rows.columns else pl.lit("0").alias("iteration")
    lines = rows.select("query", iteration, "docno", "grade")
    text = _json(lines, "grade") or _text(lines, "the judgements")
    return SourceFile(Path(origin, "qrels"), text)


def pairs_text(rows: pl.DataFrame, origin: str) -> SourceFile:
    """Write pairs in the format of a file: `topic docno`, in the order of the rows.

    `rows` has `query` and `docno`. Raise PoolhouseError, as for runs.
    """
    lines = _without_comments(rows, "the pairs").select("query", "docno")
    return SourceFile(Path(origin, "leave_out"), _text(lines, "the pairs"))


def topics_text(titles: Iterable[tuple[str, str]], origin: str) -> SourceFile:
    """Write titles in the format of a file: topic, tab, title. White space becomes single blanks.

    Raise PoolhouseError, as for runs.
    """
    rows = [(topic, " ".join(title.replace("\0", " ").split())) for topic, title in titles]
    lines = pl.DataFrame(rows, schema={"query": pl.String, "title": pl.String}, orient="row")
    return SourceFile(Path(origin, "topics"), _text(lines, "the topics", separator="\t"))


def _without_comments(rows: pl.DataFrame, what: str) -> pl.DataFrame:
    """Return the rows. Refuse a topic that would make its line a comment."""
    if not (odd := rows.filter(pl.col("query").str.starts_with(COMMENT_MARK))["query"]).is_empty():
        problem = f"a line that begins with {COMMENT_MARK} is a comment"
        raise PoolhouseError(f"{what}: {odd[0]!r} cannot be a topic of a file: {problem}")
    return rows


def _json(lines: pl.DataFrame, number: str) -> bytes | None:
    """Write lines as JSON where lines cannot hold them, and JSON can: ids hold blanks."""
    ids = lines.select("query", "docno")
    has_blank = ids.select(pl.any_horizontal(pl.all().str.contains(" ")).any()).item()
    is_none = ids.select(pl.any_horizontal(pl.all().str.contains(NO_ID)).any()).item()
    if is_none or not has_blank or ids.is_duplicated().any():
        return None
    topics: dict[str, dict[str, float]] = {}
    for query, docno, value in lines.select("query", "docno", number).rows():
        topics.setdefault(query, {})[docno] = value
    return json.dumps(topics, ensure_ascii=False).encode()


def _text(lines: pl.DataFrame, what: str, separator: str = " ") -> bytes:
    """Write fields as lines. Refuse a field that would not be read back unchanged."""
    for name in ("query", "docno"):
        if (
            name in lines.columns
            and not (odd := lines.filter(pl.col(name).str.contains(_NO_FIELD))[name]).is_empty()
        ):
            raise PoolhouseError(
                f"{what}: {odd[0]!r} cannot be a field of a file: it is not a single word"
            )
    return lines.write_csv(separator=separator, include_header=False, quote_style="never").encode()
