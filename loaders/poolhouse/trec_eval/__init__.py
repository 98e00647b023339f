"""What trec_eval prints: its measures by their names, means over topics, and lines."""
