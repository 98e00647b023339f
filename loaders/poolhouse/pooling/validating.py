"""Drawing the labels of an author that people judge, to know how far the author is right."""

import duckdb
import numpy as np
import polars as pl

from poolhouse.errors import PoolhouseError
from poolhouse.pooling.asking import Known, PoolRequest
from poolhouse.pooling.budgets import Counts
from poolhouse.pooling.choosing import is_known
from poolhouse.pooling.lists import Floats
from poolhouse.pooling.sampling import FEWEST_OF_STRATUM, simple_random
from poolhouse.warehouse.frames import rows_of

# The recorded strategy, before the name of the author, as in the macro `validation_of`.
VALIDATION_OF = "validation_of_"

# How often people are taken to contradict an author before anybody answers, of documents that the
# author calls relevant and of others, and as how many answers of a grade this guess counts.
GUESSES = (0.4, 0.1)
ANSWERS_OF_A_GUESS = 10

_GOLDEN = (5**0.5 - 1) / 2


def drawn_validation(
    connection: duckdb.DuckDBPyConnection,
    request: PoolRequest,
    strategy: str,
    known: Known,
    batch: int | None,
) -> pl.DataFrame:
    """Draw as many documents as the budget allows, or as a batch adds to the known ones.

    Raise PoolhouseError where nothing can be drawn, and the errors of `validation`.
    """
    frame = rows_of(
        connection,
        """
        select topic_id, doc_id, grade, is_relevant, is_recorded
        from planning.author_validation($collection, $author)
        """,
        {"collection": request.collection, "author": strategy.removeprefix(VALIDATION_OF)},
    )
    # Answers count before they are built.
    keys = frame.select("topic_id", "doc_id").rows()
    given = [known.get(topic, {}).get(doc) for topic, doc in keys]
    frame = frame.with_columns(answer=pl.Series(given, dtype=pl.Boolean))
    frame = frame.filter(pl.col("is_recorded") | pl.col("answer").is_null())
    if frame.is_empty():
        raise PoolhouseError(
            "there is no label to validate: the author (dim_authors) is not the reference, and has "
            "labelled documents that a run returns and nobody judged"
        )
    budget = request.budget
    if batch is not None:
        budget = min(budget, int(is_known(frame, known).sum()) + batch)
    return validation(frame, budget, request.seed)


def validation(documents: pl.DataFrame, budget: int, seed: int) -> pl.DataFrame:
    """Draw the documents that people judge, of all topics together: the columns of sampling.py.

    `documents` have `topic_id`, `doc_id`, the `grade` of the author, whether it `is_relevant`, and
    `answer`: whether people say so, null where nobody answered. The strata are the grades, and each
    has a permanent order, of which a sample is the beginning. So a larger sample holds a smaller
    one, and the answers. Sizes are by Neyman 1934, as whole numbers (Wright 2012), of the
    disagreement that is guessed and answered. Raise PoolhouseError for a budget that is too small.
    """
    frame = documents.sort("grade", "topic_id", "doc_id", descending=[True, False, False])
    strata = frame["grade"].rank("dense", descending=True).cast(pl.Int64).to_numpy() - 1
    topics = frame["topic_id"].rank("dense").to_numpy()
    generator = np.random.Generator(np.random.PCG64(seed))
    sizes = np.bincount(strata)
    places = np.concatenate(
        [permanent_order(topics[strata == each], generator) for each in range(len(sizes))]
    )
    is_answered = frame["answer"].is_not_null().to_numpy()
    numbers = np.minimum(sizes, FEWEST_OF_STRATUM)
    np.maximum.at(numbers, strata[is_answered], places[is_answered] + 1)
    if budget < numbers.sum():
        raise PoolhouseError(
            f"a budget of {budget} is too small: {numbers.sum()} documents are answered, or needed "
            f"for {FEWEST_OF_STRATUM} of each grade of the author"
        )
    guess = pl.when(pl.col("is_relevant").first()).then(GUESSES[0]).otherwise(GUESSES[1])
    n_disputed = (pl.col("answer") != pl.col("is_relevant")).sum() + ANSWERS_OF_A_GUESS * guess
    share = n_disputed / (pl.col("answer").count() + ANSWERS_OF_A_GUESS)
    of_grades = frame.group_by("grade").agg(deviation=(share * (1 - share)).sqrt())
    spread = sizes * of_grades.sort("grade", descending=True)["deviation"].to_numpy()
    for _ in range(min(budget, frame.height) - int(numbers.sum())):
        gains = spread / np.sqrt(numbers * (numbers + 1.0))
        numbers[np.argmax(np.where(numbers < sizes, gains, -1))] += 1
    drawn = simple_random(strata + 1, numbers, places < numbers[strata])
    return frame.select("topic_id", "doc_id").hstack(drawn).sort("topic_id", "doc_id")


def permanent_order(topics: Floats, generator: np.random.Generator) -> Counts:
    """Return the place of each document of a stratum, from 0, of which `topics` has the numbers.

    Any part from the beginning is spread over the topics, because it steps around the documents of
    all topics by the golden ratio. Any document is as likely in it as any other.
    """
    n = topics.size
    around = np.lexsort((generator.random(n), topics))
    steps = generator.random() + np.arange(3 * n + 3) * _GOLDEN
    _, first_visits = np.unique((n * (steps % 1)).astype(np.int64), return_index=True)
    places = np.empty(n, dtype=np.int64)
    places[around] = np.argsort(np.argsort(first_visits))
    return places
