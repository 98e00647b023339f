"""Time one simulated collection that is many times as large as TREC-8."""
