"""The warehouse from Python: the functions of the command line, with data frames in and out.

Nothing stays open between two calls. Each call opens the published file and closes it again, and so
sees the state that was published before the call began. A build, in this process or another one,
shows in the next call, and no call waits for a build.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from attrs import evolve

from poolhouse.api.given import JudgementsLike, RunLike, given_judgements, given_run
from poolhouse.api.parameters import parameters_of
from poolhouse.api.requests import GivenGate, GivenLoad, GivenTable, NamedRun, names
from poolhouse.api.warnings import warn
from poolhouse.building.build import BuildReport, build
from poolhouse.building.staleness import collection_states, loaded_states
from poolhouse.building.status import collection_status
from poolhouse.comparing.requests import ComparisonRequest, GateRequest, TableRequest
from poolhouse.lake.addresses import is_lake
from poolhouse.loading.from_ir_datasets import with_ir_dataset
from poolhouse.loading.load import load_collection
from poolhouse.loading.reading import LoadReport
from poolhouse.loading.request import LoadRequest
from poolhouse.option_values import REPETITIONS, SEED
from poolhouse.request_fields import FileLike, as_path
from poolhouse.scoring.asked_runs import NewRun, file_of, loaded_runs
from poolhouse.scoring.estimating.adjusting import adjust as adjust_run
from poolhouse.scoring.scored_runs import measures_named
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.frame_queries import query_frame
from poolhouse.warehouse.interrupting import interruptibly

_LEADERBOARD = """
from leaderboard
where $collection is null or collection_id = $collection
order by collection_id, rank, run_id
"""
_ADJUSTED_LEADERBOARD = """
select adjusted_leaderboard.*
from adjusted_leaderboard
inner join dim_measures using (measure)
where $collection is null or collection_id = $collection
order by collection_id, dim_measures.position, if_judged_rank, run_id
"""
_COLLECTIONS = "from dim_collections order by collection_id"
_RUN_SCORES = """
from run_scores($collection, $measure, judgement_set := $judgement_set, unjudged := $unjudged)
where $run is null or run_id = $run
order by score desc, run_id
"""
_TOPIC_SCORES = """
from topic_scores($collection, $measure, judgement_set := $judgement_set, unjudged := $unjudged)
where $run is null or run_id = $run
order by run_id, topic_id
"""


_EXPECTED_SCORES = """
from expected_scores($collection, $measure)
order by if_judged desc, run_id
"""


def open_warehouse(path: FileLike) -> "OpenWarehouse":
    """Return the warehouse in a file, or a lake. The file need not exist yet: a load creates it.

    A lake is a folder, or the address of a folder in an object store, and is only read.
    Nothing is read before the first call of a method. Raise PoolhouseError where `path` is not text
    or a path.
    """
    # The address of an object store has a double slash, which no path keeps.
    address = path if isinstance(path, str) else str(as_path(path))
    if is_lake(address):
        # The libraries of file systems take a tenth of a second.
        from poolhouse.lake.reading import LakeWarehouse  # noqa: PLC0415

        lake = LakeWarehouse.at(address)
        warn(lake.remarks())
        return OpenWarehouse(lake)
    # An absolute path, so that a later `os.chdir` changes nothing.
    return OpenWarehouse(Warehouse(as_path(path).absolute()))


class OpenWarehouse:
    """A warehouse file, with methods that return polars frames.

    A note of the command line is a PoolhouseWarning here. Errors are PoolhouseErrors of one line.
    Every method that reads raises WarehouseMissingError where there is no file, and
    WarehouseUnreadableError where the file is not a warehouse.
    """

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse

    def __repr__(self) -> str:
        return f"poolhouse.open({str(self.path)!r})"

    @property
    def path(self) -> Path:
        """The absolute path of the warehouse file."""
        return self._warehouse.path

    def status(self) -> pl.DataFrame:
        """Return the loaded collections: one row each, with sizes, times and state."""
        columns, rows = collection_status(self._warehouse)
        return pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)

    def collections(self) -> pl.DataFrame:
        """Return the built collections: one row each, from the mart dim_collections.

        Raise PoolhouseError where nothing is built yet.
        """
        return self.sql(_COLLECTIONS)

    def leaderboard(self, collection: str | None = None) -> pl.DataFrame:
        """Return the runs of a collection, or of all collections, best first: the mart leaderboard.

        The frame has one row for each collection and run, and a column for each measure. A score is
        a mean over all judged topics, for most measures from 0 to 1. Raise UnknownCollectionError
        for an unknown collection, and PoolhouseError where nothing is built yet.
        """
        self._warn_where_not_current(collection)
        return self.sql(_LEADERBOARD, collection=collection)

    def adjusted_leaderboard(self, collection: str | None = None) -> pl.DataFrame:
        """Return the leaderboard as if every document were judged: the mart adjusted_leaderboard.

        The frame has one row for each collection, measure whose bias is estimated, and run. Raise
        the errors of `leaderboard`.
        """
        self._warn_where_not_current(collection)
        return self.sql(_ADJUSTED_LEADERBOARD, collection=collection)

    def run_scores(
        self,
        collection: str,
        measure: object,
        run: str | None = None,
        *,
        judgement_set: str = "full",
        unjudged: str = "nonrelevant",
    ) -> pl.DataFrame:
        """Score loaded runs, or one of them, by any measure: the table macro run_scores.

        Return one row for each run. `score` is the mean over the topics that the run answers;
        `score_all_topics` is the mean over all judged topics. docs/measures.md explains
        `judgement_set` and `unjudged`. Raise PoolhouseError where the collection or the measure is
        unknown, or nothing is built.
        """
        self._warn_where_not_current(collection)
        return self.sql(
            _RUN_SCORES,
            collection=collection,
            measure=self._written(measure),
            run=run,
            judgement_set=judgement_set,
            unjudged=unjudged,
        )

    def expected_scores(self, collection: str, measure: object) -> pl.DataFrame:
        """Return the scores that unjudged documents let expect: the table macro expected_scores.

        Return one row for each run: the score if it had been pooled, and if all its documents down
        to the cutoff were judged, with intervals. The measure is P@k, RBP, AP, nDCG, RR, ERR, R@k
        or Bpref (docs/expected_relevance.md). Raise the errors of `run_scores`, also for another
        measure.
        """
        self._warn_where_not_current(collection)
        return self.sql(_EXPECTED_SCORES, collection=collection, measure=self._written(measure))

    def topic_scores(
        self,
        collection: str,
        measure: object,
        run: str | None = None,
        *,
        judgement_set: str = "full",
        unjudged: str = "nonrelevant",
    ) -> pl.DataFrame:
        """Score loaded runs, or one of them, on each judged topic: the table macro topic_scores.

        Return one row for each run and topic. Raise the errors of `run_scores`.
        """
        self._warn_where_not_current(collection)
        return self.sql(
            _TOPIC_SCORES,
            collection=collection,
            measure=self._written(measure),
            run=run,
            judgement_set=judgement_set,
            unjudged=unjudged,
        )

    def score(
        self,
        run: RunLike,
        collection: str,
        measures: object,
        *,
        by_topic: bool = False,
        run_id: str | None = None,
    ) -> pl.DataFrame:
        """Score a run by any measures as trec_eval does, whether it is loaded or not.

        `run` is the name of a loaded run, a file, a data frame or a dict (docs/python.md lists the
        columns). `run_id` is the name of the run; by default its file names it. `measures` is one
        measure or several: text in the notation of ir_measures, names of trec_eval, or objects of
        ir_measures. Nothing is stored.

        Return one row for each measure, or with `by_topic` one for each measure and judged topic.
        Unjudged documents count as not relevant; `n_unjudged` is their number. Raise PoolhouseError
        where the run lacks a column or answers no judged topic, a measure is unknown, or the marts
        of the collection are not current. Raise BadFileError, NotJudgedError or
        UnknownCollectionError as their names say.
        """
        named = run if run_id is None else (run_id, run)
        asked = self._asked([collection], [named])
        by = names(measures)
        scores = interruptibly(lambda: score_runs(self._warehouse, collection, asked, by))
        warn(scores.remarks)
        return scores.by_topic if by_topic else scores.over_topics

    def adjust(
        self,
        run: RunLike,
        collection: str,
        common_topics: JudgementsLike | None = None,
        *,
        run_id: str | None = None,
        organization: str | None = None,
    ) -> pl.DataFrame:
        """Score a run that was not pooled, and estimate what its unjudged documents would add.

        `run` is given as in `score`. `common_topics` holds judgements of some topics on which this
        run was judged too: a file, a data frame or a dict. `organization` made the run, if other
        runs of it are loaded. Return one row for each measure, treatment of unjudged documents and
        estimator, with the columns of the table macro adjusted_scores: for the measures whose bias
        is estimated, and by expected relevance for the others of the leaderboard. Raise the errors
        of `score`, and PoolhouseError where `run_id` is a pooled run or the organization unknown.
        """
        given = given_run(run)
        judgements = None if common_topics is None else given_judgements(common_topics)
        warn([*given.remarks, *(judgements.remarks if judgements else ())])
        adjustment = interruptibly(
            lambda: adjust_run(
                self._warehouse,
                collection,
                given.rows,
                run_id or given.run_id,
                judgements.rows if judgements else None,
                organization=organization,
            )
        )
        warn(adjustment.remarks)
        return adjustment.scores

    def compare(
        self,
        *runs: NamedRun,
        collection: str,
        measures: object,
        baseline: str | Sequence[str] | None = None,
        repetitions: int = REPETITIONS,
        seed: int = SEED,
    ) -> pl.DataFrame:
        """Compare runs topic by topic: each pair, or each with the baseline, or with several.

        A run is given as in `score`. `("name", run)` names a run; a frame without a name is called
        by its place, such as `run 1`. `repetitions` is the number of times that the randomization
        test draws sign flips (by default 100,000), with `seed` (by default 2009).

        Return one row for each measure and pair; docs/comparing.md lists the columns. Raise the
        errors of `score`, and PoolhouseError for fewer than two runs, for a run given twice and for
        an unknown run.
        """
        # The import takes most of two seconds, because of the distributions.
        from poolhouse.comparing.comparison import compare  # noqa: PLC0415

        request = ComparisonRequest(
            collection,
            self._asked([collection], runs),
            names(measures),
            names(baseline),
            repetitions,
            seed,
        )
        comparison = interruptibly(lambda: compare(self._warehouse, request))
        warn(comparison.remarks)
        return comparison.rows

    @parameters_of(GivenGate)
    def gate(self, request: GateRequest) -> pl.DataFrame:
        """Say whether a run passes against a baseline, as `poolhouse gate` does.

        The runs are given as in `compare`. Return one row for each measure; docs/gate.md lists the
        columns. `verdict` is `passed`, `failed` or `cannot be told`. Raise the errors of `compare`.
        """
        from poolhouse.comparing.gating import gate  # noqa: PLC0415 - as in compare

        run, baseline = self._asked([request.collection], [request.run, request.baseline])
        asked = evolve(request, run=run, baseline=baseline)
        result = interruptibly(lambda: gate(self._warehouse, asked))
        warn(result.remarks)
        return result.rows

    @parameters_of(GivenTable)
    def table(self, request: TableRequest) -> pl.DataFrame:
        """Return the scores of runs by measures, with tests of their differences, in long form.

        The rows are those of `poolhouse table --format csv`, and docs/paper_table.md lists the
        columns: one row for each collection, measure, run and run that it is compared with. A run
        is given as in `compare`. `baseline` names the runs that each run is compared with; with a
        `test` alone, all pairs are compared. `test` is `t`, `randomization` or `tukey`, and
        `correction` is `holm`, `bonferroni` or `none`. `decimals` are those at which the best
        scores are compared. `unjudged` adds the share of unjudged documents among the first ten.
        `plain` tests differences as judged only, and `estimated` adds scores if every document were
        judged.
        Raise the errors of `score`, and PoolhouseError where the options contradict each other.
        """
        from poolhouse.comparing.paper_table import paper_table  # noqa: PLC0415 - as in compare

        asked = evolve(request, runs=self._asked(request.collections, request.runs))
        made = interruptibly(lambda: paper_table(self._warehouse, asked))
        warn(made.remarks)
        return made.rows

    def sql(self, query: str, /, **values: object) -> pl.DataFrame:
        """Return the result of one SQL statement, which can neither change nor leave the warehouse.

        Each of `values` replaces `$name` in the query. polars converts the types of the engine: a
        sum of whole numbers is a Decimal. Raise PoolhouseError with the engine's explanation where
        the query fails, where two columns have the same name, or where a frame cannot hold a
        column.
        """
        return interruptibly(lambda: query_frame(self._warehouse, query, values))

    @parameters_of(GivenLoad)
    def load(self, request: LoadRequest) -> LoadReport:
        """Load runs and judgements as a collection, or add them to it, as `poolhouse load` does.

        The parameters are the options of `poolhouse load`. `runs` is files or folders, or a mapping
        from names to runs (data frames, dicts). `qrels` is a file, a data frame or a dict.
        `author_qrels` and `preferences` are mappings from authors to files, and `reference` names
        the author whose judgements are the reference. `ir_dataset` is the id of a data set of
        ir_datasets; its judgements are loaded, and its titles too where `topics` is not given.
        Loading the same files again changes nothing. Raise
        BadFileError, IncompleteCollectionError, WarehouseBusyError, DiskFullError or another
        PoolhouseError.
        """
        request = with_ir_dataset(request)
        report = interruptibly(lambda: load_collection(self._warehouse, request))
        warn([*report.rejections, *report.remarks])
        return report

    def build(self, *collections: str) -> BuildReport:
        """Build the marts of the named collections, or of all that changed, and publish them.

        A collection that cannot be built causes a PoolhouseWarning and is in `failed` of the
        report; the other collections are published. Raise BuildFailedError where no collection can
        be built. Raise UnknownCollectionError, WarehouseBusyError, DiskFullError or another
        PoolhouseError.
        """
        report = interruptibly(lambda: build(self._warehouse, collections))
        warn([*report.remarks, *report.failed])
        return report

    def _asked(
        self, collections: Sequence[str], runs: Sequence[NamedRun | NewRun]
    ) -> list[str | NewRun]:
        """Return the name of a loaded run, or rows with a name, for each given run."""
        loaded = loaded_runs(self._warehouse, collections)
        asked: list[str | NewRun] = []
        for place, run in enumerate(runs, start=1):
            if isinstance(run, NewRun):
                asked.append(run)
                continue
            name, rest = run if isinstance(run, tuple) else (None, run)
            if name is None and isinstance(rest, str) and file_of(rest, loaded) is None:
                asked.append(rest)
                continue
            given = given_run(rest)
            warn(given.remarks)
            asked.append(NewRun(name or given.run_id or f"run {place}", given.rows))
        return asked

    def _written(self, measure: object) -> str:
        """Return a measure in the notation of ir_measures; names of trec_eval are translated."""
        with self._warehouse.read() as connection:
            [written] = measures_named(connection, [str(measure)])
        return written

    def _warn_where_not_current(self, collection: str | None) -> None:
        """Warn where the marts of a collection are not current.

        Raise UnknownCollectionError for an unknown collection.
        """
        with self._warehouse.read() as connection:
            states = (
                collection_states(connection)
                if collection is None
                else loaded_states(connection, [collection])
            )
        warn(each.problem for each in states if each.problem)
