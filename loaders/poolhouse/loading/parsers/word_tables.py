"""Tables about words, CSV or TSV: the documents with a title word, and document frequencies."""

import csv
import io
from collections.abc import Iterator, Sequence

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.csv_rows import rows
from poolhouse.loading.parsers.source import SourceFile
from poolhouse.loading.parsers.words import is_word

_LARGEST = 2**31 - 1  # counts are kept in 32 bits


def parse_title_words(source: SourceFile) -> list[tuple[str, str, str]]:
    """Parse a table with the header `topic,word,document`: the document contains this title word.

    Other columns are passed over. Raise BadFileError, with the line.
    """
    return [
        (row[0], _word(source, row[1], line), row[2])
        for line, row in _rows(source, ("topic", "word", "document"))
    ]


def parse_document_frequencies(source: SourceFile) -> dict[str, int]:
    """Parse a table with the header `word,df[,n_documents]`: the number of documents with the word.

    Other columns are ignored. A term that is no word of `[a-z0-9]+` is ignored too, because a list
    of all terms may have such terms. Raise BadFileError, with the line, also where a word is
    repeated.
    """
    frequencies: dict[str, int] = {}
    for line, (word, df, *n_documents) in _rows(source, ("word", "df"), ("n_documents",)):
        if not is_word(word.lower()):
            continue
        counts = [_count(source, text, line) for text in (df, *n_documents)]
        if counts[0] > counts[-1]:
            problem = f"{source.quoted(word)} is in more documents than the collection holds"
            raise BadFileError(source.path, problem, line)
        if word.lower() in frequencies:
            problem = f"word {source.quoted(word.lower())} is counted twice"
            raise BadFileError(source.path, problem, line)
        frequencies[word.lower()] = counts[0]
    if not frequencies:
        raise BadFileError(source.path, "counts no word (expected: word,df a line)")
    return frequencies


def _word(source: SourceFile, text: str, line: int) -> str:
    if not is_word(text.lower()):
        problem = f"{source.quoted(text)} is not a word of letters a-z and digits"
        raise BadFileError(source.path, problem, line)
    return text.lower()


def _count(source: SourceFile, text: str, line: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST))):
        raise BadFileError(source.path, f"{source.quoted(text)} is not a number of documents", line)
    if (count := int(text)) > _LARGEST:
        problem = f"{source.quoted(count)} documents are more than {_LARGEST}"
        raise BadFileError(source.path, problem, line)
    return count


def _rows(
    source: SourceFile, required: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the fields of every row: required and existing optional fields."""
    data = source.data
    if b"\0" in data:
        raise BadFileError(source.path, "holds NUL bytes: it is not a table")
    separator = "\t" if b"\t" in data.partition(b"\n")[0] else ","
    # With a final line end, an unclosed quote always puts a line end into its field.
    reader = csv.reader(io.StringIO(f"{data.decode()}\n", newline=""), delimiter=separator)
    fields_of_rows = rows(reader)
    try:
        header = [name.strip() for name in next(fields_of_rows, [])]
        if not set(required) <= set(header) or len(set(header)) < len(header):
            problem = f"expected the header {','.join(required)}, each column once"
            raise BadFileError(source.path, problem, 1)
        places = [header.index(name) for name in (*required, *optional) if name in header]
        for fields in fields_of_rows:
            if not fields:
                continue
            if len(fields) != len(header):
                problem = f"{len(fields)} fields where the header has {len(header)}"
                raise BadFileError(source.path, problem, reader.line_num)
            row = [fields[place].strip() for place in places]
            if not all(row) or any(mark in field for field in row for mark in "\r\n"):
                problem = "a field is empty, or holds a line break: is a quote not closed?"
                raise BadFileError(source.path, problem, reader.line_num)
            yield reader.line_num, row
    except csv.Error as error:
        raise BadFileError(source.path, f"not a table: {error}", reader.line_num) from error
