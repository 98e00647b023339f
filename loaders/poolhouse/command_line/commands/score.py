"""`poolhouse score`."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from poolhouse.command_line.commands.run_argument import first_new, runs_of
from poolhouse.command_line.options import (
    collection_option,
    examples,
    input_path,
    say_next,
    score_format_option,
    source_option,
)
from poolhouse.command_line.request_options import options_of
from poolhouse.option_values import (
    DOCUMENT_FORMATS,
    IR_MEASURES,
    OFFICIAL,
    PROVENANCE,
    TOT,
    TREC_EVAL,
    USUAL_MEASURES,
)
from poolhouse.request_fields import options_in
from poolhouse.scoring.files.rules import Rules

if TYPE_CHECKING:
    from poolhouse.scoring.scores import Scores
    from poolhouse.warehouse.file import Warehouse

_RULES_OF_LOAD = (
    *("judged_from", "run_id", "passages"),
    *("leave_out", "leave_out_own_id", "residual"),
)


@click.command(
    short_help="Score a run by any measure, without loading it.",
    epilog=examples(
        "score my.run --collection my-collection",
        "score my.run --collection my-collection -m AP -m P@5 --by-topic",
        "score my.run other.run --qrels qrels.txt -m nDCG@10",
        "score my.run --qrels qrels.txt -m all_trec -q --format trec_eval",
        "score --collection my-collection -m AP -q --format tot",
    ),
)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@collection_option("The collection whose topics the runs answer.")
@click.option(
    "--qrels",
    type=input_path,
    help="A file of judgements, instead of a collection. No warehouse is needed.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help="A measure, such as nDCG@10, or its name in trec_eval, such as ndcg_cut.10; may be "
    "repeated. With --qrels also official, set or all_trec.  "
    f"[default: {', '.join(USUAL_MEASURES)}; official with --qrels and --format trec_eval]",
)
@click.option("-q", "--by-topic", is_flag=True, help="Show each topic as well.")
@click.option(
    "-c",
    "--complete",
    "is_complete",
    is_flag=True,
    help="With trec_eval: count topics that the run does not answer as empty rankings. The other "
    "formats show both means.",
)
@click.option("-n", "--no-summary", is_flag=True, help="With trec_eval: no lines over all topics.")
@options_of(Rules)
@score_format_option
@source_option
@click.pass_context
def score(
    context: click.Context,
    /,
    runs: tuple[str, ...],
    collection: str | None,
    qrels: Path | None,
    measures: tuple[str, ...],
    by_topic: bool,
    is_complete: bool,
    no_summary: bool,
    output: str,
    warehouse: "Warehouse",
    **rules: Any,  # noqa: ANN401 - fields of Rules
) -> None:
    """Score runs by any measure, as trec_eval does.

    With --collection, RUN is a loaded run, or else a run file, which need not be loaded; without
    RUN, every loaded run is scored. With --qrels, RUN is a run file, or - for standard input.
    Unjudged documents count as not relevant; each score is shown with the number of unjudged
    documents down to the cutoff. With a collection, the score if all of these were relevant is
    shown too, and `poolhouse adjust` estimates what the unjudged documents would add. csv and json
    have a row for each run and measure; with -q they have a row for each judged topic instead.

    tot and ir_measures are lines for other tools, and count every judged topic: a topic that the
    run does not answer is an empty ranking. provenance is JSON of the scores with the versions, the
    command, and the hashes of the files.

    With --format trec_eval, the judgements may be the first file, as in trec_eval. This makes
    `alias trec_eval="poolhouse score --format trec_eval"` possible.
    """
    if collection is None and qrels is None and output == TREC_EVAL and len(runs) > 1:
        qrels, runs = Path(runs[0]), runs[1:]
    if runs.count("-") > 1:
        raise click.UsageError("- is named twice, and standard input holds one run")
    if (is_complete or no_summary) and output != TREC_EVAL:
        raise click.UsageError("-c and -n work only with --format trec_eval")
    if not runs and (collection is None or qrels is not None):
        raise click.UsageError("name a run: only a collection has runs of its own")
    printing = {"by_topic": by_topic, "is_complete": is_complete, "has_summary": not no_summary}
    if collection is not None and qrels is None:
        _refuse_rules(context)
        _score_of_collection(
            warehouse, collection, runs, measures or USUAL_MEASURES, output, printing
        )
    elif qrels is not None and collection is None:
        _score_files(qrels, runs, measures, output, printing, rules)
    else:
        raise click.UsageError(
            "name the judgements: --collection or --qrels, or the qrels before the run with "
            "--format trec_eval"
        )


def _refuse_rules(context: click.Context) -> None:
    """Raise click's UsageError for an option that only files have."""
    for each in context.command.params:
        is_given = context.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
        if is_given and each.name in options_in(Rules):
            raise click.UsageError(f"{each.opts[0]} works only with --qrels")


