"""Score run files by AP, nDCG@10, P@10 and RR with another tool: TOOL QRELS RUN..."""

import sys
from collections.abc import Callable

TOOLS = ("pytrec_eval", "ir_measures", "ranx")


def pytrec_eval(qrels: str, runs: list[str]) -> None:
    """Evaluate one run at a time; plain Python reads."""
    import pytrec_eval as tool  # noqa: PLC0415 - each process imports one tool

    with open(qrels, encoding="utf-8") as lines:  # noqa: PTH123
        evaluator = tool.RelevanceEvaluator(
            tool.parse_qrel(lines), {"map", "ndcg_cut_10", "P_10", "recip_rank"}
        )
    for run in runs:
        with open(run, encoding="latin-1") as lines:  # noqa: PTH123
            evaluator.evaluate(tool.parse_run(lines))


def ir_measures(qrels: str, runs: list[str]) -> None:
    """Evaluate one run at a time; its own reader reads."""
    import ir_measures as tool  # noqa: PLC0415

    measures = [tool.AP, tool.nDCG @ 10, tool.P @ 10, tool.RR]
    evaluator = tool.evaluator(measures, tool.read_trec_qrels(qrels))  # type: ignore[no-untyped-call]
    for run in runs:
        evaluator.calc_aggregate(tool.read_trec_run(run))  # type: ignore[no-untyped-call]


def ranx(qrels: str, runs: list[str]) -> None:
    """Evaluate one run at a time; its own reader reads, and numba compiles or has compiled."""
    import ranx as tool  # noqa: PLC0415

    judged = tool.Qrels.from_file(qrels, kind="trec")
    for run in runs:
        ranking = tool.Run.from_file(run, kind="trec")
        tool.evaluate(
            judged, ranking, ["map", "ndcg@10", "precision@10", "mrr"], make_comparable=True
        )


if __name__ == "__main__":
    evaluate: dict[str, Callable[[str, list[str]], None]] = {
        "pytrec_eval": pytrec_eval,
        "ir_measures": ir_measures,
        "ranx": ranx,
    }
    evaluate[sys.argv[1]](sys.argv[2], sys.argv[3:])
