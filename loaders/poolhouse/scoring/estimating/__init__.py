"""Estimating the scores that a run would have if it had been in the pool."""
