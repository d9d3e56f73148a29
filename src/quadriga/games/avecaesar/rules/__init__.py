"""The rules of Ave Caesar.

`turn` has the game's functions: the actor, legal actions, transitions, scores. `race` sets up and scores a race
(AC-2, AC-6). `moves` finds the playable cards (AC-3, AC-5), `paths` the reachable spaces (AC-1), and `six` the
rules about the 6 (AC-4). `cards` counts packed cards. `hidden` has observations and redeals, and `knowledge` what
all seats can tell about a hand.
"""
