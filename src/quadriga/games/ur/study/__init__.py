"""What the lab counts in Ur."""

from __future__ import annotations

from quadriga.engine.parts.study import Column, Study, Tallies
from quadriga.games.ur.rules import turn

TALLIES = (
    Column("captures", "int", "The number of markers captured.", "Le nombre de pions capturés."),
    Column(
        "jumps",
        "int",
        "The number of jumps after a roll of 0 (Ben's rules), without those of the opening.",
        "Le nombre de sauts après un lancer de 0 (règles de Ben), sans ceux de l'ouverture.",
    ),
    Column(
        "free",
        "int",
        "The number of moves after which the same side rolled again.",
        "Le nombre de coups après lesquels le même camp a relancé.",
    ),
    Column(
        "lost",
        "int",
        "The number of rolls without a legal move.",
        "Le nombre de lancers sans coup légal.",
    ),
)

STUDY = Study(package=__name__, tallies=Tallies(columns=TALLIES, remember=turn.remember, count=turn.tally))
