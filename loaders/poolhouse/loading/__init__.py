"""Loading: from files, data frames or ir_datasets to the raw schema, and removal from it."""
