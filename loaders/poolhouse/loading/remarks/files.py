"""Remarks on runs, and on what is said about runs and topics."""

import os
from collections.abc import Iterator
from pathlib import Path

from poolhouse.loading.reading import Load, as_text
from poolhouse.output.words import some_of


def on_depth(load: Load) -> Iterator[str]:
    """Repeat why the last build did not know the pool depth, if it is still not declared."""
    # Marts may be missing.
    if not load.store.rows("from duckdb_columns() where table_name = 'dim_collections' limit 1"):
        return
    for (caveat,) in load.store.rows(
        """
        select judging_caveat
        from main.dim_collections
        inner join raw.collections using (collection_id)
        where
            collection_key = $1
            and pool_depth is null
            and coalesce(cast(declared_pool_depth as varchar), declared_judging) is null
            and judging_caveat <> ''
        """,
        load.store.collection_key,
    ):
        yield caveat


def on_descriptions(load: Load) -> Iterator[str]:
    """Remark on runs and descriptions without a partner, often because of a typing error."""
    unmatched, not_loaded = _unmatched(load, "raw.runs", "raw.descriptions", "run_id")
    select = "select run_id from raw.runs"
    by_metadata = {run for (run,) in load.store.of_collection(select, "organization is not null")}
    undescribed = [run_id for run_id in unmatched if run_id not in by_metadata]
    if not (load.store.hashes("descriptions") or by_metadata):
        yield "no descriptions: every run counts as an organization of its own"
    elif undescribed:
        yield f"not described, each counted as its own organization: {some_of(undescribed)}"
    if not_loaded:
        yield f"runs that are described but not loaded: {some_of(not_loaded)}"


def on_topic_attributes(load: Load) -> Iterator[str]:
    """Remark on judged topics without attributes, and on unjudged topics with attributes."""
    if not (load.store.hashes("topic_attributes") and load.store.hashes("qrels")):
        return
    without, not_judged = _unmatched(load, "raw.qrels_lines", "raw.topic_attributes", "query")
    if without:
        yield f"judged topics without attributes: {some_of(without)}"
    if not_judged:
        yield f"topics with attributes that are not judged: {some_of(not_judged)}"


def on_missing_files(load: Load) -> Iterator[str]:
    """Remark on loaded runs whose files were removed from the folders of the other files."""
    folders = {as_text(path.absolute().parent) for path in load.request.run_files}
    here = set(load.request.run_ids)
    gone = [
        run_id
        for run_id, path in load.store.of_collection(
            "select name, path from ops.files", "kind = 'run'"
        )
        if run_id not in here
        and str(Path(path).parent) in folders
        # Such a path may stand for an existing path that is not in UTF-8.
        and "\N{REPLACEMENT CHARACTER}" not in path
        and not os.path.exists(path)  # noqa: PTH110 - no error where a folder cannot be read
    ]
    if gone:
        yield (
            "still loaded, though their files are no longer in the folder: "
            f"{some_of(sorted(gone))} (poolhouse remove removes runs)"
        )


def on_official_results(load: Load) -> Iterator[str]:
    """Remark on official results of runs that are not loaded: perhaps another track's page."""
    if "official_results" not in load.new:
        return
    unpublished, not_loaded = _unmatched(load, "raw.runs", "raw.official_results", "run_id")
    if len(unpublished) == len(load.store.hashes("run")):
        yield "the official results are about runs that are not loaded, all of them"
    elif not_loaded:
        yield f"official results of runs that are not loaded: {some_of(not_loaded)}"


def _unmatched(load: Load, table: str, other: str, column: str) -> tuple[list[str], list[str]]:
    """Return the values of a column that only the first table has, and those of the other."""
    [(only_first, only_other)] = load.store.rows(
        f"""
        select
            list(here order by here) filter (where there is null),
            list(there order by there) filter (where here is null)
        from (select distinct {column} as here from {table} where collection_key = $1)
        full join (select distinct {column} as there from {other} where collection_key = $1)
            on here = there
        """,  # noqa: S608 - own words
        load.store.collection_key,
    )
    return only_first or [], only_other or []
