"""What the lab counts in Ur: every count once, with its place in the row of a game and its column in the tables."""

from __future__ import annotations

from quadriga.engine.parts.study import FIRST, GAMES, SEAT, Block, Column, Table
from quadriga.games.ur.board import STEPS
from quadriga.games.ur.state import Tables

ALL_STEPS = STEPS + 2  # with 0 for home, and off

STEP_COUNTS: Block[Tables] = Block(
    lambda t, seats: (seats, ALL_STEPS),
    Column(
        "landings",
        "int",
        "How often a marker of the seat moved to this step.",
        "Combien de fois un pion de la place est arrivé à ce pas.",
    ),
    Column(
        "captures",
        "int",
        "How often a marker of the seat captured another one on this step.",
        "Combien de fois un pion de la place en a capturé un autre à ce pas.",
    ),
    Column(
        "losses",
        "int",
        "How often a marker of the seat was captured on this step.",
        "Combien de fois un pion de la place a été capturé à ce pas.",
    ),
    Column(
        "stands",
        "int",
        "The markers of the seat on this step, added up over all decisions.",
        "Les pions de la place à ce pas, additionnés sur toutes les décisions.",
    ),
)
LANDINGS = STEP_COUNTS.offset("landings")
CAPTURES = STEP_COUNTS.offset("captures")
LOSSES = STEP_COUNTS.offset("losses")
STANDS = STEP_COUNTS.offset("stands")
FIELDS = STEP_COUNTS.width

OPENING_COUNTS: Block[Tables] = Block(
    lambda t, seats: (),
    Column(
        "first",
        "int",
        "The seat that started: in Ben's rules the winner of the opening, else seat 0.",
        "La place qui a commencé : avec les règles de Ben, celle qui a gagné l'ouverture, sinon la place 0.",
    ),
    "black_markers",  # after the opening, as bits
    "white_markers",
)
STARTED = OPENING_COUNTS.offset("first")
MARKERS = OPENING_COUNTS.offset("black_markers")

BLOCKS = (STEP_COUNTS, OPENING_COUNTS)
SPACES = 1 + BLOCKS.index(STEP_COUNTS)
OPENED = 1 + BLOCKS.index(OPENING_COUNTS)

TALLIES = (
    Column(
        "captures",
        "int",
        "The number of markers captured.",
        "Le nombre de pions capturés.",
        label=("captures", "prises"),
    ),
    Column(
        "jumps",
        "int",
        "The number of jumps after a roll of 0 (Ben's rules), without those of the opening.",
        "Le nombre de sauts après un lancer de 0 (règles de Ben), sans ceux de l'ouverture.",
        label=("jumps", "sauts"),
    ),
    Column(
        "free",
        "int",
        "The number of moves after which the same side rolled again.",
        "Le nombre de coups après lesquels le même camp a relancé.",
        label=("free turns", "tours gratuits"),
    ),
    Column(
        "lost",
        "int",
        "The number of rolls without a legal move.",
        "Le nombre de lancers sans coup légal.",
        label=("turns without a move", "tours sans coup"),
    ),
)

GAME_COLUMNS = (
    Column("rules", "text", "The rule set.", "Le jeu de règles."),
    *OPENING_COUNTS.columns,
    *TALLIES,
    Column(
        "solved",
        "float",
        "The chance of `first` to win after the opening, by the solved tables.",
        "La chance de gagner de `first` après l'ouverture, d'après les tables résolues.",
        True,
    ),
)

TABLES = (
    Table(
        "spaces",
        "a step of a seat's path in a block of games",
        (
            FIRST,
            GAMES,
            SEAT,
            Column(
                "step",
                "int",
                "The step on the path of the seat, from 1; the one after the last is off the board.",
                "Le pas sur le chemin de la place, à partir de 1 ; après le dernier, le pion est sorti.",
            ),
            Column(
                "space",
                "text",
                "The space of the board, such as `B4`; `off` after the last step.",
                "La case du plateau, comme `B4` ; `off` après le dernier pas.",
            ),
            *STEP_COUNTS.columns,
        ),
    ),
)
