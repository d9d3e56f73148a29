"""The phases of Ben Hvrt, in the order of a race.

`series` (BH-2, BH-3) sets up races and deals. `auction` (BH-4) sells cards. In the `market` (BH-5.1) players trade
by `offers` (BH-5.2) and use `fittings` (BH-5.3). `maintenance` (BH-5.4) is paid. The `race` (BH-6) consists of
moves by `steps`. `payout` (BH-8) ends it.
"""
