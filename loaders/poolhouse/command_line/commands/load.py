"""`poolhouse load`."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.named_files import NamedFile, NamedPath, qrels_of
from poolhouse.command_line.options import (
    collection_names,
    db_option,
    examples,
    input_path,
    next_command,
    report_format_option,
    say_next,
    work_options,
)
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import (
    DEFAULT_LIMIT,
    JUDGINGS,
    LARGEST_DECLARED,
    LAST_YEAR,
    LEADERBOARD_MEASURES,
    POOLING_ORDERS,
    leaderboard_measure,
)

if TYPE_CHECKING:
    from poolhouse.loading.load import LoadReport
    from poolhouse.loading.request import LoadRequest
    from poolhouse.loading.trec_text import MadeTexts
    from poolhouse.warehouse.file import Warehouse

_MEGABYTE = 1024**2
# A file's text and rows are in memory together, at about five times the text.
_MOST_MEGABYTES = 4000
_REJECTIONS_SHOWN = 3


class _Measure(click.Choice[str]):
    """A measure of the leaderboards, as `score` understands it too."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return leaderboard_measure(str(choice))


_declared = click.IntRange(min=1, max=LARGEST_DECLARED)
_judged_from = click.IntRange(min=-LARGEST_DECLARED, max=0)


@click.command(
    short_help="Load run files and qrels as a collection, or add them to one.",
    epilog=examples(
        "load my-collection --runs runs/ --qrels qrels.txt",
        "load my-collection more/my.run --depth 100",
        "load my-collection --qrels gpt=gpt.txt --authors authors.csv",
        "load my-collection --runs runs/ --unjudged",
        "load by-gpt --judged-by gpt --of my-collection",
        "load --archive archive.yml --keep-going",
    ),
)
@click.argument("collection", required=False, shell_complete=collection_names)
@click.argument("more_runs", nargs=-1, type=input_path, metavar="[RUN_FILE]...")
@click.option(
    "--runs",
    multiple=True,
    type=input_path,
    metavar="DIR|FILE...",
    help="Run files, or a folder of run files. The name of a file becomes the id of the run.",
)
@click.option(
    "--qrels",
    type=NamedFile(),
    multiple=True,
    metavar="[NAME=]FILE",
    help="Relevance judgements, with the name of their author; repeatable. Without a name, they "
    "are the reference.",
)
@click.option(
    "--reference",
    metavar="NAME",
    help="Author whose judgements are the reference, from which everything is computed.",
)
@click.option(
    "--authors",
    type=input_path,
    help="Declarations of authors: CSV author[,kind][,threshold][,highest][,model][,prompt][,date]"
    "[,notes]. The kinds are person, crowd and model.",
)
@click.option(
    "--ir-dataset",
    metavar="ID",
    help="Take judgements from this data set of ir_datasets, and titles too unless --topics is "
    "given. ir_datasets downloads missing files (pip install 'poolhouse[ir_datasets]').",
)
@click.option(
    "--unjudged",
    is_flag=True,
    help="Load runs without judgements, to plan the pool. Qrels may be loaded later.",
)
@click.option(
    "--descriptions",
    type=input_path,
    help="Descriptions of runs: CSV run,organization[,type][,pooled][,depth], the XML of <runs> "
    "with <tag>, <organization>, or NIST's page of runs (runs.md).",
)
@click.option("--topics", type=input_path, help="Topic titles: id, tab, title.")
@click.option(
    "--topic-attributes",
    type=input_path,
    help="Attributes of topics, by which scores can be sliced: CSV topic,ATTRIBUTE[,ATTRIBUTE]...",
)
@click.option(
    "--common-topics",
    type=(str, input_path),
    multiple=True,
    metavar="RUN QRELS",
    help="Judgements of the common topics: topics on which this run was judged too; repeatable.",
)
@click.option(
    "--texts",
    type=input_path,
    multiple=True,
    metavar="FILE",
    help="Texts of judged documents, as JSON Lines or TREC SGML; title words are looked up in "
    "these texts. Repeatable.",
)
@click.option(
    "--title-words",
    type=input_path,
    help="Table topic,word,document of the judged documents that hold a title word; replaces "
    "--texts.",
)
@click.option(
    "--document-frequencies",
    type=input_path,
    help="Table word,df: the number of documents of the whole collection that hold a word.",
)
@click.option(
    "--official-results",
    type=input_path,
    help="Scores that the organizers published: NIST's page of results (results.md). A build "
    "compares them with the scores that it computes.",
)
@click.option("--title", help="Name of the collection in reports.")
@click.option("--track", help="Campaign or track, whose years are compared, such as trec-web.")
@click.option("--year", type=click.IntRange(min=1, max=LAST_YEAR), help="Year of the campaign.")
@click.option("--task", help="Task within the track, such as ad-hoc.")
@click.option(
    "--measure",
    type=_Measure(LEADERBOARD_MEASURES),
    help="Main measure, by which leaderboards, reports and advice order the runs; or its name in "
    "trec_eval, such as ndcg_cut_10.  [default: as in the previous load; AP in the first]",
)
@click.option("--depth", type=_declared, help="Pool depth, if known. Otherwise it is inferred.")
@click.option(
    "--threshold",
    type=_declared,
    help="Lowest relevance grade that counts as relevant.  [default: as in the previous load; 1 in "
    "the first]",
)
@click.option(
    "--judged-from",
    type=_judged_from,
    help="Lowest grade that is a judgement, such as -2 where -2 means junk: judged and not "
    "relevant. A lower grade means in the pool and not judged.  [default: as in the previous load; "
    "0 in the first]",
)
@click.option(
    "--judging",
    type=click.Choice(JUDGINGS),
    help="How the collection was judged, where the judgements do not show it: the first documents "
    "of runs (pooled), every candidate (exhaustive), or a few known relevant documents (sparse; "
    "judging.md).",
)
@click.option(
    "--pooling-order",
    type=click.Choice(POOLING_ORDERS),
    help="Order of the documents of a run when the runs were pooled: by score (ties by document id "
    "descending, as in trec_eval), by line of the file, or by the given rank.  [default: as in the "
    "previous load; score in the first]",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Let judgements take the place of loaded ones that they lack or grade otherwise.",
)
@click.option("--strict", is_flag=True, help="Stop the load at any malformed line.")
@click.option(
    "--max-file-size",
    type=click.IntRange(min=1, max=_MOST_MEGABYTES),
    default=DEFAULT_LIMIT // _MEGABYTE,
    show_default=True,
    metavar="MB",
    help="Limit for the decompressed text of one file. Descriptions and topics have a 16th of this "
    "limit.",
)
@click.option(
    "--highest-grade",
    type=_declared,
    help="Highest grade of the relevance scale. `check` reports higher grades.",
)
@click.option(
    "--of",
    metavar="COLLECTION",
    help="With --judged-by or --of-depth: the built collection whose runs, topics and settings are "
    "taken.",
)
@click.option(
    "--of-depth",
    type=click.IntRange(min=0, max=LARGEST_DECLARED),
    metavar="N",
    help="Make a new collection of the topics of another one (--of) that were pooled to this "
    "depth, where topics differ (dim_topics); 0 for those on which its runs were not pooled.",
)
@click.option(
    "--judged-by",
    metavar="AUTHOR",
    help="Make a new collection of another one (--of), judged by this author of it, or by a "
    "mixture such as 'nist, else gpt': the first of these authors that judged a document counts.",
)
@click.option(
    "--archive",
    type=input_path,
    help="YAML file with a list of collections. Its keys are the options above; paths are relative "
    "to the file.",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="With --archive: leave out collections that cannot be loaded, and exit with status 1.",
)
@work_options
@report_format_option
@db_option
@click.pass_context
def load(
    context: click.Context,
    /,
    collection: str | None,
    of: str | None,
    of_depth: int | None,
    judged_by: str | None,
    archive: Path | None,
    keep_going: bool,
    output: str,
    warehouse: "Warehouse",
    **options: Any,  # noqa: ANN401 - as request_of has them
) -> None:
    """Load run files and qrels as COLLECTION, or add them to it; or load an archive of collections.

    A file that is already loaded is skipped. A changed file replaces its old rows. A malformed line
    is set aside, and audits.audit_rejected_lines lists it after the next build. A bad file stops
    the load, and nothing of that load is kept.

    Runs without qrels (--unjudged) have rankings, overlaps and pool sizes after the build, but no
    scores. To add judgements later, run `load COLLECTION --qrels FILE`.

    Judgements may come from several authors (--qrels NAME=FILE). One of them is the reference, and
    everything is computed from its judgements; the others stand beside them.

    The collections of an archive are published together. An option that names no files applies to
    every entry that does not set it itself.
    """
    if (of is None) != (judged_by is None and of_depth is None):
        raise click.UsageError("--of needs --judged-by or --of-depth, and these need --of")
    if archive:
        if of is not None:
            raise click.UsageError("--of makes a collection of a built one: leave out --archive")
        _load_archive(context, archive, warehouse, output, keeps_going=keep_going)
        return
    if keep_going:
        raise click.UsageError("--keep-going works only with --archive")
    if collection is None:
        raise click.UsageError("Missing argument 'COLLECTION'.")
    if of is not None:
        _refuse_options(context, collection, options)
        _load_derived(warehouse, collection, of, judged_by, of_depth, output)
        return
    _load_one(warehouse, request_of(collection, **options), output)


