"""The documents whose judgements would settle which of two runs is better."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from poolhouse.building.staleness import check_built
from poolhouse.comparing.differences import comparable_scores
from poolhouse.comparing.expected_differences import settling_documents
from poolhouse.pooling.asking import unjudgeable
from poolhouse.pooling.assessing import AssessorsList, in_order, topic_titles
from poolhouse.pooling.choosing import is_known
from poolhouse.scoring.asked_runs import MAIN_MEASURE, AskedRuns, NewRun
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.queries import explained


@dataclass(frozen=True)
class SettlingRequest:
    """Two runs, the measure by which they are compared, and the number of documents to judge now.

    Text is the name of a loaded run. No measure stands for the main measure of the collection.
    """

    collection: str
    runs: Sequence[str | NewRun]
    budget: int
    measure: str | None = None
    order: str = "shuffled"
    seed: int = 0


@dataclass(frozen=True)
class SettlingList:
    """The list, and what it promises.

    `share` of the variance of the difference that unjudged documents make is expected to go with
    these judgements. `n_unknown` documents are of runs that are not loaded, and of no other run.
    """

    listed: AssessorsList
    measure: str
    n_unjudged: int
    share: float
    n_unknown: int


def settling_list(warehouse: Warehouse, request: SettlingRequest) -> SettlingList:
    """Choose the documents whose judgements make the difference of two runs surest.

    Raise PoolhouseError where nothing can be expected of the unjudged documents, and the errors of
    `comparable_scores`.
    """
    collection = request.collection
    with warehouse.read() as connection:
        check_built(connection, collection)
        with explained():
            asked = AskedRuns(connection, collection, request.runs)
            measure = request.measure or asked.ask(MAIN_MEASURE)["main_measure"][0]
            scores = comparable_scores(asked, [measure], has_bounds=False)
            ranked = settling_documents(asked, scores)
        ranked = ranked.filter(~is_known(ranked, unjudgeable(connection, collection)))
        titles = topic_titles(connection, collection)
    chosen, rest = ranked.head(request.budget), ranked.slice(request.budget)
    total = _variance(ranked)
    return SettlingList(
        AssessorsList(in_order(chosen, request.order, request.seed), 0, titles),
        scores["measure"][0],
        ranked.height,
        1 - _variance(rest) / total if total else 0.0,
        int((~chosen["is_known"]).sum()),
    )


def _variance(documents: pl.DataFrame) -> float:
    """Return the variance of the difference that unjudged documents make."""
    own, moved, other_moved = documents.select(
        pl.col("document_variance", "moved", "other_moved").sum()
    ).row(0)
    return float(own + moved**2 + other_moved**2)
