"""Scores, pools and qrels as files of TREC, in the formats of trec_eval."""

from collections.abc import Iterator
from pathlib import Path

import duckdb

from poolhouse.errors import PoolhouseError
from poolhouse.export.collection_files import LINES, write_collection_files
from poolhouse.export.copies import SOURCE
from poolhouse.export.file_names import file_name_of
from poolhouse.scoring.score_tables import trec_eval_lines
from poolhouse.scoring.scores import Scores
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.sql_text import quoted_text

STEPS_OF_TREC_FILES = 4

# Scores of trec_eval: all judgements count, and unjudged documents are not relevant. trec_eval has
# no name for a measure with another relevance level, which is an option there.
_AS_TREC_EVAL = """
    collection_id = $collection
    and judgement_set = 'full'
    and unjudged = 'nonrelevant'
    and scores.trec_eval_name not like '% %'
"""
_OVER_TOPICS = f"""
select
    scores.run_id,
    scores.measure,
    scores.trec_eval_name,
    measures.aggregation,
    scores.score,
    scores.score_all_topics,
    scores.n_topics,
    scores.n_topics as n_judged_topics
from {SOURCE}.main.fct_run_scores as scores
inner join {SOURCE}.main.dim_measures as measures using (measure)
where {_AS_TREC_EVAL} and scores.n_topics > 0
order by scores.run_id, measures.position
"""  # noqa: S608 - a constant
_BY_TOPIC = f"""
select
    scores.run_id, scores.topic_id, scores.measure, scores.trec_eval_name, scores.score,
    scores.is_answered
from {SOURCE}.main.fct_topic_scores as scores
inner join {SOURCE}.main.dim_measures as measures using (measure)
where {_AS_TREC_EVAL} and scores.is_answered
order by scores.run_id, scores.topic_id, measures.position
"""  # noqa: S608 - a constant
# Without a pool depth nothing tells who contributed a document, and an empty pool would be false.
_HAS_POOL = f"""
select 1 from {SOURCE}.main.dim_collections
where collection_id = $collection and pool_depth is not null
"""  # noqa: S608 - a constant
_ORGANIZATIONS = f"""
select distinct organization from {SOURCE}.main.dim_runs
where collection_id = $collection and is_pooled order by all
"""  # noqa: S608 - a constant

_WITH_BLANK = f"""
with ids as (
    select collection_key, unnest([query, docno]) as id from {SOURCE}.raw.qrels_lines
    union all
    select collection_key, unnest([query, docno]) from {SOURCE}.raw.author_lines
)
select id from ids inner join {SOURCE}.raw.collections using (collection_key)
where collection_id = $collection and contains(id, ' ')
limit 1
"""  # noqa: S608 - a constant
# The lines of qrels: `topic 0 docno grade`.
_QRELS = f"""
select topic_id || ' 0 ' || doc_id || ' ' || relevance as line
from {SOURCE}.main.fct_judgements
where collection_id = {{collection}} and {{chosen}}
order by topic_id, doc_id
"""  # noqa: S608 - a constant
_COMPRESSED = f"{LINES}, compression gzip"


def write_trec_files(
    connection: duckdb.DuckDBPyConnection, collection: str, folder: Path
) -> Iterator[str]:
    """Write the files of a judged collection. Report each kind before it is written.

    Raise PoolhouseError where a topic or document of its judgements has an id with a blank.
    """
    for (found,) in connection.execute(_WITH_BLANK, {"collection": collection}).fetchall():
        raise PoolhouseError(
            f"{found!r} of {collection!r} holds a blank, so that no line of TREC can hold it: "
            "choose another --format, such as quepid"
        )
    place = folder / file_name_of(collection)
    for name in ("scores", "qrels"):
        (place / name).mkdir(parents=True)
    yield "scores"
    _write_scores(connection, collection, place / "scores")
    yield "qrels"
    if connection.execute(_HAS_POOL, {"collection": collection}).fetchall():
        yield from _write_pools(connection, collection, place)
    yield "files to load"
    write_collection_files(connection, collection, place)


def _write_pools(
    connection: duckdb.DuckDBPyConnection, collection: str, place: Path
) -> Iterator[str]:
    _write_qrels(connection, collection, "n_contributing_runs > 0", place / "qrels" / "pool.txt")
    yield "qrels without an organization"
    (place / "qrels_without_organization").mkdir()
    for (organization,) in connection.execute(
        _ORGANIZATIONS, {"collection": collection}
    ).fetchall():
        file = place / "qrels_without_organization" / f"{file_name_of(organization)}.txt.gz"
        stays = f"sole_organization is distinct from {quoted_text(organization)}"
        _write_qrels(connection, collection, stays, file)


def _write_scores(connection: duckdb.DuckDBPyConnection, collection: str, folder: Path) -> None:
    """Write one file per run, with the lines of `trec_eval -q`."""
    values = {"collection": collection}
    over_topics = rows_of(connection, _OVER_TOPICS, values)
    by_topic = rows_of(connection, _BY_TOPIC, values)
    topics = by_topic.partition_by("run_id", as_dict=True, maintain_order=True)
    for (run_id,), of_run in over_topics.group_by("run_id", maintain_order=True):
        scores = Scores(of_run, topics[run_id,], ())
        with (folder / f"{file_name_of(str(run_id))}.txt").open("w", encoding="utf-8") as file:
            for line in trec_eval_lines(scores, by_topic=True, is_complete=False):
                file.write(f"{line}\n")


def _write_qrels(
    connection: duckdb.DuckDBPyConnection, collection: str, chosen: str, file: Path
) -> None:
    lines = _QRELS.format(collection=quoted_text(collection), chosen=chosen)
    options = _COMPRESSED if file.suffix == ".gz" else LINES
    connection.execute(f"copy ({lines}) to {quoted_text(str(file))} ({options})")
