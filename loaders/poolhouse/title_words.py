"""Which judged documents hold which words of the titles: read from texts, or from a table.

What is kept are topic, title word and document, and no text. So texts are read for the titles and
the judgements that are there: where a load brings others, it takes away what was read for the old.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.parsers import (
    SourceFile,
    parse_document_frequencies,
    parse_texts,
    parse_title_words,
    words_of,
)
from poolhouse.raw_store import InputFile, RawStore
from poolhouse.run_files import is_name

_OCCURRENCE = {"query": pl.String, "word": pl.String, "docno": pl.String}
_FREQUENCY = {"word": pl.String, "document_frequency": pl.Int32}
_TEXTS, _TABLE, _FREQUENCIES = "texts", "title_words", "document_frequencies"

# Tables take much more memory than their text.
SHARE_OF_LIMIT = {_TABLE: 16, _FREQUENCIES: 16}


@dataclass(frozen=True)
class TitleWordFiles:
    """Files that say which documents hold a title word: texts, or a table in their place.

    `document_frequencies` says of words in how many documents of the whole collection they are.
    Errors: BadFileError where two files of texts have one name; PoolhouseError for texts and a
    table.
    """

    texts: tuple[Path, ...] = ()
    table: Path | None = None
    document_frequencies: Path | None = None

    def __post_init__(self) -> None:
        names = Counter(path.name for path in self.texts)
        for path in self.texts:
            if not is_name(path.name):
                raise BadFileError(path, "its name is not printable; rename the file")
            if names[path.name] > 1:
                problem = "another file of texts has that name; rename one, or load them as one"
                raise BadFileError(path, problem)
        if self.texts and self.table:
            raise PoolhouseError("texts and a table of title words say the same: load one of them")

    def by_kind(self) -> list[tuple[str, str, Path]]:
        """Give kind, name and path of each."""
        single = ((_TABLE, self.table), (_FREQUENCIES, self.document_frequencies))
        return [
            *((_TEXTS, path.name, path) for path in self.texts),
            *((kind, kind, path) for kind, path in single if path),
        ]


class _Read(Protocol):
    """How a load reads a file: None where its content, of a known hash, is loaded already."""

    def __call__(
        self,
        path: Path,
        kind: str,
        name: str,
        known_hash: str | None,
        parse: Callable[[SourceFile], "_Found"],
    ) -> tuple[InputFile, "_Found"] | None: ...


@dataclass(frozen=True)
class _Found:
    """What one file says: rows of tables, and how many count as its own."""

    tables: dict[str, pl.DataFrame]
    n_rows: int
    n_duplicates: int = 0
    n_passed_over: int = 0


@dataclass(frozen=True)
class _Looked:
    """What is looked for: the words of each topic's title, and each document's topics."""

    words: Mapping[str, Collection[str]]
    topics: Mapping[str, Sequence[str]]

    def in_documents(self, documents: Iterable[tuple[str, str]]) -> _Found:
        """Find the title words in texts of documents; of one that comes twice, in both."""
        sought = set().union(*self.words.values())
        words: dict[str, set[str]] = {}
        n_duplicates = 0
        for docno, text in documents:
            if docno in self.topics:
                n_duplicates += docno in words
                words.setdefault(docno, set()).update(words_of(text) & sought)
        rows = [
            (query, word, docno)
            for docno, found in words.items()
            for query in self.topics[docno]
            for word in sorted(found.intersection(self.words.get(query, ())))
        ]
        return _Found(_as_tables(rows, words), len(words), n_duplicates)

    def in_table(self, rows: Sequence[tuple[str, str, str]]) -> _Found:
        """Keep what a table says of words of the title in documents that the topic judged."""
        kept = {
            (query, word, docno)
            for query, word, docno in rows
            if word in self.words.get(query, ()) and query in self.topics.get(docno, ())
        }
        n_passed_over = len(set(rows) - kept)
        n_duplicates = len(rows) - len(set(rows))
        tables = _as_tables(sorted(kept), self.topics)
        return _Found(tables, len(kept), n_duplicates, n_passed_over)

    def in_frequencies(self, frequencies: Mapping[str, int]) -> _Found:
        """Keep the frequencies of title words."""
        sought = set().union(*self.words.values())
        rows = [(word, frequencies[word]) for word in sorted(sought & frequencies.keys())]
        frame = pl.DataFrame(rows, schema=_FREQUENCY, orient="row")
        return _Found({"raw.document_frequencies": frame}, len(rows))


def _as_tables(
    occurrences: Sequence[tuple[str, str, str]], documents: Iterable[str]
) -> dict[str, pl.DataFrame]:
    return {
        "raw.title_word_documents": pl.DataFrame(occurrences, schema=_OCCURRENCE, orient="row"),
        "raw.judged_texts": pl.DataFrame({"docno": list(documents)}, schema={"docno": pl.String}),
    }


def load_title_words(
    store: RawStore,
    files: TitleWordFiles,
    read: _Read,
    *,
    has_new_titles: bool,
    has_new_judgements: bool,
) -> tuple[int, list[str]]:
    """Read the files for the titles and judgements that are in the store.

    Returns how many documents have a text in these files, and what the user should know. Errors:
    BadFileError; PoolhouseError where no titles or no judgements are there.
    """
    given = files.by_kind()
    known = {kind: store.hashes(kind) for kind in (_TEXTS, _TABLE, _FREQUENCIES)}
    is_other_source = {_TEXTS: files.table is not None, _TABLE: bool(files.texts)}
    is_stale = {
        _TEXTS: has_new_titles or has_new_judgements or is_other_source[_TEXTS],
        _TABLE: has_new_titles or has_new_judgements or is_other_source[_TABLE],
        _FREQUENCIES: has_new_titles,
    }
    remarks = _take_away_stale(store, given, known, is_stale)
    if has_new_titles:
        store.forget_title_words()
    if not given:
        return 0, remarks
    looked = _looked_for(store)
    store.replace_title_words(looked.words)
    found_by: dict[str, Callable[[SourceFile], _Found]] = {
        _TEXTS: lambda source: looked.in_documents(parse_texts(source)),
        _TABLE: lambda source: looked.in_table(parse_title_words(source)),
        _FREQUENCIES: lambda source: looked.in_frequencies(parse_document_frequencies(source)),
    }
    n_texts = 0
    for kind, name, path in given:
        known_hash = None if is_stale[kind] else known[kind].get(name)
        if loaded := read(path, kind, name, known_hash, found_by[kind]):
            file, found = loaded
            store.replace_title_word_file(file, found.tables, found.n_rows, found.n_duplicates)
            remarks += _remarks_on(path, found)
            n_texts += found.n_rows if kind == _TEXTS else 0
    if files.texts:
        remarks += _remarks_on_documents(store)
    return n_texts, remarks


def _take_away_stale(
    store: RawStore,
    given: Sequence[tuple[str, str, Path]],
    known: Mapping[str, Mapping[str, str]],
    is_stale: Mapping[str, bool],
) -> list[str]:
    """Take away what was read for other titles or judgements, or from the other source.

    What is given again is read again, and so is not taken away in the history.
    """
    again = {(kind, name) for kind, name, _ in given}
    gone = [
        (kind, name)
        for kind, names in known.items()
        if is_stale[kind]
        for name in sorted(names)
        if (kind, name) not in again
    ]
    for each in gone:
        store.remove_title_word_file(*each)
    if not gone:
        return []
    names = ", ".join(sorted({name for _, name in gone})[:5])
    return [
        f"taken away, since titles or judgements are new or other files say the same: {names} "
        "(poolhouse load reads texts for those that are there)"
    ]


def _looked_for(store: RawStore) -> _Looked:
    words = {query: words_of(title) for query, title in store.titles().items()}
    topics = store.topics_of_judged_documents()
    for found, problem in (
        (words, "has no titles, whose words are looked up: load them (--topics)"),
        (topics, "is not judged yet, and words are looked up in judged documents: load --qrels"),
    ):
        if not found:
            advice = "before these files, or along with them"
            raise PoolhouseError(f"collection {store.collection!r} {problem} {advice}")
    return _Looked(words, topics)


def _remarks_on(path: Path, found: _Found) -> list[str]:
    if not found.n_passed_over:
        return []
    return [
        f"{path.name}: {found.n_passed_over} rows are about no word of the topic's title, or no "
        "document that is judged for it, and are left out"
    ]


def _remarks_on_documents(store: RawStore) -> list[str]:
    n_judged, n_without = store.n_without_text()
    if not n_without:
        return []
    return [
        f"{n_without} of {n_judged} judged documents have no text: titlestat is that of the others"
    ]
