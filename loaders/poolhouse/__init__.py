"""Poolhouse: a SQL warehouse for evaluation campaigns in information retrieval."""

__version__ = "0.1.0"
