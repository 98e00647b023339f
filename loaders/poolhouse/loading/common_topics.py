"""Loading common topics: judgements that were made for one run, on topics of its choice."""

from dataclasses import replace

from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.judgements import count_judgements
from poolhouse.loading.raw_store import RawStore
from poolhouse.loading.reading import Load


def load_common_topics(load: Load) -> None:
    """Load the judgements for each run that the request names, in the place of the loaded ones.

    Raise PoolhouseError where there is no such run. Raise BadFileError.
    """
    runs, known = load.store.hashes("run"), load.known_hashes("common_topics")
    for given in load.inputs("common_topics"):
        run_id = given.name
        if run_id not in runs:
            problem = (
                f"run {run_id!r} is not in collection {load.request.collection!r}"
                f"{did_you_mean(run_id, runs)}"
            )
            raise PoolhouseError(f"common topics of {given.path}: {problem}")
        if loaded := load.read(given, load.parse_qrels, known):
            file, parsed = loaded
            n_before, n_topics_before = _counts(load.store, run_id)
            lines = replace(parsed, rows=parsed.rows.drop("iteration"))
            load.store.replace("raw.common_judgements", file, lines, run_id=run_id)
            if n_before:
                # they may be fewer
                n_now, n_topics_now = _counts(load.store, run_id)
                load.report.remarks.append(
                    f"common topics of run {run_id!r}: {n_now} judgements of {n_topics_now} topics "
                    f"replaced {n_before} of {n_topics_before} topics (a file holds all judgements "
                    "for its run)"
                )
            count_judgements(load, *loaded)


def _counts(store: RawStore, run_id: str) -> tuple[int, int]:
    """Count the judgements that were made for this run, and their topics."""
    [counts] = store.of_collection(
        "select count(distinct (query, docno)), count(distinct query) from raw.common_judgements",
        "run_id = ?",
        run_id,
    )
    return counts
