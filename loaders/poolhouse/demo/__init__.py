"""The demo: a simulated archive, whose truth is known."""
