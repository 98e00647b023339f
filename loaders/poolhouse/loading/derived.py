"""A collection made of another one: its runs, with the judgements of an author or a mixture.

So every mart, verdict, comparison and report exists for any author, through the one engine. The
judgements are those from which author_topic_scores computes (the macro author_qrels).
"""

import duckdb

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError
from poolhouse.loading.author_names import BETWEEN_AUTHORS, REFERENCE
from poolhouse.loading.load import (
    CollectionSettings,
    LoadReport,
    LoadRequest,
    Progress,
    check_name,
    load_into,
)
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.trec_text import MadeTexts, qrels_text
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.queries import explanation


def load_judged_by(
    warehouse: Warehouse,
    collection: str,
    original: str,
    author: str,
    progress: Progress = lambda _: None,
) -> LoadReport:
    """Load a new collection: the runs of another one, judged by an author or a mixture of authors.

    Descriptions, titles, attributes of topics and settings are those of the original. The grades of
    one author are on its own scale, with its threshold; those of a mixture are on the scale of the
    reference. Common topics and title words are left out, because they were judged by the reference
    or looked up in documents that it judged. Raise PoolhouseError where the collection exists, the
    marts of the original are not current, or it has no such author. Raise UnknownCollectionError,
    NotJudgedError, WarehouseMissingError or WarehouseBusyError.
    """
    check_name(collection)
    with warehouse.read():
        pass  # it creates no warehouse
    with warehouse.change(), warehouse.side() as connection:
        check_built(connection, original)
        keys = dict(
            connection.execute(
                "select collection_id, collection_key from raw.collections"
            ).fetchall()
        )
        if collection in keys:
            raise PoolhouseError(
                f"collection {collection!r} exists already: poolhouse remove it first, or give "
                "the new one another name"
            )
        request = _request(connection, collection, original, author)
        connection.begin()
        store = RawStore.declared(connection, collection)
        store.copy_runs(keys[original])
        connection.commit()
        report = load_into(connection, request, progress)
        if request.reference:
            store.copy_declaration(keys[original], request.reference)
        report.is_new = True
    return report


def _request(
    connection: duckdb.DuckDBPyConnection, collection: str, original: str, author: str
) -> LoadRequest:
    """Return the judgements of the author as those of a load, with the scale on which they are."""
    try:
        labels = rows_of(
            connection,
            """
            select topic_id as query, doc_id as docno, grade
            from author_qrels($original, $author)
            order by all
            """,
            {"original": original, "author": author},
        )
    except duckdb.Error as error:
        raise PoolhouseError(explanation(error)) from error
    store = RawStore.existing(connection, original)
    is_mixture = BETWEEN_AUTHORS in author
    name = store.reference_author() if author == REFERENCE else author
    threshold, highest = store.declared_scale()
    if not is_mixture and name != store.reference_author():
        own, highest = store.declared_authors().get(author, (None, None))
        threshold = own or threshold
    [(title,)] = connection.execute(
        "select title from raw.collections where collection_id = ?", [original]
    ).fetchall()
    return LoadRequest(
        collection,
        settings=CollectionSettings(
            title=f"{title or original}, judged by {author}",
            relevance_threshold=threshold,
            highest_grade=highest,
        ),
        # A mixture is nobody's name: its parts would be looked up one by one.
        reference=None if is_mixture else name,
        made=MadeTexts(qrels=qrels_text(labels, f"judgements of {author} in {original}")),
    )
