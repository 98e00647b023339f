"""Measure the test of expected differences (docs/decisions/estimated_tests.md)."""
