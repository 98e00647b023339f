"""A dashboard over exported marts, as a file that Superset imports."""
