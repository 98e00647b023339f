"""From text to numbered lines of fields, for run files, qrels and preferences.

Fields are separated by any white space, as in trec_eval. polars reads text with a single kind of
separator at several hundred MB/s. Other text is made uniform first. If this is not possible, its
lines are split and checked one by one. Both ways give the same result (test_fuzz.py). Text is
parsed in pieces, so that the additional memory is bounded, and an odd line slows down only its own
piece.
"""

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.source import SourceFile

# Bytes of a piece, and of the longest line that is parsed.
_PIECE = 16 * 1024**2
# Rows need more memory than text, so that the number of lines is limited too.
_LEAST_BYTES_PER_LINE = 32
_WHITE_SPACE = b" \t\v\f"
_WHITE_SPACE_TO_BLANK = bytes.maketrans(_WHITE_SPACE, b" " * len(_WHITE_SPACE))
_NEVER_UNIFORM = (b"\r", b"\v", b"\f", b"\0")
# Polars would decompress text that begins like this, without a limit: gzip, zlib, zstd.
_COMPRESSED_MARKS = (b"\x1f\x8b", b"x\x01", b"x\x5e", b"x\x9c", b"x\xda", b"\x28\xb5\x2f\xfd")
_REJECTED_TEXT_LENGTH = 200
# Characters that terminals, spreadsheets and browsers may obey or hide: control and format
# characters, separators of lines and paragraphs.
_NOT_PRINTABLE = r"[\p{C}\p{Zl}\p{Zp}]"

# What begins a line that is a comment, as in trec_eval 10.
COMMENT_MARK = "#"
# The value in the column of reasons for lines that are neither good nor bad: blank lines and
# comments.
_BLANK = "blank"

NOTHING_REJECTED = pl.DataFrame(
    schema={"line_number": pl.Int32, "reason": pl.String, "text": pl.String}
)


class RejectReason(StrEnum):
    """Why a line was set aside; seeds/reject_reasons.csv explains each reason."""

    LINE_TOO_LONG = "line_too_long"
    NUL_BYTE = "nul_byte"
    CARRIAGE_RETURN_WITHIN = "carriage_return_within"
    TOO_FEW_FIELDS = "too_few_fields"
    TOO_MANY_FIELDS = "too_many_fields"
    DOCUMENT_OR_RANK_MISSING = "document_or_rank_missing"
    SCORE_NOT_A_NUMBER = "score_not_a_finite_number"
    GRADE_NOT_AN_INTEGER = "grade_not_an_integer"
    PREFERENCE_NOT_CLEAR = "preference_not_clear"


@dataclass(frozen=True)
class ParsedFile:
    """The account of one file: every line is a row, a blank line or a rejected line.

    A comment counts as a blank line.

    `rows` has one row a loaded line, with `line_number` (from 1) and the format's fields.
    `rejected` has `line_number`, `reason` (a RejectReason) and `text`. `n_duplicates` counts rows
    with the topic and document of an earlier row; they are rows like the others. `is_quotable` is
    that of the source.
    """

    rows: pl.DataFrame
    rejected: pl.DataFrame
    n_lines: int
    n_blank: int
    n_duplicates: int
    is_quotable: bool = True


