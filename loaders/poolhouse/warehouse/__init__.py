"""The warehouse file: opened, locked, queried, rewritten, and cleared of leftovers."""
