"""How far an author of labels is right, by people's answers to the lists of `pool make`."""

import numpy as np
import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.errors import PoolhouseError
from poolhouse.output.words import counted
from poolhouse.pooling.interim import Interim
from poolhouse.pooling.validation_estimates import Validation, interval
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frames import rows_of
from poolhouse.warehouse.queries import explained

# The other figures of a verdict beside kappa, with their thresholds.
_THRESHOLDS = """
select figure, unnest(thresholds) as threshold
from (
    select 'kendall_tau' as figure, [passes_at, fails_at] as thresholds
    from seeds.author_rules
    where rule_id = 'order'
    union all
    select 'relevance_difference' as figure, [0] as thresholds
)
"""


def author_status(
    warehouse: Warehouse, collection: str, author: str, kappa: float, measure: str | None = None
) -> Interim:
    """Return the verdicts on an author, and the rectified scores of the runs.

    `kappa` is the threshold of a verdict. Raise PoolhouseError where the marts are not current,
    labels or answers are too few, or the measure is no sum over documents; UnknownCollectionError.
    """
    measure = measure or "P@10"
    with warehouse.read() as connection:
        check_built(connection, collection)
        with explained():
            documents = rows_of(
                connection,
                """
                select topic_id, grade, is_relevant, is_recorded, answer, weights
                from planning.author_validation($collection, $author, $measure)
                where is_recorded or answer is not null
                """,
                {"collection": collection, "author": author, "measure": measure},
            )
            thresholds = rows_of(connection, _THRESHOLDS).rows()
    validation, runs = validation_of(documents, author)
    n_labels = documents.filter("is_recorded")["answer"].count()
    n_left = documents["answer"].null_count()
    figures = validation.figures()
    rows: list[dict[str, object]] = [
        {
            "figure": figure,
            **figures[figure]._asdict(),
            "threshold": threshold,
            "is_reached": figures[figure].reaches(threshold),
            "n_more_labels": figures[figure].n_more_labels(threshold, n_labels, n_left),
        }
        for figure, threshold in (("kappa", kappa), *thresholds)
    ]
    scores, errors = validation.rectified()
    columns = runs, validation.author_scores, map(interval, scores, np.linalg.norm(errors, axis=1))
    rows += [
        {"figure": measure, "run_id": run, "author_score": by_author, **found._asdict()}
        for run, by_author, found in sorted(zip(*columns, strict=True), key=lambda it: -it[2][0])
    ]
    said = f"{counted(n_labels, 'answer')} to the lists; {n_left} documents are left"
    return Interim(measure, pl.DataFrame(rows, infer_schema_length=None).fill_nan(None), [said])


def validation_of(documents: pl.DataFrame, author: str) -> tuple[Validation, list[str]]:
    """Return the rows of author_validation as arrays, and the runs. Raise PoolhouseError."""
    cells = documents.with_row_index().explode("weights").unnest("weights").drop_nulls("weight")
    runs = sorted(cells["run_id"].unique())
    weighted, places = np.unique(cells["index"].to_numpy(), return_inverse=True)
    weights = np.zeros((len(runs), weighted.size))
    weights[np.searchsorted(runs, cells["run_id"].to_list()), places] = cells["weight"]
    # The documents that lists were drawn from have strata of their own.
    of_grades = pl.struct("is_recorded", "grade").rank("dense").cast(pl.Int64)
    validation = Validation(
        documents.select(of_grades - 1).to_series().to_numpy(),
        documents["is_relevant"].cast(pl.Float64).to_numpy(),
        documents["answer"].cast(pl.Float64).fill_null(np.nan).to_numpy(),
        weights / max(documents["topic_id"].n_unique(), 1),
        weighted,
    )
    sizes, n_answered, _ = validation.counts
    if not runs or (n_answered < np.minimum(sizes, 2)).any():
        raise PoolhouseError(
            f"too few answers on the labels of {author!r}, which need two of each grade: poolhouse "
            "pool make --validate lists documents, and pool load loads the answers"
        )
    return validation, runs
