"""Copying the runs of another collection, and what is said about them and the topics."""

from poolhouse import __version__
from poolhouse.loading.raw_store import RawStore

# The kinds of files whose rows another collection may take.
_COPIED = ("run", "descriptions", "topics", "topic_attributes", "pool")


def copy_runs(
    store: RawStore,
    original: int,
    topics: tuple[str, ...] | None = None,
    depth: int | None = None,
) -> None:
    """Take the runs of another collection, and all that is said about them and the topics.

    `original` is its key. The settings are taken too, except those about its judgements. With
    `topics` only these are taken, which were pooled to `depth`, or not at all where it is 0.
    """
    keys = {"original": original, "collection": store.collection_key}
    of_topics = {**keys, "topics": topics}
    is_copied = "$topics is null or list_contains($topics, query)"
    of_run = "partition by lines.run_key order by lines.line_number"
    listed = "select list_number from raw.pool_documents where collection_key = $collection"
    line_number = "line_number" if topics is None else f"row_number() over ({of_run})"
    store.connection.execute(
        """
        update raw.collections as copy
        set
            declared_pool_depth = case
                when $depth is null or original.declared_pool_depth = $depth
                    then original.declared_pool_depth
            end,
            pooling_order = original.pooling_order,
            track = original.track,
            year = original.year,
            task = original.task,
            main_measure = original.main_measure,
            passage_mark = original.passage_mark
        from raw.collections as original
        where
            copy.collection_key = $collection
            and original.collection_key = $original
        """,
        {**keys, "depth": depth},
    )
    store.connection.execute(
        """
        insert into raw.runs
            (collection_key, run_id, is_after_pool, organization, run_type, description)
        select
            $collection, run_id, is_after_pool or $depth = 0, organization, run_type, description
        from raw.runs as runs
        where
            collection_key = $original
            and (
                $topics is null
                or exists (
                    from raw.run_lines as lines
                    where lines.run_key = runs.run_key and list_contains($topics, query)
                )
            )
        order by run_key
        """,
        {**of_topics, "depth": depth},
    )
    store.connection.execute(
        f"""
        insert into raw.run_lines by name
        select
            lines.* replace (
                $collection as collection_key,
                copies.run_key as run_key,
                {line_number} as line_number
            )
        from raw.run_lines as lines
        inner join raw.runs as runs on lines.run_key = runs.run_key
        inner join raw.runs as copies
            on copies.collection_key = $collection and runs.run_id = copies.run_id
        where
            lines.collection_key = $original
            and ({is_copied})
        """,  # noqa: S608 - own words
        of_topics,
    )
    for table, condition, names in (
        ("raw.descriptions", "true", keys),
        ("raw.topics", is_copied, of_topics),
        ("raw.topic_attributes", is_copied, of_topics),
        ("raw.pool_documents", is_copied, of_topics),
        ("raw.pool_lists", f"list_number in ({listed})", keys),
        ("raw.rejected_lines", f"kind in {_COPIED}", keys),
    ):
        store.connection.execute(
            f"""
            insert into {table} by name
            select * replace ($collection as collection_key) from {table}
            where collection_key = $original and ({condition})
            """,  # noqa: S608 - own words
            names,
        )
    if depth == 0:
        store.connection.execute(
            "update raw.descriptions set is_pooled = false where collection_key = $collection",
            {"collection": store.collection_key},
        )
    store.connection.execute(
        f"""
        with copied as (
            select
                'run' as kind,
                run_id as name,
                count(*) as n_copied,
                count(*) - count(distinct (query, docno)) as n_repeated
            from raw.run_lines
            inner join raw.runs using (collection_key, run_key)
            where collection_key = $collection and $topics is not null
            group by run_id
            union all
            select 'topics', 'topics', count(*), null
            from raw.topics
            where collection_key = $collection and $topics is not null
            group by collection_key
            union all
            select 'topic_attributes', 'topic_attributes', count(*), null
            from raw.topic_attributes
            where collection_key = $collection and $topics is not null
            group by collection_key
            union all
            select 'pool', 'pool', count(*), null
            from raw.pool_documents
            where collection_key = $collection and $topics is not null
            group by collection_key
        )
        insert into ops.load_history by name
        select
            files.* replace (
                $load_key as load_key,
                $collection as collection_key,
                $collection_id as collection_id,
                0 as seconds,
                $version as version,
                current_timestamp at time zone 'UTC' as loaded_at,
                n_lines + coalesce(n_copied - n_rows, 0) as n_lines,
                coalesce(n_copied, n_rows) as n_rows,
                coalesce(n_repeated, n_duplicates) as n_duplicates
            )
        from ops.files as files
        left join copied using (kind, name)
        where
            collection_key = $original
            and kind in {_COPIED}
            and (kind not in ('run', 'pool') or $topics is null or n_copied > 0)
        """,  # noqa: S608 - own words
        {
            **of_topics,
            "load_key": store.load_key,
            "collection_id": store.collection,
            "version": __version__,
        },
    )


def copy_declaration(store: RawStore, original: int, author: str) -> None:
    """Take what another collection declares of an author, who is the reference here.

    `original` is its key. The threshold is that of the collection.
    """
    store.connection.execute(
        """
        insert into raw.authors by name
        select * replace ($collection as collection_key, null as relevance_threshold)
        from raw.authors
        where collection_key = $original and author = $author
        """,
        {"original": original, "collection": store.collection_key, "author": author},
    )
