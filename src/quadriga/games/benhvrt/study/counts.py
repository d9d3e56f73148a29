"""What the lab counts in Ben Hvrt: every count once, with its column. `row` says where a game's counts stand."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.engine.parts.study import Block, Column
from quadriga.games.benhvrt.state import DEPTH, Tables


@kernel
def most_lots(t: Tables) -> int:
    """Return the most auction cards in a race: one per chariot and lap, at most six laps."""
    return 6 * t.chariots


RACE_LAPS = Column("laps", "int", "The laps of the race.", "Les tours de la course.")
CARD_NAME = Column("card", "text", "The name of the card.", "Le nom de la carte.")
_UPKEEP = Column(
    "upkeep",
    "int",
    "The Ducats paid for upkeep.",
    "Les Ducats payés pour l'entretien.",
    label=("upkeep", "entretien"),
)

MONEY = (
    Column(
        "turn",
        "int",
        "The place of the seat in the turn order, from 1 for the dealer's left.",
        "Le rang de la place dans l'ordre du tour, à partir de 1 à gauche du donneur.",
    ),
    Column(
        "entered",
        "int",
        "The number of the seat's chariots in the race.",
        "Le nombre de chars de la place dans la course.",
    ),
    Column("before", "int", "The Ducats of the seat before the ante.", "Les Ducats de la place avant la mise."),
    Column(
        "ante", "int", "The Ducats paid as ante.", "Les Ducats payés comme mise.", label=("ante", "mise de départ")
    ),
    Column(
        "bought",
        "int",
        "The Ducats paid for cards at their price.",
        "Les Ducats payés pour des cartes à leur prix.",
    ),
    Column(
        "bids",
        "int",
        "The Ducats paid for bids, won or not.",
        "Les Ducats payés pour des enchères, gagnées ou non.",
    ),
    _UPKEEP,
    Column(
        "prizes",
        "int",
        "The Ducats won at the end of the race, with wagers.",
        "Les Ducats gagnés à la fin de la course, paris compris.",
        label=("prizes", "prix gagnés"),
    ),
    Column("after", "int", "The Ducats of the seat after the race.", "Les Ducats de la place après la course."),
)
DEALS = (
    Column(
        "offers",
        "int",
        "The number of offers that the seat made.",
        "Le nombre d'offres faites par la place.",
        label=("offers made", "offres faites"),
    ),
    Column(
        "swaps",
        "int",
        "The number of those that were accepted.",
        "Le nombre de celles qui ont été acceptées.",
        label=("offers accepted", "offres acceptées"),
    ),
    Column(
        "bribes",
        "int",
        "The number of bribes that the seat offered.",
        "Le nombre de pots-de-vin proposés par la place.",
        label=("bribes offered", "pots-de-vin proposés"),
    ),
    Column("bribed", "int", "The Ducats of those bribes.", "Les Ducats de ces pots-de-vin."),
    Column(
        "bribes_earned",
        "int",
        "The number of bribes that the seat earned.",
        "Le nombre de pots-de-vin gagnés par la place.",
        label=("bribes earned", "pots-de-vin gagnés"),
    ),
)
SEAT_COUNTS: Block[Tables] = Block(lambda t, seats: (t.races, seats), *MONEY, *DEALS)
TURN = SEAT_COUNTS.offset("turn")
ENTERED = SEAT_COUNTS.offset("entered")
BEFORE = SEAT_COUNTS.offset("before")
ANTE = SEAT_COUNTS.offset("ante")
BOUGHT = SEAT_COUNTS.offset("bought")
BIDS = SEAT_COUNTS.offset("bids")
UPKEEP = SEAT_COUNTS.offset("upkeep")
PRIZES = SEAT_COUNTS.offset("prizes")
AFTER = SEAT_COUNTS.offset("after")
OFFERS = SEAT_COUNTS.offset("offers")
SWAPS = SEAT_COUNTS.offset("swaps")
BRIBES = SEAT_COUNTS.offset("bribes")
BRIBED = SEAT_COUNTS.offset("bribed")
BRIBES_EARNED = SEAT_COUNTS.offset("bribes_earned")
SEAT_FIELDS = SEAT_COUNTS.width

CHARIOT_COUNTS: Block[Tables] = Block(
    lambda t, seats: (t.races, t.chariots),
    Column("grid", "int", "The grid place, from 1 for A.", "La place sur la grille, à partir de 1 pour A."),
    Column("place", "int", "1 to 3 for a chariot that is paid, else 0.", "1 à 3 pour un char payé, sinon 0."),
    Column(
        "driver",
        "text",
        "The Driver at the start of the race; empty if there is none.",
        "Le Pilote au départ de la course ; vide s'il n'y en a pas.",
    ),  # counted as kind + 1
    Column(
        "improvements",
        "int",
        "The number of Improvements at the start of the race.",
        "Le nombre d'Améliorations au départ de la course.",
    ),
)
GRID = CHARIOT_COUNTS.offset("grid")
PLACE = CHARIOT_COUNTS.offset("place")
DRIVER = CHARIOT_COUNTS.offset("driver")
IMPROVEMENTS = CHARIOT_COUNTS.offset("improvements")
CHARIOT_FIELDS = CHARIOT_COUNTS.width

CARD_COUNTS: Block[Tables] = Block(
    lambda t, seats: (t.races, seats, t.kinds),
    Column(
        "held",
        "int",
        "The copies that the seat held or had fitted when the race started.",
        "Les exemplaires en main ou montés par la place au départ de la course.",
    ),
    Column(
        "dealt",
        "int",
        "The copies dealt to the seat or drawn by it in the phases before and during the race.",
        "Les exemplaires distribués à la place ou piochés par elle avant et pendant la course.",
    ),
    Column(
        "bought",
        "int",
        "The copies bought at their price or by auction.",
        "Les exemplaires achetés à leur prix ou aux enchères.",
    ),
    Column("paid", "int", "The Ducats paid for those copies.", "Les Ducats payés pour ces exemplaires."),
    Column(
        "bid",
        "int",
        "The Ducats bid for copies that another seat won or nobody got.",
        "Les Ducats misés pour des exemplaires qu'une autre place ou personne n'a eus.",
    ),
    Column(
        "traded",
        "int",
        "The copies received in swaps, less those given.",
        "Les exemplaires reçus dans des échanges, moins ceux donnés.",
    ),
    Column("fitted", "int", "The copies fitted to a chariot.", "Les exemplaires montés sur un char."),
    _UPKEEP,
    Column("played", "int", "The copies played.", "Les exemplaires joués."),
    Column(
        "vetoed",
        "int",
        "The copies played that another card cancelled.",
        "Les exemplaires joués qu'une autre carte a annulés.",
    ),
)
HELD = CARD_COUNTS.offset("held")
DEALT = CARD_COUNTS.offset("dealt")
CARD_BOUGHT = CARD_COUNTS.offset("bought")
PAID = CARD_COUNTS.offset("paid")
BID = CARD_COUNTS.offset("bid")
TRADED = CARD_COUNTS.offset("traded")
FITTED = CARD_COUNTS.offset("fitted")
CARD_UPKEEP = CARD_COUNTS.offset("upkeep")
CARD_PLAYED = CARD_COUNTS.offset("played")
VETOED = CARD_COUNTS.offset("vetoed")
CARD_FIELDS = CARD_COUNTS.width

LOT_COUNTS: Block[Tables] = Block(
    lambda t, seats: (t.races, most_lots(t)),
    CARD_NAME,  # counted as kind + 1
    Column("auctioneer", "int", "The seat that turned it up.", "La place qui l'a retournée."),
    Column(
        "buyer",
        "int",
        "The seat that got it, or -1 if nobody did.",
        "La place qui l'a eue, ou -1 si personne ne l'a eue.",
    ),  # counted as seat + 1
    Column(
        "sale",
        "text",
        "`price` if the auctioneer bought it, `auction`, or `none` if nobody got it.",
        "`price` si le commissaire l'a achetée, `auction`, ou `none` si personne ne l'a eue.",
    ),  # counted as 1 for `price`
    Column(
        "price",
        "int",
        "The Ducats that the buyer paid, all bids added up.",
        "Les Ducats payés par l'acheteur, toutes ses enchères additionnées.",
    ),
    Column("others", "int", "The Ducats that others bid.", "Les Ducats misés par les autres."),
)
LOT_CARD = LOT_COUNTS.offset("card")
AUCTIONEER = LOT_COUNTS.offset("auctioneer")
BUYER = LOT_COUNTS.offset("buyer")
BY_PRICE = LOT_COUNTS.offset("sale")
PRICE = LOT_COUNTS.offset("price")
OTHERS = LOT_COUNTS.offset("others")
LOT_FIELDS = LOT_COUNTS.width

SQUARE_COUNTS: Block[Tables] = Block(
    lambda t, seats: (t.squares,),
    Column(
        "landings",
        "int",
        "How often a chariot was moved to this square, step by step.",
        "Combien de fois un char a été déplacé sur cette case, pas à pas.",
    ),
    Column(
        "stands",
        "int",
        "The chariots here at the start of a move, added up over all moves.",
        "Les chars présents ici au début d'un déplacement, additionnés sur tous les déplacements.",
    ),
    Column(
        "blocks",
        "int",
        "How often a chariot here kept the moving chariot from driving straight ahead.",
        "Combien de fois un char placé ici a empêché le char en jeu d'aller tout droit.",
    ),
    Column(
        "overtakes",
        "int",
        "How often a chariot that stood here was passed (BH-6.9).",
        "Combien de fois un char placé ici a été dépassé (BH-6.9).",
    ),
)
LANDINGS = SQUARE_COUNTS.offset("landings")
STANDS = SQUARE_COUNTS.offset("stands")
BLOCKS = SQUARE_COUNTS.offset("blocks")
OVERTAKES = SQUARE_COUNTS.offset("overtakes")
SQUARE_FIELDS = SQUARE_COUNTS.width

RACE_COUNTS: Block[Tables] = Block(lambda t, seats: (t.races,), RACE_LAPS, "lots")
LAPS = RACE_COUNTS.offset("laps")
LOT_COUNT = RACE_COUNTS.offset("lots")
RACE_FIELDS = RACE_COUNTS.width

BID_COUNTS: Block[Tables] = Block(lambda t, seats: (seats,), "bid")  # for the card for sale

PLAYED_COUNTS: Block[Tables] = Block(
    lambda t, seats: (DEPTH,),
    "seat",  # of a card that is being played: seat + 1,
    "kind",
    "cancelled",  # 1 if another card has cancelled it
    "race",
)
WHO = PLAYED_COUNTS.offset("seat")
KIND = PLAYED_COUNTS.offset("kind")
CANCELLED = PLAYED_COUNTS.offset("cancelled")
RACE_PLAYED = PLAYED_COUNTS.offset("race")
PLAYED_FIELDS = PLAYED_COUNTS.width
