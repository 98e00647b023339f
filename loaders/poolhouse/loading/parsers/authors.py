"""Declarations of authors of judgements: what each is, and how its grades are meant."""

from dataclasses import dataclass
from datetime import date

from poolhouse.errors import BadFileError, PoolhouseError, did_you_mean
from poolhouse.loading.author_names import check_author
from poolhouse.loading.parsers.csv_records import records
from poolhouse.loading.parsers.descriptions import as_flag
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.loading.parsers.whole_numbers import whole_number
from poolhouse.option_values import AUTHOR_KINDS, LARGEST_DECLARED

_COLUMNS = (
    *("author", "kind", "threshold", "highest", "model"),
    *("prompt", "date", "notes", "answered"),
)
_EXPECTED = f"expected the header author[,{'][,'.join(_COLUMNS[1:])}]"


@dataclass(frozen=True)
class AuthorDeclaration:
    """The declarations of one author, as columns of raw.authors. None: nothing is declared."""

    author: str
    kind: str | None = None
    relevance_threshold: int | None = None
    highest_grade: int | None = None
    model: str | None = None
    prompt: str | None = None
    judged_on: date | None = None
    notes: str | None = None
    has_answered: bool | None = None


def parse_authors(source: SourceFile) -> list[AuthorDeclaration]:
    """Parse a CSV of authors, one record an author. An empty field declares nothing.

    Raise BadFileError, with the line, for an unknown column, a bad value, a name that no author can
    have, an author that is declared twice, and a file without an author. Names that differ only in
    case are one name. Raise the errors of `records`.
    """
    lines: dict[str, int] = {}
    declared: list[AuthorDeclaration] = []
    for line, row in records(source, ("author",), _EXPECTED):
        if unknown := [name for name in row if name not in _COLUMNS]:
            hint = did_you_mean(unknown[0], _COLUMNS)
            problem = f"unknown column {source.quoted(unknown[0])}{hint} ({_EXPECTED})"
            raise BadFileError(source.path, problem, 1)
        author = row.get("author", "")
        try:
            check_author(author)
        except PoolhouseError as error:
            problem = str(error) if source.is_quotable else "no author can have this name"
            raise BadFileError(source.path, problem, line) from error
        if author.casefold() in lines:
            also = lines[author.casefold()]
            problem = f"author {source.quoted(author)} is also in line {also}"
            raise BadFileError(source.path, problem, line)
        lines[author.casefold()] = line
        declared.append(_declaration(source, row, line))
    if not declared:
        # To accept it as declarations of no author would remove those of earlier loads.
        raise BadFileError(source.path, f"declares no author ({_EXPECTED})")
    return declared


def _declaration(source: SourceFile, row: dict[str, str], line: int) -> AuthorDeclaration:
    kind = row.get("kind", "").lower() or None
    if kind not in (None, *AUTHOR_KINDS):
        known = f"{', '.join(AUTHOR_KINDS[:-1])} or {AUTHOR_KINDS[-1]}"
        problem = f"kind is {source.quoted(kind)}, expected {known}"
        raise BadFileError(source.path, problem + did_you_mean(kind or "", AUTHOR_KINDS), line)
    threshold, highest = (
        whole_number(source, line, (name, row.get(name)), f"a grade from 1 to {LARGEST_DECLARED}")
        for name in ("threshold", "highest")
    )
    if threshold is not None and highest is not None and threshold > highest:
        problem = (
            f"threshold is {source.quoted(threshold)}, above the highest grade "
            f"{source.quoted(highest)}"
        )
        raise BadFileError(source.path, f"{problem}: no document could be relevant", line)
    return AuthorDeclaration(
        row["author"],
        kind,
        threshold,
        highest,
        row.get("model") or None,
        row.get("prompt") or None,
        _as_date(source, row.get("date"), line),
        row.get("notes") or None,
        as_flag(source, row.get("answered"), line, "answered"),
    )


def _as_date(source: SourceFile, text: str | None, line: int) -> date | None:
    if not text:
        return None
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    # Python also reads 20240501 and 2024-W18-3.
    if found is None or found.isoformat() != text:
        problem = f"date is {source.quoted(text)}, expected a day such as 2024-05-31"
        raise BadFileError(source.path, problem, line)
    return found
