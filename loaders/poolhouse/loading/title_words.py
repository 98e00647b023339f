"""The words of titles that judged documents contain, from texts or from a table.

The warehouse keeps topic, title word and document, and no text. So texts are read for the current
titles and judgements. A load with other titles or judgements removes the words that were read for
the old ones.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.parsers import (
    SourceFile,
    parse_document_frequencies,
    parse_texts,
    parse_title_words,
    words_of,
)
from poolhouse.loading.raw_store import InputFile, RawStore
from poolhouse.loading.request import LoadRequest

_OCCURRENCE = {"query": pl.String, "word": pl.String, "docno": pl.String}
_FREQUENCY = {"word": pl.String, "document_frequency": pl.Int32}
_TEXTS, _TABLE, _FREQUENCIES = "texts", "title_words", "document_frequencies"

# Tables need much more memory than their text.
SHARE_OF_LIMIT = {_TABLE: 16, _FREQUENCIES: 16}


class _Read(Protocol):
    """A function that reads a file. The result is None if content with the same hash is loaded."""

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
    """The content of one file: rows, the documents that it describes, the number of repetitions."""

    rows: pl.DataFrame
    documents: Collection[str] = ()
    n_duplicates: int = 0


@dataclass(frozen=True)
class _Looked:
    """The words of titles and the judged documents to search for."""

    words: Collection[str]
    documents: Collection[str]

    def in_texts(self, source: SourceFile) -> _Found:
        """Find the words in texts of documents. A repeated document has the words of both texts."""
        held: dict[str, set[str]] = {}
        n_duplicates = 0
        for docno, text in parse_texts(source):
            if docno in self.documents:
                n_duplicates += docno in held
                held.setdefault(docno, set()).update(words_of(text).intersection(self.words))
        pairs = [(None, word, docno) for docno, words in held.items() for word in sorted(words)]
        return _Found(_as_frame(pairs, _OCCURRENCE), list(held), n_duplicates)

    def in_table(self, source: SourceFile) -> _Found:
        """Read the rows of a table, which describes every judged document."""
        rows = parse_title_words(source)
        distinct = sorted(set(rows))
        n_duplicates = len(rows) - len(distinct)
        return _Found(_as_frame(distinct, _OCCURRENCE), sorted(self.documents), n_duplicates)

    def in_frequencies(self, source: SourceFile) -> _Found:
        """Keep the frequencies of these words."""
        frequencies = parse_document_frequencies(source)
        known = sorted(frequencies.keys() & self.words)
        return _Found(_as_frame([(word, frequencies[word]) for word in known], _FREQUENCY))


def _as_frame(rows: Sequence[tuple[object, ...]], schema: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")


def load_title_words(
    store: RawStore,
    request: LoadRequest,
    read: _Read,
    *,
    has_new_titles: bool,
    has_new_judgements: bool,
) -> tuple[int, list[str]]:
    """Read the files, for the titles and judgements in the store.

    Return the number of documents with a text in these files, and remarks for the user. Raise
    BadFileError. Raise PoolhouseError where there are no titles or no judgements.
    """
    given = _given(request)
    known = {kind: store.hashes(kind) for kind in (_TEXTS, _TABLE, _FREQUENCIES)}
    is_other_source = {_TEXTS: request.title_words is not None, _TABLE: bool(request.texts)}
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
    found_by = {
        _TEXTS: looked.in_texts,
        _TABLE: looked.in_table,
        _FREQUENCIES: looked.in_frequencies,
    }
    n_texts = 0
    for kind, name, path in given:
        known_hash = None if is_stale[kind] else known[kind].get(name)
        if not (loaded := read(path, kind, name, known_hash, found_by[kind])):
            continue
        file, found = loaded
        if kind == _FREQUENCIES:
            store.replace_document_frequencies(file, found.rows)
            continue
        n_found = store.replace_documents_with_words(
            file, found.documents, found.rows, found.n_duplicates
        )
        if kind == _TEXTS:
            n_texts += len(found.documents)
        elif n_passed_over := found.rows.height - n_found:
            remarks.append(
                f"{path.name}: {n_passed_over} rows are about no word of the topic's title, or no "
                "document that is judged for it, and are left out"
            )
    if request.texts:
        remarks += _remarks_on_documents(store)
    return n_texts, remarks


def _given(request: LoadRequest) -> list[tuple[str, str, Path]]:
    """Return kind, name and path of each file."""
    single = ((_TABLE, request.title_words), (_FREQUENCIES, request.document_frequencies))
    return [
        *((_TEXTS, path.name, path) for path in request.texts),
        *((kind, kind, path) for kind, path in single if path),
    ]


def _take_away_stale(
    store: RawStore,
    given: Sequence[tuple[str, str, Path]],
    known: Mapping[str, Mapping[str, str]],
    is_stale: Mapping[str, bool],
) -> list[str]:
    """Remove words that were read for other titles or judgements, or from the other source.

    A file that is named again is read again, and is not recorded as removed.
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
    documents = store.judged_documents()
    for found, problem in (
        (words, "has no titles, whose words are looked up: load them (--topics)"),
        (documents, "is not judged yet, and words are looked up in judged documents: load --qrels"),
    ):
        if not found:
            advice = "before these files, or along with them"
            raise PoolhouseError(f"collection {store.collection!r} {problem} {advice}")
    store.replace_title_words(words)
    return _Looked(set().union(*words.values()), documents)


def _remarks_on_documents(store: RawStore) -> list[str]:
    n_judged, n_without = store.n_without_text()
    if not n_without:
        return []
    return [
        f"{n_without} of {n_judged} judged documents have no text: titlestat is that of the others"
    ]
