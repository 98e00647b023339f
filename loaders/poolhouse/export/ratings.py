"""Judgements as ratings, in the forms that tools of search teams import."""

import csv
import json
from pathlib import Path

import duckdb
import polars as pl

from poolhouse.export.copies import SOURCE
from poolhouse.export.file_names import file_name_of
from poolhouse.export.request import Format
from poolhouse.output.words import counted
from poolhouse.warehouse.frames import rows_of

# Quepid imports a file with this header only.
_HEADER = ("query", "docid", "rating")
# What only the reader knows: the field with the ids of documents, and the template of a query.
_ID_FIELD = "id"
_TEMPLATE = "query.json"

# A query is known by its text, so that a title must name one topic.
_RATINGS = f"""
with queries as (
    select
        topic_id,
        nullif(trim(regexp_replace(title, '\\s+', ' ', 'g')), '') as text,
        count(*) over (partition by lower(text)) = 1 as is_title
    from {SOURCE}.main.dim_topics
    where collection_id = $collection
)

select
    topic_id,
    if(coalesce(is_title, false) and text is not null, text, topic_id) as query,
    doc_id,
    relevance,
    is_relevant,
    query = text as has_title
from {SOURCE}.main.fct_judgements
inner join queries using (topic_id)
where collection_id = $collection and is_judged
order by topic_id, relevance desc, doc_id
"""  # noqa: S608 - a constant


def write_ratings(
    connection: duckdb.DuckDBPyConnection, collection: str, format_: Format, folder: Path
) -> list[str]:
    """Write the judgements of a collection. Return a remark on topics without a title of their own.

    Grades below 0 are no judgements, and are left out.
    """
    ratings = rows_of(connection, _RATINGS, {"collection": collection})
    name = file_name_of(collection)
    if format_ is Format.QUEPID:
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(_HEADER)
            lines.writerows(ratings.select("query", "doc_id", "relevance").iter_rows())
    else:
        text = json.dumps(_of_rre(collection, ratings), indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
    n_untitled = ratings.filter(~pl.col("has_title").fill_null(value=False))["topic_id"].n_unique()
    if not n_untitled:
        return []
    topics = counted(n_untitled, "topic")
    return [f"{collection}: the id is the query of {topics} that no title names alone"]


def _of_rre(collection: str, ratings: pl.DataFrame) -> dict[str, object]:
    """Return ratings for the Rated Ranking Evaluator, where each listed document is relevant."""
    return {
        "index": collection,
        "id_field": _ID_FIELD,
        "topics": [
            {
                "description": topic_id,
                "query_groups": [
                    {
                        "name": query,
                        "queries": [{"template": _TEMPLATE, "placeholders": {"$query": query}}],
                        "relevant_documents": {
                            doc_id: {"gain": relevance}
                            for doc_id, relevance in of_topic.filter("is_relevant")
                            .select("doc_id", "relevance")
                            .iter_rows()
                        },
                    }
                ],
            }
            for (topic_id, query), of_topic in ratings.group_by(
                "topic_id", "query", maintain_order=True
            )
        ],
    }
