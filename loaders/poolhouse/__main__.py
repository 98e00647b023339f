"""`python -m poolhouse` runs the command `poolhouse`."""

from poolhouse.command_line.main import main

main(prog_name="poolhouse")
