"""All figures, in the order in which a report has them."""

from poolhouse.figures.estimators import (
    ESTIMATES,
    ESTIMATOR_ERRORS,
    EXPECTED_RELEVANCE,
    NEW_PLACES,
)
from poolhouse.figures.judges import AUTHOR_SCORES, AUTHOR_VERDICTS, FILLING_ERRORS
from poolhouse.figures.left_out import LEFT_OUT_PLACES, LEFT_OUT_SCORES
from poolhouse.figures.planned_pools import POOL_SIZES, RUN_CONTRIBUTIONS, TOPIC_POOL_SIZES
from poolhouse.figures.pools import JUDGED_BY_RANK, UNIQUE_RELEVANT
from poolhouse.figures.runs import TWO_RUNS, UNJUDGED_AND_SCORES

FIGURES = {
    figure.name: figure
    for figure in (
        UNJUDGED_AND_SCORES,
        JUDGED_BY_RANK,
        UNIQUE_RELEVANT,
        LEFT_OUT_SCORES,
        LEFT_OUT_PLACES,
        ESTIMATOR_ERRORS,
        ESTIMATES,
        EXPECTED_RELEVANCE,
        NEW_PLACES,
        TWO_RUNS,
        AUTHOR_VERDICTS,
        AUTHOR_SCORES,
        FILLING_ERRORS,
        POOL_SIZES,
        TOPIC_POOL_SIZES,
        RUN_CONTRIBUTIONS,
    )
}
