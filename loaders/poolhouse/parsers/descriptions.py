"""Descriptions: who submitted a run, of what type it is and whether it was pooled."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from poolhouse.errors import BadFileError
from poolhouse.parsers.source import SourceFile

_BEFORE_XML = b"\xef\xbb\xbf \t\r\n"
_COLUMNS = ("run", "organization", "type", "pooled")
_YES = {"true", "t", "yes", "y", "1"}
_NO = {"false", "f", "no", "n", "0"}


@dataclass(frozen=True)
class RunDescription:
    """What is declared of one run; None where nothing is."""

    run_id: str
    organization: str
    run_type: str | None = None
    is_pooled: bool | None = None


def parse_descriptions(source: SourceFile) -> list[RunDescription]:
    """Parse a CSV with header `run,organization[,type][,pooled]`, or a `<set>` of `<runs>` in XML.

    Errors: BadFileError, with the line where there is one, also for no run, a run described twice,
    and what CSV leaves open: a quote that is not closed, a column twice, more fields than columns.
    """
    is_xml = source.content.lstrip(_BEFORE_XML).startswith(b"<")
    described: dict[str, RunDescription] = {}
    for line, description in _from_xml(source) if is_xml else _from_csv(source):
        if description.run_id in described:
            problem = f"run {description.run_id!r} is described twice"
            raise BadFileError(source.path, problem, line)
        described[description.run_id] = description
    if not described:
        # To take it for nobody's runs would wipe out what was loaded before.
        problem = "describes no run (expected: run,organization a line, or <runs> in XML)"
        raise BadFileError(source.path, problem)
    return list(described.values())


def _from_csv(source: SourceFile) -> Iterator[tuple[int | None, RunDescription]]:
    if b"\0" in source.data:
        raise BadFileError(source.path, "holds NUL bytes: no CSV file")
    # With a last line end, a quote that is not closed always brings one into its field.
    text = io.StringIO(f"{source.data.decode()}\n", newline="")
    reader = csv.reader(text, skipinitialspace=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if not {"run", "organization"} <= set(header):
            problem = "expected the header run,organization[,type][,pooled]"
            raise BadFileError(source.path, problem, 1)
        if len(set(header)) < len(header):
            raise BadFileError(source.path, "the header names a column twice", 1)
        for fields in reader:
            if fields:
                yield reader.line_num, _description(source, header, fields, reader.line_num)
    except csv.Error as error:
        raise BadFileError(source.path, f"not a CSV file: {error}", reader.line_num) from error


def _description(
    source: SourceFile, header: list[str], fields: list[str], line: int
) -> RunDescription:
    if len(fields) > len(header):
        problem = "more fields than the header has; put quotes around a field with a comma"
        raise BadFileError(source.path, problem, line)
    row = dict(zip(header, fields, strict=False))
    if any(mark in row.get(name, "") for name in _COLUMNS for mark in "\r\n"):
        problem = "a field of a record that ends here holds a line break: is a quote not closed?"
        raise BadFileError(source.path, problem, line)
    row = {name: field.strip() for name, field in row.items()}
    if not row.get("run") or not row.get("organization"):
        raise BadFileError(source.path, "run or organization is empty", line)
    is_pooled = _as_flag(source, row.get("pooled"), line)
    return RunDescription(row["run"], row["organization"], row.get("type") or None, is_pooled)


def _as_flag(source: SourceFile, text: str | None, line: int) -> bool | None:
    word = (text or "").lower()
    if not word:
        return None
    if word in _YES | _NO:
        return word in _YES
    raise BadFileError(source.path, f"pooled is {word!r}, expected true or false", line)


def _from_xml(source: SourceFile) -> Iterator[tuple[int | None, RunDescription]]:
    try:
        root: Element = ElementTree.fromstring(source.content)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise BadFileError(source.path, f"not well-formed XML: {error}") from error
    for number, run in enumerate(root.iter("runs"), start=1):
        tag, organization = (
            (run.findtext("tag") or "").strip(),
            (run.findtext("organization") or ""),
        )
        if not tag or not organization.strip():
            problem = f"<runs> number {number} lacks a <tag> or an <organization>"
            raise BadFileError(source.path, problem)
        yield None, RunDescription(tag, organization.strip())
