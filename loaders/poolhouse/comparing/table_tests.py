"""The tests of the differences of a paper's table."""

from math import comb

import polars as pl

from poolhouse.comparing.differences import CORRECTIONS, differences_of, pairs_of, tukey_of
from poolhouse.comparing.expected_differences import expected_differences, findings_of, games_howell
from poolhouse.comparing.requests import TableRequest
from poolhouse.comparing.significance import sign_flip_p_values, t_interval, t_p_value
from poolhouse.option_values import RANDOMIZATION, TUKEY
from poolhouse.scoring.asked_runs import AskedRuns
from poolhouse.warehouse.queries import explained

# What is significant if every document were judged, in either direction.
_HOLDING = ("holds", "holds as estimated", "reversed", "hidden")


def table_differences(
    asked: AskedRuns, scores: pl.DataFrame, request: TableRequest
) -> pl.DataFrame:
    """Test the differences, and return a row per measure and pair, in both directions."""
    names = asked.names
    baselines = [each for each in request.baseline if each in names]
    is_compared = request.test is not None and len(names) > 1
    if not is_compared or (request.baseline and not baselines):
        return pl.DataFrame(schema=PAIR_SCHEMA | DIFFERENCE_SCHEMA)
    pairs = pairs_of(names, baselines)
    compared = differences_of(asked.connection, scores, pairs)
    expected = pl.DataFrame(schema=PAIR_SCHEMA | dict.fromkeys(_EXPECTED, pl.Float64))
    if request.is_tested_if_judged:
        with explained():
            expected = expected_differences(asked, scores, 1 - request.level)
    compared = compared.join(expected, on=[*PAIR_SCHEMA], how="left", maintain_order="left")
    tested = pl.concat(
        _tested(of_measure, scores, request)
        for of_measure in compared.partition_by("measure", maintain_order=True)
    )
    mirrored = tested.with_columns(
        pl.col("other_run_id").alias("run_id"),
        pl.col("run_id").alias("other_run_id"),
        -pl.col("mean_difference", "effect_size", "difference_if_judged"),
        *(
            (-pl.col(other_end)).alias(end)
            for ends in (("interval_low", "interval_high"), ("low_if_judged", "high_if_judged"))
            for end, other_end in (ends, ends[::-1])
        ),
    )
    return pl.concat([tested, mirrored])


def _tested(compared: pl.DataFrame, scores: pl.DataFrame, request: TableRequest) -> pl.DataFrame:
    """Add the test of the request to the pairs of one measure."""
    p_values: list[float | None]
    n_runs = scores["run_id"].n_unique()
    n_comparisons = compared.height
    p_values_if_judged = compared["p_value_if_judged"].to_list()
    if request.test == TUKEY:
        p_values = tukey_of(compared, scores)
        p_values_if_judged = games_howell(compared, n_runs)
        n_comparisons = comb(n_runs, 2)
    elif request.test == RANDOMIZATION:
        differences = compared["topic_differences"].to_list()
        p_values = [*sign_flip_p_values(differences, request.repetitions, request.seed)]
    else:
        t_of_pairs = compared.select("paired_t", "n_topics").iter_rows()
        p_values = [t_p_value(*each) for each in t_of_pairs]
    correct = CORRECTIONS.get(str(request.correction), list)
    tested = compared.with_columns(
        *intervals(compared, "mean_difference", "interval", request.level),
        *(
            pl.Series(name, values, pl.Float64)
            for name, values in (
                ("p_value", p_values),
                ("corrected_p_value", correct(p_values)),
                ("p_value_if_judged", p_values_if_judged),
                ("corrected_p_value_if_judged", correct(p_values_if_judged)),
            )
        ),
        pl.lit(n_comparisons, pl.Int32).alias("n_comparisons"),
    )
    counting = ("corrected_p_value", "corrected_p_value_if_judged")
    findings = pl.lit(None, pl.String).alias("finding")
    if request.is_tested_if_judged:
        findings = pl.lit(findings_of(tested, *counting, request.level))
    return (
        tested.with_columns(
            findings,
            (pl.col("corrected_p_value") < request.level).alias("is_significant_as_judged"),
        )
        .with_columns(
            pl.when(pl.col("finding").is_null())
            .then("is_significant_as_judged")
            .when(pl.any_horizontal(pl.col(*counting).is_not_null()))
            .then(pl.col("finding").is_in(_HOLDING))
            .alias("is_significant")
        )
        .select(*PAIR_SCHEMA, *DIFFERENCE_SCHEMA)
    )


def _interval_schema(name: str) -> dict[str, type[pl.DataType]]:
    return {f"{name}_low": pl.Float64, f"{name}_high": pl.Float64}


def intervals(frame: pl.DataFrame, mean: str, name: str, level: float) -> list[pl.Series]:
    """Return the ends of the intervals of means over topics, as name_low and name_high."""
    ends = [
        t_interval(value, error, n_topics, 1 - level) or (None, None)
        for value, error, n_topics in frame.select(mean, "standard_error", "n_topics").iter_rows()
    ]
    return pl.DataFrame(ends, schema=_interval_schema(name), orient="row").get_columns()


MEASURE_SCHEMA: dict[str, type[pl.DataType]] = {"measure": pl.String, "run_id": pl.String}
PAIR_SCHEMA = MEASURE_SCHEMA | {"other_run_id": pl.String}
# What the tests read of an expected difference.
_EXPECTED = (
    *("difference_if_judged", "low_if_judged", "high_if_judged", "p_value_if_judged"),
    *("t_if_judged", "degrees_of_freedom_if_judged"),
)
DIFFERENCE_SCHEMA: dict[str, type[pl.DataType]] = {
    "mean_difference": pl.Float64,
    **_interval_schema("interval"),
    "effect_size": pl.Float64,
    "p_value": pl.Float64,
    "corrected_p_value": pl.Float64,
    "n_comparisons": pl.Int32,
    "is_significant_as_judged": pl.Boolean,
    "difference_if_judged": pl.Float64,
    "low_if_judged": pl.Float64,
    "high_if_judged": pl.Float64,
    "p_value_if_judged": pl.Float64,
    "corrected_p_value_if_judged": pl.Float64,
    "finding": pl.String,
    "is_significant": pl.Boolean,
}
