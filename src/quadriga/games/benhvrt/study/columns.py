"""The tables of Ben Hvrt: the counts, and what is computed from them."""

from __future__ import annotations

from quadriga.engine.parts.study import FIRST, GAME, GAMES, PLAYER, RACE, SEAT, Column, Table
from quadriga.games.benhvrt.study.counts import (
    CARD_COUNTS,
    CARD_NAME,
    CHARIOT_COUNTS,
    DEALS,
    LOT_COUNTS,
    MONEY,
    RACE_LAPS,
    SQUARE_COUNTS,
)

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

GAME_COLUMNS = (Column("races", "int", "The number of races.", "Le nombre de courses."), *TALLIES)

TABLES = (
    Table(
        "races",
        "a seat in a race",
        (
            GAME,
            RACE,
            RACE_LAPS,
            SEAT,
            PLAYER,
            *MONEY,
            Column("earned", "int", "`after` less `before`.", "`after` moins `before`."),
            Column(
                "excess",
                "float",
                "`earned` less its mean over the seats that entered the race.",
                "`earned` moins sa moyenne sur les places engagées dans la course.",
            ),
            *DEALS,
        ),
    ),
    Table(
        "chariots",
        "a chariot in a race",
        (
            GAME,
            RACE,
            RACE_LAPS,
            SEAT,
            PLAYER,
            Column("chariot", "int", "The number of the chariot, from 0.", "Le numéro du char, à partir de 0."),
            *CHARIOT_COUNTS.columns,
        ),
    ),
    Table(
        "cards",
        "a card that a seat had to do with in a race",
        (
            GAME,
            RACE,
            RACE_LAPS,
            SEAT,
            PLAYER,
            CARD_NAME,
            *CARD_COUNTS.columns,
            Column(
                "earned",
                "int",
                "The Ducats that the seat earned in the race (see `races`).",
                "Les Ducats gagnés par la place dans la course (voir `races`).",
            ),
            Column(
                "excess",
                "float",
                "The same less its mean over the seats that entered the race.",
                "Les mêmes moins leur moyenne sur les places engagées dans la course.",
            ),
        ),
    ),
    Table(
        "lots",
        "an auction card",
        (
            GAME,
            RACE,
            RACE_LAPS,
            Column(
                "lot",
                "int",
                "The number of the auction card in the race, from 1.",
                "Le numéro de la carte mise en vente dans la course, à partir de 1.",
            ),
            *LOT_COUNTS.columns,
            Column("list_price", "int", "The price on the card.", "Le prix inscrit sur la carte."),
        ),
    ),
    Table(
        "spaces",
        "a square of the track in a block of games",
        (
            FIRST,
            GAMES,
            Column(
                "space",
                "text",
                "The square, such as `1.5`: lane and index.",
                "La case, comme `1.5` : couloir et rang.",
            ),
            *SQUARE_COUNTS.columns,
        ),
    ),
)
