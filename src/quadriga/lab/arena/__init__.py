"""The arena, which measures which player is better.

`arena` runs it and computes the results. `pool` plays the games on several cores. `ratings` has the statistics.
"""
