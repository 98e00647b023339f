"""A lake: the marts of many collections as Parquet, built in independent tasks."""
