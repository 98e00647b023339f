"""Descriptions: the organization of a run, its type, whether it was pooled, and to which depth."""

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.csv_records import records
from poolhouse.loading.parsers.nist_pages import described_runs, is_page
from poolhouse.loading.parsers.run_description import RunDescription, printable_words
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.loading.parsers.whole_numbers import whole_number
from poolhouse.loading.run_files import run_id_of
from poolhouse.option_values import LARGEST_DECLARED

_BEFORE_XML = b"\xef\xbb\xbf \t\r\n"
_COLUMNS = ("run", "organization", "type", "pooled", "depth", "description", "task")
_YES = {"true", "t", "yes", "y", "1"}
_NO = {"false", "f", "no", "n", "0"}


def parse_descriptions(source: SourceFile) -> list[RunDescription]:
    """Parse a CSV with header `run,organization[,type][,pooled][,depth][,description][,task]`.

    XML of `<runs>`, and NIST's page of runs, in Markdown, are read too.

    Raise BadFileError, with the line if it is known, also for a file without a run, a run with two
    descriptions, an unclosed quote, a repeated column, and more fields than columns.
    """
    described: dict[str, RunDescription] = {}
    for line, description in _descriptions(source):
        run_id = run_id_of(description.run_id)
        if run_id in described:
            problem = f"run {source.quoted(description.run_id)} is described twice"
            raise BadFileError(source.path, problem, line)
        described[run_id] = replace(description, run_id=run_id)
    if not described:
        # To accept it as descriptions of no run would remove the descriptions of earlier loads.
        problem = (
            "describes no run (expected: run,organization a line, <runs> in XML, or NIST's page "
            "of runs)"
        )
        raise BadFileError(source.path, problem)
    return list(described.values())


def _descriptions(source: SourceFile) -> Iterator[tuple[int | None, RunDescription]]:
    if source.content.lstrip(_BEFORE_XML).startswith(b"<"):
        return _from_xml(source)
    return described_runs(source) if is_page(source) else _from_csv(source)


def _from_csv(source: SourceFile) -> Iterator[tuple[int | None, RunDescription]]:
    expected = f"expected the header run,organization[,{'][,'.join(_COLUMNS[2:])}]"
    for line, row in records(source, ("run", "organization"), expected, _COLUMNS):
        yield line, _description(source, row, line)


def _description(source: SourceFile, row: dict[str, str], line: int) -> RunDescription:
    if not row.get("run") or not row.get("organization"):
        raise BadFileError(source.path, "run or organization is empty", line)
    is_pooled = as_flag(source, row.get("pooled"), line, "pooled")
    expected = f"a number of ranks from 1 to {LARGEST_DECLARED}"
    depth = whole_number(source, line, ("depth", row.get("depth")), expected)
    if depth is not None and is_pooled is False:
        problem = f"depth is {source.quoted(depth)} of a run that was not pooled"
        raise BadFileError(source.path, problem, line)
    # A run that was pooled to a depth was pooled.
    is_pooled = True if depth is not None else is_pooled
    return RunDescription(
        row["run"],
        row["organization"],
        row.get("type") or None,
        is_pooled,
        depth,
        printable_words(row.get("description", "")),
        row.get("task") or None,
    )


def as_flag(source: SourceFile, text: str | None, line: int, name: str) -> bool | None:
    """Return whether a field says yes; None for an empty field. Raise BadFileError."""
    word = (text or "").lower()
    if not word:
        return None
    if word in _YES | _NO:
        return word in _YES
    problem = f"{name} is {source.quoted(word)}, expected true or false"
    raise BadFileError(source.path, problem, line)


def _from_xml(source: SourceFile) -> Iterator[tuple[int | None, RunDescription]]:
    try:
        root: Element = ElementTree.fromstring(source.content)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        problem = "not well-formed XML"
        if source.is_quotable:
            raise BadFileError(source.path, f"{problem}: {error}") from error
        # The parser's own words may hold names from the file.
        line = error.position[0] if isinstance(error, ParseError) else None
        raise BadFileError(source.path, problem, line) from error
    for number, run in enumerate(root.iter("runs"), start=1):
        tag, organization = (
            (run.findtext("tag") or "").strip(),
            (run.findtext("organization") or ""),
        )
        if not tag or not organization.strip():
            problem = f"<runs> number {number} lacks a <tag> or an <organization>"
            raise BadFileError(source.path, problem)
        yield None, RunDescription(tag, organization.strip())
