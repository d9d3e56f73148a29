"""What the lab counts in Ave Caesar: every count once, with its place in the row of a game and its column."""

from __future__ import annotations

from quadriga.engine.parts.study import FIRST, GAME, GAMES, PLAYER, RACE, SEAT, Block, Column, Table
from quadriga.games.avecaesar.board import MOST_SPACES
from quadriga.games.avecaesar.state import Tables

ENDS = ("", "finished", "dishonoured", "out", "wrecked")  # by the number under `end`

RACE_COUNTS: Block[Tables] = Block(
    lambda t, seats: (t.races, seats),
    Column("start", "int", "The start position: 1 for I, and so on.", "La place de départ : 1 pour I, etc."),
    Column(
        "finish",
        "int",
        "1 for the first chariot over the finish, and so on; 0 if it did not finish.",
        "1 pour le premier char à l'arrivée, etc. ; 0 s'il n'est pas arrivé.",
    ),
    Column(
        "end",
        "text",
        "How the race ended for the chariot: `finished`, `dishonoured`, `out` or `wrecked`.",
        "Comment la course a fini pour le char : `finished`, `dishonoured`, `out` ou `wrecked`.",
    ),
    Column("points", "int", "The points won in the race.", "Les points gagnés dans la course."),
    Column("cards", "int", "The number of cards played.", "Le nombre de cartes jouées."),
    Column(
        "left",
        "int",
        "The points on the cards not played when the chariot finished, or when the race ended.",
        "Les points des cartes non jouées à l'arrivée du char, ou à la fin de la course.",
        label=("points left at the finish", "points restants à l'arrivée"),
    ),
    Column(
        "alley",
        "int",
        "The lap at whose end the coin was paid, 1 or 2; 0 if it was not.",
        "Le tour à la fin duquel la pièce a été payée, 1 ou 2 ; 0 si elle ne l'a pas été.",
    ),
    Column(
        "waits",
        "int",
        "The number of missed turns.",
        "Le nombre de tours passés.",
        label=("missed turns of a chariot in a race", "tours passés par char et par course"),
    ),
    Column(
        "overtaken",
        "int",
        "The number of chariots that the chariot overtook, counted at each move.",
        "Le nombre de chars que le char a dépassés, compté à chaque déplacement.",
        label=("chariots overtaken in a race", "chars doublés par course"),
    ),
)
START = RACE_COUNTS.offset("start")
PLACE = RACE_COUNTS.offset("finish")
END = RACE_COUNTS.offset("end")
POINTS = RACE_COUNTS.offset("points")
CARDS = RACE_COUNTS.offset("cards")
LEFT = RACE_COUNTS.offset("left")
ALLEY = RACE_COUNTS.offset("alley")
WAITS = RACE_COUNTS.offset("waits")
OVERTAKEN = RACE_COUNTS.offset("overtaken")
RACE_FIELDS = RACE_COUNTS.width

RULE_IDS = (
    "AC-3.3",
    "AC-3.4",
    "AC-4.1",
    "AC-4.2",
    "AC-4.3",
    "AC-4.4",
    "AC-4.5",
    "AC-4.5 end",
    "AC-5.4",
    "AC-5.5",
    "AC-V2",
    "AC-V3",
    "AC-V1",
    "AC-V4",
)
RULES_COUNTED: Block[Tables] = Block(lambda t, seats: (t.races,), *RULE_IDS)
OVERSHOT = RULES_COUNTED.offset("AC-3.3")
EMPTY = RULES_COUNTED.offset("AC-3.4")
BARRED = RULES_COUNTED.offset("AC-4.1")
FIRST_SIX = RULES_COUNTED.offset("AC-4.2")
EXCEPTION = RULES_COUNTED.offset("AC-4.3")
AFTER_FINISH = RULES_COUNTED.offset("AC-4.4")
LIFTED = RULES_COUNTED.offset("AC-4.5")
STALLED = RULES_COUNTED.offset("AC-4.5 end")
KEPT = RULES_COUNTED.offset("AC-5.4")
DISHONOURED = RULES_COUNTED.offset("AC-5.5")
BOTTOMS = RULES_COUNTED.offset("AC-V2")
CRASHES = RULES_COUNTED.offset("AC-V3")
BY_PLACE = RULES_COUNTED.offset("AC-V1")
DRIVEN_ON = RULES_COUNTED.offset("AC-V4")
RULE_COUNT = RULES_COUNTED.width

