"""Time an archive of many collections: in one warehouse, and as a lake on several engines."""
