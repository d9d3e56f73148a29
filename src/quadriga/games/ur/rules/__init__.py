"""The rules of Ur.

`turn` has the game's functions: the actor, legal actions, transitions, observations. `opening` decides which side
starts (UR-3). `ben` has the moves of Ben's rules (UR-5 to UR-7), `classic` those of the other rule sets.
"""
