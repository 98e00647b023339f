"""Benchmarks of the estimator `expected_relevance`: its terms, and runs that it must fail on."""
