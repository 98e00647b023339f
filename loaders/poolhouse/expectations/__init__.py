"""Expectations: what files and models promise, and what makes a collection suspicious.

The suites say what is expected (`raw`, `models`, `suspicions`); Great Expectations compares them
with the published warehouse (`validation`), `checking` puts it all together.
"""

from poolhouse.expectations.checking import CheckReport, check

__all__ = ["CheckReport", "check"]
