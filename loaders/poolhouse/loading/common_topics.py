"""Loading common topics: judgements that were made for one run, on topics of its choice."""

from dataclasses import replace

from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.judgements import new_judgements
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import Load


def load_common_topics(load: Load) -> None:
    """Load the judgements for each run that the request names, in the place of the loaded ones.

    Raise PoolhouseError where there is no such run. Raise BadFileError.
    """
    runs = load.store.hashes("run")
    for given in load.inputs("common_topics"):
        if given.name not in runs:
            raise PoolhouseError(
                f"common topics of {given.path}: run {given.name!r} is not in collection "
                f"{load.request.collection!r}{did_you_mean(given.name, runs)}"
            )
    for given, file, parsed in new_judgements(load, "common_topics"):
        n_before, n_topics_before = _counts(load.store, given.name)
        lines = replace(parsed, rows=parsed.rows.drop("iteration"))
        load.store.replace("raw.common_judgements", file, lines, run_id=given.name)
        if n_before:
            # they may be fewer
            n_now, n_topics_now = _counts(load.store, given.name)
            load.report.remarks.append(
                f"common topics of run {given.name!r}: {n_now} judgements of {n_topics_now} topics "
                f"replaced {n_before} of {n_topics_before} topics (a file holds all judgements for "
                "its run)"
            )


def _counts(store: RawStore, run_id: str) -> tuple[int, int]:
    """Count the judgements that were made for this run, and their topics."""
    [counts] = store.of_collection(
        "select count(distinct (query, docno)), count(distinct query) from raw.common_judgements",
        "run_id = ?",
        run_id,
    )
    return counts
