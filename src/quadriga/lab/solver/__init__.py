"""The solver for Ur, and measurements by its exact values.

`solve` computes the tables layer by layer, and `layer` holds one layer in memory. `measured_player` is a bot beside
the tables: `regret` measures how much its moves lose, and `perfect` lets it meet perfect play.
"""