def request_of(
    collection: str,
    more_runs: tuple[Path, ...],
    runs: tuple[Path, ...],
    qrels: tuple[NamedPath, ...],
    reference: str | None,
    authors: Path | None,
    ir_dataset: str | None,
    unjudged: bool,
    descriptions: Path | None,
    topics: Path | None,
    topic_attributes: Path | None,
    common_topics: tuple[tuple[str, Path], ...],
    texts: tuple[Path, ...],
    title_words: Path | None,
    document_frequencies: Path | None,
    official_results: Path | None,
    title: str | None,
    track: str | None,
    year: int | None,
    task: str | None,
    measure: str | None,
    depth: int | None,
    threshold: int | None,
    judged_from: int | None,
    judging: str | None,
    pooling_order: str | None,
    highest_grade: int | None,
    replace: bool,
    strict: bool,
    max_file_size: int,
) -> "LoadRequest":
    """Return the request that the options describe, for one collection or one archive entry.

    Each option has a parameter. Raise click's UsageError where options do not go together, and the
    errors of LoadRequest and run_files.
    """
    from poolhouse.loading.request import CollectionSettings, LoadRequest
    from poolhouse.loading.run_files import run_files
    from poolhouse.loading.title_words import TitleWordFiles

    files = (
        more_runs,
        runs,
        qrels,
        reference,
        authors,
        ir_dataset,
        descriptions,
        topics,
        topic_attributes,
        common_topics,
        official_results,
    )
    of_title_words = TitleWordFiles(texts, title_words, document_frequencies)
    of_judging = (track, year, task, measure, judged_from, judging)
    declared = (title, depth, threshold, pooling_order, highest_grade, *of_judging)
    is_declared = any(value is not None for value in declared)
    if not (is_declared or any((*files, *of_title_words.by_kind()))):
        raise click.UsageError("nothing to load: name files, or declare something, such as --depth")
    judged = (("--qrels", qrels), ("--ir-dataset", ir_dataset), ("--common-topics", common_topics))
    for option, given in judged:
        if unjudged and given:
            raise click.UsageError(f"--unjudged means no judgements: leave out {option}")
    reference_file, author_qrels = qrels_of(qrels)
    if reference_file and ir_dataset:
        raise click.UsageError("--qrels and --ir-dataset both name judgements: give one of them")
    return LoadRequest(
        collection,
        run_files([*runs, *more_runs]),
        reference_file,
        descriptions,
        topics,
        CollectionSettings(*declared),
        strict,
        max_file_size * _MEGABYTE,
        common_topics=common_topics,
        is_unjudged=unjudged,
        title_words=of_title_words,
        topic_attributes=topic_attributes,
        author_qrels=author_qrels,
        reference=reference,
        authors=authors,
        made=_made_of(ir_dataset),
        official_results=official_results,
        may_replace=replace,
    )


