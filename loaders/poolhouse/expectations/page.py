"""The page: one HTML file that asks for nothing else, with every name in it escaped."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from poolhouse.console import printable
from poolhouse.errors import PoolhouseError
from poolhouse.expectations.judged_shares import JudgedShares
from poolhouse.expectations.results import Result
from poolhouse.warehouse import Warehouse

_PLOT_WIDTH = 640
_PLOT_HEIGHT = 160


@dataclass(frozen=True)
class CollectionPart:
    """What the page shows of one collection; `state` is how its marts stand to what is loaded."""

    collection_id: str
    state: str
    is_current: bool
    results: Sequence[Result]
    shares: JudgedShares | None

    @property
    def broken(self) -> list[Result]:
        """Promises that do not hold."""
        return [each for each in self.results if each.is_broken_promise]

    @property
    def suspicions(self) -> list[Result]:
        """What is worth a question."""
        return [each for each in self.results if each.is_suspicion]

    @property
    def n_kept(self) -> int:
        """Promises that hold."""
        return sum(each.success is True and each.suite.name.is_promise for each in self.results)

    @property
    def not_evaluated(self) -> list[Result]:
        """Suspicions that nothing could be said about; a promise of no rows is trivial."""
        return [
            each for each in self.results if each.success is None and not each.suite.name.is_promise
        ]


def page_beside(warehouse: Warehouse) -> Path:
    """Tell where the page lies unless told otherwise."""
    return warehouse.path.with_name(f"{warehouse.path.stem}.quality.html")


def refuse_bad_place(page: Path, warehouse: Warehouse) -> None:
    """Say before the work, not after it, that the page cannot be written there.

    Errors: PoolhouseError.
    """
    if page.resolve() in {warehouse.path.resolve(), warehouse.side_path.resolve()}:
        raise PoolhouseError(f"{page}: the page would take the place of the warehouse")
    if not page.absolute().parent.is_dir():
        raise PoolhouseError(f"{page}: cannot be written: no such folder")


def render(warehouse: str, checked_at: datetime, parts: Sequence[CollectionPart]) -> str:
    """Make the page."""
    environment = Environment(
        loader=PackageLoader("poolhouse.expectations", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["rows"] = _sample_rows
    return environment.get_template("page.html.j2").render(
        warehouse=warehouse,
        checked_at=checked_at,
        parts=parts,
        plots={part.collection_id: _Plot(part.shares) for part in parts if part.shares is not None},
    )


def write(page: Path, text: str) -> None:
    """Put the page in the place of an earlier one, whole or not at all.

    Errors: PoolhouseError where the file system does not allow it.
    """
    draft = page.with_name(f".{page.name}.next")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(page)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise PoolhouseError(f"{page}: cannot be written: {error.strerror}") from error


def _shown(value: object) -> object:
    """Replace control and format characters of names, which HTML forbids or browsers obey."""
    is_markup = hasattr(value, "__html__")  # what the template itself made, line breaks and all
    return printable(value) if isinstance(value, str) and not is_markup else value


def _sample_rows(sample: str) -> list[str]:
    """Write each row of a sample as its columns and values."""
    return [
        ", ".join(f"{column} {_figure(value)}" for column, value in row.items())
        for row in json.loads(sample)
    ]


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class _Plot:
    """Judged shares as points of a drawing: ranks to the right, shares upwards."""

    width = _PLOT_WIDTH
    height = _PLOT_HEIGHT

    def __init__(self, shares: JudgedShares) -> None:
        self.depth = shares.pool_depth
        self.edge = self._x(shares.pool_depth + 0.5)
        self.pooled = self._line(shares.pooled)
        self.others = self._line(shares.others)
        self.in_words = "; of ".join(
            f"{name}, {_mean(series, 1, self.depth):.0%} of the documents at ranks 1 to "
            f"{self.depth} are judged, and {_mean(series, self.depth + 1, 2 * self.depth):.0%} "
            f"at ranks {self.depth + 1} to {2 * self.depth}"
            for name, series in (("the pooled runs", shares.pooled), ("the others", shares.others))
            if series
        )

    def _x(self, rank: float) -> float:
        return round(_PLOT_WIDTH * (rank - 0.5) / (2 * self.depth), 1)

    def _line(self, series: Sequence[tuple[int, float]]) -> str:
        return " ".join(
            f"{self._x(rank)},{round(_PLOT_HEIGHT * (1 - share), 1)}" for rank, share in series
        )


def _mean(series: Sequence[tuple[int, float]], first: int, last: int) -> float:
    shares = [share for rank, share in series if first <= rank <= last]
    return sum(shares) / len(shares) if shares else 0.0
