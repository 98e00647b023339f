"""Files of lines: parsed, refused where no line is good, and what is said of their bad lines."""

from pathlib import Path

from poolhouse.errors import BadFileError
from poolhouse.parsers import ParsedFile, SourceFile, parse_qrels, parse_run

_LONGEST_EXCERPT = 60


def parse_run_file(source: SourceFile, *, is_strict: bool = False) -> ParsedFile:
    """Parse a run file; under `is_strict` no line may be bad.

    Errors: BadFileError.
    """
    what = "ranked document (expected: topic Q0 docno rank score tag)"
    return _checked(source.path, parse_run(source), what, is_strict=is_strict)


def parse_qrels_file(source: SourceFile, *, is_strict: bool = False) -> ParsedFile:
    """Parse a file of judgements; under `is_strict` no line may be bad.

    Errors: BadFileError.
    """
    what = "judgement (expected: topic iteration docno grade)"
    return _checked(source.path, parse_qrels(source), what, is_strict=is_strict)


def rejection(parsed: ParsedFile) -> str:
    """Say how many lines were rejected, and what is wrong with the first of them."""
    return f"{parsed.rejected.height} of {parsed.n_lines} lines rejected, {_first_rejected(parsed)}"


def _checked(path: Path, parsed: ParsedFile, what: str, *, is_strict: bool) -> ParsedFile:
    first = _first_rejected(parsed)
    if parsed.rows.is_empty():
        raise BadFileError(path, f"holds no {what}" + (f"; {first}" if first else ""))
    if is_strict and first:
        raise BadFileError(path, f"{rejection(parsed)} (--strict: nothing was loaded)")
    return parsed


def _first_rejected(parsed: ParsedFile) -> str:
    """Say what is wrong with the first rejected line; nothing where there is none."""
    if parsed.rejected.is_empty():
        return ""
    number, reason, text = parsed.rejected.row(0)
    shown = text if len(text) <= _LONGEST_EXCERPT else f"{text[:_LONGEST_EXCERPT]}..."
    return f'line {number}: {reason.replace("_", " ")}: "{shown}"'
