"""Expectations: what files and models promise, and what makes a collection suspicious.

Figures are models (`models/quality`), and expectations are suites of Great Expectations
(`expectations`). `looking` compares them, and `checking` records the results.
"""

from poolhouse.expectations.checking import CheckReport, check

__all__ = ["CheckReport", "check"]
