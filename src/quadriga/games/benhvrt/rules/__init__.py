"""The rules of Ben Hvrt, by phase.

`series` (BH-2, BH-3), `auction` (BH-4), `market`, `fittings` and `offers` (BH-5.1 to 5.3), `maintenance` (BH-5.4),
`race` and `steps` (BH-6), `windows`, `cards`, `bribes` (BH-7), `payout` (BH-8). Beneath them `stack` (work that can
be interrupted), `piles` (cards, and who knows of them) and `chariots`.
"""
