"""The numbers by which the rules of thumb of Ben Hvrt judge a race: what a step, a card or a rival is worth.

`BY_HAND` has them as they were written or measured by hand; the worths of cards, and so bids, count by these alone.
`values.json` has them as `quadriga train ben-hvrt` found them, in games of bots against each other. A kernel reads
them with `value`, in eighths: those by which the bot judges, which without the part `training` are those by hand.
"""

from __future__ import annotations

from quadriga.engine.kernels.kernel import kernel
from quadriga.engine.parts.values import Values, packaged_values
from quadriga.games.benhvrt.state import VALUES as MOST
from quadriga.games.benhvrt.state import State, Tables

LEARNED_ROW, BY_HAND_ROW = 0, MOST

BY_HAND = {
    # Gains in a race, in tenths of squares.
    "pip": 20,  # one more on a later roll: a square, and one by the Speed that it leaves
    "no-roll": 70,  # a roll that is not set yet, on average
    "speed": 10,  # one more Speed after a roll
    "finish": 30,  # to finish now
    "halt": 30,  # to stop a mover,
    "halt-step": 10,  # ... for each step that it has left
    "retire": 17,  # to retire a Driver
    "slow-to": 10,  # to take one Speed from a rival
    "hasten": 10,  # one more Speed for oneself
    "draw": 72,  # to draw cards in mid-race
    "wager": 20,  # to wager on the foremost rival
    "answer": 30,  # the loss from which on a card is answered
    # How much a rival's loss matters, in tenths of one's own gain, by where the rival is.
    "far-behind": 2,
    "close-behind": 5,
    "close-ahead": 5,
    "far-ahead": 5,
    "how-close-behind": 6,  # squares
    "how-close-ahead": 12,
    "other-omen": 1,  # a bad next roll for a rival who is not the foremost
    # Weights of one's own gain, and of a rival's loss, by place: the first, the second, the third and all others.
    "mine-first": 8,
    "mine-second": 8,
    "mine-third": 8,
    "mine-last": 8,
    "first": 8,
    "second": 8,
    "third": 8,
    "last": 8,
    # The gain for which a card is played now and not kept, in tenths of squares.
    "keep-add": 17,  # for each pip
    "keep-subtract": 7,
    "keep-set-high": 10,  # for each pip from 1 on, and one more
    "keep-set-low": 10,  # for each pip below 4, and a half
    "keep-again": 40,
    "keep-halt": 40,
    "keep-retire": 3,
    "keep-slow-to": 2,  # for each Speed
    "keep-choose": 45,
    "keep-omen-high": 20,  # for each pip above 4
    "keep-omen-low": 7,  # for each pip below 3
    "keep-hasten": 18,
    "keep-cancel": 20,
    "keep-draw": 18,  # for each card
    "keep-wager": 30,
    "keep-poach": 5,
    "keep-all": 1,  # a weight of all of these,
    "keep-later": 1,  # ... and of what a card can win in a later race
    "keep-hand": 0.5,  # eighths by which each further card in the hand lowers them
    "late": 20,  # squares before the finish from which on cards are less often kept,
    "last-chance": 12,  # ... and hardly at all;
    "keep-late": 4,  # the tenths of the gain that count then,
    "keep-last": 2,  # ... and at the last chance
    # What a Driver or an Improvement wins, in tenths of squares in a lap, unless stated otherwise.
    "drawn": 18,  # a card that it draws
    "when-passed": 9,  # for each Speed
    "when-passing": 3,
    "natural": 12,  # for each pip
    "shield": 20,
    "calm": 6,
    "start-speed": 15,  # once, for each Speed
    "keep-speed": 34,
    "free-lane": 19,
    "choose-roll": 1,  # a weight
    "two-dice": 2,  # for each tenth of a chance to use it
    "slow": 2,
    "skim": 5,
    "upkeep": 7,  # the cost of a Ducat paid into the pot, in tenths: some of it comes back
    "fitted-later": 0.5,  # the weight of later races when it is given up or kept
}
NAMES = tuple(BY_HAND)
(
    PIP, NO_ROLL, SPEED, FINISH, HALTED, HALTED_STEP, RETIRED, SLOWED_TO, HASTENED, DRAW, WAGERED, ANSWER,
    FAR_BEHIND, CLOSE_BEHIND, CLOSE_AHEAD, FAR_AHEAD, HOW_CLOSE_BEHIND, HOW_CLOSE_AHEAD, OTHER_OMEN,
    MINE_FIRST, MINE_SECOND, MINE_THIRD, MINE_LAST, OF_FIRST, OF_SECOND, OF_THIRD, OF_LAST,
    KEEP_ADD, KEEP_SUBTRACT, KEEP_SET_HIGH, KEEP_SET_LOW, KEEP_AGAIN, KEEP_HALT, KEEP_RETIRE, KEEP_SLOW_TO,
    KEEP_CHOOSE, KEEP_OMEN_HIGH, KEEP_OMEN_LOW, KEEP_HASTEN, KEEP_CANCEL, KEEP_DRAW, KEEP_WAGER, KEEP_POACH,
    KEEP_ALL, KEEP_LATER, KEEP_HAND, LATE, LAST_CHANCE, KEEP_LATE, KEEP_LAST,
    DRAWN, PASSED, PASSING, OF_NATURAL, SHIELDED, CALMED, STARTED, KEPT_SPEED, LANE_FREE, CHOSEN_ROLL, DICE_TWO,
    SLOWING, SKIMMED, UPKEEP, FITTED_LATER,
) = range(len(NAMES))  # fmt: skip

VALUES = Values(
    names=NAMES,
    by_hand=tuple(round(8 * number) for number in BY_HAND.values()),
    learned=packaged_values(__package__, "values.json", NAMES),
    setups=(({"series": [1, 2, 4]}, 4, 6), ({"series": [1, 2, 3, 4, 5, 6]}, 4, 2), ({"series": [1, 2, 4]}, 6, 2)),
)


@kernel
def value(t: Tables, s: State, which: int) -> int:
    """Return the value by which the bot judges that decides now."""
    return t.values[s.row + which]
