"""Loading: from files, data frames or ir_datasets to the raw schema, and out of it again."""
