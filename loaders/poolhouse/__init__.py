"""Poolhouse: a SQL warehouse for evaluation campaigns in information retrieval."""

from importlib.metadata import version

__version__ = version("poolhouse")
