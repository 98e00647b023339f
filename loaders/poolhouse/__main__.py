"""`python -m poolhouse` is `poolhouse`."""

from poolhouse.command_line.main import main

main(prog_name="poolhouse")
