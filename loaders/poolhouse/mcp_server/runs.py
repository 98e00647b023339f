"""Tools for runs: loaded runs by their names, and run files in the folder that the user named."""

from collections.abc import Sequence

from poolhouse.building.staleness import check_built
from poolhouse.comparing.comparison import compare
from poolhouse.comparing.comparison_words import conclusions_of
from poolhouse.comparing.requests import ComparisonRequest
from poolhouse.errors import PoolhouseError, did_you_mean
from poolhouse.loading.line_files import LinesOfFile, read_run
from poolhouse.mcp_server.answers import Answer
from poolhouse.mcp_server.source import Source
from poolhouse.option_values import USUAL_MEASURES
from poolhouse.scoring.asked_runs import NewRun, loaded_runs, names_of
from poolhouse.scoring.estimating.adjusting import adjust
from poolhouse.scoring.estimating.adjustment_tables import tables_of
from poolhouse.scoring.scores import score_runs as score

_MOST_FILES = 1000


def list_files(source: Source) -> Answer:
    """List the files of the folder."""
    names = source.folder.names() if source.folder else ()
    return Answer(("file",), [(name,) for name in names], most=_MOST_FILES)


def score_runs(
    source: Source,
    collection: str,
    runs: Sequence[str],
    measures: Sequence[str] = USUAL_MEASURES,
    *,
    by_topic: bool = False,
) -> Answer:
    """Score runs by measures."""
    asked, notes = _asked(source, collection, runs)
    scores = score(source.warehouse, collection, asked, measures)
    rows = scores.by_topic if by_topic else scores.over_topics
    return Answer(rows.columns, rows.rows(), [*notes, *scores.remarks])


def compare_runs(
    source: Source,
    collection: str,
    runs: Sequence[str],
    measures: Sequence[str],
    baseline: Sequence[str] = (),
) -> Answer:
    """Compare runs topic by topic. The notes begin with the conclusions."""
    asked, notes = _asked(source, collection, runs)
    ids = dict(zip(runs, names_of(asked), strict=True))
    named = [ids.get(each, each) for each in baseline]
    request = ComparisonRequest(collection, asked, measures, baseline=named)
    comparison = compare(source.warehouse, request)
    notes = [*conclusions_of(comparison), *notes, *comparison.remarks]
    return Answer(comparison.rows.columns, comparison.rows.rows(), notes)


def adjust_run(
    source: Source,
    collection: str,
    run: str,
    organization: str | None = None,
    *,
    all_estimates: bool = False,
) -> Answer:
    """Estimate what a run file would score if it were judged. The notes begin with the advice."""
    read = _file(source, run)
    adjustment = adjust(
        source.warehouse, collection, read.rows, read.run_id, organization=organization
    )
    shown = tables_of(adjustment, read.run_id, collection, all_estimates=False)
    title, columns, rows = next(shown)
    if all_estimates:
        columns, rows = adjustment.scores.columns, adjustment.scores.rows()
    return Answer(columns, rows, [adjustment.advice, *read.remarks, *adjustment.remarks, title])


def _asked(
    source: Source, collection: str, texts: Sequence[str]
) -> tuple[list[str | NewRun], list[str]]:
    """Return a run for each text, a loaded run or a file of the folder, and remarks on lines."""
    with source.warehouse.read() as connection:
        check_built(connection, collection)
    loaded = loaded_runs(source.warehouse, [collection])
    if not source.folder and (unknown := [each for each in texts if each not in loaded]):
        raise PoolhouseError(
            f"{unknown[0]!r} is no run of {collection!r}{did_you_mean(unknown[0], loaded)}; to "
            "read run files, have the server started with --folder"
        )
    files = {text: _file(source, text) for text in texts if text not in loaded}
    runs = [
        NewRun(files[each].run_id, files[each].rows) if each in files else each for each in texts
    ]
    return runs, [remark for read in files.values() for remark in read.remarks]


def _file(source: Source, name: str) -> LinesOfFile:
    assert source.folder  # noqa: S101 - see above, and without one there is no `adjust_run`
    return read_run(source.folder.file(name))
