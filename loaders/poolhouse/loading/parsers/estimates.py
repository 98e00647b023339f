"""Estimates of the scores of runs, by anybody's estimator."""

from dataclasses import dataclass
from math import isfinite

from poolhouse.errors import BadFileError, did_you_mean
from poolhouse.loading.parsers.csv_records import records
from poolhouse.loading.parsers.source import SourceFile

_REQUIRED = ("run_id", "measure", "estimate")
_COLUMNS = (*_REQUIRED, "low", "high", "estimator")
_EXPECTED = "expected the header run_id,measure,estimate[,low,high][,estimator]"


@dataclass(frozen=True)
class StatedEstimate:
    """An estimate of the score of a run by a measure, and its interval of 95 % where it has one."""

    line: int
    estimator: str
    run_id: str
    measure: str
    estimate: float
    low: float | None = None
    high: float | None = None


def parse_estimates(source: SourceFile) -> list[StatedEstimate]:
    """Parse a CSV of estimates. Without the column `estimator`, the file's name is the estimator's.

    Raise BadFileError, with the line, for an unknown column, a value that is no score, half an
    interval or one whose ends are exchanged, a name that is empty or not printable, an estimate
    that is given twice, and a file without an estimate. Raise the errors of `records`.
    """
    of_file = source.path.name.removesuffix(".gz").removesuffix(".csv")
    lines: dict[tuple[str, str, str], int] = {}
    found: list[StatedEstimate] = []
    for line, row in records(source, _REQUIRED, _EXPECTED):
        if unknown := [name for name in row if name not in _COLUMNS]:
            hint = did_you_mean(unknown[0], _COLUMNS)
            problem = f"unknown column {source.quoted(unknown[0])}{hint} ({_EXPECTED})"
            raise BadFileError(source.path, problem, 1)
        each = _estimate(source, {"estimator": of_file} | row, line)
        key = (each.estimator, each.run_id, each.measure)
        if key in lines:
            what = f"run {source.quoted(each.run_id)} by {source.quoted(each.measure)}"
            problem = f"{what} has an estimate in line {lines[key]} too: leave out one of them"
            raise BadFileError(source.path, problem, line)
        lines[key] = line
        found.append(each)
    if not found:
        raise BadFileError(source.path, f"holds no estimate ({_EXPECTED})")
    return found


def _estimate(source: SourceFile, row: dict[str, str], line: int) -> StatedEstimate:
    for name in ("estimator", "run_id", "measure"):
        text = row.get(name, "")
        if not (text and text.isprintable()):
            problem = f"{name} is {source.quoted(text)}: empty or not printable"
            raise BadFileError(source.path, problem, line)
    estimate = _number(source, row, "estimate", line)
    if estimate is None or not 0 <= estimate <= 1:
        problem = f"estimate is {source.quoted(row.get('estimate', ''))}, expected a score, 0 to 1"
        raise BadFileError(source.path, f"{problem}: leave out runs without an estimate", line)
    low, high = (_number(source, row, name, line) for name in ("low", "high"))
    if (low is None) != (high is None):
        problem = "has one end of an interval: give low and high, or neither"
        raise BadFileError(source.path, problem, line)
    if low is not None and high is not None and low > high:
        raise BadFileError(source.path, f"low is {low}, above high, which is {high}", line)
    names = (row["estimator"], row["run_id"], row["measure"])
    return StatedEstimate(line, *names, estimate, low, high)


def _number(source: SourceFile, row: dict[str, str], name: str, line: int) -> float | None:
    text = row.get(name, "")
    if not text:
        return None
    try:
        # Python also reads 1_000.
        number = float(text if "_" not in text else "")
    except ValueError:
        number = float("nan")
    if isfinite(number):
        return number
    raise BadFileError(source.path, f"{name} is {source.quoted(text)}, expected a number", line)
