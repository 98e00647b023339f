"""`poolhouse load`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poolhouse.option_values import DEFAULT_LIMIT, LARGEST_DECLARED, POOLING_ORDERS
from poolhouse.options import build_command, db_option, input_path

if TYPE_CHECKING:
    from poolhouse.loading import LoadReport
    from poolhouse.warehouse import Warehouse

_MEGABYTE = 1024**2
# A file's text and rows are in memory together, at about five times the text.
_MOST_MEGABYTES = 4000
_REJECTIONS_SHOWN = 3

_declared = click.IntRange(min=1, max=LARGEST_DECLARED)


@click.command()
@click.argument("collection")
@click.argument("more_runs", nargs=-1, type=input_path, metavar="[RUN_FILE]...")
@click.option(
    "--runs",
    multiple=True,
    type=input_path,
    metavar="DIR|FILE...",
    help="Run files, or a folder of them; a file's name is the run's id.",
)
@click.option("--qrels", type=input_path, help="Relevance judgements.")
@click.option(
    "--unjudged",
    is_flag=True,
    help="There are no judgements yet: load runs alone, to plan the pool. Qrels may come later.",
)
@click.option(
    "--descriptions",
    type=input_path,
    help="CSV run,organization[,type][,pooled], or the XML of <runs> with <tag>, <organization>.",
)
@click.option("--topics", type=input_path, help="Topic titles: id, tab, title.")
@click.option(
    "--common-topics",
    type=(str, input_path),
    multiple=True,
    metavar="RUN QRELS",
    help="Judgements of topics on which this run was judged too; repeatable.",
)
@click.option(
    "--texts",
    type=input_path,
    multiple=True,
    metavar="FILE",
    help="Texts of judged documents, JSON Lines or TREC SGML, in which title words are looked up; "
    "repeatable.",
)
@click.option(
    "--title-words",
    type=input_path,
    help="In their place a table topic,word,document: the judged documents with a title word.",
)
@click.option(
    "--document-frequencies",
    type=input_path,
    help="Table word,df: in how many documents of the whole collection a word is.",
)
@click.option("--title", help="What the collection is called in reports.")
@click.option("--depth", type=_declared, help="Pool depth, where known; else it is inferred.")
@click.option(
    "--threshold",
    type=_declared,
    help="Lowest relevance grade that counts as relevant.  [default: as before, at first 1]",
)
@click.option(
    "--pooling-order",
    type=click.Choice(POOLING_ORDERS),
    help="What ordered the runs when they were pooled: the score (ties by document id "
    "descending, as trec_eval), the line in the file, or the given rank.  [default: as before, at "
    "first score]",
)
@click.option("--strict", is_flag=True, help="Let any malformed line stop the load.")
@click.option(
    "--max-file-size",
    type=click.IntRange(min=1, max=_MOST_MEGABYTES),
    default=DEFAULT_LIMIT // _MEGABYTE,
    show_default=True,
    metavar="MB",
    help="Limit for the text in one file, decompressed; for descriptions and topics a 16th of it.",
)
@click.option(
    "--highest-grade",
    type=_declared,
    help="Highest grade of the relevance scale, which `check` then expects.",
)
@db_option
def load(
    collection: str,
    more_runs: tuple[Path, ...],
    runs: tuple[Path, ...],
    qrels: Path | None,
    unjudged: bool,
    descriptions: Path | None,
    topics: Path | None,
    common_topics: tuple[tuple[str, Path], ...],
    texts: tuple[Path, ...],
    title_words: Path | None,
    document_frequencies: Path | None,
    title: str | None,
    depth: int | None,
    threshold: int | None,
    pooling_order: str | None,
    highest_grade: int | None,
    strict: bool,
    max_file_size: int,
    warehouse: "Warehouse",
) -> None:
    """Load run files and qrels as COLLECTION, or add to it.

    A file that is loaded already is passed over, a changed one replaces its old rows. A malformed
    line is set aside (audit_rejected_lines lists them after the next build); a bad file stops the
    load, and nothing of that load is kept.

    Runs without qrels (--unjudged) have rankings, overlaps and pool sizes after the build, and no
    scores; `load COLLECTION --qrels FILE` ends that.
    """
    from poolhouse import console
    from poolhouse.loading import CollectionSettings, LoadRequest, load_collection
    from poolhouse.progress import progress_bar
    from poolhouse.run_files import run_files
    from poolhouse.title_words import TitleWordFiles

    files = (more_runs, runs, qrels, descriptions, topics, common_topics)
    of_title_words = TitleWordFiles(texts, title_words, document_frequencies)
    if not any(
        (*files, *of_title_words.by_kind(), title, depth, threshold, pooling_order, highest_grade)
    ):
        raise click.UsageError("nothing to load: name files, or something to declare")
    for option, given in (("--qrels", qrels), ("--common-topics", common_topics)):
        if unjudged and given:
            raise click.UsageError(f"--unjudged says that there are no judgements: not {option}")
    request = LoadRequest(
        collection,
        run_files([*runs, *more_runs]),
        qrels,
        descriptions,
        topics,
        CollectionSettings(title, depth, threshold, pooling_order, highest_grade),
        strict,
        max_file_size * _MEGABYTE,
        common_topics=common_topics,
        is_unjudged=unjudged,
        title_words=of_title_words,
    )
    started = time.monotonic()
    n_files = len(request.runs) + len(common_topics) + sum(map(bool, (qrels, descriptions, topics)))
    n_files += len(of_title_words.by_kind())
    with progress_bar("loading") as bar:
        counted = iter(range(n_files))
        report = load_collection(
            warehouse, request, lambda name: bar.show(name, next(counted, n_files), n_files)
        )
    seconds = time.monotonic() - started
    parts = [
        f"{report.n_files - report.n_unchanged} files loaded, {report.n_unchanged} unchanged",
        f"{report.n_rows} lines",
        *([f"{report.n_described} runs described"] if report.n_described else []),
        *([f"{report.n_texts} texts of judged documents"] if report.n_texts else []),
        *([f"{report.n_blank} blank lines"] if report.n_blank else []),
        *([f"{report.n_duplicates} repeated documents"] if report.n_duplicates else []),
    ]
    name = f"{collection} (new)" if report.is_new else collection
    console.remark(f"{name}: {', '.join(parts)} ({seconds:.1f} s)")
    for text in [*_some_rejections(report), *report.remarks]:
        console.remark(f"note: {text}", "yellow")
    console.remark(f"next: {build_command()}" if report.changed else "nothing new")


def _some_rejections(report: "LoadReport") -> list[str]:
    shown = report.rejections[:_REJECTIONS_SHOWN]
    if not shown:
        return []
    n_more = len(report.rejections) - len(shown)
    more = f"and {n_more} more files; " if n_more else ""
    all_of_them = f"{more}lines rejected in all: {report.n_rejected}"
    return [*shown, f"{all_of_them}; after the build, audit_rejected_lines lists them"]
