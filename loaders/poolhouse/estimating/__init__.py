"""Estimating: what the scores of a run would be, had it been in the pool."""
