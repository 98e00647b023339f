"""The page: one HTML file that asks for nothing else, with every name in it escaped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from poolhouse.errors import PoolhouseError
from poolhouse.expectations.declaration import SAMPLE_SIZE
from poolhouse.expectations.in_qrels_shares import InQrelsShares, RankCount
from poolhouse.expectations.results import Result
from poolhouse.output.printable import printable
from poolhouse.warehouse.file import Warehouse
from poolhouse.warehouse.whole_files import refuse_place_of_warehouse

_PLOT_WIDTH = 640
_PLOT_HEIGHT = 160


@dataclass(frozen=True)
class CollectionPart:
    """What the page shows of one collection; `state` is how its marts stand to what is loaded."""

    collection_id: str
    state: str
    is_current: bool
    results: Sequence[Result]
    shares: InQrelsShares | None

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


def refuse_bad_place(page: Path, warehouse: Warehouse) -> None:
    """Say before the work, not after it, that the page cannot be written there.

    Raise PoolhouseError.
    """
    refuse_place_of_warehouse(page, warehouse, "page")
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
    return environment.get_template("page.html.j2").render(
        warehouse=warehouse,
        checked_at=checked_at,
        parts=parts,
        sample_size=SAMPLE_SIZE,
        plots={part.collection_id: _Plot(part.shares) for part in parts if part.shares is not None},
    )


def _shown(value: object) -> object:
    """Replace control and format characters of names, which HTML forbids or browsers obey."""
    is_markup = hasattr(value, "__html__")  # what the template itself made, line breaks and all
    return printable(value) if isinstance(value, str) and not is_markup else value


class _Plot:
    """Shares in the qrels as points of a drawing: ranks to the right, shares upwards."""

    width = _PLOT_WIDTH
    height = _PLOT_HEIGHT

    def __init__(self, shares: InQrelsShares) -> None:
        self.depth = shares.pool_depth
        self.edge = self._x(shares.pool_depth + 0.5)
        self.pooled = self._line(shares.pooled)
        self.others = self._line(shares.others)
        self.in_words = "; of ".join(
            f"{name}, {' and '.join(self._shares_in_words(series))}"
            for name, series in (("the pooled runs", shares.pooled), ("the others", shares.others))
            if series
        )

    def _x(self, rank: float) -> float:
        return round(_PLOT_WIDTH * (rank - 0.5) / (2 * self.depth), 1)

    def _line(self, series: Sequence[RankCount]) -> str:
        return " ".join(
            f"{self._x(each.rank)},{round(_PLOT_HEIGHT * (1 - _share([each])), 1)}"
            for each in series
        )

    def _shares_in_words(self, series: Sequence[RankCount]) -> Iterator[str]:
        """Tell the share on each side of the pool depth, where there are documents at all."""
        for first, last in ((1, self.depth), (self.depth + 1, 2 * self.depth)):
            if part := [each for each in series if first <= each.rank <= last]:
                yield f"{_share(part):.0%} of the documents at ranks {first} to {last}"


def _share(series: Sequence[RankCount]) -> float:
    return sum(each.n_in_qrels for each in series) / sum(each.n_documents for each in series)
