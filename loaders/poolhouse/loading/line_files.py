"""Files of lines: parsing, refusing a file without a good line, and remarks on bad lines."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import polars as pl

from poolhouse.errors import BadFileError, SeveralRunsError
from poolhouse.loading.parsers import (
    ParsedFile,
    SourceFile,
    parse_pairs,
    parse_preferences,
    parse_qrels,
    parse_run,
    read_source,
)
from poolhouse.loading.parsers.lines import count_duplicates
from poolhouse.loading.passages import of_documents
from poolhouse.loading.run_files import run_files, run_id_of

_LONGEST_EXCERPT = 60


class _OtherFormat(NamedTuple):
    """Lines of another kind: the first of a file, and the program that makes ours of them."""

    first_line: re.Pattern[bytes]
    name: str
    program: str

    def hint(self, source: SourceFile) -> str:
        """Return the end of a message about a file with such lines; empty for another file."""
        looks_like = f"; it looks like {self.name}, whose lines {self.program} turns into these"
        return looks_like if self.first_line.match(source.data) else ""


_LOG = _OtherFormat(
    re.compile(rb"@ \S+ \S+ \S+ [!=]\s"),
    "a log of preferences (@ topic better worse !)",
    "sed -n 's/^@ //p'",
)
_QRELS = _OtherFormat(
    re.compile(rb"(?:\S+[ \t]+){3}-?[0-9]+\s"),
    "judgements (topic iteration document grade)",
    "awk '{print $1, $3}'",
)


@dataclass(frozen=True)
class LinesOfFile:
    """The content of a file: the rows of its good lines, and the remark on its other lines."""

    path: Path
    rows: pl.DataFrame
    remarks: tuple[str, ...]

    @property
    def run_id(self) -> str:
        """Return the id of the run of this file."""
        return run_id_of(self.path.name)


def read_run(path: Path) -> LinesOfFile:
    """Read the file of one run. The path may be a folder with a single file.

    Raise SeveralRunsError, BadFileError.
    """
    files = run_files([path])
    if len(files) > 1:
        raise SeveralRunsError(path, len(files))
    return _lines_of(files[0], parse_run_file(read_source(files[0])))


def read_qrels(path: Path) -> LinesOfFile:
    """Read a file of judgements.

    Raise BadFileError.
    """
    return _lines_of(path, parse_qrels_file(read_source(path)))


def _lines_of(path: Path, parsed: ParsedFile) -> LinesOfFile:
    return LinesOfFile(path, parsed.rows, remarks_on(path, parsed))


def remarks_on(path: Path, parsed: ParsedFile) -> tuple[str, ...]:
    """Return the remark on the rejected lines of a file, if there are any."""
    return () if parsed.rejected.is_empty() else (f"{path.name}: {rejection(parsed)}",)


def parse_run_file(
    source: SourceFile, *, is_strict: bool = False, passages: str | None = None
) -> ParsedFile:
    """Parse a run file; under `is_strict` no line may be bad.

    `passages` is the mark between the id of a document and its passage. Raise BadFileError.
    """
    what = "ranked document (expected: topic Q0 docno rank score tag; poolhouse docs loading)"
    parsed = _checked(source, parse_run(source), what, is_strict=is_strict)
    if not passages:
        return parsed
    rows = of_documents(parsed.rows, passages)
    return replace(parsed, rows=rows, n_duplicates=count_duplicates(rows))


def parse_qrels_file(source: SourceFile, *, is_strict: bool = False) -> ParsedFile:
    """Parse a file of judgements; under `is_strict` no line may be bad or a repeated judgement.

    Raise BadFileError.
    """
    what = "judgement (expected: topic iteration docno grade; poolhouse docs loading)"
    parsed = _checked(source, parse_qrels(source), what, is_strict=is_strict)
    if is_strict and parsed.n_duplicates:
        line, topic, document = first_repeated(parsed)
        which = f"topic {topic}, document {document}" if parsed.is_quotable else "a document"
        problem = f"{which} is judged twice (--strict: nothing was loaded)"
        raise BadFileError(source.path, problem, line)
    return parsed


def parse_preferences_file(source: SourceFile, *, is_strict: bool = False) -> ParsedFile:
    """Parse a file of preferences; under `is_strict` no line may be bad.

    Raise BadFileError.
    """
    what = f"preference (expected: topic better worse [equal]){_LOG.hint(source)}"
    return _checked(source, parse_preferences(source), what, is_strict=is_strict)


def parse_pairs_file(source: SourceFile, *, is_strict: bool = False) -> ParsedFile:
    """Parse a file of documents to leave out; under `is_strict` no line may be bad.

    Raise BadFileError.
    """
    what = f"pair (expected: topic docno){_QRELS.hint(source)}"
    return _checked(source, parse_pairs(source), what, is_strict=is_strict)


def first_repeated(parsed: ParsedFile) -> tuple[int, str, str]:
    """Return the line, topic and document of the first row that repeats an earlier row."""
    keys = parsed.rows.select("line_number", "query", "docno")
    return keys.filter(~pl.struct("query", "docno").is_first_distinct()).row(0)


def rejection(parsed: ParsedFile) -> str:
    """Return the number of rejected lines, and the problem of the first one."""
    return f"{parsed.rejected.height} of {parsed.n_lines} lines rejected, {_first_rejected(parsed)}"


def _checked(source: SourceFile, parsed: ParsedFile, what: str, *, is_strict: bool) -> ParsedFile:
    first = _first_rejected(parsed)
    if parsed.rows.is_empty():
        raise BadFileError(source.path, f"holds no {what}{f'; {first}' if first else ''}")
    if is_strict and first:
        raise BadFileError(source.path, f"{rejection(parsed)} (--strict: nothing was loaded)")
    return parsed


def _first_rejected(parsed: ParsedFile) -> str:
    """Return the problem of the first rejected line, or an empty text if there is none."""
    if parsed.rejected.is_empty():
        return ""
    number, reason, text = parsed.rejected.row(0)
    problem = f"line {number}: {reason.replace('_', ' ')}"
    if not parsed.is_quotable:
        return problem
    shown = text if len(text) <= _LONGEST_EXCERPT else f"{text[:_LONGEST_EXCERPT]}..."
    return f'{problem}: "{shown}"'
