"""The tables of a study and their columns. docs/lab.md lists the same; a test compares them."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["int", "float", "text", "bool"]


class Column(NamedTuple):
    """A column: its name, the type of its values, its meaning in one sentence, and whether it may be empty."""

    name: str
    kind: Kind
    meaning: str
    is_optional: bool = False


class Table(NamedTuple):
    """A table: the name of its Parquet file, what a row is, and its columns."""

    name: str
    row: str
    columns: tuple[Column, ...]


_GAME = Column("game", "int", "The number of the game, from 0.")
_RACE = Column("race", "int", "The number of the race in the game, from 0.")
_SEAT = Column("seat", "int", "The seat, from 0.")
_PLAYER = Column("player", "text", "The player on the seat, such as `greedy`.")
_BLOCK = (
    Column("first", "int", "The number of the first game of a block of games."),
    Column("games", "int", "The number of games in the block."),
)

_GAMES = (
    _GAME,
    Column("lineup", "int", "The number of the lineup, from 0: which player has which seat (`plan.json`)."),
    Column("winner", "int", "The seat with the best score, or -1 if several have it."),
    Column("winners", "int", "The number of seats with the best score."),
    Column("decisions", "int", "The number of decisions. Each piece of an offer or a bribe is one."),
    Column("chances", "int", "The number of dice rolls and cards drawn."),
    Column("choices", "int", "The number of decisions with more than one legal action."),
    Column("branching", "float", "The mean number of legal actions at a decision."),
    Column("lead_changes", "int", "How often another seat took the lead."),
    Column(
        "decided", "int", "The number of the decision after which the winner led to the end; 0: from the start."
    ),
    Column("decided_share", "float", "`decided` as a share of all decisions."),
    Column("led_share", "float", "The share of decisions after which the later winner led, alone or with others."),
)

_SEATS = (
    _GAME,
    _SEAT,
    _PLAYER,
    Column(
        "start", "int", "The start position in the first race or in the turn order, from 1; 0 if there is none."
    ),
    Column("score", "int", "The final score."),
    Column("won", "float", "The share of the win: 1, a part of 1 if several seats share the best score, or 0."),
    Column("place", "int", "1 for the best score, and so on; equal scores have equal places."),
    Column("led", "int", "The number of decisions after which the seat led, alone or with others."),
)

_REVIEWS = (
    _GAME,
    _SEAT,
    _PLAYER,
    Column("playouts", "int", "The number of playouts by which each action was judged."),
    Column("start", "float", "The chance to win before the first decision."),
    Column("decisions", "int", "The number of decisions that left a choice."),
    Column("slips", "int", "The number of decisions that lost at least 1 % of the chance to win."),
    Column("lost", "float", "The chances that decisions of the seat lost, added up."),
    Column("luck", "float", "What dice, cards and other seats gave the seat, as a chance to win."),
    Column("result", "float", "The share of the result: with two seats 1 for a win and 0 for a loss."),
)

COMMON = (
    Table("games", "a game", _GAMES),
    Table("seats", "a seat in a game", _SEATS),
    Table("reviews", "a seat in one of the games that were reviewed", _REVIEWS),
)

_UR = (
    Column("rules", "text", "The rule set."),
    Column("first", "int", "The seat that started: in Ben's rules the winner of the opening, else seat 0."),
    Column("captures", "int", "The number of markers captured."),
    Column("jumps", "int", "The number of jumps after a roll of 0 (Ben's rules), without those of the opening."),
    Column("free", "int", "The number of moves after which the same side rolled again."),
    Column("lost", "int", "The number of rolls without a legal move."),
    Column("solved", "float", "The chance of `first` to win after the opening, by the solved tables.", True),
)

_UR_SPACES = (
    *_BLOCK,
    _SEAT,
    Column("step", "int", "The step on the path of the seat, from 1; the one after the last is off the board."),
    Column("space", "text", "The space of the board, such as `B4`; `off` after the last step."),
    Column("landings", "int", "How often a marker of the seat moved to this step."),
    Column("captures", "int", "How often a marker of the seat captured another one on this step."),
    Column("losses", "int", "How often a marker of the seat was captured on this step."),
    Column("stands", "int", "The markers of the seat on this step, added up over all decisions."),
)

_AVE_CAESAR = (
    Column("races", "int", "The number of races."),
    Column("finishes", "int", "The number of chariots that finished."),
    Column("missed", "int", "The number of missed turns, as `quadriga sim` counts them."),
    Column("dishonoured", "int", "The number of dishonoured chariots, as `quadriga sim` counts them."),
    Column("wrecks", "int", "The number of wrecks, as `quadriga sim` counts them."),
)

_AC_RACES = (
    _GAME,
    _RACE,
    Column("course", "text", "The course, such as `white`."),
    Column("direction", "text", "The direction, `cw` or `ccw`."),
    _SEAT,
    _PLAYER,
    Column("start", "int", "The start position: 1 for I, and so on."),
    Column("finish", "int", "1 for the first chariot over the finish, and so on; 0 if it did not finish."),
    Column("end", "text", "How the race ended for the chariot: `finished`, `dishonoured`, `out` or `wrecked`."),
    Column("points", "int", "The points won in the race."),
    Column("cards", "int", "The number of cards played."),
    Column("left", "int", "The points on the cards not played when the chariot finished, or when the race ended."),
    Column("alley", "int", "The lap at whose end the coin was paid, 1 or 2; 0 if it was not."),
    Column("waits", "int", "The number of missed turns."),
    Column("overtaken", "int", "The number of chariots that the chariot overtook, counted at each move."),
)

_AC_RULES = (
    _GAME,
    _RACE,
    Column("rule", "text", "The id of the rule, such as `AC-4.1`."),
    Column(
        "count",
        "int",
        "How often the rule changed a turn, or a start (`AC-V1`). Rules that did not are not listed.",
    ),
)

_AC_SPACES = (
    *_BLOCK,
    Column("course", "text", "The course and direction, such as `white cw`."),
    Column("space", "text", "The space, such as `S3.0.1`."),
    Column("landings", "int", "How often a chariot ended its move here."),
    Column("stands", "int", "The chariots here, added up over all turns to move."),
    Column("blocks", "int", "How often a chariot here kept the chariot to move from ending its move here."),
    Column("overtakes", "int", "How often a chariot that stood here was overtaken."),
)

_BEN_HVRT = (
    Column("races", "int", "The number of races."),
    Column("plays", "int", "The number of Move and Event cards played."),
    Column("vetoes", "int", "The number of cards played that cancel another one."),
    Column("offers", "int", "The number of offers."),
    Column("swaps", "int", "The number of offers that were accepted."),
    Column("bribes", "int", "The number of bribes offered."),
)

_BH_RACES = (
    _GAME,
    _RACE,
    Column("laps", "int", "The laps of the race."),
    _SEAT,
    _PLAYER,
    Column("turn", "int", "The place of the seat in the turn order, from 1 for the dealer's left."),
    Column("entered", "int", "The number of the seat's chariots in the race."),
    Column("before", "int", "The Ducats of the seat before the ante."),
    Column("ante", "int", "The Ducats paid as ante."),
    Column("bought", "int", "The Ducats paid for cards at their price."),
    Column("bids", "int", "The Ducats paid for bids, won or not."),
    Column("upkeep", "int", "The Ducats paid for upkeep."),
    Column("prizes", "int", "The Ducats won at the end of the race, with wagers."),
    Column("after", "int", "The Ducats of the seat after the race."),
    Column("earned", "int", "`after` less `before`."),
    Column("excess", "float", "`earned` less its mean over the seats that entered the race."),
    Column("offers", "int", "The number of offers that the seat made."),
    Column("swaps", "int", "The number of those that were accepted."),
    Column("bribes", "int", "The number of bribes that the seat offered."),
    Column("bribed", "int", "The Ducats of those bribes."),
    Column("bribes_earned", "int", "The number of bribes that the seat earned."),
)

_BH_CHARIOTS = (
    _GAME,
    _RACE,
    Column("laps", "int", "The laps of the race."),
    _SEAT,
    _PLAYER,
    Column("chariot", "int", "The number of the chariot, from 0."),
    Column("grid", "int", "The grid place, from 1 for A."),
    Column("place", "int", "1 to 3 for a chariot that is paid, else 0."),
    Column("driver", "text", "The Driver at the start of the race; empty if there is none."),
    Column("improvements", "int", "The number of Improvements at the start of the race."),
)

_BH_CARDS = (
    _GAME,
    _RACE,
    Column("laps", "int", "The laps of the race."),
    _SEAT,
    _PLAYER,
    Column("card", "text", "The name of the card."),
    Column("held", "int", "The copies that the seat held or had fitted when the race started."),
    Column("dealt", "int", "The copies dealt to the seat or drawn by it in the phases before and during the race."),
    Column("bought", "int", "The copies bought at their price or by auction."),
    Column("paid", "int", "The Ducats paid for those copies."),
    Column("bid", "int", "The Ducats bid for copies that another seat won or nobody got."),
    Column("traded", "int", "The copies received in swaps, less those given."),
    Column("fitted", "int", "The copies fitted to a chariot."),
    Column("upkeep", "int", "The Ducats paid for upkeep."),
    Column("played", "int", "The copies played."),
    Column("vetoed", "int", "The copies played that another card cancelled."),
    Column("earned", "int", "The Ducats that the seat earned in the race (see `races`)."),
    Column("excess", "float", "The same less its mean over the seats that entered the race."),
)

_BH_LOTS = (
    _GAME,
    _RACE,
    Column("laps", "int", "The laps of the race."),
    Column("lot", "int", "The number of the auction card in the race, from 1."),
    Column("card", "text", "The name of the card."),
    Column("auctioneer", "int", "The seat that turned it up."),
    Column("buyer", "int", "The seat that got it, or -1 if nobody did."),
    Column("sale", "text", "`price` if the auctioneer bought it, `auction`, or `none` if nobody got it."),
    Column("price", "int", "The Ducats that the buyer paid, all bids added up."),
    Column("others", "int", "The Ducats that others bid."),
    Column("list_price", "int", "The price on the card."),
)

_BH_SPACES = (
    *_BLOCK,
    Column("space", "text", "The square, such as `1.5`: lane and index."),
    Column("landings", "int", "How often a chariot was moved to this square, step by step."),
    Column("stands", "int", "The chariots here at the start of a move, added up over all moves."),
    Column("blocks", "int", "How often a chariot here kept the moving chariot from driving straight ahead."),
    Column("overtakes", "int", "How often a chariot that stood here was passed (BH-6.9)."),
)


def _with(columns: tuple[Column, ...], *others: Table) -> tuple[Table, ...]:
    """Return the common tables with more columns for games, and other tables."""
    games, *rest = COMMON
    return (games._replace(columns=games.columns + columns), *rest, *others)


OWN = {
    "ur": _with(_UR, Table("spaces", "a step of a seat's path in a block of games", _UR_SPACES)),
    "ave-caesar": _with(
        _AVE_CAESAR,
        Table("races", "a seat in a race", _AC_RACES),
        Table("rules", "a special rule in a race", _AC_RULES),
        Table("spaces", "a space of a course in a block of games", _AC_SPACES),
    ),
    "ben-hvrt": _with(
        _BEN_HVRT,
        Table("races", "a seat in a race", _BH_RACES),
        Table("chariots", "a chariot in a race", _BH_CHARIOTS),
        Table("cards", "a card that a seat had to do with in a race", _BH_CARDS),
        Table("lots", "an auction card", _BH_LOTS),
        Table("spaces", "a square of the track in a block of games", _BH_SPACES),
    ),
}


def tables(game: str) -> tuple[Table, ...]:
    """Return the tables of a game. A game of another package has the common ones."""
    return OWN.get(game, COMMON)
