"""The words of titles that judged documents contain, from texts or from a table.

The warehouse keeps topic, title word and document, and no text. So texts are read for the current
titles and judgements. A load with other titles or judgements removes the words that were read for
the old ones.
"""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.inputs import Input
from poolhouse.loading.parsers import (
    SourceFile,
    parse_document_frequencies,
    parse_texts,
    parse_title_words,
    words_of,
)
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import Load
from poolhouse.loading.title_word_rows import (
    remove_file,
    replace_title_words,
    replace_words,
)

_OCCURRENCE = {"query": pl.String, "word": pl.String, "docno": pl.String}
_FREQUENCY = {"word": pl.String, "document_frequency": pl.Int32}
_TEXTS, _TABLE, _FREQUENCIES = "texts", "title_words", "document_frequencies"


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


def load_title_words(load: Load) -> None:
    """Read the files, for the titles and judgements in the store.

    Raise BadFileError. Raise PoolhouseError where there are no titles or no judgements.
    """
    store, report = load.store, load.report
    given = {kind: load.inputs(kind) for kind in (_TEXTS, _TABLE, _FREQUENCIES)}
    has_new_titles = "topics" in load.new
    is_new = has_new_titles or "qrels" in load.new
    is_stale = {
        _TEXTS: is_new or bool(given[_TABLE]),
        _TABLE: is_new or bool(given[_TEXTS]),
        _FREQUENCIES: has_new_titles,
    }
    report.remarks += _take_away_stale(store, given, is_stale)
    if has_new_titles:
        store.forget("raw.title_words")
    if not any(given.values()):
        return
    looked = _looked_for(store)
    found_by = {
        _TEXTS: looked.in_texts,
        _TABLE: looked.in_table,
        _FREQUENCIES: looked.in_frequencies,
    }
    for each in itertools.chain(*given.values()):
        known: dict[str, str] | None = {} if is_stale[each.kind] else None
        if not (loaded := load.read(each, found_by[each.kind], known)):
            continue
        file, found = loaded
        if each.kind == _FREQUENCIES:
            store.replace("raw.document_frequencies", file, found.rows)
            continue
        n_found = replace_words(store, file, found.documents, found.rows, found.n_duplicates)
        if each.kind == _TEXTS:
            report.n_texts += len(found.documents)
        elif n_passed_over := found.rows.height - n_found:
            report.remarks.append(
                f"{each.path.name}: {n_passed_over} rows are about no word of the topic's title, "
                "or no document that is judged for it, and are left out"
            )
    if given[_TEXTS]:
        report.remarks += _remarks_on_documents(store)


def _take_away_stale(
    store: RawStore, given: Mapping[str, Sequence[Input]], is_stale: Mapping[str, bool]
) -> list[str]:
    """Remove words that were read for other titles or judgements, or from the other source.

    A file that is named again is read again, and is not recorded as removed.
    """
    gone = [
        (kind, name)
        for kind, again in given.items()
        if is_stale[kind]
        for name in sorted(store.hashes(kind).keys() - {each.name for each in again})
    ]
    for each in gone:
        remove_file(store, *each)
    if not gone:
        return []
    names = ", ".join(sorted({name for _, name in gone})[:5])
    return [
        f"taken away, since titles or judgements are new or other files say the same: {names} "
        "(poolhouse load reads texts for those that are there)"
    ]


def _looked_for(store: RawStore) -> _Looked:
    titles = store.of_collection("select query, title from raw.topics")
    words = {query: words_of(title) for query, title in titles}
    judged = store.of_collection("select distinct docno from raw.qrels_lines")
    documents = {docno for (docno,) in judged}
    for found, problem in (
        (words, "has no titles, whose words are looked up: load them (--topics)"),
        (documents, "is not judged yet, and words are looked up in judged documents: load --qrels"),
    ):
        if not found:
            advice = "before these files, or along with them"
            raise PoolhouseError(f"collection {store.collection!r} {problem} {advice}")
    replace_title_words(store, words)
    return _Looked(set().union(*words.values()), documents)


def _remarks_on_documents(store: RawStore) -> list[str]:
    [(n_judged, n_without)] = store.rows(
        """
        with judged as (
            select distinct docno from raw.qrels_lines where collection_key = $1
        )

        select
            count(*),
            count(*) filter (
                where docno not in (select docno from raw.judged_texts where collection_key = $1)
            )
        from judged
        """,
        store.collection_key,
    )
    if not n_without:
        return []
    return [
        f"{n_without} of {n_judged} judged documents have no text: titlestat is that of the others"
    ]
