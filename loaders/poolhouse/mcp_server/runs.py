"""Runs that are loaded, and run files in the folder that the user named."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from poolhouse.building.staleness import check_built
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.comparison_words import conclusions_of
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.line_files import LinesOfFile, read_run
from poolhouse.mcp_server.answers import Answer
from poolhouse.mcp_server.folder import Folder
from poolhouse.scoring.asked_runs import NewRun, loaded_runs, names_of
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.scoring.estimating.adjustment_tables import tables_of
from poolhouse.scoring.scores import score_runs
from poolhouse.warehouse.file import Warehouse


@dataclass(frozen=True)
class Runs:
    """Runs of a collection. A text names a loaded run, or else a file of the folder."""

    warehouse: Warehouse
    folder: Folder | None
    collection: str

    def score(self, runs: Sequence[str], measures: Sequence[str], *, by_topic: bool) -> Answer:
        """Score runs by measures."""
        asked, notes = self._asked(runs)
        scores = score_runs(self.warehouse, self.collection, asked, measures)
        rows = scores.by_topic if by_topic else scores.over_topics
        return Answer(rows.columns, rows.rows(), [*notes, *scores.remarks])

    def compare(
        self, runs: Sequence[str], measures: Sequence[str], baseline: Sequence[str]
    ) -> Answer:
        """Compare runs topic by topic. The notes begin with the conclusions."""
        asked, notes = self._asked(runs)
        ids = dict(zip(runs, names_of(asked), strict=True))
        named = [ids.get(each, each) for each in baseline]
        request = ComparisonRequest(self.collection, asked, measures, baseline=named)
        comparison = compare(self.warehouse, request)
        notes = [*conclusions_of(comparison), *notes, *comparison.remarks]
        return Answer(comparison.rows.columns, comparison.rows.rows(), notes)

    def adjust(self, run: str, organization: str | None, *, all_estimates: bool) -> Answer:
        """Estimate what a run file would score if it were judged. The notes begin with advice."""
        read = self._file(run)
        adjustment = adjust(
            self.warehouse, self.collection, read.rows, read.run_id, organization=organization
        )
        shown = tables_of(adjustment, read.run_id, self.collection, all_estimates=False)
        title, columns, rows = next(shown)
        if all_estimates:
            columns, rows = adjustment.scores.columns, adjustment.scores.rows()
        notes = [adjustment.advice, *read.remarks, *adjustment.remarks, title]
        return Answer(columns, rows, notes)

    def _asked(self, texts: Sequence[str]) -> tuple[list[str | NewRun], list[str]]:
        """Return a run for each text, and remarks on lines of files."""
        with self.warehouse.read() as connection:
            check_built(connection, self.collection)
        loaded = loaded_runs(self.warehouse, [self.collection])
        runs: list[str | NewRun] = []
        remarks: list[str] = []
        for text in texts:
            if text in loaded:
                runs.append(text)
            else:
                read = self._file(text, loaded)
                runs.append(NewRun(read.run_id, read.rows))
                remarks += read.remarks
        return runs, remarks

    def _file(self, name: str, loaded: Collection[str] = ()) -> LinesOfFile:
        if self.folder is None:
            raise PoolhouseError(
                f"{name!r} is no run of {self.collection!r}{did_you_mean(name, loaded)}; to read "
                "run files, have the server started with --folder"
            )
        return read_run(self.folder.file(name))
