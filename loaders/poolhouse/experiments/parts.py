"""The parts of an experiment: some samples of one population and width, computed together."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import duckdb
import numpy as np
import polars as pl

from poolhouse.experiments.requests import ExperimentSettings
from poolhouse.warehouse.frames import registered, rows_of
from poolhouse.warehouse.own_macros import make_macros

# A pool of 40 runs has 6,000 documents for 50 topics. The scores of this number of samples need
# 1 to 3 GB. Half of it needs half the memory, and a tenth more time.
SAMPLES_PER_PART = 250
# Inference from systems compares the runs of each pool: so many runs of pools, in all samples of a
# part, need 1.6 GB. Five times as many spill, and take three times as long for each sample.
POOLED_RUNS_PER_PART = 2000
# Samples of runs, times samples of topics each. This number needs 1.3 GB; 10,000 need more than 3.
TOPIC_SAMPLES_PER_PART = 4000

# The models that the experiments call.
_MODELS = (
    "sampled_rankings",
    "sampled_runs",
    "sampled_topics",
    "sampled_scores",
    "sampled_topic_scores",
    "sampled_estimates",
    "sampled_topic_errors",
    "sampled_topic_estimates",
)

# The engine refuses a value that a statement does not use.
_NAMED = re.compile(r"\$(\w+)")


@dataclass(frozen=True)
class Part:
    """Samples of an experiment, from the first to the last."""

    collection: str
    collection_key: int
    settings: ExperimentSettings
    population: str
    width: int
    first_sample: int
    last_sample: int


def prepare(connection: duckdb.DuckDBPyConnection, collection: str, depth: int) -> None:
    """Make what all parts of an experiment read: the models, and the table `rankings`."""
    make_macros(connection, *_MODELS)
    connection.execute(
        "create temp table rankings as from sampled_rankings($collection, $depth)",
        {"collection": collection, "depth": depth},
    )


def run_part(connection: duckdb.DuckDBPyConnection, part: Part) -> None:
    """Draw the samples of a part, compute the results of the experiment, and store them."""
    steps = _Steps(connection, part)
    steps.draw()
    steps.keep("samples", "from drawn")
    _COMPUTE[part.settings.experiment](steps)


class _Steps:
    """The steps of one part, which call models and pass temporary tables."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, part: Part) -> None:
        self.connection = connection
        self.settings = part.settings
        self.values: dict[str, object] = {
            "collection": part.collection,
            "collection_key": part.collection_key,
            "experiment": part.settings.experiment,
            "population": part.population,
            "width": part.width,
            "first": part.first_sample,
            "last": part.last_sample,
            "seed": part.settings.seed,
            "depth": part.settings.depth,
            "n_topic_samples": part.settings.n_topic_samples,
            "counts": list(part.settings.common_topic_counts or ()),
        }

    def step(self, table: str, query: str) -> None:
        """Store the result of a query as a temporary table.

        The query uses values of the part by `$`.
        """
        self._run(f"create or replace temp table {table} as {query}")

    def keep(self, table: str, query: str) -> None:
        """Add the result of a query to a table of results."""
        self._run(
            f"""
            insert into memory.experiments.{table} by name
            select
                $collection_key as collection_key,
                $experiment as experiment,
                $population as population,
                $width as width,
                *
            from ({query})
            """  # noqa: S608 - own words
        )

    def _run(self, sql: str) -> None:
        named = set(_NAMED.findall(sql))
        self.connection.execute(sql, {name: self.values[name] for name in named})

    def draw(self) -> None:
        """Draw the samples of runs, and the samples of topics if the experiment has them."""
        self.step(
            "drawn",
            """
            from sampled_runs(
                $collection, $population, $width, $first, $last, $seed
            )
            """,
        )
        if self.settings.n_topic_samples:
            self.step(
                "topics",
                """
                from sampled_topics(
                    $collection, $first, $last, $n_topic_samples, $seed
                )
                """,
            )

    def topic_scores(self) -> None:
        """Score the unpooled runs, topic by topic."""
        self.step(
            "topic_scores", "from sampled_topic_scores($collection, 'drawn', 'rankings', $depth)"
        )

    def scores(self) -> None:
        """Store the unadjusted scores."""
        self.topic_scores()
        self.keep("estimates", "from sampled_scores('topic_scores')")

    def estimates(self) -> None:
        """Store the estimates by inference from systems."""
        self.keep("estimates", "from sampled_estimates($collection, 'drawn', 'rankings', $depth)")

    def topic_estimates(self, columns: str) -> None:
        """Estimate by inference from topics."""
        self.topic_scores()
        self.step(
            "topic_estimates",
            f"select {columns} from sampled_topic_estimates('topic_scores', 'topics', $counts)",  # noqa: S608 - own words
        )

    def topic_errors(self) -> None:
        """Store the errors of inference from topics, over the samples of topics."""
        self.topic_estimates("* exclude (deltas)")
        self.keep("topic_errors", "from sampled_topic_errors('topic_estimates')")

    def intervals(self) -> None:
        """Store the estimates by inference from topics, with the bounds of the bootstrap."""
        self.topic_estimates("*")
        self.keep(
            "topic_estimates",
            """
            select * exclude (topic_sample, deltas, has_smaller_variance_over_all_topics)
            from topic_estimates
            """,
        )
        estimates = rows_of(
            self.connection,
            """
            select
                sample, unjudged, measure, n_topics, n_common_topics, unadjusted_score, deltas
            from topic_estimates
            order by all
            """,
        )
        for of_count in estimates.partition_by("n_common_topics"):
            with registered(self.connection, "bounds", self._bootstrap(of_count)):
                self.keep("bootstrap_intervals", "from bounds")

    def _bootstrap(self, estimates: pl.DataFrame) -> pl.DataFrame:
        """Return the bounds about estimates that all have the same number of common topics."""
        # scipy takes half a second to import.
        from poolhouse.scoring.estimating.bootstrap import bootstrap_bounds  # noqa: PLC0415

        rows = self.connection.execute("select distinct confidence from seeds.quantiles").fetchall()
        bounds = bootstrap_bounds(
            np.array(estimates["deltas"].to_list()),
            estimates["n_topics"][0],
            [confidence for (confidence,) in rows],
            self.settings.seed,
        )
        return pl.concat(
            estimates.select(
                "sample",
                "unjudged",
                "measure",
                "n_common_topics",
                confidence=pl.lit(confidence),
                lower_bound=pl.col("unadjusted_score") + pl.Series(lower),
                upper_bound=pl.col("unadjusted_score") + pl.Series(upper),
            )
            for confidence, (lower, upper) in bounds.items()
        )


_COMPUTE: dict[str, Callable[[_Steps], None]] = {
    "bias": _Steps.scores,
    "systems": _Steps.estimates,
    "topics": _Steps.topic_errors,
    "intervals": _Steps.intervals,
}
