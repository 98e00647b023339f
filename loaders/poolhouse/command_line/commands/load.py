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
from poolhouse.command_line.request_options import options_of
from poolhouse.errors import PoolhouseError
from poolhouse.loading.request import LoadRequest, leaderboard_measure
from poolhouse.option_values import (
    DEFAULT_LIMIT,
    LARGEST_DECLARED,
    LEADERBOARD_MEASURES,
)

if TYPE_CHECKING:
    from poolhouse.loading.reading import LoadReport
    from poolhouse.warehouse.file import Warehouse

_MEGABYTE = 1024**2
# A file's text and rows are in memory together, at about five times the text.
_MOST_MEGABYTES = 4000
_REJECTIONS_SHOWN = 3


class _Measure(click.Choice[str]):
    """A measure of the leaderboards, as `score` understands it too."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return str(leaderboard_measure(str(choice)))


class _Megabytes(click.IntRange):
    """Megabytes, as bytes."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click declares it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        return super().convert(value, param, ctx) * _MEGABYTE


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
@options_of(
    LoadRequest,
    qrels={"type": NamedFile(), "multiple": True},
    preferences={"type": NamedFile(needs_name=True)},
    common_topics={"type": (str, input_path)},
    measure={"type": _Measure(LEADERBOARD_MEASURES)},
    max_file_size={"type": _Megabytes(1, _MOST_MEGABYTES), "default": DEFAULT_LIMIT // _MEGABYTE},
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
    *,
    more_runs: tuple[Path, ...] = (),
    runs: tuple[Path, ...] = (),
    qrels: tuple[NamedPath, ...] = (),
    **options: Any,  # noqa: ANN401 - fields of LoadRequest
) -> LoadRequest:
    """Return the request that the options describe, for one collection or one archive entry.

    Raise click's UsageError where options do not go together, and the errors of LoadRequest.
    """
    from poolhouse.loading.from_ir_datasets import with_ir_dataset

    reference_file, author_qrels = qrels_of(qrels)
    if reference_file and options.get("ir_dataset"):
        raise click.UsageError("--qrels and --ir-dataset both name judgements: give one of them")
    request = LoadRequest(
        collection, [*runs, *more_runs], reference_file, author_qrels=author_qrels, **options
    )
    if request.names_nothing:
        raise click.UsageError("nothing to load: name files, or declare something, such as --depth")
    judged = (
        ("--qrels", request.qrels or request.author_qrels),
        ("--ir-dataset", request.ir_dataset),
        ("--common-topics", request.common_topics),
    )
    for option, given in judged:
        if request.unjudged and given:
            raise click.UsageError(f"--unjudged means no judgements: leave out {option}")
    return with_ir_dataset(request)


def _load_one(warehouse: "Warehouse", request: LoadRequest, output: str) -> None:
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.loading.load import load_collection

    started = time.monotonic()
    with progress_bar("loading") as bar:
        report = load_collection(warehouse, request, bar.show)
    _say_one(request.collection, report, time.monotonic() - started, output)
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
    from poolhouse.command_line.progress import waiting
    from poolhouse.loading.author_names import REFERENCE
    from poolhouse.loading.derived import load_derived

    started = time.monotonic()
    with waiting("loading"):
        report = load_derived(warehouse, collection, original, author or REFERENCE, depth=depth)
    _say_one(collection, report, time.monotonic() - started, output)
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
    with progress_bar("loading") as bar:
        try:
            report = load_archive(warehouse, requests, bar.show, keeps_going=keeps_going)
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


def _say_one(collection: str, report: "LoadReport", seconds: float, output: str) -> None:
    from poolhouse.command_line import console

    _say(collection, report, seconds)
    if output == "json":
        console.write_json(_as_object(collection, report, seconds))


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
    console.notes([*_some_rejections(report), *report.remarks])


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
