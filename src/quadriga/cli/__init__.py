"""The command line."""

from quadriga.cli.main import main

__all__ = ["main"]
