"""What every comparison needs: scores that have a mean, pairs of runs, and their differences.

The models of models/table_macros/intermediate/comparisons compute the differences.
"""

from collections.abc import Sequence
from itertools import combinations

import duckdb
import polars as pl

from poolhouse.comparing.significance import bonferroni, holm, tukey_p_values
from poolhouse.errors import PoolhouseError
from poolhouse.scoring.asked_runs import AskedRuns, repeated_in
from poolhouse.scoring.scored_runs import place_in, score_by_topic
from poolhouse.warehouse.frames import put_table, rows_of
from poolhouse.warehouse.own_macros import make_macros
from poolhouse.warehouse.queries import explained

# As in SQL: further decimals of two scores do not say which is higher.
COMPARED_DECIMALS = 9
CORRECTIONS = {"holm": holm, "bonferroni": bonferroni}

_COMPARISONS = """
select * from int_asked_comparisons('compared_scores', 'compared_pairs')
"""


def pairs_of(names: Sequence[str], baselines: Sequence[str]) -> pl.DataFrame:
    """Return the pairs: `position`, `run_id` and `other_run_id`; a baseline is the other run.

    Each pair occurs once, also where both of its runs are baselines. Without baselines, these are
    all pairs. Raise PoolhouseError for fewer than two runs, for a run or baseline given twice, and
    where a baseline is not one of the runs.
    """
    if repeated := repeated_in(names):
        raise PoolhouseError(f"run {repeated!r} is named twice: a run has no difference to itself")
    if len(names) <= 1:
        raise PoolhouseError("name two runs or more: a single run cannot be compared")
    check_baselines(names, baselines)
    pairs = [
        (name, baseline)
        for number, baseline in enumerate(baselines)
        for name in names
        if name not in baselines[: number + 1]
    ] or list(combinations(names, 2))
    return pl.DataFrame(
        [(position, *pair) for position, pair in enumerate(pairs)],
        schema={"position": pl.Int32, "run_id": pl.String, "other_run_id": pl.String},
        orient="row",
    )


def check_baselines(names: Sequence[str], baselines: Sequence[str]) -> None:
    """Raise PoolhouseError where a baseline is given twice or is not one of the runs."""
    if repeated := repeated_in(baselines):
        raise PoolhouseError(f"the baseline {repeated!r} is named twice")
    if unknown := [each for each in baselines if each not in names]:
        raise PoolhouseError(
            f"the baseline {unknown[0]!r} is not among the runs: {', '.join(names)}"
        )


def comparable_scores(
    asked: AskedRuns, measures: Sequence[str], *, has_bounds: bool = True
) -> pl.DataFrame:
    """Score runs on each judged topic, as `score_by_topic` does, by measures that are means.

    Raise PoolhouseError also for another measure, such as GMAP.
    """
    scores = score_by_topic(asked, measures, has_bounds=has_bounds)
    if not (problems := scores["problem_with_comparing"].drop_nulls()).is_empty():
        raise PoolhouseError(problems[0])
    return scores


def differences_of(
    connection: duckdb.DuckDBPyConnection, scores: pl.DataFrame, pairs: pl.DataFrame
) -> pl.DataFrame:
    """Return one row per measure and pair, in their order: what SQL computes of the difference.

    `scores` are those of `comparable_scores`, and `pairs` those of `pairs_of`.
    """
    measures = scores["measure"].unique(maintain_order=True).to_list()
    with explained():
        put_table(connection, "compared_scores", scores)
        put_table(connection, "compared_pairs", pairs)
        make_macros(connection, "int_asked_comparisons")
        compared = rows_of(connection, _COMPARISONS)
    return compared.sort(place_in("measure", measures), "position")


def tukey_of(compared: pl.DataFrame, scores: pl.DataFrame) -> list[float | None]:
    """Return Tukey's p-value for each pair of one measure, as one of all pairs of scored runs."""
    of_measure = scores.filter(measure=compared["measure"][0]).sort("run_id", "topic_id")
    runs = of_measure["run_id"].unique(maintain_order=True).to_list()
    pairs = [
        (runs.index(run), runs.index(other))
        for run, other in compared.select("run_id", "other_run_id").iter_rows()
    ]
    return tukey_p_values(of_measure["score"].to_numpy().reshape(len(runs), -1), pairs)


def remarks_on_topics(scores: pl.DataFrame) -> list[str]:
    """Return a remark on each run that does not answer all judged topics."""
    by_run = scores.filter(pl.col("measure") == pl.col("measure").first()).group_by(
        "run_id", maintain_order=True
    )
    return [
        f"{run_id} answers {n_answered} of {n_topics} judged topics: the other topics count as "
        "empty rankings"
        for run_id, n_answered, n_topics in by_run.agg(
            pl.col("is_answered").sum(), pl.len()
        ).iter_rows()
        if n_answered < n_topics
    ]


def each_once(names: pl.Series) -> str:
    """Name each of the names once."""
    return ", ".join(names.unique(maintain_order=True))
