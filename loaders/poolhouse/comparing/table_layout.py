"""The layout of the paper's table: which columns, which marks, and what the caption says."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import polars as pl

from poolhouse.comparing.expected_differences import LEAST_UNJUDGED
from poolhouse.comparing.paper_table import PaperTable
from poolhouse.errors import PoolhouseError
from poolhouse.option_values import NO_CORRECTION, RANDOMIZATION, TUKEY
from poolhouse.output.titled_tables import Column, Number, TitledTable
from poolhouse.output.words import counted, in_a_list, some_of

_Row = Mapping[str, Any]

_NOT_IN_A_LABEL = re.compile(r"[^A-Za-z0-9]+")
_EMPTY = Number("")
_EFFECT_DECIMALS = 2
_OF_ESTIMATE = "95% est."
_DAGGER = "†"
_ONLY_AS_JUDGED = ("only as judged", "reversed", "cannot be told")
_ONLY_EXPECTED = ("hidden", "reversed")


@dataclass(frozen=True)
class Layout:
    """What a table shows beside scores and marks.

    `bold` is the word of the caption for the best scores. Intervals and effect sizes are those of
    the differences to the baselines; without baselines, intervals are those of the scores, and
    there are no effect sizes.
    """

    has_intervals: bool = False
    has_effect_sizes: bool = False
    bold: str = "bold"


def label_of(table: PaperTable) -> str:
    """Return a label of the table for LaTeX."""
    return "tab:" + _NOT_IN_A_LABEL.sub("-", "-".join(table.request.collections)).strip("-")


def laid_out(table: PaperTable, layout: Layout) -> TitledTable:
    """Lay the table out: a row for each run, and groups of columns for collections and measures.

    Raise PoolhouseError where the runs are more than the letters that mark them.
    """
    shown = _ShownTable(table, layout)
    return shown.caption(), shown.columns(), shown.rows()


class _ShownTable:
    """A table with the letters of the runs that others are compared with."""

    def __init__(self, table: PaperTable, layout: Layout) -> None:
        self._request, self._layout = table.request, layout
        self._frame, self._without_pool = table.rows, table.without_pool
        self._names: list[str] = table.rows["run_id"].unique(maintain_order=True).to_list()
        self._measures: list[str] = table.rows["measure"].unique(maintain_order=True).to_list()
        compared = table.request.baseline or (self._names if table.request.test else ())
        if len(compared) > len(ascii_letters):
            raise PoolhouseError(
                f"{len(compared)} runs are more than the letters that mark them: name fewer runs, "
                "or baselines, or take csv or json"
            )
        self._letters = dict(zip(compared, ascii_letters, strict=False))
        self._cells: dict[tuple[str, str, str], list[_Row]] = {}
        for row in table.rows.iter_rows(named=True):
            key = row["collection_id"], row["measure"], row["run_id"]
            self._cells.setdefault(key, []).append(row)

    # -- Columns and rows --------------------------------------------------------------------------

    def columns(self) -> list[Column]:
        """Return the columns, below their collection and measure where there are several."""
        columns: list[Column] = ["run"]
        for collection in self._request.collections:
            group = (collection,) if len(self._request.collections) > 1 else ()
            beside = list(self._beside())
            for measure in self._measures:
                if beside:
                    columns += [(*group, measure, name) for name in ("score", *beside)]
                else:
                    columns.append((*group, measure))
            if self._request.unjudged:
                columns.append((*group, *([""] if beside else []), "unj@10"))
        return columns

    def _beside(self) -> Iterator[str]:
        """Return the names of the columns beside a score."""
        if self._request.estimated:
            yield _OF_ESTIMATE
        confidence = f"{100 * (1 - self._request.level):.10g}% CI"
        if self._layout.has_intervals and not self._request.baseline:
            yield confidence
        for baseline in self._request.baseline:
            if self._layout.has_intervals:
                yield f"{confidence} to {self._letters[baseline]}"
            if self._layout.has_effect_sizes:
                yield f"d to {self._letters[baseline]}"

    def rows(self) -> list[Sequence[object]]:
        """Return a row for each run."""
        return [[self._name(name), *self._row(name)] for name in self._names]

    def _name(self, name: str) -> str:
        letter = self._letters.get(name)
        return f"{name} ({letter})" if letter else name

    def _row(self, name: str) -> Iterator[Number]:
        for collection in self._request.collections:
            for measure in self._measures:
                rows = self._cells[collection, measure, name]
                yield self._score(rows)
                yield from self._values_beside(rows)
            if self._request.unjudged:
                yield self._number(rows[0]["unjudged_10"])

    def _score(self, rows: Sequence[_Row]) -> Number:
        shown = "if_judged" if self._request.estimated else "score"
        digits = self._number(rows[0][shown]).digits
        marks = "".join(mark for row in rows for mark in self._marks(row))
        return Number(digits, rows[0]["is_best"] is True, marks)

    def _marks(self, row: _Row) -> Iterator[str]:
        """Yield the letter of the other run where the difference is significant.

        An arrow says in which direction. Where all pairs are compared, only the better run of a
        pair has a mark. Brackets and a dagger say that only one of two tests finds it.
        """
        if row["finding"] in _ONLY_AS_JUDGED and row["is_significant_as_judged"]:
            yield self._mark(row, row["mean_difference"], "({})")
        if row["is_significant"]:
            if row["finding"] in _ONLY_EXPECTED:
                yield self._mark(row, row["difference_if_judged"], f"{{}}{_DAGGER}")
            else:
                yield self._mark(row, row["mean_difference"])

    def _mark(self, row: _Row, difference: float, form: str = "{}") -> str:
        letter = self._letters[row["other_run_id"]]
        if self._request.baseline:
            return form.format(letter + ("↑" if difference > 0 else "↓"))
        return form.format(letter) if difference > 0 else ""

    def _values_beside(self, rows: Sequence[_Row]) -> Iterator[Number]:
        if self._request.estimated:
            yield self._interval(rows[0], "if_judged_95")
        if self._layout.has_intervals and not self._request.baseline:
            yield self._interval(rows[0], "score")
        by_other = {row["other_run_id"]: row for row in rows}
        for baseline in self._request.baseline:
            row = by_other.get(baseline)
            if self._layout.has_intervals:
                yield self._interval(row, "interval") if row else _EMPTY
            if self._layout.has_effect_sizes:
                yield self._number(row["effect_size"], _EFFECT_DECIMALS) if row else _EMPTY

    def _interval(self, row: _Row, name: str) -> Number:
        low, high = (self._number(row[f"{name}_{end}"]).digits for end in ("low", "high"))
        return Number(f"[{low}, {high}]") if low else _EMPTY

    def _number(self, value: float | None, decimals: int | None = None) -> Number:
        """Write a number with the decimals of the request; 0 has no sign."""
        places = self._request.decimals if decimals is None else decimals
        return _EMPTY if value is None else Number(f"{value:z.{places}f}")

    # -- The caption -------------------------------------------------------------------------------

    def caption(self) -> str:
        """Return what a reader must know of the table."""
        return " ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        topics = dict(self._frame.select("collection_id", "n_topics").iter_rows())
        on = in_a_list([f"{each} ({counted(n, 'topic')})" for each, n in topics.items()])
        are_pools = len(self._without_pool) < len(topics)
        unjudged = "unjudged documents" if are_pools else "documents outside the qrels"
        of = f"{counted(len(self._names), 'run')} over the judged topics of {on}"
        empty = "a topic that a run does not answer counts as an empty ranking"
        if self._request.estimated:
            yield (
                f"Mean scores of {of}, as they are expected if every document were judged; {empty}."
                f" {_OF_ESTIMATE}: interval of the estimate, for these topics."
            )
            untold = self._frame.filter(
                pl.col("if_judged").is_null(), pl.col("score").is_not_null()
            )
            if not untold.is_empty():
                names = untold["run_id"].unique(maintain_order=True).to_list()
                yield (
                    f"An empty cell cannot be told ({some_of(names)}): too much is unjudged, or "
                    "the measure or the pool has no estimates."
                )
        else:
            yield f"Mean scores of {of}; {empty}, and {unjudged} as not relevant."
        if self._without_pool:
            yield (
                f"The qrels of {in_a_list(self._without_pool)} list relevant documents only: "
                "nobody knows what is unjudged there, and Bpref and infAP tell nothing."
            )
        if self._frame["is_best"].any():
            yield f"The highest score of a column, as shown, is {self._layout.bold}."
        if self._request.baseline:
            yield (
                "A letter with ↑ (↓) marks a score that is significantly higher (lower) than the "
                f"score of the run with this letter ({self._test()})."
            )
        elif self._request.test:
            yield (
                "A letter marks a score that is significantly higher than the score of the run "
                f"with this letter ({self._test()})."
            )
        yield from self._on_unjudged()
        if self._layout.has_intervals:
            of = "difference to a baseline, not corrected" if self._request.baseline else "mean"
            yield f"CI: confidence interval of the {of} (Student's t)."
        if self._layout.has_effect_sizes:
            yield (
                "d: Cohen's d_z, the mean difference to a baseline in standard deviations of the "
                "differences."
            )
        if self._request.unjudged:
            yield "unj@10: share of unjudged documents among the first ten."

    def _on_unjudged(self) -> Iterator[str]:
        """Say what marks mean where unjudged documents matter."""
        matters = self._frame.filter(pl.col("finding").is_not_null())
        if matters.is_empty():
            return
        test = "paired t-test with the error of the estimates"
        if self._request.test == TUKEY:
            test = "Games and Howell's test of all pairs with the error of the estimates"
        yield (
            "Where unjudged documents matter, the difference that is expected if every document "
            f"were judged is tested as well ({test}); a letter alone is significant in both tests, "
            "or no judgements could reverse it."
        )
        as_judged = matters.filter("is_significant_as_judged")
        only_as_judged = as_judged.filter(pl.col("finding").is_in(_ONLY_AS_JUDGED))
        if not only_as_judged.is_empty():
            is_told = set(only_as_judged["finding"] != "cannot be told")
            said = [_IN_BRACKETS[each] for each in sorted(is_told, reverse=True)]
            yield f"In brackets: significant {', or '.join(said)}{self._shares(only_as_judged)}."
        only_expected = matters.filter(pl.col("finding").is_in(_ONLY_EXPECTED))
        if not only_expected.is_empty():
            yield (
                f"{_DAGGER}: significant only if every document were judged, as estimated"
                f"{self._shares(only_expected)}."
            )

    def _shares(self, pairs: pl.DataFrame) -> str:
        """Say how many of the first ten documents are unjudged, the most first."""
        name = pl.col("run_id")
        if len(self._request.collections) > 1:
            name = pl.format("{} ({})", "run_id", "collection_id")
        of_runs = (
            self._frame.join(pairs, on=["collection_id", "run_id"], how="semi")
            .filter(pl.col("unjudged_10") >= LEAST_UNJUDGED)
            .select("unjudged_10", name.alias("name"))
            .unique(maintain_order=True)
            .sort("unjudged_10", descending=True, maintain_order=True)
        )
        shares = [f"{share:.0%} of {name}" for share, name in of_runs.iter_rows()]
        return f"; unjudged of the first ten documents: {some_of(shares)}" if shares else ""

    def _test(self) -> str:
        """Name the test, the level, the correction, and the number of comparisons."""
        request = self._request
        counts = self._counts()
        level = f"p < {request.level:g}"
        if request.test == TUKEY:
            return f"Tukey's honestly significant difference of all pairs, {counts}, {level}"
        test = "two-sided paired t-test"
        if request.test == RANDOMIZATION:
            test = f"two-sided randomization test of {request.repetitions} sign flips"
        if request.correction == NO_CORRECTION:
            return f"{test}, {level}, not corrected for the {counts}"
        return f"{test}, {level} after {_POSSESSIVES[request.correction]} correction for {counts}"

    def _counts(self) -> str:
        """Count the comparisons by a measure, for each collection where the numbers differ."""
        compared = self._frame.drop_nulls("n_comparisons")
        numbers = dict(compared.select("collection_id", "n_comparisons").iter_rows())
        if len(set(numbers.values())) > 1:
            of = in_a_list([f"{n} ({collection})" for collection, n in numbers.items()])
            return f"{of} comparisons by a measure"
        by = "a measure and collection" if len(numbers) > 1 else "a measure"
        return f"{counted(next(iter(numbers.values()), 0), 'comparison')} by {by}"


_IN_BRACKETS = {True: "only as judged", False: "as judged where the estimate cannot be told"}
_POSSESSIVES: Mapping[str | None, str] = {"holm": "Holm's", "bonferroni": "Bonferroni's"}
