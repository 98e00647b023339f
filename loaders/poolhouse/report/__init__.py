"""The report: one HTML file about the collections of a warehouse, readable offline."""
