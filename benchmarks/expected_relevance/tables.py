"""The tables of expected_relevance/README.md, in Markdown, from the rows of errors."""

import math
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from poolhouse.output.markdown import markdown

OWN = "expected_relevance"
SHORT = {
    "unadjusted": "unadjusted",
    "upper bound": "upper bound",
    "condensed": "condensed",
    "webber_park_systems": "W & P",
    "webber_park_systems_no_substitution": "W & P, no substitution",
    "webber_park by organization": "W & P by organization",
    "lipani": "Lipani et al.",
    "bootstrapped": "bootstrapped",
    OWN: "expected relevance",
}
Table = tuple[str, Sequence[str], list[tuple[str, ...]]]


def tables(errors: pl.DataFrame, shares: pl.DataFrame, measures: Sequence[str]) -> str:
    """Return all tables. Pools that are less deep than the measure are in the CSV alone."""
    deep = errors.filter("is_in_depth")
    found = [table for measure in measures for table in _of_measure(deep, measure)]
    found += [_ratios(deep, is_archive, measures) for is_archive in (True, False)]
    found += [_coverage(deep, is_archive, measures) for is_archive in (True, False)]
    found += [_shares(shares, is_archive) for is_archive in (True, False)]
    return markdown(found)


def figure(value: float | None, digits: int = 4) -> str:
    """Return a figure without the zero before the point; nothing where there is none."""
    if value is None or math.isnan(value):
        return ""
    return f"{value:.{digits}f}".replace("0.", ".", 1)


def _with_error(row: dict[str, float], name: str, error: str, digits: int = 4) -> str:
    return f"{figure(row[name], digits)} ±{figure(row[error], digits)}"


def _of_measure(errors: pl.DataFrame, measure: str) -> Iterator[Table]:
    cells: dict[str, Callable[[dict[str, float]], str]] = {
        "mean absolute error": lambda row: _with_error(row, "mae", "mae_se"),
        "mean error": lambda row: _with_error(row, "mean_error", "mean_error_se"),
        "Kendall's tau": lambda row: _with_error(row, "kendall_tau", "kendall_tau_se", 3),
    }
    of_measure = errors.filter(measure=measure)
    estimators = [each for each in SHORT if each in set(of_measure["estimator"])]
    for title, cell in cells.items():
        rows = []
        for (name,), group in of_measure.group_by("collection_id", maintain_order=True):
            by_name = {row["estimator"]: row for row in group.iter_rows(named=True)}
            rows.append(
                (
                    str(name),
                    *(cell(by_name[each]) if each in by_name else "" for each in estimators),
                )
            )
        columns = ["pool", *(SHORT[each] for each in estimators)]
        yield f"{measure}, {title} ± standard error over organizations", columns, rows


def _ratios(errors: pl.DataFrame, is_archive: bool, measures: Sequence[str]) -> Table:
    """Return geometric means over pools of the error over the unadjusted one, and wins."""
    plain = errors.filter(pl.col("estimator") == "unadjusted", pl.col("mae") > 0)
    joined = errors.filter(is_archive=is_archive).join(
        plain.select("collection_id", "measure", plain_mae="mae"), on=["collection_id", "measure"]
    )
    own = joined.filter(estimator=OWN).select("collection_id", "measure", own_mae="mae")
    joined = joined.join(own, on=["collection_id", "measure"])
    rows = []
    for estimator, name in SHORT.items():
        cells = [name]
        for measure in measures:
            group = joined.filter(estimator=estimator, measure=measure)
            ratio = (group["mae"] / group["plain_mae"]).clip(1e-6).log().mean()
            better = int((group["mae"] < group["own_mae"]).sum())
            text = figure(float(pl.Series([ratio]).exp()[0]), 3) if group.height else ""
            cells.append(f"{text}; {better} of {group.height}" if group.height else "")
        rows.append(tuple(cells))
    kind = "archive" if is_archive else "simulated"
    title = (
        f"{kind}: error over the unadjusted error, geometric mean over pools; "
        "pools where the error is below the one of expected relevance"
    )
    return title, ["estimator", *measures], rows


def _coverage(errors: pl.DataFrame, is_archive: bool, measures: Sequence[str]) -> Table:
    rows = []
    own = errors.filter(pl.col("coverage_95").is_not_null(), estimator=OWN, is_archive=is_archive)
    for (name,), group in own.group_by("collection_id", maintain_order=True):
        by_measure = {row["measure"]: row for row in group.iter_rows(named=True)}
        cells = [
            f"{figure(row['coverage_68'], 2)} "
            f"{_with_error(row, 'coverage_95', 'coverage_95_se', 2)}"
            if (row := by_measure.get(measure))
            else ""
            for measure in measures
        ]
        rows.append((str(name), *cells))
    kind = "archive" if is_archive else "simulated"
    return f"{kind}: coverage of 68 %, and of 95 % ± standard error", ["pool", *measures], rows


def _shares(shares: pl.DataFrame, is_archive: bool) -> Table:
    names = ("unadjusted", "webber_park by organization", OWN, "bias", "coverage_68", "coverage_95")
    rows = []
    of_kind = shares.filter(is_archive=is_archive)
    for (share,), group in of_kind.group_by("share_above", maintain_order=True):
        by_figure = {row["figure"]: row for row in group.iter_rows(named=True)}
        n = by_figure[OWN]["n"], by_figure[OWN]["n_clusters"]
        cells = [_with_error(by_figure[each], "value", "standard_error", 3) for each in names]
        rows.append((f"above {share:g}", f"{n[0]}; {n[1]}", *cells))
    kind = "archive" if is_archive else "simulated"
    columns = ["share unjudged", "runs and measures; organizations"]
    return f"{kind}: by the share of weight unjudged", [*columns, *names], rows
