"""What the lab counts in Ben Hvrt."""

from __future__ import annotations

from quadriga.engine.parts.study import Column, Study, Tallies
from quadriga.games.benhvrt.rules import hidden

TALLIES = (
    Column(
        "plays",
        "int",
        "The number of Move and Event cards played.",
        "Le nombre de cartes Mouvement et Événement jouées.",
    ),
    Column(
        "vetoes",
        "int",
        "The number of cards played that cancel another one.",
        "Le nombre de cartes jouées qui en annulent une autre.",
    ),
    Column("offers", "int", "The number of offers.", "Le nombre d'offres."),
    Column("swaps", "int", "The number of offers that were accepted.", "Le nombre d'offres acceptées."),
    Column("bribes", "int", "The number of bribes offered.", "Le nombre de pots-de-vin proposés."),
)

STUDY = Study(package=__name__, tallies=Tallies(columns=TALLIES, remember=hidden.remember, count=hidden.tally))
