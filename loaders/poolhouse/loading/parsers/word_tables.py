"""Tables about words, CSV or TSV: the documents with a title word, and document frequencies."""

from collections.abc import Iterator, Sequence

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.csv_records import records
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
    separator = "\t" if b"\t" in source.data.partition(b"\n")[0] else ","
    expected = f"expected the header {','.join(required)}"
    for line, row in records(source, required, expected, (*required, *optional), separator):
        fields = list(row.values())
        if len(fields) < len(required) or not all(fields):
            raise BadFileError(source.path, "a field is empty", line)
        yield line, fields
