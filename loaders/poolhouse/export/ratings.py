"""Judgements as ratings, in the forms that tools of search teams import."""

from pathlib import Path

import duckdb
import polars as pl

from poolhouse.export.copies import SOURCE
from poolhouse.export.file_names import file_name_of
from poolhouse.export.mart_files import write_json
from poolhouse.export.request import Format
from poolhouse.output.words import counted
from poolhouse.warehouse.frames import rows_of

# What only the reader knows: the field with the ids of documents, and the template of a query.
_ID_FIELD = "id"
_TEMPLATE = "query.json"

# A query is known by its text, so that a title must name one topic. A judgement may be below 0.
_RATINGS = f"""
with queries as (
    select
        topic_id,
        nullif(trim(regexp_replace(title, '\\s+', ' ', 'g')), '') as text,
        text is not null and count(*) over (partition by lower(text)) = 1 as has_title
    from {SOURCE}.main.dim_topics
    where collection_id = $collection
)

select
    if(has_title, text, topic_id) as query,
    doc_id as docid,
    greatest(relevance, 0) as rating,
    topic_id,
    is_relevant,
    has_title
from {SOURCE}.main.fct_judgements
inner join queries using (topic_id)
where collection_id = $collection and is_judged
order by topic_id, rating desc, doc_id
"""  # noqa: S608 - a constant


def write_ratings(
    connection: duckdb.DuckDBPyConnection, collection: str, format_: Format, folder: Path
) -> list[str]:
    """Write the judgements of a collection. Return a remark on topics without a title of their own.

    What is unjudged is left out. Quepid imports only files with this header.
    """
    ratings = rows_of(connection, _RATINGS, {"collection": collection})
    name = file_name_of(collection)
    if format_ is Format.QUEPID:
        ratings.select("query", "docid", "rating").write_csv(folder / f"{name}.csv")
    else:
        write_json(folder / f"{name}.json", _of_rre(collection, ratings))
    untitled = ratings.filter(~pl.col("has_title"))["topic_id"].n_unique()
    told = f"the id is the query of {counted(untitled, 'topic')} that no title names alone"
    return [f"{collection}: {told}"] if untitled else []


def _of_rre(collection: str, ratings: pl.DataFrame) -> dict[str, object]:
    """Return ratings for the Rated Ranking Evaluator, where each listed document is relevant."""
    topics = []
    for (topic, query), rows in ratings.group_by("topic_id", "query", maintain_order=True):
        relevant = rows.filter("is_relevant").select("docid", "rating").iter_rows()
        group = {
            "name": query,
            "queries": [{"template": _TEMPLATE, "placeholders": {"$query": query}}],
            "relevant_documents": {document: {"gain": rating} for document, rating in relevant},
        }
        topics.append({"description": topic, "query_groups": [group]})
    return {"index": collection, "id_field": _ID_FIELD, "topics": topics}
