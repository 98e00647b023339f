"""The tables of a comparison for people: several narrow tables instead of a wide one."""

from collections.abc import Iterator
from typing import Any

from poolhouse.comparing.comparison import CONFIDENCE, Comparison
from poolhouse.output.cells import as_text
from poolhouse.output.titled_tables import TitledTable
from poolhouse.output.words import counted

_YES_OR_NO = {True: "yes", False: "no", None: ""}
_TOPICS_SHOWN = 2
_PAIR = ("run", "other run")
# What the columns of a row say of either run, and how they begin.
_OF_BOTH = ("of run", "of other run")
_SIDES = ("", "other_")
# The ends of the names of columns, and what tables call them.
_P_VALUES = {"": "p", "_holm": "Holm", "_bonferroni": "Bonferroni"}

_Row = dict[str, Any]


def tables_of(comparison: Comparison) -> Iterator[TitledTable]:
    """Return the tables of a comparison, for each measure."""
    for of_measure in comparison.rows.partition_by("measure", maintain_order=True):
        rows = list(of_measure.iter_rows(named=True))
        yield from _tables_of_measure(rows)


def _tables_of_measure(rows: list[_Row]) -> Iterator[TitledTable]:
    first = rows[0]
    measure = first["measure"]
    left_out = "unjudged documents" if _tells_unjudged(rows) else "documents outside the qrels"
    topics = counted(first["n_topics"], "topic")
    yield (
        f"{measure} on {topics} of {first['collection_id']}, {left_out} as not relevant",
        [
            *_PAIR,
            *(("score", of) for of in _OF_BOTH),
            *("difference", f"{CONFIDENCE:.0%} (t)", "effect size (d)"),
        ],
        [
            (
                *_pair(row),
                row["mean_score"],
                row["other_mean_score"],
                row["mean_difference"],
                _between(row["interval_low"], row["interval_high"]),
                row["effect_size"],
            )
            for row in rows
        ],
    )
    n = first["n_comparisons"]
    names = _P_VALUES if n > 1 else {"": "p"}
    # Of two runs, Tukey's test is the t-test.
    tukey = ["tukey_p_value"] if n > 1 else []
    corrected = f", corrected for {n} comparisons; Tukey's test needs no correction"
    yield (
        f"{measure}: p-values{corrected if n > 1 else ''}",
        [
            *_PAIR,
            *((test, name) for test in ("t-test", "randomization") for name in names.values()),
            *(("Tukey", "p") for _ in tukey),
        ],
        [
            (
                *_pair(row),
                *(
                    row[f"{test}_p_value{correction}"]
                    for test in ("t", "randomization")
                    for correction in names
                ),
                *(row[each] for each in tukey),
            )
            for row in rows
        ],
    )
    told = [row for row in rows if row["finding"] and row["difference_if_judged"] is not None]
    if told:
        yield (
            f"{measure}: if every document were judged, as estimated",
            [
                *_PAIR,
                *(("score", of) for of in _OF_BOTH),
                *("difference", f"{CONFIDENCE:.0%}", *names.values()),
            ],
            [
                (
                    *_pair(row),
                    *(row[f"{side}if_judged"] for side in _SIDES),
                    row["difference_if_judged"],
                    _between(row["low_if_judged"], row["high_if_judged"]),
                    *(row[f"p_value_if_judged{correction}"] for correction in names),
                )
                for row in told
            ],
        )
    yield (
        f"{measure}: topics",
        [
            *_PAIR,
            *(("topics", outcome) for outcome in ("won", "tied", "lost")),
            *("run gains most on", "run loses most on"),
        ],
        [
            (
                *_pair(row),
                *(row[f"n_topics_{outcome}"] for outcome in ("won", "tied", "lost")),
                *(_topics(row[f"topics_{outcome}_most"]) for outcome in ("won", "lost")),
            )
            for row in rows
        ],
    )
    yield _what_may_move(measure, rows)
    if first["upper_bound"] is not None:
        yield (
            f"{measure}: scores if none of the unjudged documents is relevant, and if all are",
            [*_PAIR, *(("bounds", of) for of in _OF_BOTH), "survives bounds"],
            [
                (
                    *_pair(row),
                    *(
                        _between(row[f"{side}lower_bound"], row[f"{side}upper_bound"])
                        for side in _SIDES
                    ),
                    _YES_OR_NO[row["survives_bounds"]],
                )
                for row in rows
            ],
        )


def _what_may_move(measure: str, rows: list[_Row]) -> TitledTable:
    has_cases = any(row["decision_case"] is not None for row in rows)
    whats = ("unjudged", "tied") if _tells_unjudged(rows) else ("tied",)
    return (
        f"{measure}: {' and '.join(whats)} documents, and whether the difference survives ties",
        [
            *_PAIR,
            *((what, of) for what in whats for of in _OF_BOTH),
            "survives ties",
            *(["decision case"] if has_cases else []),
        ],
        [
            (
                *_pair(row),
                *(_share(row[f"{side}unjudged_share"]) for side in _SIDES if len(whats) > 1),
                *(row[f"{side}n_tied_documents"] for side in _SIDES),
                _YES_OR_NO[row["survives_ties"]],
                *([row["decision_case"]] if has_cases else []),
            )
            for row in rows
        ],
    )


def _tells_unjudged(rows: list[_Row]) -> bool:
    """Return whether anybody can say which documents are unjudged."""
    return all(row["n_unjudged"] is not None for row in rows)


def _pair(row: _Row) -> tuple[str, str]:
    return row["run_id"], row["other_run_id"]


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None else f"{as_text(low)} to {as_text(high)}"


def _topics(topics: list[_Row]) -> str:
    return ", ".join(
        f"{each['topic_id']} ({each['difference']:+.4f})" for each in topics[:_TOPICS_SHOWN]
    )


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
