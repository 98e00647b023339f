"""`poolhouse pool`: plan a pool, make lists for assessors, and load their answers."""

from collections.abc import Callable
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
    from poolhouse.warehouse.file import Warehouse

_from_1 = click.IntRange(min=1)
_collection = click.argument("collection", shell_complete=collection_names)


@click.group(
    short_help="Plan a pool, make lists for assessors, load their answers.",
    epilog=examples(
        "pool plan my-collection --budgets 5000,20000",
        "pool make my-collection --strategy rrf --budget 5000 -o list.txt",
        "pool load my-collection list.txt",
        "pool score my-collection list.txt.design.csv",
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
    help="Plan this strategy. Repeatable.  [default: all that need no answers and do not draw]",
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
    """Say how many documents pools of COLLECTION have, and who contributes them.

    deepest_rank is the lowest rank from which a document of the pool comes, each at its best rank.
    n_of_one_run counts the documents that only one run has down to this rank of their topic; they
    would leave with this run.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import progress_bar
    from poolhouse.pooling.plans import PlanQuestion, planned_pools

    if min(budgets) < 1:
        raise click.UsageError("a budget is 1 or more")
    asked = request(max(budgets))
    with progress_bar("planning") as bar:
        result = planned_pools(warehouse, asked, PlanQuestion(budgets, strategies, by), bar.show)
    title = f"pools of {len(asked.runs or ())} runs of {asked.collection}"
    console.write_rows(result.columns, result.rows(), output, title)
    say_next(
        *("pool", "make", asked.collection, "--strategy", strategies[0] if strategies else "depth"),
        *("--budget", str(budgets[0]), "-o", "FILE"),
    )


@pool.command(
    short_help="Write the list of documents to judge next.",
    epilog=examples(
        "pool make my-collection --strategy depth --budget 5000 -o list.txt",
        "pool make my-collection --strategy max_mean --budget 5000 --batch 500 -o 1.txt",
        "pool make my-collection --settle run-a my.run --budget 50 -o list.txt",
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
    "File for the list, which must not exist. A sample has its probabilities beside it, in "
    "FILE.design.csv.",
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
    measure: str | None,
    budget: int,
    batch: int | None,
    file: Path,
    order: str,
    seed: int,
    warehouse: "Warehouse",
) -> None:
    """Write the documents of the pool that nobody judged, as qrels without grades.

    An assessor adds the grade to each line, and `pool load` loads the answers. A line without a
    grade is not answered yet. After a batch is loaded, the same command with another FILE writes
    the next one. An adaptive strategy reads the answers; within a batch, it takes every document
    for not relevant.
    """
    from poolhouse.command_line import console
    from poolhouse.command_line.progress import waiting
    from poolhouse.output.words import counted
    from poolhouse.pooling.assessing import assessors_list, refuse_existing
    from poolhouse.warehouse.whole import publish, refuse_place_of_warehouse

    design_file = file.with_name(f"{file.name}.design.csv")
    for each in (file, design_file):
        refuse_place_of_warehouse(each, warehouse.path, "list")
    refuse_existing(file)
    if settle is not None:
        _settle(settle, measure, budget, file, order, seed)
        return
    if strategy is None:
        raise click.UsageError("say how documents are chosen: --strategy NAME or --settle RUN RUN")
    if measure is not None:
        raise click.UsageError("--measure works only with --settle")
    asked = request(budget, seed)
    with waiting("choosing"):
        made = assessors_list(warehouse, asked, strategy, batch, order)
    if made.documents.is_empty():
        console.remark(
            f"nothing is left to judge, and no list is written: {made.n_judged} documents are "
            f"judged, and the budget is {budget}"
        )
        return
    if made.design is not None:
        publish(design_file, made.design.write_csv())
        console.remark(f"{design_file}: probabilities of the sample")
    publish(file, made.lines())
    n_topics = made.documents["topic_id"].n_unique()
    console.remark(
        f"{file}: {counted(made.documents.height, 'document')} of {counted(n_topics, 'topic')} to "
        f"judge; {made.n_judged} of the pool are judged already"
    )
    console.remark("add the grade to the end of each line, such as 1 for relevant")
    say_next("pool", "load", asked.collection, str(file))
    if made.design is not None:
        console.remark(
            "after the answers are loaded and built: "
            + next_command("pool", "score", asked.collection, str(design_file))
        )


def _settle(
    texts: tuple[str, str], measure: str | None, budget: int, file: Path, order: str, seed: int
) -> None:
    """Write the documents that would tell best which of two runs is better."""
    from poolhouse.command_line.commands.run_argument import runs_of
    from poolhouse.command_line.commands.settling_lists import write_settling_list
    from poolhouse.pooling.settling import SettlingRequest

    given = click.get_current_context().params
    if any(given[name] for name in ("strategy", "batch", "per_topic", "runs")):
        raise click.UsageError(
            "--settle chooses the documents itself: leave out --strategy, --batch, --per-topic and "
            "--run"
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

    All files are added in one change, or none. The same answers may be loaded again.
    """
    from dataclasses import asdict

    from poolhouse.command_line import console
    from poolhouse.output.words import counted
    from poolhouse.pooling.answers import load_answers

    report = load_answers(warehouse, collection, files, may_replace=replace, author=author)
    if output == "json":
        console.write_json({"collection": collection, **asdict(report)})
    counts = [
        f"{counted(report.n_added, 'answer')} added",
        *([f"{report.n_changed} changed"] if report.n_changed else []),
        *([f"{report.n_known} known before"] if report.n_known else []),
        f"{counted(report.n_unanswered, 'line')} without an answer",
    ]
    console.remark(f"{collection}: {', '.join(counts)}")
    if report.n_added or report.n_changed:
        say_next("build")


@pool.command(
    short_help="Estimate the scores of the runs from a judged sample.",
    epilog=examples("pool score my-collection list.txt.design.csv"),
)
@_collection
@click.argument("design", type=input_path)
@format_option
@db_option
def score(collection: str, design: Path, output: str, warehouse: "Warehouse") -> None:
    """Estimate AP, P@10, nDCG and the relevant documents from a sample of `pool make`.

    DESIGN is the file of probabilities beside the list. The answers are loaded (`pool load`) and
    built. Lines may lack an answer if nobody chose which lines to answer. standard_error says how
    much another sample would change, and nothing about topics.
    """
    from poolhouse.command_line import console
    from poolhouse.output.words import counted
    from poolhouse.pooling.sample_estimates import sample_scores

    result = sample_scores(warehouse, collection, design)
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
