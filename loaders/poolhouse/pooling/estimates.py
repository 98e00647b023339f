"""Scores estimated from a sample, whose design a file holds."""

from io import BytesIO
from pathlib import Path

import duckdb
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import BadFileError, PoolhouseError
from poolhouse.loading.parsers import read_source
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.queries import explanation

# The columns of sampling.py, as `pool make` writes them.
_DESIGN = {
    "topic_id": pl.String,
    "doc_id": pl.String,
    "stratum": pl.Int32,
    "n_documents": pl.Int32,
    "inclusion_probability": pl.Float64,
    "joint_probability": pl.Float64,
    "between_factor": pl.Float64,
    "is_sampled": pl.Boolean,
}


def sample_scores(
    warehouse: Warehouse, collection: str, design: Path, *, only_judged_topics: bool = False
) -> pl.DataFrame:
    """Return the rows of sample_run_scores for the design in a CSV file.

    Raise BadFileError where the file is no design. Raise PoolhouseError where the marts are not
    current, or documents of the sample are not judged, unless `only_judged_topics`.
    """
    try:
        frame = pl.read_csv(
            BytesIO(read_source(design).data), columns=list(_DESIGN), schema_overrides=_DESIGN
        )
    except pl.exceptions.PolarsError as error:
        raise BadFileError(
            design,
            "is no design of `pool make`: name the file that ends in .design.csv, beside the list",
        ) from error
    with warehouse.read() as connection:
        check_built(connection, collection)
        put_table(connection, "design", frame)
        try:
            return rows_of(
                connection,
                """
                select scores.* exclude (collection_id)
                from sample_run_scores(
                    $collection, 'design', only_judged_topics := $only_judged_topics
                ) as scores
                order by measure, estimator = 'statAP', score desc, run_id
                """,
                {"collection": collection, "only_judged_topics": only_judged_topics},
            )
        except duckdb.Error as error:
            raise PoolhouseError(explanation(error)) from error
