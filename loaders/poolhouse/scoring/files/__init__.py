"""Scores of run files with a file of judgements, without a warehouse."""
