"""Lakes: the marts of an archive as Parquet files, built one collection a task (docs/scale.md)."""
