"""Judgements and titles of a data set that ir_datasets knows, by its id.

ir_datasets is an extra: `pip install "poolhouse[ir_datasets]"`. It downloads what it does not have
yet, into a folder of its own (environment variable IR_DATASETS_HOME); nothing else here reaches the
network.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.loading.trec_text import MadeTexts, qrels_text, topics_text

# Judgements that are about less than a topic, or are a sample with the probability of each.
_OTHER_JUDGEMENTS = ("subtopic_id", "iprob")
# A title, where a topic has one; else what ir_datasets takes for the text of the query.
_TITLES = ("title", "text", "query")


def made_of(dataset_id: str) -> MadeTexts:
    """Make text of the judgements and, where it has topics, the titles of a data set.

    `ir_datasets:` and the id is whence they are. Raise PoolhouseError where ir_datasets is not
    installed or does not know the id, cannot provide the data, or there are no judgements of topics
    and documents.
    """
    origin = f"ir_datasets:{dataset_id}"
    try:
        dataset = _known(dataset_id)
        if not dataset.has_qrels():
            raise PoolhouseError(f"{origin} has no judgements")
        qrels = qrels_text(_judgements(dataset, origin), origin)
        topics = topics_text(_titles(dataset), origin) if dataset.has_queries() else None
    except PoolhouseError:
        raise
    except Exception as error:  # what a download or a format of any data set may raise
        problem = " ".join(str(error).split()) or type(error).__name__
        raise PoolhouseError(f"{origin} cannot be read: {problem}") from error
    return MadeTexts((), qrels, topics)


def _known(dataset_id: str) -> Any:  # noqa: ANN401 - declares no types
    try:
        # Named by text: it is not there where types are checked, unless the extra is.
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
