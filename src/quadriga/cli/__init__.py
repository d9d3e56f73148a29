"""The command line.

- main: start, choose the language, exit
- app, commandline, parameters: assemble the commands
- commands/: one module per command
- terminal/: the interactive game in the terminal
- arguments: parse numbers, options and files
- completion: let a shell complete them
- interrupts: Ctrl-C
- output, progress, errors, exits: print results, progress and errors; exit codes
"""

from quadriga.cli.main import main

__all__ = ["main"]
