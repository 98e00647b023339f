"""Judgements and titles of a data set of ir_datasets, by its id.

ir_datasets is an extra: `pip install "poolhouse[ir_datasets]"`. It downloads missing files into a
folder of its own (environment variable IR_DATASETS_HOME). No other part of Poolhouse uses the
network.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import polars as pl
from attrs import evolve

from poolhouse.errors import PoolhouseError
from poolhouse.loading.request import LoadRequest
from poolhouse.loading.trec_text import qrels_text, topics_text

# Fields of judgements that are about a part of a topic, or belong to a sample with probabilities.
_OTHER_JUDGEMENTS = ("subtopic_id", "iprob")
# The title of a topic, or else the text of the query as ir_datasets defines it.
_TITLES = ("title", "text", "query")


def with_ir_dataset(request: LoadRequest) -> LoadRequest:
    """Return the request with the judgements of its data set, and with titles if it has none.

    The origin of the text is `ir_datasets:` and the id. Raise PoolhouseError where ir_datasets is
    not installed, does not know the id or cannot provide the data, or where the data set has no
    judgements of topics and documents.
    """
    if request.ir_dataset is None:
        return request
    origin = f"ir_datasets:{request.ir_dataset}"
    topics = request.topics
    try:
        dataset = _known(request.ir_dataset)
        if not dataset.has_qrels():
            raise PoolhouseError(f"{origin} has no judgements")
        qrels = qrels_text(_judgements(dataset, origin), origin)
        if topics is None and dataset.has_queries():
            topics = topics_text(_titles(dataset), origin)
    except PoolhouseError:
        raise
    except Exception as error:  # a download or a format of any data set may raise anything
        problem = " ".join(str(error).split()) or type(error).__name__
        raise PoolhouseError(f"{origin} cannot be read: {problem}") from error
    return evolve(request, ir_dataset=None, qrels=qrels, topics=topics)


def _known(dataset_id: str) -> Any:  # noqa: ANN401 - declares no types
    try:
        # Imported by name, because type checkers do not find it without the extra.
        ir_datasets = import_module("ir_datasets")
    except ModuleNotFoundError as error:
        raise PoolhouseError(
            "ir_datasets is not installed: pip install 'poolhouse[ir_datasets]'"
        ) from error
    try:
        return ir_datasets.load(dataset_id)
    except KeyError as error:
        raise PoolhouseError(
            f"ir_datasets knows no data set {dataset_id!r}: https://ir-datasets.com lists them"
        ) from error


def _judgements(dataset: Any, origin: str) -> pl.DataFrame:  # noqa: ANN401 - see above
    fields = getattr(dataset.qrels_cls(), "_fields", ())
    if odd := [name for name in _OTHER_JUDGEMENTS if name in fields]:
        raise PoolhouseError(
            f"{origin}: its judgements have {odd[0]}, so that they are not judgements of "
            "whole topics"
        )
    rows = [(each.query_id, each.doc_id, each.relevance) for each in dataset.qrels_iter()]
    return pl.DataFrame(
        rows, schema={"query": pl.String, "docno": pl.String, "grade": pl.Int32}, orient="row"
    )


def _titles(dataset: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - see above
    for topic in dataset.queries_iter():
        named = [getattr(topic, name) for name in _TITLES if hasattr(topic, name)]
        yield topic.query_id, named[0] if named else topic.default_text()
