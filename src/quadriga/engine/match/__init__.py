"""A game in progress.

- match: play, undo, and look at one game
- options: the options that set a game up
- dice: fair and seeded dice
- stepper: step a position, plain or compiled
- trace: write a game as JSON Lines
- trace_reader: read, check and verify such files
"""
