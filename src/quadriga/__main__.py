"""Run the command line with `python -m quadriga`."""

from quadriga.cli import main

main()
