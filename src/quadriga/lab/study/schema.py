"""The tables of a study and their columns. docs/lab.md lists the same; a test compares them."""

from __future__ import annotations

from quadriga.engine.game import Game
from quadriga.engine.parts.study import GAME, PLAYER, SEAT, Column, Table

_GAMES = (
    GAME,
    Column(
        "lineup",
        "int",
        "The number of the lineup, from 0: which player has which seat (`plan.json`).",
        "Le numéro de la composition, à partir de 0 : quel joueur a quelle place (`plan.json`).",
    ),
    Column(
        "winner",
        "int",
        "The seat with the best score, or -1 if several have it.",
        "La place avec le meilleur score, ou -1 si plusieurs l'ont.",
    ),
    Column(
        "winners", "int", "The number of seats with the best score.", "Le nombre de places avec le meilleur score."
    ),
    Column(
        "decisions",
        "int",
        "The number of decisions. Each piece of an offer or a bribe is one.",
        "Le nombre de décisions. Chaque élément d'une offre ou d'un pot-de-vin en est une.",
        label=("decisions in a game", "décisions par partie"),
    ),
    Column(
        "chances",
        "int",
        "The number of dice rolls and cards drawn.",
        "Le nombre de lancers de dés et de cartes piochées.",
    ),
    Column(
        "choices",
        "int",
        "The number of decisions with more than one legal action.",
        "Le nombre de décisions avec plus d'une action légale.",
    ),
    Column(
        "branching",
        "float",
        "The mean number of legal actions at a decision.",
        "Le nombre moyen d'actions légales à une décision.",
        label=("legal moves at a decision", "coups possibles par décision"),
    ),
    Column(
        "lead_changes",
        "int",
        "How often another seat took the lead.",
        "Combien de fois une autre place a pris la tête.",
        label=("changes of the lead in a game", "changements de tête par partie"),
    ),
    Column(
        "decided",
        "int",
        "The number of the decision after which the winner led to the end; 0: from the start.",
        "Le numéro de la décision après laquelle le vainqueur a mené jusqu'au bout ; 0 : dès le début.",
    ),
    Column(
        "decided_share",
        "float",
        "`decided` as a share of all decisions.",
        "`decided` en part de toutes les décisions.",
        label=(
            "part of the game after which the winner leads to the end",
            "part de la partie après laquelle le vainqueur reste en tête",
        ),
    ),
    Column(
        "led_share",
        "float",
        "The share of decisions after which the later winner led, alone or with others.",
        "La part des décisions après lesquelles le futur vainqueur menait, seul ou avec d'autres.",
    ),
)

_SEATS = (
    GAME,
    SEAT,
    PLAYER,
    Column(
        "start",
        "int",
        "The start position in the first race or in the turn order, from 1; 0 if there is none.",
        "La position de départ dans la première course ou l'ordre du tour, à partir de 1 ; 0 sans position.",
    ),
    Column("score", "int", "The final score.", "Le score final."),
    Column(
        "won",
        "float",
        "The share of the win: 1, a part of 1 if several seats share the best score, or 0.",
        "La part de la victoire : 1, une part de 1 si plusieurs places partagent le meilleur score, ou 0.",
    ),
    Column(
        "place",
        "int",
        "1 for the best score, and so on; equal scores have equal places.",
        "1 pour le meilleur score, etc. ; à score égal, rang égal.",
    ),
    Column(
        "led",
        "int",
        "The number of decisions after which the seat led, alone or with others.",
        "Le nombre de décisions après lesquelles la place menait, seule ou avec d'autres.",
    ),
)

_REVIEWS = (
    GAME,
    SEAT,
    PLAYER,
    Column(
        "playouts",
        "int",
        "The number of playouts by which each action was judged.",
        "Le nombre de parties simulées qui ont jugé chaque action.",
    ),
    Column(
        "start",
        "float",
        "The chance to win before the first decision.",
        "La chance de gagner avant la première décision.",
    ),
    Column(
        "decisions",
        "int",
        "The number of decisions that left a choice.",
        "Le nombre de décisions qui laissaient un choix.",
    ),
    Column(
        "slips",
        "int",
        "The number of decisions that lost at least 1 % of the chance to win.",
        "Le nombre de décisions qui ont perdu au moins 1 % de chance de gagner.",
    ),
    Column(
        "lost",
        "float",
        "The chances that decisions of the seat lost, added up.",
        "Les chances perdues par les décisions de la place, additionnées.",
    ),
    Column(
        "luck",
        "float",
        "What dice, cards and other seats gave the seat, as a chance to win.",
        "Ce que dés, cartes et autres places ont donné à la place, en chance de gagner.",
    ),
    Column(
        "result",
        "float",
        "The share of the result: with two seats 1 for a win and 0 for a loss.",
        "La part du résultat : à deux places, 1 pour une victoire et 0 pour une défaite.",
    ),
)

COMMON = (
    Table("games", "a game", _GAMES),
    Table("seats", "a seat in a game", _SEATS),
    Table("reviews", "a seat in one of the games that were reviewed", _REVIEWS),
)


def tables(game: Game) -> tuple[Table, ...]:
    """Return the tables of a game: the common ones, with the columns and tables of its study."""
    if game.study is None:
        return COMMON
    games, *rest = COMMON
    return (games._replace(columns=games.columns + game.study.game_columns), *rest, *game.study.tables)
