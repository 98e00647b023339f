"""Results of a check, one per collection and expectation."""

import json
from dataclasses import dataclass

from poolhouse.expectations.figures import is_of_files
from poolhouse.expectations.findings import in_words
from poolhouse.expectations.suites import CRITICAL, OURS


@dataclass(frozen=True)
class Result:
    """The result of one expectation of one collection, with the texts that it had at the check.

    The fields are the columns of `fct_quality_results`. `success` is None where there was nothing
    to look at. `sample` is JSON: some unexpected rows, as the columns that name them.
    """

    collection_id: str
    suite: str
    subject: str
    expectation: str
    figure: str | None
    severity: str
    meaning: str
    advice: str
    success: bool | None
    observed: str
    unexpected_count: int | None
    sample: str

    @property
    def name_in_words(self) -> str:
        """The name of the expectation in words, with the suite of a user."""
        name = self.expectation.replace("_", " ")
        return name if self.suite in OURS else f"{name} ({self.suite})"

    def sample_in_words(self) -> list[str]:
        """Write each row of the sample as its columns and values."""
        return [
            ", ".join(f"{column} {in_words(value)}" for column, value in row.items())
            for row in json.loads(self.sample)
        ]

    @property
    def is_promise(self) -> bool:
        """Whether it is an error if the expectation does not hold."""
        return self.severity == CRITICAL


@dataclass(frozen=True)
class Results:
    """The results of a check."""

    results: tuple[Result, ...]

    @property
    def broken(self) -> list[Result]:
        """Promises that did not hold."""
        return [each for each in self.results if each.success is False and each.is_promise]

    @property
    def suspicions(self) -> list[Result]:
        """Other expectations that did not hold: each is worth a question."""
        return [each for each in self.results if each.success is False and not each.is_promise]

    @property
    def n_kept(self) -> int:
        """Count the promises that held."""
        return sum(each.success is True and each.is_promise for each in self.results)

    @property
    def not_evaluated(self) -> list[Result]:
        """Expectations of which nothing can be said, because there was nothing to look at."""
        return [each for each in self.results if each.success is None]

    @property
    def has_marts(self) -> bool:
        """Whether marts were current and therefore checked, and not only loaded files."""
        return not all(is_of_files(each.subject) for each in self.results)
