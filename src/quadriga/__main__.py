"""`python -m quadriga` is the command line."""

from quadriga.cli import main

main()