def _made_of(ir_dataset: str | None) -> "MadeTexts":
    from poolhouse.loading.trec_text import MadeTexts

    if ir_dataset is None:
        return MadeTexts()
    # Imported only if asked for: the module needs an extra, and may download files.
    from poolhouse.loading.from_ir_datasets import made_of

    return made_of(ir_dataset)


def _load_one(warehouse: "Warehouse", request: "LoadRequest", output: str) -> None:
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.loading.load import load_collection

    started = time.monotonic()
    n_files = request.n_files
    with progress_bar("loading") as bar:
        counted = iter(range(n_files))
        report = load_collection(
            warehouse, request, lambda name: bar.show(name, next(counted, n_files), n_files)
        )
    seconds = time.monotonic() - started
    _say(request.collection, report, seconds)
    if output == "json":
        console.write_json(_as_object(request.collection, report, seconds))
    if report.changed and report.is_judged and len(request.run_ids) == 1:
        score = next_command("score", *request.run_ids, "--collection", request.collection)
        console.remark(f"after the build: {score}")
    _say_next(changed=report.changed)


def _refuse_options(context: click.Context, collection: str, options: dict[str, Any]) -> None:
    """Raise click's UsageError where an option does not go with --of."""
    for each in context.command.params:
        source = context.get_parameter_source(each.name or "")
        if each.name in options and source is click.core.ParameterSource.COMMANDLINE:
            word = max(each.opts, key=len)
            if isinstance(each, click.Argument):
                if not options[each.name]:
                    continue
                word = each.human_readable_name
            raise click.UsageError(
                f"--of takes everything from another collection: leave out {word}, and "
                f"load it into {collection} afterwards"
            )


