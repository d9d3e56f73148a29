"""The rules of Ben Hvrt.

`turn` has the game's functions: the actor, legal actions, transitions, scores. `phases` has a module for each phase
of a race. `windows`, `cards` and `bribes` are the reactions that interrupt phases (BH-7). `stack` holds the tasks
under way, `piles` the cards and each seat's knowledge of them, `chariots` the chariots. `hidden` has observations
and redeals.
"""
