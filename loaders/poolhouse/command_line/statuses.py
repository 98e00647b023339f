"""Exit statuses, in a module without imports: a signal may come before anything is imported."""

# Of `poolhouse gate`, where 1 says that a run has failed, and nothing else.
_GATE_ERROR = 4


def status_of_error(command: str | None) -> int:
    """Return the exit status of a command that an error or a signal ends."""
    return _GATE_ERROR if command == "gate" else 1
