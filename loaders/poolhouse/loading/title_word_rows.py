"""The rows about title words in the raw schema, and the account of their files."""

from collections.abc import Collection, Mapping

import polars as pl

from poolhouse.loading.raw_store import InputFile, RawStore
from poolhouse.warehouse.frames import registered


def replace_title_words(store: RawStore, words: Mapping[str, Collection[str]]) -> None:
    """Replace the words of the titles, by topic."""
    store.forget("raw.title_words")
    rows = [(query, word) for query, each in words.items() for word in sorted(each)]
    schema = {"query": pl.String, "word": pl.String}
    store.append("raw.title_words", pl.DataFrame(rows, schema=schema, orient="row"))


def replace_words(
    store: RawStore,
    file: InputFile,
    documents: Collection[str],
    found: pl.DataFrame,
    n_duplicates: int,
) -> int:
    """Replace the rows of the file about these documents.

    `found` has query, word and docno. A row is ignored if its word is not in the title of the
    topic, or its document is not judged for the topic. A null query means every topic. Return the
    number of rows for topic, word and document.
    """
    _forget(store, file.kind, file.name)
    of_file = {"kind": pl.lit(file.kind), "name": pl.lit(file.name)}
    texts = pl.DataFrame({"docno": list(documents)}, schema={"docno": pl.String})
    store.append("raw.judged_texts", texts.with_columns(**of_file))
    with registered(store.connection, "found", found):
        [(n_found,)] = store.rows(
            """
            insert into raw.title_word_documents
            select
                $1,
                $2,
                $3,
                words.query,
                words.word,
                judged.docno
            from found
            inner join raw.title_words as words
                on found.word = words.word and coalesce(found.query, words.query) = words.query
            inner join (
                select distinct query, docno from raw.qrels_lines where collection_key = $1
            ) as judged
                on words.query = judged.query and found.docno = judged.docno
            where words.collection_key = $1
            """,
            *(store.collection_key, file.kind, file.name),
        )
    store.record(file, len(documents) if file.kind == "texts" else n_found, n_duplicates)
    return int(n_found)


def remove_file(store: RawStore, kind: str, name: str) -> None:
    """Remove a file about title words for good. Its history is kept."""
    _forget(store, kind, name)
    store.record_removal("kind = ? and name = ?", kind, name)


def _forget(store: RawStore, kind: str, name: str) -> None:
    if kind == "document_frequencies":
        store.forget("raw.document_frequencies")
        return
    for table in ("raw.judged_texts", "raw.title_word_documents"):
        store.forget(table, "kind = ? and name = ?", kind, name)
