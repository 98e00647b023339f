"""`poolhouse pool`: plan a pool, make lists for assessors, and load their answers."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from poolhouse.command_line.options import (
    Numbers,
    collection_names,
    db_option,
    examples,
    file_option,
    format_option,
    input_path,
    next_command,
    report_format_option,
    say_next,
    work_options,
)

if TYPE_CHECKING:
    from poolhouse.pooling.asking import PoolRequest
    from poolhouse.pooling.assessing import AssessorsList
    from poolhouse.warehouse.file import Warehouse

_from_1 = click.IntRange(min=1)
_collection = click.argument("collection", shell_complete=collection_names)


@click.group(
    short_help="Plan a pool, make lists for assessors, load their answers.",
    epilog=examples(
        "pool plan my-collection --budgets 5000,20000",
        "pool make my-collection --strategy rrf --budget 5000 -o list.txt",
        "pool load my-collection list.txt",
        "pool status my-collection",
    ),
)
def pool() -> None:
    """Choose the documents to judge: what each pool would cost, lists for assessors, answers.

    A pool has the documents that a strategy takes from the runs (dim_pooling_strategies lists the
    strategies). Its runs are the runs that the descriptions declare as pooled, or all runs. Its
    topics are all topics that such a run answers.
    """


def _of_pool(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the runs and the topics of a pool, and make a request of them."""

    @click.option("--per-topic", is_flag=True, help="The budget is that of each topic.")
    @click.option(
        "--run",
        "runs",
        multiple=True,
        metavar="RUN",
        help="Pool this run. Repeatable.  [default: the declared runs, or all]",
    )
    @wraps(command)
    def with_request(
        collection: str,
        per_topic: bool,
        runs: tuple[str, ...],
        warehouse: "Warehouse",
        **options: Any,  # noqa: ANN401 - those of the command
    ) -> Any:  # noqa: ANN401 - what a command gives
        from poolhouse.pooling.asking import PoolRequest

        def request(budget: int, seed: int = 0) -> "PoolRequest":
            asked = PoolRequest(
                collection, budget, per_topic, runs or None, is_of_every_topic=True, seed=seed
            )
            return asked if runs else asked.of_campaign(warehouse)

        return command(request=request, warehouse=warehouse, **options)

    return with_request


