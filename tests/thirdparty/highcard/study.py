"""What the lab counts in High Card: the pips of a game, and what becomes of each card."""

from __future__ import annotations

import numpy as np

from highcard.state import CARDS, PLAY, State, Tables
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.slots import OWN_COUNTS
from quadriga.engine.parts.study import GAME, Block, Column, Columns, Counted, Study, Table, Tallies

PIPS = Column(
    "pips",
    "int",
    "The pips of the cards played.",
    "Les points des cartes jouées.",
    label=("pips on the cards played", "points sur les cartes jouées"),
)

CARD_COUNTS: Block[Tables] = Block(
    lambda t, seats: (CARDS + 1,),
    Column("played", "int", "1 if the card was played.", "1 si la carte a été jouée."),
    Column("taken", "int", "1 if it took its trick.", "1 si elle a emporté sa levée."),
)
PLAYED = CARD_COUNTS.offset("played")
TAKEN = CARD_COUNTS.offset("taken")
FIELDS = CARD_COUNTS.width

CARD = Column("card", "int", "The card.", "La carte.")
CARD_TABLE = Table("cards", "a card that was played in a game", (GAME, CARD, *CARD_COUNTS.columns))


@kernel
def remember(t: Tables, s: State) -> int:
    """Return the phase before a step."""
    return s.phase


@kernel
def tally(t: Tables, before: int, s: State, action: int, counts: Ints) -> None:
    """Add the pips of a card that was played."""
    if before == PLAY:
        counts[OWN_COUNTS] += action


@kernel
def count_step(t: Tables, before: State, s: State, seat: int, action: int, at: Ints, row: Ints) -> None:
    """Count the card of a step, and the card that takes a trick when it ends."""
    best = 0
    if before.phase == PLAY:
        row[at[1] + action * FIELDS + PLAYED] = 1
        best = action
    if s.trick > before.trick:
        for other in range(t.seats):
            best = max(best, before.table[other])
        row[at[1] + best * FIELDS + TAKEN] = 1


def fill(found: Counted[Tables]) -> dict[str, Columns]:
    """Return the values of the table of games and of the table of cards."""
    counts = found.block(CARD_COUNTS)
    games, cards = np.nonzero(counts[..., PLAYED])
    named = CARD_COUNTS.named(counts[games, cards])
    return {"games": dict(found.tallied), "cards": {"game": found.first + games, "card": cards, **named}}


STUDY: Study[Tables, State] = Study(
    package="highcard",
    tallies=Tallies(columns=(PIPS,), remember=remember, count=tally),
    blocks=(CARD_COUNTS,),
    count_step=count_step,
    game_columns=(PIPS,),
    tables=(CARD_TABLE,),
    fill=fill,
    sections="highcard.sections",
)
