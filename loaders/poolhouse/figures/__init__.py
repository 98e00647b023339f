"""Figures of a collection: Vega-Lite over rows of the public marts, for pages and for papers."""
