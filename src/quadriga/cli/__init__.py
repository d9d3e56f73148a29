"""The command line.

- main: start, choose the language, exit
- app, commandline: assemble the commands
- commands/: one module per command
- terminal/: the interactive game in the terminal
- arguments: parse numbers, options and files
- interrupts: Ctrl-C
- output, progress, errors, exits: print results, progress and errors; exit codes
"""

from quadriga.cli.main import main

__all__ = ["main"]
