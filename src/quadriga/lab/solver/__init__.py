"""The solver for Ur, and measurements by its exact values.

`solve` computes the tables layer by layer, and `layer` holds one layer in memory. `regret` measures how much a
player's moves lose. `perfect` lets a player meet perfect play.
"""
