"""Ids of topics with zeros before their number, which the judgements of TREC lack."""

from poolhouse.loading.reading import Load

_HAS_ZEROS = """
select 1 from raw.topics where collection_key = $1 and starts_with(query, '0') limit 1
"""
# Of the titles that meet no line: those that meet lines without their zeros.
_DROP_ZEROS = """
with known as (
    select query from raw.run_lines where collection_key = $1
    union
    select query from raw.qrels_lines where collection_key = $1
)

update raw.topics set query = ltrim(query, '0')
where
    collection_key = $1
    and starts_with(query, '0')
    and query not in (from known)
    and ltrim(query, '0') in (from known)
    and ltrim(query, '0') not in (select query from raw.topics where collection_key = $1)
"""


def drop_zeros(load: Load) -> None:
    """Let titles of topics meet the lines of runs and judgements: 051 is 51 where these say so."""
    if load.store.rows(_HAS_ZEROS, load.store.collection_key):
        load.store.connection.execute(_DROP_ZEROS, [load.store.collection_key])
