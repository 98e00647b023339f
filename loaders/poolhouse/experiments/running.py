"""Experiments: runs and topics drawn from a collection, and how far estimates are off."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import duckdb

from poolhouse.building.staleness import State, collection_states
from poolhouse.errors import NotJudgedError, PoolhouseError, UnknownCollectionError
from poolhouse.experiments.parts import SAMPLES_PER_PART, Part, run_part
from poolhouse.experiments.settings import POPULATIONS, ExperimentSettings
from poolhouse.experiments.unfinished import copy_to_side, unfinished
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.leftovers import forget

# How an experiment was drawn, and when it was finished.
_SETTINGS = """
    select * exclude (collection_key, experiment)
    from {}
    where collection_key = ? and experiment = ?
"""

# Told after every part: which samples, how many parts are done, and of how many.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class ExperimentReport:
    """What a run did: parts that it found done by an earlier one, and what the user should know.

    `stored_at` (UTC) says that it found all of it done and published, at that time.
    """

    n_samples: int
    n_parts: int
    n_found_done: int
    remarks: tuple[str, ...] = ()
    stored_at: datetime | None = None

    def summary(self) -> str:
        """Say it in a line."""
        if self.stored_at:
            return f"{self.n_samples} samples, stored on {self.stored_at:%Y-%m-%d %H:%M:%S} UTC"
        earlier = f", {self.n_found_done} of them by an earlier run" if self.n_found_done else ""
        return f"{self.n_samples} samples in {self.n_parts} parts{earlier}"


def run_experiment(
    warehouse: Warehouse,
    collection: str,
    settings: ExperimentSettings,
    progress: Progress = lambda _name, _done, _total: None,
    *,
    again: bool = False,
) -> ExperimentReport:
    """Run an experiment on a built collection, and put its results in the place of earlier ones.

    Stopped, it goes on where it was when it is called again with the same settings. Finished, it is
    not done another time for the same state of the collection and the same models, unless `again`.
    Raise UnknownCollectionError, NotJudgedError, PoolhouseError where it is not built as it is
    loaded, has too few runs, or is changed meanwhile; WarehouseMissingError, WarehouseBusyError.
    """
    if not again and (stored := _stored(warehouse, collection, settings)):
        return stored
    with unfinished(warehouse) as connection:
        built = _built(connection, collection)
        parts, remarks = _parts(connection, collection, built.collection_key, settings)
        done = _done(connection, settings, built)
        for number, part in enumerate(parts):
            progress(f"{part.population}, width {part.width}", number, len(parts))
            if part.key not in done:
                run_part(connection, part)
        connection.execute(
            """
            update unfinished.experiments.settings
            set finished_at = current_timestamp at time zone 'UTC'
            where collection_key = ? and experiment = ?
            """,
            [built.collection_key, settings.experiment],
        )
    _publish(warehouse, collection, settings.experiment, built)
    return ExperimentReport(_n_samples(parts), len(parts), len(done), remarks)


def _stored(
    warehouse: Warehouse, collection: str, settings: ExperimentSettings
) -> ExperimentReport | None:
    """Return the stored report of the same experiment, of the same state and the same models."""
    with warehouse.read() as connection:
        built = _built(connection, collection)
        finished = connection.execute(
            _SETTINGS.format("experiments.settings"),
            [built.collection_key, settings.experiment],
        ).fetchall()
        for *drawn, finished_at in finished:
            if tuple(drawn) == _asked(settings, built):
                parts, remarks = _parts(connection, collection, built.collection_key, settings)
                n_parts = len(parts)
                return ExperimentReport(_n_samples(parts), n_parts, n_parts, remarks, finished_at)
    return None


def _n_samples(parts: list[Part]) -> int:
    return sum(part.last_sample - part.first_sample + 1 for part in parts)


class _Built(NamedTuple):
    """A collection, the state that it was built of, and by which models."""

    collection_key: int
    fingerprint: str
    models_version: str


def _built(connection: duckdb.DuckDBPyConnection, collection: str) -> _Built:
    """Return how a collection was built, where that is as it is loaded."""
    states = {each.collection_id: each for each in collection_states(connection)}
    if collection not in states:
        raise UnknownCollectionError(collection, list(states))
    state = states[collection]
    if not state.is_judged:
        raise NotJudgedError(collection)
    if state.state is not State.CURRENT:
        raise PoolhouseError(
            f"collection {collection!r} is {state.state}: run poolhouse build first"
        )
    [built] = connection.execute(
        """
        select collection_key, fingerprint, models_version from ops.builds where collection_key = ?
        """,
        [state.collection_key],
    ).fetchall()
    return _Built(*built)


def _parts(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    collection_key: int,
    settings: ExperimentSettings,
) -> tuple[list[Part], tuple[str, ...]]:
    """Divide an experiment into parts, as far as the collection has runs and topics for it."""
    rows = connection.execute(
        """
        select
            population,
            count(*) filter (where may_be_unpooled),
            -- less the one that is drawn as the unpooled run
            count(*) filter (where may_be_pooled)
            - cast(bool_or(may_be_unpooled and may_be_pooled) as integer)
        from intermediate.int_populations
        where collection_key = ?
        group by population
        """,
        [collection_key],
    ).fetchall()
    sizes = {population: counts for population, *counts in rows}
    parts: list[Part] = []
    remarks = []
    for population in POPULATIONS:
        n_unpooled, widest = sizes.get(population, (0, 0))
        if not n_unpooled:
            remarks.append(f"population {population}: no run of type manual")
            continue
        widths = [width for width in settings.widths if width <= widest]
        if left_out := [str(width) for width in settings.widths if width > widest]:
            remarks.append(
                f"population {population}: {widest} runs to pool, too few for width "
                f"{', '.join(left_out)}"
            )
        parts += [
            Part(
                collection,
                collection_key,
                settings,
                population,
                width,
                first,
                min(first + SAMPLES_PER_PART - 1, settings.n_samples),
            )
            for width in widths
            for first in range(1, settings.n_samples + 1, SAMPLES_PER_PART)
        ]
    n_topics = _judged_topics(connection, collection_key)
    counts = settings.common_topic_counts or ()
    if too_many := [str(count) for count in counts if count > n_topics]:
        remarks.append(f"{n_topics} judged topics, too few for {', '.join(too_many)} common ones")
    if not parts or (counts and len(too_many) == len(counts)):
        raise PoolhouseError(f"collection {collection!r}: no runs to draw: {'; '.join(remarks)}")
    return parts, tuple(remarks)


def _judged_topics(connection: duckdb.DuckDBPyConnection, collection_key: int) -> int:
    [(n_topics,)] = connection.execute(
        "select count(*) from intermediate.int_judged_topics where collection_key = ?",
        [collection_key],
    ).fetchall()
    return int(n_topics)


def _done(
    connection: duckdb.DuckDBPyConnection, settings: ExperimentSettings, built: _Built
) -> set[tuple[str, int, int]]:
    """Return which parts an earlier run has done; what it did by other settings is forgotten."""
    key = (built.collection_key, settings.experiment)
    asked = _asked(settings, built)
    begun = connection.execute(_SETTINGS.format("unfinished.experiments.settings"), key).fetchall()
    if [tuple(drawn) for *drawn, _ in begun] != [asked]:
        connection.execute("use unfinished")
        forget(connection, *key)
        connection.execute("use warehouse")
        connection.execute(
            "insert into unfinished.experiments.settings "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, current_timestamp at time zone 'UTC')",
            [*key, *asked],
        )
    return set(
        connection.execute(
            """
            select population, width, first_sample
            from unfinished.experiments.done
            where collection_key = ? and experiment = ?
            """,
            key,
        ).fetchall()
    )


def _asked(settings: ExperimentSettings, built: _Built) -> tuple[object, ...]:
    """Return the columns that tell whether the results of an experiment are what is asked for."""
    return (
        settings.n_samples,
        settings.n_topic_samples,
        settings.seed,
        settings.depth,
        list(settings.widths),
        settings.common_topic_counts and list(settings.common_topic_counts),
        built.fingerprint,
        built.models_version,
    )


def _publish(warehouse: Warehouse, collection: str, experiment: str, built: _Built) -> None:
    with warehouse.change():
        with warehouse.side() as side:
            if _built(side, collection) != built:
                raise PoolhouseError(
                    f"collection {collection!r} was rebuilt meanwhile: run the experiment again"
                )
        # The change ends by clearing away the file, as far as its experiments are published.
        copy_to_side(warehouse, built.collection_key, experiment)
