"""Exports: the public marts of a warehouse for people and tools without Poolhouse."""
