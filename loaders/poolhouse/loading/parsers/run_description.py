"""What a file declares about a run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RunDescription:
    """The declarations of one run, as columns of raw.descriptions. None: nothing is declared."""

    run_id: str
    organization: str
    run_type: str | None = None
    is_pooled: bool | None = None
    pool_depth: int | None = None
    description: str | None = None
    task: str | None = None