def parse_lines(
    source: SourceFile,
    schema: Mapping[str, type[pl.DataType]],
    check: Callable[[bytes], pl.DataFrame],
) -> ParsedFile:
    """Parse text in which a good line has the fields of `schema`.

    `check` gets text with single blanks that is not uniform. It returns the lines, as `split_lines`
    does, with the fields of the schema and a `reason` for each bad line. Raise BadFileError, also
    where there are more lines than the limit for the text of the file allows.
    """
    most_lines = source.limit // _LEAST_BYTES_PER_LINE + 1
    n_lines = n_blank = 0
    good, bad = [pl.DataFrame(schema={"line_number": pl.Int32, **schema})], [NOTHING_REJECTED]
    for piece in _pieces(source.data):
        number = pl.col("line_number") + pl.lit(n_lines, pl.Int32)
        n_lines_of_piece = _count_lines(piece)
        n_lines += n_lines_of_piece
        if n_lines > most_lines:
            problem = (
                f"holds more than {most_lines:,} lines, the limit for a file; "
                "if it is meant to, raise --max-file-size"
            )
            raise BadFileError(source.path, problem)
        rows, rejected, n_blank_of_piece = _parse_piece(piece, schema, check, n_lines_of_piece)
        good.append(rows.with_columns(number))
        bad.append(rejected.with_columns(number))
        n_blank += n_blank_of_piece
    rows = pl.concat(good)
    n_duplicates = count_duplicates(rows)
    return ParsedFile(rows, pl.concat(bad), n_lines, n_blank, n_duplicates, source.is_quotable)


def _count_lines(data: bytes) -> int:
    """Count as editors do: a final line break ends a line and does not start another."""
    return data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


def _pieces(data: bytes) -> Iterator[bytes]:
    """Cut text at line ends into pieces, none larger than _PIECE unless it is a single line."""
    start = 0
    while start < len(data):
        end = len(data)
        if end - start > _PIECE:
            last = data.rfind(b"\n", start, start + _PIECE + 1)
            end = (last if last >= 0 else data.find(b"\n", start)) + 1 or end
        yield data[start:end]
        start = end


def _parse_piece(
    data: bytes,
    schema: Mapping[str, type[pl.DataType]],
    check: Callable[[bytes], pl.DataFrame],
    n_lines: int,
) -> tuple[pl.DataFrame, pl.DataFrame, int]:
    """Parse a piece: its good rows, its rejected lines, and how many are blank or comments.

    Lines are numbered within the piece. These lines are counted and not inferred as the rest,
    because otherwise the account of the file would not check what was read.
    """
    if len(data) - data.endswith(b"\n") > _PIECE:
        start = data[: 10 * _REJECTED_TEXT_LENGTH].decode(errors="ignore")
        line = pl.DataFrame(
            {"line_number": [1], "reason": [RejectReason.LINE_TOO_LONG.value], "text": [start]},
            schema=NOTHING_REJECTED.schema,
        )
        return pl.DataFrame(schema={"line_number": pl.Int32, **schema}), rejected_lines(line), 0
    rows = _read_uniform(data, schema, n_lines)
    if rows is None:
        data = _with_single_blanks(data)
        rows = _read_uniform(data, schema, n_lines)
    if rows is not None:
        return rows, NOTHING_REJECTED, 0
    lines = check(data)
    rows = lines.filter(pl.col("reason").is_null()).select("line_number", *schema)
    n_blank = lines.filter(pl.col("reason") == _BLANK).height
    return rows, rejected_lines(lines.filter(pl.col("reason") != _BLANK)), n_blank


def count_duplicates(rows: pl.DataFrame) -> int:
    """Count the rows with the topic and document of an earlier row."""
    keys = rows.select("query", "docno")
    # Equal keys have equal hashes. Hardly any file has equal hashes, and then its keys need no
    # comparison.
    hashes = pl.col("query").hash() * 31 + pl.col("docno").hash()
    if keys.select(hashes.n_unique()).item() == keys.height:
        return 0
    return keys.height - keys.n_unique()


