"""Runs whose ids do not meet those of the qrels: wrong files rather than bad systems."""

from collections.abc import Mapping
from functools import cache

import duckdb

from poolhouse.option_values import TREC_EVAL_VERSIONS

_TEMPLATE = """
with

lines as ({{ lines }}),

in_qrels as ({{ in_qrels }}),

{{ mismatches() }}

"""
_OF_EACH = "select run_key, mismatch from mismatches order by run_key"
_IN_WORDS = """
select {{ mismatches_in_words('run_id', 'mismatch') }}
from mismatches
inner join raw.runs using (run_key)
"""

_MEETS = """
select exists (
    from fct_judgements
    semi join new_run on topic_id = query and doc_id = docno
    where collection_id = $collection
)
"""
_NEW_LINES = """
select 0 as collection_key, 0 as run_key, query as topic_id, docno as doc_id
from new_run
"""
_IN_QRELS = """
select 0 as collection_key, topic_id, doc_id
from fct_judgements
where collection_id = $collection
"""
_OF_LOADED = """
select runs.run_id, mismatches.mismatch
from intermediate.int_run_mismatches as mismatches
inner join intermediate.int_runs as runs using (run_key)
inner join intermediate.int_collections as collections
    on runs.collection_key = collections.collection_key
where collections.collection_id = $collection
"""


def mismatches(
    connection: duckdb.DuckDBPyConnection,
    lines: str,
    in_qrels: str,
    values: Mapping[str, object] | None = None,
) -> dict[int, str]:
    """Return what does not meet, by the keys of the runs that meet nothing.

    The rule and the words are those of the marts (macros/rules/mismatches.sql). `lines` and
    `in_qrels` are queries, which must not come from a user, for collection_key, topic_id and
    doc_id, and for run_key of the lines. Raise duckdb.Error.
    """
    return dict(connection.execute(_statement(lines, in_qrels), values).fetchall())


def mismatch_of_new_run(connection: duckdb.DuckDBPyConnection, collection: str) -> str | None:
    """Return what does not meet the qrels of a collection, for the run in the table `new_run`.

    Raise duckdb.Error.
    """
    values = {"collection": collection}
    if connection.execute(_MEETS, values).fetchall()[0][0]:
        return None
    return mismatches(connection, _NEW_LINES, _IN_QRELS, values).get(0)


def mismatches_of_loaded(connection: duckdb.DuckDBPyConnection, collection: str) -> dict[str, str]:
    """Return what does not meet the qrels, by the built runs that meet nothing.

    Raise duckdb.Error.
    """
    return dict(connection.execute(_OF_LOADED, {"collection": collection}).fetchall())


def mismatches_in_words(
    connection: duckdb.DuckDBPyConnection,
    lines: str,
    in_qrels: str,
    values: Mapping[str, object] | None = None,
) -> str | None:
    """Say the same of loaded runs, as a build says it: of one run, and name the others."""
    statement = _statement(lines, in_qrels, _IN_WORDS)
    [(said,)] = connection.execute(statement, values).fetchall()
    return str(said) if said else None


@cache
def _statement(lines: str, in_qrels: str, found: str = _OF_EACH) -> str:
    # Imported only where a run meets nothing: Jinja takes longer than the check.
    from poolhouse.building.macros import macros_of  # noqa: PLC0415

    template = macros_of(TREC_EVAL_VERSIONS[-1]).from_string(_TEMPLATE + found)
    return template.render(lines=lines, in_qrels=in_qrels)
