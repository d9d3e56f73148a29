"""A game in progress.

- match: play, take back, and look at one game
- history, entry: its entries and positions
- compounds: actions that are put together from parts
- drawing: a match as text and as a picture
- options: the options that set a game up
- dice: fair and seeded dice
- stepper: step a position, plain or compiled
- trace: write a game as JSON Lines
- trace_reader: read, check and verify such files
"""
