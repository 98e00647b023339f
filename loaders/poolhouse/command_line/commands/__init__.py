"""The commands, one a module of the same name; `poolhouse.command_line.main` lists them.

A module imports at its top no more than its options need, and inside the command what that works
with: neither a help text nor another command waits for the engine, for Polars or for dbt.
"""
