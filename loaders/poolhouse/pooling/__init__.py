"""Pooling strategies: which documents of a topic should be judged, and in which order."""