def _load_derived(
    warehouse: "Warehouse",
    collection: str,
    original: str,
    author: str | None,
    depth: int | None,
    output: str,
) -> None:
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import waiting
    from poolhouse.loading.author_names import REFERENCE
    from poolhouse.loading.derived import load_derived

    started = time.monotonic()
    with waiting("loading"):
        report = load_derived(warehouse, collection, original, author or REFERENCE, depth=depth)
    seconds = time.monotonic() - started
    _say(collection, report, seconds)
    if output == "json":
        console.write_json(_as_object(collection, report, seconds))
    _say_next(changed=report.changed)


def _load_archive(
    context: click.Context,
    archive: Path,
    warehouse: "Warehouse",
    output: str,
    *,
    keeps_going: bool,
) -> None:
    from poolhouse.command_line import console
    from poolhouse.command_line.archive_options import requests_of
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.loading.archives import BadEntryError, load_archive, read_archive

    requests, broken = requests_of(context, read_archive(archive), request_of)
    if broken and not keeps_going:
        raise _nothing_loaded(broken[0])
    n_files = sum(request.n_files for _, request in requests)
    with progress_bar("loading") as bar:
        counted = iter(range(n_files))

        def show(collection: str, number: int, file: str) -> None:
            item = f"{number} of {len(requests)}, {collection}: {file}"
            bar.show(item, next(counted, n_files), n_files)

        try:
            report = load_archive(warehouse, requests, show, keeps_going=keeps_going)
        except BadEntryError as error:
            raise _nothing_loaded(error) from error
    for each in report.loaded:
        _say(each.collection, each.report, each.seconds)
    refused = [*broken, *report.refused]
    if output == "json":
        loaded = [_as_object(each.collection, each.report, each.seconds) for each in report.loaded]
        console.write_json({"loaded": loaded, "refused": list(map(str, refused))})
    for each_refused in refused:
        console.remark(f"Error: {each_refused}", "red")
    _say_next(changed=report.changed)
    if refused:
        context.exit(1)


def _nothing_loaded(error: PoolhouseError) -> PoolhouseError:
    problem = f"{error}; nothing was loaded (with --keep-going the other collections are loaded)"
    return PoolhouseError(problem)


def _say(collection: str, report: "LoadReport", seconds: float) -> None:
    """Print what a load did."""
    from poolhouse.command_line import console

    parts = [
        f"{report.n_files - report.n_unchanged} files loaded, {report.n_unchanged} unchanged",
        f"{report.n_rows} lines",
        *([f"{report.n_described} runs described"] if report.n_described else []),
        *([f"{report.n_texts} texts of judged documents"] if report.n_texts else []),
        *([f"{report.n_official_figures} official figures"] if report.n_official_figures else []),
        *([f"{report.n_blank} blank lines and comments"] if report.n_blank else []),
        *([f"{report.n_duplicates} repeated documents"] if report.n_duplicates else []),
    ]
    name = f"{collection} (new)" if report.is_new else collection
    console.remark(f"{name}: {', '.join(parts)} ({seconds:.1f} s)")
    for text in [*_some_rejections(report), *report.remarks]:
        console.remark(f"note: {text}", "yellow")


def _as_object(collection: str, report: "LoadReport", seconds: float) -> dict[str, object]:
    """Return the facts that _say prints, as a JSON object."""
    return {"collection": collection, **asdict(report), "seconds": round(seconds, 1)}


def _say_next(*, changed: bool) -> None:
    from poolhouse.command_line import console

    if not changed:
        console.remark("nothing new")
    say_next("build" if changed else "status")


def _some_rejections(report: "LoadReport") -> list[str]:
    shown = report.rejections[:_REJECTIONS_SHOWN]
    if not shown:
        return []
    n_more = len(report.rejections) - len(shown)
    more = f"and {n_more} more files; " if n_more else ""
    all_of_them = f"{more}lines rejected in all: {report.n_rejected}"
    return [*shown, f"{all_of_them}; after the build, audits.audit_rejected_lines lists them"]
