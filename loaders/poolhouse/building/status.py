"""Status: loaded, built and stale collections."""

from collections.abc import Iterable, Sequence

from poolhouse.building.settings import built_settings, chosen_settings
from poolhouse.building.staleness import State, collection_states
from poolhouse.warehouse.file import Warehouse

COLUMNS = [
    "collection",
    "runs",
    "run_lines",
    "judgements",
    "rejected_lines",
    "loaded_at",
    "built_at",
    "state",
]
# The columns for people, because others do not fit on a line of 80 characters.
SHOWN = ["collection", "runs", "judgements", "rejected_lines", "built_at", "state"]


def collection_status(warehouse: Warehouse) -> tuple[list[str], list[tuple[object, ...]]]:
    """List the collections: sizes, when they were loaded and built, and their state.

    A judgement is a pair of topic and document with a grade of `judged_from` or more, as in
    dim_collections. Raise WarehouseMissingError.
    """
    with warehouse.read() as connection:
        states = collection_states(connection)
        sizes = {
            key: rest
            for key, *rest in connection.execute(
                """
                with judged as (
                    select
                        collection_key,
                        count(distinct (query, docno)) filter (where grade >= judged_from)
                            as n_judgements
                    from raw.qrels_lines
                    inner join raw.collections using (collection_key)
                    group by collection_key
                )

                select
                    collection_key,
                    count(*) filter (where kind = 'run'),
                    sum(n_rows) filter (where kind = 'run'),
                    any_value(judged.n_judgements),
                    sum(n_rejected),
                    max(loaded_at),
                    any_value(builds.built_at)
                from ops.files as files
                full join ops.builds as builds using (collection_key)
                left join judged using (collection_key)
                group by collection_key
                """
            ).fetchall()
        }
    empty = [None] * (len(COLUMNS) - 2)
    return COLUMNS, [
        (each.collection_id, *sizes.get(each.collection_key, empty), each.description)
        for each in states
    ]


def shown(rows: Iterable[Sequence[object]]) -> list[tuple[object, ...]]:
    """Select the columns for people."""
    places = [COLUMNS.index(name) for name in SHOWN]
    return [tuple(row[place] for place in places) for row in rows]


def is_stale(warehouse: Warehouse) -> bool:
    """Return whether a collection needs a build. Raise WarehouseMissingError."""
    with warehouse.read() as connection:
        return any(each.state is not State.CURRENT for each in collection_states(connection))


def notes_on_collections(warehouse: Warehouse) -> list[str]:
    """Say of each collection what limits its figures, if its marts are current.

    Some of its topics have no judgements, or its pool depth is not known.

    Raise WarehouseMissingError.
    """
    return _said_of_current(
        warehouse,
        """
        with notes as (
            select collection_id, unnest([topics_caveat, judging_caveat]) as note
            from dim_collections
            where list_contains($current, collection_id)
        )
        select concat_ws(': ', collection_id, note) from notes
        where note is not null
        order by collection_id
        """,
    )


def verdicts(warehouse: Warehouse) -> list[str]:
    """Say of each collection whose marts are current what its scores and its estimates are worth.

    Raise WarehouseMissingError.
    """
    return _said_of_current(
        warehouse,
        """
        select concat_ws('; ', collection_id || ': ' || verdict, accuracy_with_estimates)
        from audit_collections
        where list_contains($current, collection_id)
        order by collection_id
        """,
    )


def _said_of_current(warehouse: Warehouse, query: str) -> list[str]:
    """Return the texts of a query about the collections whose marts are current."""
    with warehouse.read() as connection:
        states = collection_states(connection)
        current = [each.collection_id for each in states if each.state is State.CURRENT]
        # Without a build, there are no marts to ask.
        rows = connection.execute(query, {"current": current}).fetchall() if current else []
    return [text for (text,) in rows]


def settings_note(warehouse: Warehouse) -> str:
    """Name the settings that differ from the defaults, and the settings changed since the build.

    The text is empty if there are none. Raise WarehouseMissingError.
    """
    with warehouse.read() as connection:
        chosen, built = chosen_settings(connection), built_settings(connection) or {}
    parts = {
        "settings that differ from the default": list(chosen),
        "not built yet": [
            name for name in sorted({*chosen, *built}) if chosen.get(name) != built.get(name)
        ],
    }
    return "; ".join(f"{words}: {', '.join(names)}" for words, names in parts.items() if names)
