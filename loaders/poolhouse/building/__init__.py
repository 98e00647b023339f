"""Building: running the compiled plan for stale collections, with the warehouse's settings."""
