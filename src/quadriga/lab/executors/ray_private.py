"""What Quadriga uses of Ray that Ray does not document: the switch for messages on standard output.

Ray prints there that a node was lost, among the results of a command. Neither `log_to_driver=False` nor another
public setting stops it. Without the switch a program that reads results as JSON has to skip such messages.
"""

from __future__ import annotations

BOUND = (3,)  # of pyproject.toml: below it the tests have run


def silence() -> None:
    """Stop the messages about lost nodes, where this version of Ray has the switch."""
    if not faults():
        from ray._private import worker

        worker._worker_logs_enabled = False


def faults() -> list[str]:
    """Return what this version of Ray lacks."""
    try:
        from ray._private import worker
    except ImportError as fault:
        return [str(fault)]
    return [] if hasattr(worker, "_worker_logs_enabled") else ["ray._private.worker._worker_logs_enabled"]
