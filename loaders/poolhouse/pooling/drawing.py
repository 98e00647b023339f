"""Drawing a sample of a pool: the frame of the warehouse, and the designs of sampling.py."""

from collections.abc import Callable

import duckdb
import numpy as np
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.pooling import sampling
from poolhouse.pooling.asking import PoolRequest
from poolhouse.warehouse.frames import rows_of

DESIGNS: dict[str, Callable[[pl.DataFrame, sampling.Budget, int], pl.DataFrame]] = {
    "uniform_sample": sampling.uniform,
    "stratified_sample": sampling.stratified,
    "proportional_sample": sampling.proportional,
}


def sampling_frame(connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Return the documents that may be drawn, of the request of `ask_for`."""
    frame = rows_of(
        connection,
        """
        select * from planning.sampling_frame(
            getvariable('pool_collection'),
            of_runs := getvariable('pool_runs'),
            is_of_every_topic := getvariable('pool_every_topic')
        )
        """,
    )
    if frame.is_empty():
        raise PoolhouseError("the runs of the pool return no document")
    return frame


def drawn_design(frame: pl.DataFrame, request: PoolRequest, strategy: str) -> pl.DataFrame:
    """Draw as many documents as the budget allows: the columns of sampling.py."""
    sizes = frame.group_by("topic_id").len().sort("topic_id")
    shares = request.shares(sizes["len"].to_numpy().astype(np.int64))
    n_judged = dict(zip(sizes["topic_id"].to_list(), shares.tolist(), strict=True))
    return DESIGNS[strategy](frame, n_judged, request.seed)
