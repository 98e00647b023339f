"""`python -m poolhouse` is `poolhouse`."""

from poolhouse.cli import main

main(prog_name="poolhouse")
