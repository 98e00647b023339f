"""The rules by which files are scored."""

from pathlib import Path

from attrs import frozen

from poolhouse.loading.passages import passages_option
from poolhouse.loading.run_names import run_name_option
from poolhouse.option_values import LARGEST_DECLARED, TREC_EVAL_VERSIONS
from poolhouse.request_fields import option


@frozen
class Rules:
    """The options -l, -M and -J of trec_eval, the lowest grade that is judged, and the version.

    `run_id` says where the names of runs are, and `passages` whether their documents are passages.
    The others say which documents do not count for a topic.
    """

    level: int = option(
        "With --qrels: the lowest grade that is relevant.",
        *("-l", "--level"),
        default=1,
        least=1,
        shows_default=True,
    )
    depth: int | None = option(
        "With --qrels: documents of a topic that count.", "-M", "--max-retrieved", least=1
    )
    is_judged_only: bool = option(
        "With --qrels: unjudged documents are removed before the ranks count.",
        *("-J", "--judged-only"),
        default=False,
    )
    judged_from: int = option(
        "With --qrels: the lowest grade that is a judgement, such as -2 where -2 means junk.",
        default=0,
        most=0,
        shows_default=True,
    )
    version: int = option(
        "With --qrels: the version of trec_eval whose rules count (docs/trec_eval.md).",
        "--trec-eval",
        default=TREC_EVAL_VERSIONS[-1],
        among=TREC_EVAL_VERSIONS,
        shows_default=True,
    )
    run_id: str = run_name_option("With --qrels. ")
    passages: str | None = passages_option("With --qrels. ")
    leave_out: Path | None = option(
        "With --qrels: documents that do not count for a topic, topic document a line. Ranks "
        "close up.",
        is_file=True,
    )
    leave_out_own_id: bool = option(
        "With --qrels: leave out the document that has the id of its topic.", default=False
    )
    residual: float | None = option(
        "With --qrels: leave out the documents that were judged in an earlier round than this one.",
        metavar="ROUND",
        least=0,
        most=LARGEST_DECLARED,
    )
