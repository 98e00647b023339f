"""Figures of a collection, by Vega-Lite over rows of public marts, for pages and papers."""
