"""The experiments of Webber & Park 2009, and others, run on a collection of the warehouse.

The models draw and compute (models/table_macros/intermediate/experiments). This package has what
experiments are asked for (`requests`), the parts of an experiment (`parts`), the database of
computed results (`results`), and the publication in the warehouse (`running`).
"""
