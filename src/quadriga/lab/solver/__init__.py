"""The Ur solver: the exact chance to win, for the side to roll, from every position of a rule set."""
