"""Figures for pages and papers, by Vega-Lite: of collections, experiments and comparisons."""
