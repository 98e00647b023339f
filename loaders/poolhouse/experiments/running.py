"""Running experiments: sampling runs and topics of a collection, and measuring errors."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import duckdb

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError
from poolhouse.experiments.parts import (
    POOLED_RUNS_PER_PART,
    SAMPLES_PER_PART,
    TOPIC_SAMPLES_PER_PART,
    Part,
    prepare,
    run_part,
)
from poolhouse.experiments.requests import POPULATIONS, ExperimentSettings
from poolhouse.experiments.results import (
    Results,
    computed_results,
    computing,
    replace_results,
    store_settings,
    stored_at,
)
from poolhouse.progress import Progress, no_progress
from poolhouse.warehouse.busy import when_free
from poolhouse.warehouse.file import Warehouse

# Seconds that a finished experiment waits for a load or build to end before it gives up.
_PATIENCE = 600.0


@dataclass(frozen=True)
class ExperimentReport:
    """The result of a run, and remarks for the user.

    The samples of the experiment `pools` are its pools. `stored_at` (UTC) is the time at which the
    whole experiment was published, if it was before.
    """

    n_samples: int
    n_parts: int
    remarks: tuple[str, ...] = ()
    stored_at: datetime | None = None

    def summary(self) -> str:
        """Describe the result in a line."""
        if self.stored_at:
            return f"{self.n_samples} samples, stored on {self.stored_at:%Y-%m-%d %H:%M:%S} UTC"
        return f"{self.n_samples} samples in {self.n_parts} parts"


class Built(NamedTuple):
    """A collection, the state of its files at the build, and the version of the models."""

    collection_key: int
    fingerprint: str
    models_version: str


def run_experiment(
    warehouse: Warehouse,
    collection: str,
    settings: ExperimentSettings,
    progress: Progress = no_progress,
    *,
    again: bool = False,
) -> ExperimentReport:
    """Run an experiment on a built collection, and replace its earlier results.

    A finished experiment is not repeated for the same state of the collection and the same models,
    unless `again`. An interrupted one leaves nothing. Raise UnknownCollectionError, NotJudgedError,
    WarehouseMissingError or WarehouseBusyError. Raise PoolhouseError where the marts of the
    collection are not current, it has too few runs, or it changes meanwhile.
    """
    if not again and (stored := _stored(warehouse, collection, settings)):
        return stored
    with computing(warehouse) as connection:
        built = built_state(connection, collection)
        prepare(connection, collection, settings.depth)
        parts, remarks = _parts(connection, collection, built.collection_key, settings)
        for number, part in enumerate(parts):
            progress(f"{part.population}, width {part.width}", number, len(parts))
            run_part(connection, part)
        store_settings(connection, _asked(settings, built))
        results = computed_results(connection)
    publish(warehouse, collection, built, settings.experiment, results)
    return ExperimentReport(_n_samples(parts), len(parts), remarks)


def publish(
    warehouse: Warehouse, collection: str, built: Built, experiment: str, results: Results
) -> None:
    """Replace the stored results of an experiment. Wait for a load or a build to end.

    Raise PoolhouseError where the collection was rebuilt since `built`.
    """

    def replace() -> None:
        with warehouse.change(), warehouse.side() as side:
            if built_state(side, collection) != built:
                raise PoolhouseError(
                    f"collection {collection!r} was rebuilt meanwhile: run the experiment again"
                )
            replace_results(side, results, built.collection_key, experiment)

    when_free(replace, _PATIENCE)


def _stored(
    warehouse: Warehouse, collection: str, settings: ExperimentSettings
) -> ExperimentReport | None:
    """Return the stored report of the same experiment, of the same state and the same models."""
    with warehouse.read() as connection:
        built = built_state(connection, collection)
        if finished_at := stored_at(connection, _asked(settings, built)):
            parts, remarks = _parts(connection, collection, built.collection_key, settings)
            return ExperimentReport(_n_samples(parts), len(parts), remarks, finished_at)
    return None


def _n_samples(parts: list[Part]) -> int:
    return sum(part.last_sample - part.first_sample + 1 for part in parts)


def built_state(connection: duckdb.DuckDBPyConnection, collection: str) -> Built:
    """Return the build of a collection. Raise the errors of `check_built`."""
    check_built(connection, collection)
    [built] = connection.execute(
        """
        select collection_key, fingerprint, models_version
        from ops.builds
        inner join raw.collections using (collection_key)
        where collection_id = ?
        """,
        [collection],
    ).fetchall()
    return Built(*built)


def _parts(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    collection_key: int,
    settings: ExperimentSettings,
) -> tuple[list[Part], tuple[str, ...]]:
    """Divide an experiment into parts for the runs and topics of the collection."""
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
                min(first + n_at_once - 1, settings.n_samples),
            )
            for width in widths
            for n_at_once in [_samples_at_once(settings, width)]
            for first in range(1, settings.n_samples + 1, n_at_once)
        ]
    n_topics = _judged_topics(connection, collection_key)
    counts = settings.common_topic_counts or ()
    if too_many := [str(count) for count in counts if count > n_topics]:
        remarks.append(f"{n_topics} judged topics, too few for {', '.join(too_many)} common ones")
    if not parts or (counts and len(too_many) == len(counts)):
        raise PoolhouseError(f"collection {collection!r}: no runs to draw: {'; '.join(remarks)}")
    return parts, tuple(remarks)


def _samples_at_once(settings: ExperimentSettings, width: int) -> int:
    """Return the number of samples of a part, which the memory limits."""
    limits = [SAMPLES_PER_PART, TOPIC_SAMPLES_PER_PART // (settings.n_topic_samples or 1)]
    if settings.experiment == "systems":
        limits.append(POOLED_RUNS_PER_PART // width)
    return max(1, min(limits))


def _judged_topics(connection: duckdb.DuckDBPyConnection, collection_key: int) -> int:
    [(n_topics,)] = connection.execute(
        "select count(*) from intermediate.int_judged_topics where collection_key = ?",
        [collection_key],
    ).fetchall()
    return int(n_topics)


def _asked(settings: ExperimentSettings, built: Built) -> dict[str, object]:
    """Return what identifies the requested experiment, by column."""
    counts = settings.common_topic_counts
    return {
        **built._asdict(),
        "experiment": settings.experiment,
        "n_samples": settings.n_samples,
        "n_topic_samples": settings.n_topic_samples,
        "seed": settings.seed,
        "depth": settings.depth,
        "widths": list(settings.widths),
        "common_topic_counts": counts and list(counts),
    }
