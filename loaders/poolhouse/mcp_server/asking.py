"""Tools that ask the warehouse: its collections, SQL, and the questions of the cookbook."""

from collections.abc import Mapping

from poolhouse.building.staleness import collection_states
from poolhouse.cookbook.answers import answer
from poolhouse.cookbook.entries import entries, entry_named
from poolhouse.mcp_server.answers import MOST_COUNTED, Answer
from poolhouse.mcp_server.source import Source
from poolhouse.warehouse.queries import run_query

_COLLECTIONS = """
select
    collection_id, verdict, verdict_reasons, not_told, accuracy_with_estimates, topics_caveat,
    judging_caveat, title, main_measure, pool_depth, pool_depth_source, n_runs, n_pooled_runs,
    n_topics, n_judgements, n_relevant
from dim_collections left join audit_collections using (collection_id)
order by collection_id
"""


def list_collections(source: Source) -> Answer:
    """Say of each collection what it is worth, and whether its marts are current."""
    with source.warehouse.read() as connection:
        notes = [each.problem for each in collection_states(connection) if each.problem]
        result = run_query(source.warehouse, _COLLECTIONS)
    return Answer(result.columns, result.rows, notes)


def run_sql(source: Source, query: str) -> Answer:
    """Run a statement as `poolhouse sql` does."""
    result = run_query(source.warehouse, query, most=MOST_COUNTED + 1)
    return Answer(result.columns, result.rows)


def list_questions(_source: Source) -> Answer:
    """List the cookbook."""
    rows = [(each.name, each.about, each.question, each.parameters) for each in entries()]
    return Answer(("name", "about", "question", "parameters"), rows)


def answer_question(
    source: Source, question: str, values: Mapping[str, object] | None = None, **usual: str
) -> Answer:
    """Answer a question of the cookbook."""
    entry = entry_named(question)
    given = {name: str(value) for name, value in {**(values or {}), **usual}.items()}
    result = answer(source.warehouse, entry, given, MOST_COUNTED + 1)
    return Answer(result.columns, result.rows, [entry.question, entry.notes])