@pool.command(
    short_help="Say what pools would cost before anything is judged.",
    epilog=examples(
        "pool plan my-collection --budgets 5000,20000",
        "pool plan my-collection --strategy rrf --budgets 5000 --by run",
    ),
)
@_collection
@click.option(
    "--budgets",
    type=Numbers(),
    default="1000,2000,5000,10000,20000",
    show_default=True,
    help="Numbers of judgements.",
)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    help="Plan this strategy, which needs no answers and does not draw. Repeatable.  [default: "
    "depth, take_by_run, take_by_organization, rbp_a]",
)
@click.option(
    "--by",
    type=click.Choice(["strategy", "topic", "run"]),
    default="strategy",
    show_default=True,
    help="Rows for each strategy and budget, and for each topic or run of them.",
)
@_of_pool
@work_options
@format_option
@db_option
def plan(
    request: Callable[..., "PoolRequest"],
    budgets: tuple[int, ...],
    strategies: tuple[str, ...],
    by: str,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Say how many documents pools of COLLECTION have, and recommend one for the largest budget.

    deepest_rank is the lowest rank from which a document of the pool comes, each at its best rank.
    n_of_one_run counts the documents that only one run has down to this rank of their topic; they
    would leave with this run. unjudged_10 is the share of a run's first ten documents that the pool
    lacks, as mean over the runs. unjudged_10_left_out is this share where the documents that only
    the run's own organization has, down to this rank, leave the pool.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.pooling.plans import PlanQuestion, planned_pools

    if min(budgets) < 1:
        raise click.UsageError("a budget is 1 or more")
    asked = request(max(budgets))
    with progress_bar("planning") as bar:
        planned = planned_pools(warehouse, asked, PlanQuestion(budgets, strategies, by), bar.show)
    title = f"pools of {len(asked.runs or ())} runs of {asked.collection}"
    console.write_rows(planned.rows.columns, planned.rows.rows(), output, title)
    strategy = strategies[0] if strategies else "depth"
    if best := planned.recommendation:
        strategy = best.strategy
        console.remark(
            f"recommended for {best.budget} judgements: {strategy}, because {best.reason}"
        )
    say_next(
        *("pool", "make", asked.collection, "--strategy", strategy),
        *("--budget", str(max(budgets)), *(["--per-topic"] if asked.is_per_topic else [])),
        *("-o", "FILE"),
    )


@pool.command(
    short_help="Write the list of documents to judge next.",
    epilog=examples(
        "pool make my-collection --strategy depth --budget 5000 -o list.txt",
        "pool make my-collection --strategy max_mean --budget 5000 --batch 500 -o 1.txt",
        "pool make my-collection --settle run-a my.run --budget 50 -o list.txt",
        "pool make my-collection --strategy rrf --budget 5000 --assessors 3 -o list.txt",
        "pool make my-collection --validate umbrela --budget 400 --batch 100 -o list.txt",
    ),
)
@_collection
@click.option("--strategy", help="How documents are chosen.")
@click.option(
    "--settle",
    type=(str, str),
    metavar="RUN RUN",
    help="Instead of a strategy: take the documents that would tell best which of two runs, loaded "
    "or in files, is better.",
)
@click.option(
    "--validate",
    metavar="AUTHOR",
    help="Instead of a strategy: draw from the labels of this author, so that people say how far "
    "the author is right. The budget has all documents of the sample, also the answered ones.",
)
@click.option(
    "-m",
    "--measure",
    help="With --settle: the measure of the runs.  [default: the main measure of the collection]",
)
@click.option(
    "--budget",
    type=_from_1,
    required=True,
    help="Number of documents of the whole pool, judged or not. For a strategy that needs answers, "
    "all judgements of documents of the runs count. With --settle, the documents of the list.",
)
@click.option(
    "--batch", type=_from_1, help="At most so many documents now.  [default: all of the budget]"
)
@file_option(
    "File for the list, which must not exist. Of several assessors, the files for list.txt are "
    "list-1.txt, list-2.txt and so on.",
)
@click.option(
    "--assessors",
    type=click.IntRange(min=2),
    help="Divide the documents among so many assessors, each with a list. Topics stay whole as far "
    "as the lists are even.",
)
@click.option(
    "--overlap",
    type=click.FloatRange(0, 1),
    help="With --assessors: share of each assessor's documents, drawn at random, that another "
    "assessor judges too.  [default: 0.1]",
)
@click.option(
    "--order",
    type=click.Choice(["shuffled", "document"]),
    default="shuffled",
    show_default=True,
    help="Order of the documents of a topic. Neither shows their ranks.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all draws."
)
@_of_pool
@work_options
@db_option
def make(
    request: Callable[..., "PoolRequest"],
    strategy: str | None,
    settle: tuple[str, str] | None,
    validate: str | None,
    measure: str | None,
    budget: int,
    batch: int | None,
    file: Path,
    assessors: int | None,
    overlap: float | None,
    order: str,
    seed: int,
    warehouse: "Warehouse",
) -> None:
    """Write the documents of the pool that nobody judged, as qrels without grades.

    An assessor adds the grade to each line, or `skip` where the document cannot be judged, and
    `pool load` loads the answers. A line without a grade is not answered yet. After a batch is
    loaded, the same command with another FILE writes the next one. An adaptive strategy reads the
    answers; within a batch, it takes every document for not relevant.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import waiting
    from poolhouse.pooling.assessing import assessors_list, refuse_existing
    from poolhouse.pooling.dividing import USUAL_OVERLAP, divided
    from poolhouse.pooling.recording import record_lists
    from poolhouse.pooling.validating import VALIDATION_OF
    from poolhouse.warehouse.whole import refuse_place_of_warehouse

    if overlap is not None and assessors is None:
        raise click.UsageError("--overlap works only with --assessors")
    files = [file.with_stem(f"{file.stem}-{n + 1}") for n in range(assessors or 0)] or [file]
    for each in files:
        refuse_place_of_warehouse(each, warehouse.path, "list")
        refuse_existing(each)
    if settle is not None:
        _settle(settle, measure, budget, file, order, seed)
        return
    if validate is not None:
        given = click.get_current_context().params
        if strategy or given["per_topic"] or given["runs"]:
            raise click.UsageError("with --validate, leave out --strategy, --per-topic and --run")
        strategy = VALIDATION_OF + validate
    if strategy is None:
        raise click.UsageError(
            "say how documents are chosen: --strategy NAME, --validate AUTHOR or --settle RUN RUN"
        )
    if measure is not None:
        raise click.UsageError("--measure works only with --settle")
    asked = request(budget, seed)
    with waiting("choosing"):
        made = assessors_list(warehouse, asked, strategy, batch, order)
    console.notes(made.remarks)
    if made.documents.is_empty():
        console.remark(
            f"nothing is left to judge, and no list is written: {made.n_judged} documents are "
            f"judged, and the budget is {budget}"
        )
        return
    lists = [made]
    if assessors is not None:
        share = USUAL_OVERLAP if overlap is None else overlap
        parts = divided(made.documents, assessors, share, seed)
        lists = [made.part(each, order, seed) for each in parts]
    record_lists(warehouse, asked, strategy, [each.documents for each in lists], made.design)
    _write_lists(files, lists, made)
    author = () if assessors is None else ("--author", "NAME")
    say_next("pool", "load", asked.collection, str(files[0]), *author)
    if made.design is not None:
        told = ("status", "--validate", validate) if validate else ("score",)
        console.remark(
            "after the answers are loaded and built: "
            + next_command("pool", told[0], asked.collection, *told[1:])
        )


def _write_lists(
    files: Sequence[Path], lists: Sequence["AssessorsList"], made: "AssessorsList"
) -> None:
    """Write the list of each assessor, and say what is in it."""
    from poolhouse.command_line import console
    from poolhouse.output.words import counted
    from poolhouse.warehouse.whole import publish

    for file, each in zip(files, lists, strict=True):
        publish(file, each.lines())
        n_topics = each.documents["topic_id"].n_unique()
        console.remark(
            f"{file}: {counted(each.documents.height, 'document')} of "
            f"{counted(n_topics, 'topic')} to judge; {made.n_judged} of the pool are judged already"
        )
    n_twice = sum(each.documents.height for each in lists) - made.documents.height
    if len(lists) > 1:
        console.remark(f"{counted(n_twice, 'document')} on two lists, for the agreement")
    console.remark(
        "add the grade to the end of each line, such as 1 for relevant, or skip where a document "
        "cannot be judged"
    )


def _settle(
    texts: tuple[str, str], measure: str | None, budget: int, file: Path, order: str, seed: int
) -> None:
    """Write the documents that would tell best which of two runs is better."""
    from poolhouse.command_line.commands.run_argument import runs_of
    from poolhouse.command_line.commands.settling_lists import write_settling_list
    from poolhouse.pooling.settling import SettlingRequest

    given = click.get_current_context().params
    others = ("strategy", "validate", "batch", "per_topic", "runs", "assessors")
    if any(given[name] for name in others):
        raise click.UsageError(
            "--settle chooses the documents itself: leave out --strategy, --validate, --batch, "
            "--per-topic, --run and --assessors"
        )
    runs, _ = runs_of(given["warehouse"], [given["collection"]], texts)
    asked = SettlingRequest(given["collection"], runs, budget, measure, order, seed)
    write_settling_list(given["warehouse"], asked, file)


@pool.command(
    short_help="Add the answers of assessors to the judgements.",
    epilog=examples(
        "pool load my-collection list.txt",
        "pool load my-collection list.txt --author anna",
    ),
)
@_collection
@click.argument("files", nargs=-1, required=True, type=input_path, metavar="FILE...")
@click.option("--replace", is_flag=True, help="Take an answer that differs from a judgement.")
@click.option(
    "--author",
    metavar="NAME",
    help="Who answered: the answers are also kept as this author's labels, with their time.",
)
@work_options
@report_format_option
@db_option
def load(
    collection: str,
    files: tuple[Path, ...],
    replace: bool,
    author: str | None,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Add the answers in lists of `pool make` to the judgements of COLLECTION.

    All files are added in one change, or none. The same answers may be loaded again. A document
    that cannot be judged has a grade below 0, or `skip`. With --author, an answer on a document
    that somebody else judged is a second answer: the judgements keep the first one.
    """
    from dataclasses import asdict

    from poolhouse.command_line import console
    from poolhouse.output.words import counted
    from poolhouse.pooling.answers import load_answers

    report = load_answers(warehouse, collection, files, may_replace=replace, author=author)
    if output == "json":
        console.write_json({"collection": collection, **asdict(report)})
    seconds = f"{counted(report.n_second, 'second answer')} ({report.n_differing} differ)"
    counts = [
        f"{counted(report.n_added, 'answer')} added",
        *([f"{report.n_changed} changed"] if report.n_changed else []),
        *([f"{report.n_known} known before"] if report.n_known else []),
        *([seconds] if report.n_second else []),
        *([f"{report.n_unjudgeable} cannot be judged"] if report.n_unjudgeable else []),
        f"{counted(report.n_unanswered, 'line')} without an answer",
    ]
    console.remark(f"{collection}: {', '.join(counts)}")
    for each in report.agreement:
        kappa = (
            "no kappa, as all answers are the same"
            if each.kappa is None
            else (f"kappa {each.kappa:z.3f}")
        )
        console.remark(
            f"{author} and {each.other_author}: {kappa}, on "
            f"{counted(each.n_pairs, 'document')} that both judged"
        )
    if report.has_changed:
        say_next("build")


@pool.command(
    short_help="Show where the runs stand while the pool is being judged.",
    epilog=examples(
        "pool status my-collection",
        "pool status my-collection -m P@10",
        "pool status my-collection --validate umbrela",
    ),
)
@_collection
@click.option("-m", "--measure", help="The measure.  [default: the main measure]")
@click.option(
    "--validate",
    metavar="AUTHOR",
    help="Instead of the runs: how far this author is right, by the answers to `pool make "
    "--validate`. The measure is P@k or RBP, and P@10 by default.",
)
@click.option(
    "--kappa",
    type=click.FloatRange(-1, 1),
    default=0.4,
    show_default=True,
    help="With --validate: the kappa that the author has to reach.",
)
@format_option
@db_option
def status(
    collection: str,
    measure: str | None,
    validate: str | None,
    kappa: float,
    output: str,
    warehouse: "Warehouse",
) -> None:
    """Show the scores of the runs that are expected if every document were judged.

    score is that of the judgements so far, which more judgements may also lower. best_rank and
    worst_rank are the places that the intervals of 95 % allow. The answers are loaded and built.
    With --validate, a figure is reached, or not, where its whole interval is; n_more_labels are
    expected to tell. Scores are rectified by people's answers.
    """
    from poolhouse.command_line import console
    from poolhouse.pooling.author_status import author_status
    from poolhouse.pooling.interim import interim_leaderboard

    if validate is not None:
        interim = author_status(warehouse, collection, validate, kappa, measure)
        title = f"{validate} beside people, by {interim.measure}: {collection}"
    else:
        interim = interim_leaderboard(warehouse, collection, measure)
        title = f"{interim.measure} if every document were judged: {collection}"
    console.write_rows(interim.rows.columns, interim.rows.rows(), output, title)
    for remark in interim.remarks:
        console.remark(remark)


@pool.command(
    short_help="Run the strategy of a pool again without each organization.",
    epilog=examples("pool rerun my-collection"),
)
@_collection
@work_options
@format_option
@db_option
def rerun(collection: str, output: str, warehouse: "Warehouse") -> None:
    """Say what would be judged of COLLECTION if an organization had not taken part.

    n_leaving counts the judged documents that nobody else brought before the lists ended: the
    verdict counts these. n_leaving_again counts the documents that the strategy would not have
    chosen with the same budget and answers. The other columns are shares of the first ten documents
    of the organization's runs that would be unjudged.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.pooling.rerunning import left_out

    with progress_bar("running again") as bar:
        found = left_out(warehouse, collection, bar.show)
    title = f"{found.strategy} again without each organization: {collection}"
    console.write_rows(found.rows.columns, found.rows.rows(), output, title)
    console.remark(
        f"unjudged of the first ten documents: {found.mean('unjudged'):.1%}; without the own "
        f"organization {found.mean('unjudged_without'):.1%} by the lists, and "
        f"{found.mean('unjudged_without_again'):.1%} by {found.strategy} again"
    )


@pool.command(
    short_help="Estimate the scores of the runs from a judged sample.",
    epilog=examples("pool score my-collection"),
)
@_collection
@format_option
@db_option
def score(collection: str, output: str, warehouse: "Warehouse") -> None:
    """Estimate AP, P@10, nDCG and the relevant documents from the last sample of `pool make`.

    The answers are loaded (`pool load`) and built. Lines may lack an answer if nobody chose which
    lines to answer. standard_error says how much another sample would change, and nothing about
    topics.
    """
    from poolhouse.command_line import console
    from poolhouse.output.words import counted
    from poolhouse.pooling.sample_estimates import sample_scores

    result = sample_scores(warehouse, collection)
    title = f"scores estimated from a sample: {collection}"
    console.write_rows(result.rows.columns, result.rows.rows(), output, title)
    if result.n_answered < result.n_sampled:
        console.remark(
            f"{result.n_answered} of {counted(result.n_sampled, 'sampled document')} are answered; "
            f"{counted(result.n_topics_left_out, 'topic')} of {result.n_topics} left out, with too "
            "few answers. The scores hold if nobody chose which lines to answer"
        )
    if not result.is_proportional:
        console.remark(
            "note: standard errors of AP may be too low in such a sample; those of a "
            "proportional_sample of 10 % of the pool or more are not (docs/decisions/samples.md)",
            "yellow",
        )
