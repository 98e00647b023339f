"""The commands. Each has a module of the same name; `poolhouse.command_line.main` lists them.

A module imports at its top only what its options need. The command imports the rest when it runs.
So no help text and no other command waits for the engine, for Polars or for dbt.
"""
