"""A collection made of another one: its runs, with the judgements of an author or a mixture.

It may have only the topics that were pooled to one depth. So every mart, verdict, comparison and
report exists for any author and any pool, through the one engine. The judgements are those from
which author_topic_scores computes (the macro author_qrels).
"""

from typing import NamedTuple

import duckdb

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError
from poolhouse.loading.author_names import BETWEEN_AUTHORS, REFERENCE
from poolhouse.loading.authors import declared_authors
from poolhouse.loading.copying import copy_declaration, copy_runs
from poolhouse.loading.load import check_name, load_into
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import LoadReport
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.trec_text import pairs_text, qrels_text
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.queries import explanation


def load_derived(
    warehouse: Warehouse,
    collection: str,
    original: str,
    author: str = REFERENCE,
    *,
    depth: int | None = None,
) -> LoadReport:
    """Load a new collection: the runs of another one, judged by an author or a mixture of authors.

    With a `depth`, it has the topics whose pool has this depth; 0 stands for the topics on which
    the loaded runs were not pooled. Descriptions, titles, attributes of topics and settings are
    those of the original. The grades of one author are on its own scale, with its threshold; those
    of a mixture are on the scale of the reference. Common topics and title words are left out,
    because they were judged by the reference or looked up in documents that it judged. Raise
    PoolhouseError where the collection exists, the marts of the original are not current, or it has
    no such author or no such topic. Raise UnknownCollectionError, NotJudgedError,
    WarehouseMissingError or WarehouseBusyError.
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
        part = None if depth is None else _part_of(connection, original, depth)
        request = _request(connection, collection, original, author, part)
        connection.begin()
        store = RawStore.declared(connection, collection)
        copy_runs(store, keys[original], part.topics if part else None, depth)
        connection.commit()
        report = load_into(connection, request)
        if request.reference:
            copy_declaration(store, keys[original], request.reference)
        report.is_new = True
    return report


class _Part(NamedTuple):
    """The judged topics that were pooled to one depth; 0 where the runs were not pooled."""

    topics: tuple[str, ...]
    depth: int


def _part_of(connection: duckdb.DuckDBPyConnection, original: str, depth: int) -> _Part:
    """Return the topics of one depth. Raise PoolhouseError where there are none, or no others."""
    rows = connection.execute(
        """
        select topic_id, coalesce(pool_depth, 0) from dim_topics
        where
            collection_id = $original
            and is_judged
        order by topic_id
        """,
        {"original": original},
    ).fetchall()
    if len({pool_depth for _, pool_depth in rows}) == 1:
        raise PoolhouseError(f"all judged topics of {original!r} are of one pool")
    if found := tuple(topic_id for topic_id, pool_depth in rows if pool_depth == depth):
        return _Part(found, depth)
    depths = {each: str(each) if each else "0 (not pooled)" for _, each in rows}
    raise PoolhouseError(
        f"no topic of {original!r} was pooled to depth {depth}; there are: "
        f"{', '.join(depths[each] for each in sorted(depths))}"
    )


def _request(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    original: str,
    author: str,
    part: _Part | None,
) -> LoadRequest:
    """Return the judgements of the author as those of a load, with the scale on which they are."""
    try:
        labels = rows_of(
            connection,
            """
            select topic_id as query, doc_id as docno, grade
            from author_qrels($original, $author)
            where $topics is null or list_contains($topics, topic_id)
            order by all
            """,
            {"original": original, "author": author, "topics": part and part.topics},
        )
    except duckdb.Error as error:
        raise PoolhouseError(explanation(error)) from error
    store = RawStore.existing(connection, original)
    is_mixture = BETWEEN_AUTHORS in author
    name = store.reference_author() if author == REFERENCE else author
    threshold, highest = store.declared_scale()
    if not is_mixture and name != store.reference_author():
        own, highest = declared_authors(store).get(author, (None, None))
        threshold = own or threshold
    [(title, leaves_out_own_id)] = connection.execute(
        "select title, leaves_out_own_id from raw.collections where collection_id = ?", [original]
    ).fetchall()
    pairs = rows_of(
        connection,
        """
        select distinct query, docno
        from raw.leave_out_pairs
        where
            collection_key = $original
            and ($topics is null or list_contains($topics, query))
            -- the copy finds those of its own ids
            and (line_number is not null or query <> docno or not $own_ids)
        order by all
        """,
        {
            "original": store.collection_key,
            "topics": part and part.topics,
            "own_ids": leaves_out_own_id,
        },
    )
    return LoadRequest(
        collection,
        leave_out_own_id=leaves_out_own_id,
        leave_out=None if pairs.is_empty() else pairs_text(pairs, f"left out in {original}"),
        qrels=qrels_text(labels, f"judgements of {author} in {original}"),
        title=f"{title or original}, {_difference(author, part)}",
        threshold=threshold,
        highest_grade=highest,
        # A mixture is nobody's name: its parts would be looked up one by one.
        reference=None if is_mixture else name,
    )


def _difference(author: str, part: _Part | None) -> str:
    if part is None:
        return f"judged by {author}"
    pool = f"pooled to depth {part.depth}" if part.depth else "on which its runs were not pooled"
    of_topics = f"{len(part.topics)} topics {pool}"
    return of_topics if author == REFERENCE else f"{of_topics}, judged by {author}"
