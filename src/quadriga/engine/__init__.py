"""Shared by all games; names no game.

- game: the interface of a game
- kernels/: rules as plain and compiled functions over structs
- match/: a game in progress, its options, dice and traces
- text/: message catalogues, terminal canvas, SVG
- errors: all errors, as one tree
- files, folders, nesting: read and write files, find the user's folders, limit the nesting of parsed files
"""
