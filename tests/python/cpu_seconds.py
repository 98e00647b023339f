"""Measure the CPU seconds of tests, and hold those of the whole run against a budget.

A second is not the same on two machines, nor on one that is busy. So the budget counts units: one
is what a fixed work takes in the same run, in the processes that run the tests.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping
from math import inf
from operator import itemgetter
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

import duckdb
import pytest

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

# What a process sends to the one that prints.
_TOTAL, _OF_TESTS, _UNITS = "cpu_total", "cpu_of_tests", "cpu_units"

_N_DEAREST = 10

# Most of the tests' time is the planning of statements over small tables; the rest is Python.
_PLANNED = """
with numbers as (select range as number, range % 7 as kind from range(100))
select kind, count(*) as n, sum(one.number * other.number) as total
from numbers as one inner join numbers as other using (kind)
group by kind order by total
"""
_N_PLANNED = 400


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this plugin."""
    parser.addoption(
        "--cpu-budget",
        type=float,
        metavar="UNITS",
        help="fail if the run takes more CPU time than so many times a fixed work",
    )
    parser.addoption(
        "--cpu-table", type=Path, metavar="FILE", help="write the CPU seconds of each file of tests"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure where somebody wants to know."""
    if config.getoption("--cpu-budget") or config.getoption("--cpu-table"):
        config.pluginmanager.register(_Measuring(config))


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def fixed_work() -> float:
    """Plan and run the same statements, and return the CPU seconds that they took."""
    before = cpu_seconds()
    with duckdb.connect() as connection:
        for _ in range(_N_PLANNED):
            connection.execute(_PLANNED).fetchall()
    return cpu_seconds() - before


class _Measuring:
    """The figures of this process; in the process that prints, the figures of all."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.of_tests: dict[str, float] = defaultdict(float)
        self.units: list[float] = []
        self.total = 0.0

    @property
    def runs_tests(self) -> bool:
        """Whether this process runs tests; where others do, it only prints."""
        return not self.config.getoption("numprocesses")

    @property
    def n_units(self) -> float:
        """The CPU time of the run, in units."""
        return self.total / mean(self.units or [inf])

    def pytest_sessionstart(self) -> None:
        self._measure_unit()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before = cpu_seconds()
        result = yield
        self.of_tests[item.nodeid] += cpu_seconds() - before
        return result

    def pytest_testnodedown(self, node: "WorkerController") -> None:
        """Take over the figures of a process that ran tests; one that was killed has none."""
        found = getattr(node, "workeroutput", {})
        self.total += found.get(_TOTAL, 0)
        self.of_tests.update(found.get(_OF_TESTS, {}))
        self.units += found.get(_UNITS, [])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._measure_unit()
        # The children of the process that prints are those that ran tests.
        own = cpu_seconds() if self.runs_tests else sum(os.times()[:2])
        self.total += own - sum(self.units if self.runs_tests else [])
        if "PYTEST_XDIST_WORKER" in os.environ:
            figures = {_TOTAL: self.total, _OF_TESTS: dict(self.of_tests), _UNITS: self.units}
            self.config.workeroutput |= figures  # type: ignore[attr-defined]
            return
        if table := self.config.getoption("--cpu-table"):
            table.write_text(table_by_file(self.of_tests, self.total), encoding="utf-8")
        if self._is_over_budget():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        say = terminalreporter.write_line
        say(f"{self.total:.0f} CPU seconds, which is {self.n_units:.0f} times the fixed work")
        if self._is_over_budget():
            budget = self.config.getoption("--cpu-budget")
            say(f"The budget is {budget:.0f} times the fixed work.", red=True)
        say("The dearest tests, in CPU seconds with the fixtures that they were the first to need:")
        for test, seconds in _dearest_first(self.of_tests)[:_N_DEAREST]:
            say(f"{seconds:8.1f}  {test}")

    def _measure_unit(self) -> None:
        if self.runs_tests:
            self.units.append(fixed_work())

    def _is_over_budget(self) -> bool:
        budget = self.config.getoption("--cpu-budget")
        return budget is not None and self.n_units > budget


def table_by_file(of_tests: Mapping[str, float], total: float) -> str:
    """Write the CPU seconds and the number of tests of each file as a table, the dearest first."""
    seconds: dict[str, float] = defaultdict(float)
    n_tests: Counter[str] = Counter()
    for test, of_test in of_tests.items():
        file = test.partition("::")[0].rpartition("/")[2]
        seconds[file] += of_test
        n_tests[file] += 1
    rows = [
        *(
            f"| {file} | {n_tests[file]} | {of_file:.1f} |"
            for file, of_file in _dearest_first(seconds)
        ),
        f"| all, with the start of the processes | {n_tests.total()} | {total:.1f} |",
    ]
    return "\n".join(["| file | tests | CPU s |", "| --- | --: | --: |", *rows, ""])


def _dearest_first(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=itemgetter(1), reverse=True)
