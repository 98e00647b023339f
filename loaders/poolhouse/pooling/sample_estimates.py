"""Scores estimated from a sample, whose design a file holds."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import BadFileError
from poolhouse.loading.parsers import read_source
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.queries import explained

# Of sums of probabilities, relative.
_ROUNDING = 1e-9

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

_COUNTS = """
select
    count(*) filter (where is_sampled),
    count(*) filter (where is_answered),
    count(distinct topic_id),
    count(distinct topic_id) filter (where not is_scored),
    min(between_factor) < 1
from intermediate.int_sampling_frame($collection, 'design')
"""


@dataclass(frozen=True)
class SampleScores:
    """The rows of sample_run_scores, and how much of the sample is answered."""

    rows: pl.DataFrame
    n_sampled: int
    n_answered: int
    n_topics: int
    n_topics_left_out: int
    # whether the strata of a topic were drawn together
    is_proportional: bool


def sample_scores(warehouse: Warehouse, collection: str, design: Path) -> SampleScores:
    """Return the scores by the design in a CSV file.

    Raise BadFileError where the file is no design. Raise PoolhouseError where the marts are not
    current, or too few documents of the sample are judged.
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
    if problem := _contradiction(frame):
        raise BadFileError(design, f"{problem}: the file is not as `pool make` wrote it")
    with warehouse.read() as connection:
        check_built(connection, collection)
        put_table(connection, "design", frame)
        with explained():
            rows = rows_of(
                connection,
                """
                select scores.* exclude (collection_id)
                from planning.sample_run_scores($collection, 'design') as scores
                order by measure, estimator = 'statAP', score desc, run_id
                """,
                {"collection": collection},
            )
            counts = rows_of(connection, _COUNTS, {"collection": collection})
    return SampleScores(rows, *counts.row(0))


def _contradiction(design: pl.DataFrame) -> str | None:
    """Say where a design contradicts itself: each topic has a sample of a fixed size.

    Then the inclusion probabilities of its documents add up to the size of the sample, and those of
    a stratum are the same.
    """
    probability = pl.col("inclusion_probability")
    sums = design.group_by("topic_id", maintain_order=True).agg(
        total=probability.sum(), n_sampled=pl.col("is_sampled").sum()
    )
    is_off = (pl.col("total") - pl.col("n_sampled")).abs() > _ROUNDING * pl.col("n_sampled")
    for topic, total, n_sampled in sums.filter(is_off).rows():
        return (
            f"the inclusion probabilities of topic {topic!r} add up to {total:.6g}, and "
            f"{n_sampled} documents are sampled"
        )
    spread = design.group_by("topic_id", "stratum", maintain_order=True).agg(
        lowest=probability.min(), highest=probability.max()
    )
    for topic, stratum, lowest, highest in spread.filter(
        pl.col("lowest") < pl.col("highest")
    ).rows():
        return (
            f"stratum {stratum} of topic {topic!r} has different inclusion probabilities, "
            f"{lowest:.6g} and {highest:.6g}"
        )
    return None
