"""Scores of runs by any measure, without a build; `estimating` says what judging them would add."""