def _score_of_collection(
    warehouse: "Warehouse",
    collection: str,
    runs: tuple[str, ...],
    measures: Sequence[str],
    output: str,
    printing: dict[str, bool],
) -> None:
    from poolhouse.building.staleness import check_built
    from poolhouse.command_line import console
    from poolhouse.scoring.asked_runs import run_ids_of
    from poolhouse.scoring.score_tables import trec_eval_lines
    from poolhouse.scoring.scores import score_runs
    from poolhouse.warehouse.sql_text import quoted_text

    with warehouse.read() as connection:  # stays open for all queries
        check_built(connection, collection)
        texts = runs or sorted(run_ids_of(connection, collection, are_scored=True))
        asked, remarks = runs_of(warehouse, [collection], texts)
        scores = score_runs(warehouse, collection, asked, measures)
    if output == TREC_EVAL:
        console.write_lines(trec_eval_lines(scores, **printing))
        _name_version(scores.version)
    else:
        _show(scores, collection, output, by_topic=printing["by_topic"])
    _remark(*remarks, *scores.remarks)
    name = quoted_text(collection)
    if scores.over_topics["n_unjudged"].count() == 0:  # nothing is called unjudged
        say_next("sql", f"from audit_runs select run_id, remarks where collection_id = {name}")
    elif file := first_new(texts, asked):
        say_next("adjust", file, "--collection", collection)
    else:
        names = ", ".join(map(quoted_text, runs))
        of_runs = f" and run_id in ({names})" if runs else ""
        say_next("sql", f"from adjusted_leaderboard where collection_id = {name}{of_runs}")


def _score_files(
    qrels: Path,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    output: str,
    printing: dict[str, bool],
    rules: dict[str, Any],
) -> None:
    from poolhouse.command_line import console
    from poolhouse.scoring.files.scoring import FileScorer
    from poolhouse.trec_eval.printed_lines import Lines

    usual = (OFFICIAL,) if output == TREC_EVAL else USUAL_MEASURES
    scorer = FileScorer(qrels, measures or usual, Rules(**rules))
    if output != TREC_EVAL:
        from poolhouse.scoring.files.frames import scores_of_files

        scores = scores_of_files(scorer, runs)
        topics = f"{qrels.name}, by trec_eval {scores.version}"
        _show(scores, topics, output, by_topic=printing["by_topic"])
        _remark(*scores.remarks)
        say_next("load", "NAME", "--runs", *runs, "--qrels", str(qrels), *_of_load(rules))
        return
    lines = Lines(scorer.values, scorer.aggregations, rules["version"], **printing)
    for of_run in scorer.scores(runs):
        console.write_lines(lines.of(of_run.run.tag, of_run.by_topic))
        _remark(*of_run.run.remarks)
        n_missing = of_run.by_topic["is_answered"].not_().sum()
        if n_missing and not printing["is_complete"]:
            _remark(
                f"{of_run.run.run_id} does not answer {n_missing} of {of_run.by_topic.height} "
                "judged topics, which do not count without -c"
            )
    _name_version(rules["version"])


def _of_load(rules: dict[str, Any]) -> list[str]:
    """Return the given rules that `load` has too, as its options."""
    given: list[str] = []
    for name in _RULES_OF_LOAD:
        if rules[name] != options_in(Rules)[name][0].default:
            value = [] if rules[name] is True else [str(rules[name])]
            given += [f"--{name.replace('_', '-')}", *value]
    return given


def _show(scores: "Scores", topics: str, output: str, *, by_topic: bool) -> None:
    from poolhouse.command_line import console
    from poolhouse.scoring.score_lines import lines_of, provenance
    from poolhouse.scoring.score_tables import tables_of

    if output in {TOT, IR_MEASURES}:
        console.write_lines(lines_of(scores, output, by_topic=by_topic))
    elif output == PROVENANCE:
        command = shlex.join(["poolhouse", *sys.argv[1:]])
        console.write_json(provenance(scores, command, by_topic=by_topic))
    elif output in ("table", *DOCUMENT_FORMATS):
        console.write_tables(tables_of(scores, topics, by_topic=by_topic), output)
    else:
        rows = scores.by_topic if by_topic else scores.over_topics
        console.write_rows(rows.columns, rows.rows(), output)


def _name_version(version: int) -> None:
    """Say which version counts to somebody who looks on; a script gets what trec_eval prints."""
    from poolhouse.command_line import console

    if sys.stderr.isatty():
        sys.stdout.flush()
        console.remark(f"by the rules of trec_eval {version}: poolhouse docs trec_eval", "dim")


def _remark(*texts: str) -> None:
    from poolhouse.command_line import console

    sys.stdout.flush()
    console.notes(texts)