def _read_uniform(
    data: bytes, schema: Mapping[str, type[pl.DataType]], n_lines: int
) -> pl.DataFrame | None:
    """Read text with the same separator between all fields of all lines, or return None.

    Text that has blank lines, comments, other white space, more or fewer fields, values of another
    type or numbers that are not finite is not uniform. Shape (n_lines, 1 + len(schema)).
    """
    separator = b"\t" if b"\t" in data else b" "
    is_mixed = separator == b"\t" and b" " in data
    # Polars would make a column for each field that the first line has, a kilobyte each.
    n_fields = data.count(separator, 0, data.find(b"\n") % (len(data) + 1)) + 1
    if (
        is_mixed
        or n_fields != len(schema)
        # yes or no has several spellings, and polars knows two
        or pl.Boolean in schema.values()
        or data.startswith((*_COMPRESSED_MARKS, COMMENT_MARK.encode()))
        # A single byte is found much faster than two.
        or (COMMENT_MARK.encode() in data and f"\n{COMMENT_MARK}".encode() in data)
        # polars would drop the mark. The mark of the file itself is removed already.
        or data.startswith(codecs.BOM_UTF8)
        or any(byte in data for byte in _NEVER_UNIFORM)
    ):
        return None
    try:
        rows = pl.read_csv(
            data,
            separator=separator.decode(),
            has_header=False,
            quote_char=None,
            schema=dict(schema),
            row_index_name="line_number",
            row_index_offset=1,
        )
    except pl.exceptions.PolarsError:
        return None
    # An empty or missing field is null. A blank line is no row.
    is_whole = rows.height == n_lines and not any(rows.null_count().row(0))
    numbers = [rows[name] for name, kind in schema.items() if kind == pl.Float64]
    if not is_whole or not all(number.is_finite().all() for number in numbers):
        return None
    return rows.with_columns(pl.col("line_number").cast(pl.Int32))


def _with_single_blanks(data: bytes) -> bytes:
    """Make white space uniform: one blank between fields, none at either end of a line.

    Every line ends with a line feed. Only carriage returns that do not end a line stay:
    `split_lines` looks at these.
    """
    import numpy as np  # noqa: PLC0415 - takes a tenth of a second, and most files are uniform

    if not data.endswith(b"\n"):
        data += b"\n"
    text = np.frombuffer(
        data.replace(b"\r\n", b"\n").translate(_WHITE_SPACE_TO_BLANK), dtype=np.uint8
    )
    # Replacing two blanks by one until none are left takes three times as long.
    is_blank = text == ord(" ")
    is_after_space = np.ones_like(is_blank)
    np.logical_or(is_blank[:-1], text[:-1] == ord("\n"), out=is_after_space[1:])
    kept: bytes = text[~(is_blank & is_after_space)].tobytes()
    return kept.replace(b" \n", b"\n")


def split_lines(data: bytes, names: Sequence[str]) -> pl.DataFrame:
    """Split every line into at most `len(names)` fields, the last one taking the rest.

    `data` is a result of `_with_single_blanks`. A carriage return at either end of a line belongs
    to its line break. A carriage return within the line may be another line break, and the text
    after it must not vanish in the last field. Shape of the result (lines, 3 + len(names)):
    `line_number` (from 1), the fields (null where the line is too short), `text` (the line) and
    `reason`: null for a line of fields.
    """
    text = pl.Series("text", [data.removesuffix(b"\n").decode()])
    lines = text.str.split("\n").explode().str.strip_chars(" \r").to_frame()
    split = pl.col("text").str.splitn(" ", len(names)).struct.rename_fields(list(names))
    reason = (
        pl.when((pl.col("text") == "") | pl.col("text").str.starts_with(COMMENT_MARK))
        .then(pl.lit(_BLANK))
        .when(pl.col("text").str.contains("\0", literal=True))
        .then(pl.lit(RejectReason.NUL_BYTE.value))
        .when(pl.col("text").str.contains("\r", literal=True))
        .then(pl.lit(RejectReason.CARRIAGE_RETURN_WITHIN.value))
    )
    return lines.select(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int32).alias("line_number"),
        split.alias("fields"),
        "text",
        reason=reason,
    ).unnest("fields")


def rejected_lines(lines: pl.DataFrame) -> pl.DataFrame:
    """Keep the columns that are recorded about bad lines, with text that is safe to print."""
    text = pl.col("text").str.slice(0, _REJECTED_TEXT_LENGTH)
    return lines.select(
        "line_number",
        "reason",
        text.str.replace_all(_NOT_PRINTABLE, "\N{REPLACEMENT CHARACTER}"),
    )
