"""Differences of runs, whether they can be trusted, gates, and tables of papers."""
