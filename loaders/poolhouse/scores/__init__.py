"""Scores of runs by any measure, without a build, and differences between them."""
