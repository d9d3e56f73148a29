"""The rules of Ben Hvrt.

`turn` has the game's functions. By phase: `series` (BH-2, BH-3), `auction` (BH-4), `market`, `fittings` and
`offers` (BH-5.1 to 5.3), `maintenance` (BH-5.4), `race` and `steps` (BH-6), `windows`, `cards` and `bribes` (BH-7),
`payout` (BH-8). All phases use `stack` (tasks that can be interrupted), `piles` (cards, and which seat knows of
them) and `chariots`. `hidden` has observations and redeals.
"""
