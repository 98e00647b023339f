"""Exports: the public marts of a warehouse for people and tools that have no Poolhouse."""
