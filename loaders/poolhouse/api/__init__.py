"""The warehouse from Python: `poolhouse.open`, and what its methods take."""