SPACE_COUNTS: Block[Tables] = Block(
    lambda t, seats: (t.races, MOST_SPACES),
    Column(
        "landings",
        "int",
        "How often a chariot ended its move here.",
        "Combien de fois un char a terminé son déplacement ici.",
    ),
    Column(
        "stands",
        "int",
        "The chariots here, added up over all turns to move.",
        "Les chars présents ici, additionnés sur tous les tours de jeu.",
    ),
    Column(
        "blocks",
        "int",
        "How often a chariot here kept the chariot to move from ending its move here.",
        "Combien de fois un char placé ici a empêché le char en jeu de s'y arrêter.",
    ),
    Column(
        "overtakes",
        "int",
        "How often a chariot that stood here was overtaken.",
        "Combien de fois un char placé ici a été dépassé.",
    ),
)
LANDINGS = SPACE_COUNTS.offset("landings")
STANDS = SPACE_COUNTS.offset("stands")
BLOCKS = SPACE_COUNTS.offset("blocks")
OVERTAKES = SPACE_COUNTS.offset("overtakes")
SPACE_FIELDS = SPACE_COUNTS.width

ALL_BLOCKS = (RACE_COUNTS, RULES_COUNTED, SPACE_COUNTS)
RACES = 1 + ALL_BLOCKS.index(RACE_COUNTS)
RULES = 1 + ALL_BLOCKS.index(RULES_COUNTED)
SPACES = 1 + ALL_BLOCKS.index(SPACE_COUNTS)

TALLIES = (
    Column("finishes", "int", "The number of chariots that finished.", "Le nombre de chars arrivés."),
    Column(
        "missed",
        "int",
        "The number of missed turns, as `quadriga sim` counts them.",
        "Le nombre de tours passés, comme `quadriga sim` les compte.",
    ),
    Column(
        "dishonoured",
        "int",
        "The number of dishonoured chariots, as `quadriga sim` counts them.",
        "Le nombre de chars déshonorés, comme `quadriga sim` les compte.",
    ),
    Column(
        "wrecks",
        "int",
        "The number of wrecks, as `quadriga sim` counts them.",
        "Le nombre d'épaves, comme `quadriga sim` les compte.",
    ),
)

GAME_COLUMNS = (Column("races", "int", "The number of races.", "Le nombre de courses."), *TALLIES)

TABLES = (
    Table(
        "races",
        "a seat in a race",
        (
            GAME,
            RACE,
            Column("course", "text", "The course, such as `white`.", "Le circuit, comme `white`."),
            Column("direction", "text", "The direction, `cw` or `ccw`.", "Le sens, `cw` ou `ccw`."),
            SEAT,
            PLAYER,
            *RACE_COUNTS.columns,
        ),
    ),
    Table(
        "rules",
        "a special rule in a race",
        (
            GAME,
            RACE,
            Column(
                "rule", "text", "The id of the rule, such as `AC-4.1`.", "Le numéro de la règle, comme `AC-4.1`."
            ),
            Column(
                "count",
                "int",
                "How often the rule changed a turn, or a start (`AC-V1`). Rules that did not are not listed.",
                "Combien de fois la règle a changé un tour ou un départ (`AC-V1`). Les autres manquent.",
            ),
        ),
    ),
    Table(
        "spaces",
        "a space of a course in a block of games",
        (
            FIRST,
            GAMES,
            Column(
                "course",
                "text",
                "The course and direction, such as `white cw`.",
                "Le circuit et le sens, comme `white cw`.",
            ),
            Column("space", "text", "The space, such as `S3.0.1`.", "La case, comme `S3.0.1`."),
            *SPACE_COUNTS.columns,
        ),
    ),
)
