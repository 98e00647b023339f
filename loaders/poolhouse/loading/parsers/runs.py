"""Run files: `topic Q0 docno rank score tag`, MS MARCO's lines of ranks, and JSON."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.json_lists import is_json, parse_json
from poolhouse.loading.parsers.lines import ParsedFile, RejectReason, parse_lines, split_lines
from poolhouse.loading.parsers.source import SourceFile

_SCHEMA = {
    "query": pl.String,
    "q0": pl.String,
    "docno": pl.String,
    "rank": pl.Int32,
    "score": pl.Float64,
    "tag": pl.String,
}
_RANKS = {"query": pl.String, "docno": pl.String, "rank": pl.Int32}
# Comments and blank lines above the first line.
_COMMENTS = rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*"
# The first lines of a run of MS MARCO: topic, document, rank, and perhaps a score. The first has
# the first rank, and the second of four fields may not be that of judgements.
_RANK_LINE = rb"(?!\#)\S+[ \t]+%b\S+[ \t]+%b%b[ \t]*\r?(?:\n|$)"
_OF_RANKS, _OF_RANKS_AND_SCORES = (
    re.compile(
        _COMMENTS
        + _RANK_LINE % (second, b"[01]", rest)
        + b"(?:$|"
        + _RANK_LINE % (second, b"[0-9]+", rest)
        + b")"
    )
    for second, rest in ((b"", b""), (rb"(?!(?:0|Q0)[ \t])", rb"[ \t]+\S+"))
)


def parse_run(source: SourceFile) -> ParsedFile:
    """Parse a run file.

    A line has at least five fields; everything after the score is the tag. `rows` has line_number,
    query, q0, docno, rank (as given, null where it is no whole number), score and tag. Other tools'
    runs have no q0 and no tag: JSON has no ranks, and where MS MARCO has ranks alone, the score is
    the negative rank. Raise BadFileError where the text of the file cannot be read.
    """
    if is_json(source):
        parsed = parse_json(source)
        return _as_run(parsed, rank=pl.lit(None, pl.Int32), score=pl.col("number"))
    if _OF_RANKS.match(source.data):
        parsed = parse_lines(source, _RANKS, partial(_check_ranks, schema=_RANKS))
        _refuse_equal_ranks(source, parsed)
        return _as_run(parsed, score=-pl.col("rank").cast(pl.Float64))
    if _OF_RANKS_AND_SCORES.match(source.data):
        schema = _RANKS | {"score": pl.Float64}
        return _as_run(parse_lines(source, schema, partial(_check_ranks, schema=schema)))
    return parse_lines(source, _SCHEMA, _check)


def _as_run(parsed: ParsedFile, **columns: pl.Expr) -> ParsedFile:
    """Return the lines of another tool with the columns of a run."""
    nothing = {"q0": pl.lit(None, pl.String), "tag": pl.lit(None, pl.String)}
    rows = parsed.rows.with_columns(**nothing, **columns).select("line_number", *_SCHEMA)
    return replace(parsed, rows=rows)


def _refuse_equal_ranks(source: SourceFile, parsed: ParsedFile) -> None:
    """Refuse lines that are judgements rather than ranks."""
    ranks = parsed.rows.select("line_number", "query", "rank")
    for line, query, rank in (
        ranks.filter(pl.struct("query", "rank").is_duplicated()).head(1).rows()
    ):
        problem = f"topic {source.quoted(query)} has two documents of rank {rank}"
        expected = "expected: topic document rank, or topic Q0 docno rank score tag"
        raise BadFileError(source.path, f"{problem} ({expected})", line)


def _check(data: bytes) -> pl.DataFrame:
    lines = split_lines(data, tuple(_SCHEMA))
    score = pl.col("score").cast(pl.Float64, strict=False)
    reason = (
        pl.when(pl.col("reason").is_not_null())
        .then("reason")
        .when(pl.col("score").is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        # A null compares to null, which `when` takes as false: only finite numbers pass.
        .when(score.is_finite())
        .then(None)
        # In a line of five fields with the score in the fourth, an earlier field is missing.
        .when(pl.col("tag").is_null() & pl.col("rank").cast(pl.Float64, strict=False).is_finite())
        .then(pl.lit(RejectReason.DOCUMENT_OR_RANK_MISSING.value))
        .otherwise(pl.lit(RejectReason.SCORE_NOT_A_NUMBER.value))
    )
    rank = pl.col("rank").cast(pl.Int32, strict=False)
    return lines.with_columns(rank, score, reason=reason)


def _check_ranks(data: bytes, schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
    lines = split_lines(data, (*schema, "surplus"))
    rank, *score = (
        pl.col(name).cast(kind, strict=False) for name, kind in schema.items() if kind != pl.String
    )
    last = (rank, *score)[-1]
    reason = (
        pl.when(pl.col("reason").is_not_null())
        .then("reason")
        .when(pl.col(list(schema)[-1]).is_null())
        .then(pl.lit(RejectReason.TOO_FEW_FIELDS.value))
        .when(pl.col("surplus").is_not_null())
        .then(pl.lit(RejectReason.TOO_MANY_FIELDS.value))
        .when(rank.is_null())
        .then(pl.lit(RejectReason.DOCUMENT_OR_RANK_MISSING.value))
        .when(last.is_finite())
        .then(None)
        .otherwise(pl.lit(RejectReason.SCORE_NOT_A_NUMBER.value))
    )
    return lines.with_columns(rank, *score, reason=reason)
