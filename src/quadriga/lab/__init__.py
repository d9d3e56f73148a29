"""Measurement over many games.

`simulate` plays random games and `totals` adds them up. `traces` writes records of random games. `arena` measures
which player is better, `solver` computes exact values for Ur, `training` trains the network for Ur, and `review`
judges every decision of one game.
"""
