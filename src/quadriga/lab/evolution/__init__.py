"""Training of the values by which a game's rules of thumb judge, in games of bots against each other.

`duels` plays games between two sets of values in compiled code. `evolution` finds better values, round by round.
"""
