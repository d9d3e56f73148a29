"""The actions of Ben Hvrt as integers of a fixed range."""

from __future__ import annotations

from quadriga.games.benhvrt.board import CHARIOTS
from quadriga.games.benhvrt.deck import KINDS
from quadriga.games.benhvrt.state import SEATS, TRACK_SQUARES

PASS = 0
READY = 1
BUY = 2
SELL = 3  # by auction
BID = 4
ACCEPT = 5
DECLINE = 6
STOP = 7
KEEP = 8
DROP = 9
OFFER = 10  # begins an offer,
BRIBE = 11  # ... or a bribe; its parts are the actions from TO on
KEEP_DIE = 12  # + face - 1
USE = 18  # + kind
FIT = USE + KINDS  # + 2 * kind + which of the player's chariots
STEP = FIT + 2 * KINDS  # + square
PLAY = STEP + TRACK_SQUARES  # + WAYS * kind + what the card takes
WAYS = 2 * CHARIOTS
TO = PLAY + WAYS * KINDS  # + seat
NAME = TO + SEATS  # + kind
ENOUGH = NAME + KINDS  # no more cards
DIGIT = ENOUGH + 1  # + digit: money is given in four digits
ON = DIGIT + 10  # + chariot
ACTIONS = ON + CHARIOTS

DIGITS = 4
