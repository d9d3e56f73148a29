"""The solver for Ur, and what its exact values are used for.

`solve` computes the tables layer by layer, and `layer` holds one layer in memory. `regret` measures how much a
player's moves lose. `perfect` lets a player meet perfect play.
"""
