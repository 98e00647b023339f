"""How values are spelled: for people in a cell, in documents, and in JSON."""
