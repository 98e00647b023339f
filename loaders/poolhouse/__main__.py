"""`python -m poolhouse` runs the command `poolhouse`."""

from poolhouse.command_line.entry import main

main()
