"""The warehouse file: opening, locking, querying and rewriting it."""
