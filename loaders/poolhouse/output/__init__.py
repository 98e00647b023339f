"""Writing values: for people in a cell, in documents, and in JSON."""
