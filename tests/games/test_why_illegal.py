"""Why not: everything that a seat holds and cannot play has a true reason, in both languages, without secrets."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from games.avecaesar import positions as ave_caesar
from games.benhvrt import positions as ben
from games.benhvrt.cards import all_ready, follow, market, race, window
from games.benhvrt.positions import Match
from games.ur import positions as ur
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.games.ur.state import JUMP
from soak import count, rows
from support import FEW, IDS, SETUPS, fewer, played, some, there

OURS = [i for i, setup in enumerate(SETUPS) if setup[0] not in ("highcard", "nim")]
GAMES = pytest.mark.parametrize("setup", [SETUPS[i] for i in OURS], ids=[IDS[i] for i in OURS])
CLOSED = [i for i in OURS if find(SETUPS[i][0]).rules.has_hidden_information]
HIDDEN = pytest.mark.parametrize(
    "setup", rows([SETUPS[i] for i in CLOSED], FEW.__contains__, [IDS[i] for i in CLOSED])
)


def own_things(view):
    """Return the things of a seat that its view shows."""
    if view.game == "ur":
        steps = {str(marker.step) for marker in view.board if marker.seat == view.seat}
        return steps | ({"0"} if view.home[view.seat] else set())
    return {str(card) for card in view.hand}


def playable(position, seat):
    """Return the things that are in a legal action."""
    if position.actor != seat:
        return set()
    found = set()
    for text in position.legal():
        if position.game.id == "ur":
            found.add(text.split("-")[0])
        elif position.game.id == "ave-caesar":
            found.add(text.removeprefix("bottom ").split()[0])
        elif text.startswith(("play ", "fit ")):
            names = [card.name for card in position.t.cards]
            found |= {name for name in names if re.fullmatch(rf"(?:play|fit) {name}(?: \d+)*", text)}
    return found


@GAMES
def test_everything_that_cannot_be_played_has_a_reason_in_both_languages(setup):
    game = find(setup[0])
    says = [catalogues.of(language, game.package) for language in catalogues.LANGUAGES]
    told: Counter[Any] = Counter()
    for number in range(fewer(setup, 3)):
        for _, position in some(played(setup, number), 150):
            for seat in range(setup[2]):
                things = own_things(position.view(seat))
                reasons = position.why_illegal(seat)
                dealings = {"buy", "keep", "accept", "offer", "bribe"}
                assert set(reasons) - dealings == things - playable(position, seat)
                for notes in reasons.values():
                    assert notes
                    for note in notes:
                        told[note.message.id] += 1
                        sentences = [say.text(note.message) for say in says]
                        assert all(sentence and "{" not in sentence for sentence in sentences)
    assert len(told) >= 3
    assert position.why_illegal(-1) == {}


@HIDDEN
def test_the_reasons_are_the_same_in_every_world_that_a_seat_cannot_tell_apart(setup):
    game, rng = find(setup[0]), Rng()
    for moment, position in some(played(setup), 60):
        for seat in range(setup[2]):
            for deal in range(2):
                world = position.clone()
                start(rng, deal, moment)
                game.rules.deal(world.t, world.s, seat, rng)
                assert world.why_illegal(seat) == position.why_illegal(seat)


# Every reason is true of what the seat sees, wherever it is given in whole games.


def is_true_of_ur(view, thing, id, with_):
    step = int(thing)
    mine = [marker for marker in view.board if marker.seat == view.seat]
    place = with_["place"].parameters["space"] if "place" in with_ else None
    there = [marker for marker in view.board if marker.space == place]
    dotted = any(marker.dotted for marker in mine if marker.step == step)
    last = {"ben": 24, "finkel": 15, "masters": 17, "blitz": 17}[view.rules]
    match id:
        case "over":
            return view.winner is not None
        case "opening":
            return view.phase == "opening"
        case "opening-one":
            return view.phase == "jump" and view.turn == view.seat
        case "turn":
            return view.turn == with_["seat"] - 1 != view.seat
        case "roll":
            return view.turn == view.seat and view.phase == "roll"
        case "exact":
            return step + view.roll > last == step + with_["n"]
        case "turn-over":
            return not dotted and step + view.roll > 15
        case "own":
            return any(marker.seat == view.seat for marker in there)
        case "full":
            return len(there) == 2
        case "safe":
            return view.rules != "ben" and there[0].seat != view.seat
        case "other-kind":
            return [marker.dotted for marker in there if marker.seat != view.seat] == [not dotted]
        case "gate":
            return not dotted and there[0].dotted and there[0].seat != view.seat
        case "no-jump" | "no-jump-end":
            return view.roll == 0 and view.rules == "ben"
    return False


def is_true_of_ave_caesar(view, thing, id, with_):
    me = view.chariots[view.seat]
    match id:
        case "over":
            return view.phase == "over"
        case "before":
            return view.phase in ("cut", "deal")
        case "left":
            return me.status != "racing"
        case "turn":
            return view.turn == with_["seat"] - 1 != view.seat
        case "drawing":
            return view.phase == "refill"
        case "six":
            return thing == "6" and me.leads and not view.free
        case "short":
            others = [view.chariots[seat - 1] for seat in with_["seats"]]
            on_track = all(other.status in ("racing", "wrecked") for other in others)
            return bool(others) and on_track and 0 < with_["n"] < int(thing)
        case "alley":
            return me.coin and me.lap == 2
        case "wait":
            return me.coin and me.lap == 2 and view.turn != view.seat and not view.moves
    return False


def chariot_named(view, name):
    """Return the chariot that a name means for the viewing seat."""
    seat = view.seat if ".your" in name.id else name.parameters["seat"] - 1
    return view.chariots[seat + name.id.endswith("second") * len(view.players)]


def is_true_of_ben_hvrt(view, thing, id, with_):
    me = view.players[view.seat]
    mine = [chariot for chariot in view.chariots if chariot.seat == view.seat]
    match id:
        case "over":
            return view.phase == "over"
        case "sits-out":
            return not me.plays
        case "fit" | "AU":
            return view.phase != "market" or view.window == "RE" or not view.asked
        case "PR" | "PB":
            return view.window != id or view.turn != view.seat
        case "RO" | "BM" | "RE":
            return view.window != id
        case "PA":
            return view.window != id or not view.asked
        case "off-track":
            return view.phase == "race" and not any(chariot.racing for chariot in mine)
        case "turn":
            return view.turn == with_["seat"] - 1 != view.seat
        case "ready":
            return me.ready
        case "answer-first":
            return view.offer is not None and view.offer.to == view.seat
        case "offered":
            return view.offer is not None and view.offer.to == with_["seat"] - 1 != view.seat
        case "same":
            return all(thing in chariot.improvements for chariot in mine if chariot.entered)
        case "not-asked":
            return not view.asked
        case "own-card":
            return bool(view.answering) and not view.asked
        case "shield":
            return "Bronze Flanks" in chariot_named(view, with_["chariot"]).improvements
        case "no-driver":
            return chariot_named(view, with_["chariot"]).driver is None
        case "no-drivers":
            return not any(chariot.driver for chariot in view.chariots if chariot.entered)
        case "deck":
            return view.deck == 0
        case "begun":
            return view.window == "BM" and view.move is not None
        case "alone":
            return not any(chariot.racing for chariot in view.chariots if chariot.seat != view.seat)
        case "nobody-drives":
            rivals = [chariot for chariot in view.chariots if chariot.seat != view.seat and chariot.entered]
            return not any(chariot.driver for chariot in rivals)
        case "dear":
            return with_["n"] > with_["purse"] == me.purse
        case "lack":
            return all(view.hand.count(dict(card.texts)["en"]) < view.offer.want.count(dict(card.texts)["en"])
                       for card in with_["cards"])  # fmt: skip
        case "offers":
            return me.offers_made >= with_["n"]
        case "bribed":
            return me.bribe is not None
    if id.startswith("now-"):
        now = id.removeprefix("now-")
        return now in (view.phase, view.window) or (now == "move" and view.phase == "race" and view.window is None)
    return False


TRUE = {"ur": is_true_of_ur, "ave-caesar": is_true_of_ave_caesar, "ben-hvrt": is_true_of_ben_hvrt}
SEEN = {  # reasons that whole random games must bring; the others are rare and set up by hand below
    "ur": "over opening turn roll exact turn-over own full safe other-kind gate no-jump no-jump-end",
    "ave-caesar": "over before left turn drawing six short alley wait",
    "ben-hvrt": "over fit AU PR RO PB PA BM RE now-deal now-auction now-market now-maintenance now-move now-PR "
    "now-RO now-PB now-PA now-BM now-RE off-track turn ready answer-first offered not-asked offers",
}


def many_positions(id):
    for setup in SETUPS:
        if setup[0] == id:
            for number in range(fewer(setup, count(6, 12) if id == "ur" else count(4, 8))):
                yield from some(played(setup, number, seed=7), 600)


@pytest.mark.parametrize("id", list(TRUE))
def test_every_reason_is_true_and_comes_up_in_whole_games(id):
    seen: Counter[Any] = Counter()
    for _, position in many_positions(id):
        for seat in range(position.seats):
            view = position.view(seat)
            for thing, notes in position.why_illegal(seat).items():
                for note in notes:
                    name = note.message.id.removeprefix(f"{id}.why.not.")
                    assert TRUE[id](view, thing, name, note.message.parameters), (thing, note, view)
                    seen[name] += 1
    assert set(SEEN[id].split()) <= set(seen), sorted(seen)


# By hand: the rare ones, and some of the common ones word for word.


def reason(match, seat, thing):
    return [note.message.id.split(".why.not.")[1] for note in match.why_illegal(seat)[thing]]


@pytest.mark.parametrize(
    ("roll", "black", "white", "step", "why", "rule"),
    [
        (2, "1 3", "", "1", "own", "UR-5.1"),  # A2 holds his own
        (3, "20. 22.", "", "22", "exact", "UR-7.1"),
        (3, "13. 14", "", "14", "turn-over", "UR-5.5"),
        (2, "6", "8 8", "6", "full", "UR-5.2"),
        (2, "7", "19.", "7", "other-kind", "UR-5.1"),  # B5: White's dotted one
        (1, "12", "15.", "12", "gate", "UR-5.4"),  # A8 is White's step 15
        (3, "7 10", "", "7", "own", "UR-5.3"),
        (0, "1 2 3 4 4 5", "", "1", "no-jump", "UR-6.2"),
        (0, "20. 21. 22. 23.", "", "20", "no-jump-end", "UR-6.2"),
    ],
)
def test_a_marker_says_by_which_rule_it_cannot_move(roll, black, white, step, why, rule):
    match = ur.position(roll, black, white)
    assert reason(match, 0, step) == [why]
    assert match.why_illegal(0)[step][0].rule == rule


def test_who_is_blocked_from_the_alley_is_told_to_wait():
    """AC-5.4: the reasons refer to the seat's own cards."""
    rivals = ("A21.0.0", 2, [1, 1, 1]), ("ALLEY.0.0", 2, [6, 1, 1], {"coin": False})
    match = ave_caesar.position(("A23.0.0", 2, [1, 1, 5]), *rivals)
    assert match.actor == 1
    assert {card: reason(match, 0, card) for card in match.why_illegal(0)} == {"1": ["wait"], "5": ["wait"]}
    assert match.why_illegal(0)["5"][0].rule == "AC-5.4"
    no_fit = ave_caesar.position(("A23.0.0", 2, [4, 5, 5]), *rivals, turn=1)
    assert reason(no_fit, 0, "5") == ["turn"]


@pytest.mark.parametrize(
    ("waiting", "rivals", "rule", "id"),
    [
        ("A23.0.0", ["ALLEY.0.0", "A5.0.0"], "AC-5.4", "waits"),  # the track is open to a hand that does not fit
        ("A22.0.0", ["A23.0.0", "A23.1.0", "A5.0.0"], "AC-3.1", "misses"),  # no hand could have moved
    ],
)
def test_everybody_is_told_of_a_wait_that_can_have_no_other_cause(waiting, rivals, rule, id):
    paid = [(space, 2, [1, 1, 6], {"coin": False, "deck": [1, 2]}) for space in rivals]
    match = ave_caesar.position((waiting, 2, [1, 1, 5]), *paid, turn=len(rivals))
    match.play(match.legal()[0])
    notes = match.game.display.explain(match.t, match.s, (2,))  # the last seat draws a 2, and seat 0 is passed over
    assert [(note.rule, note.message.id) for note in notes][1:] == [(rule, f"ave-caesar.why.{id}")]
    match.happen("draw 2")
    assert match.actor == 1


def test_a_move_that_gives_up_the_alley_says_so_once():
    match = ave_caesar.position(("A22.2.0", 2, [1, 4, 4]), ave_caesar.out(), ave_caesar.out())
    ids = [
        note.message.id for note in match.game.display.explain(match.t, match.s, (match.actions()["1 A23.2.0"],))
    ]
    assert "ave-caesar.why.past" not in ids  # A22.2 has no way to the entrance any more
    match = ave_caesar.position(("A23.0.0", 2, [4, 4, 4]), ave_caesar.out(), ave_caesar.out())
    action = next(iter(match.actions().values()))
    ids = [note.message.id for note in match.game.display.explain(match.t, match.s, (action,))]
    assert "ave-caesar.why.dishonoured" in ids
    assert "ave-caesar.why.past" not in ids
    blocked = [("ALLEY.0.0", 2, [1, 1, 1], {"coin": False}), ave_caesar.out()]
    match = ave_caesar.position(("A23.0.0", 2, [1, 1, 1]), *blocked, variants=["dishonour"])
    ids = [note.message.id for note in match.game.display.explain(match.t, match.s, (match.actions()["1 F-.0.0"],))]
    assert "ave-caesar.why.past" in ids


def test_in_the_opening_only_the_first_marker_jumps():
    match = ur.position(None, "3", "2")
    match.s.phase, match.s.jumps = JUMP, 1
    assert reason(match, 0, "0") == ["opening-one"]
    assert "3" not in match.why_illegal(0)
    assert reason(match, 1, "2") == ["turn"]


def test_a_shield_a_missing_driver_and_an_empty_deck_are_named():
    hands = {0: ["Hobnailed Boot", "Broom in the Spokes", "Rich Aunt", "Side Wager", "Add 1"]}
    match = race(("1.6", 1, 2), ("2.9", 1, 1), ("4.2", 1, 4), hands=hands, deck=[])
    follow(match, "die 2", "0: pass", "0: step 1.7")
    assert window(match) == "PB"
    assert reason(match, 0, "Hobnailed Boot") == ["no-driver"]
    assert "Broom in the Spokes" not in match.why_illegal(0)
    assert reason(match, 0, "Rich Aunt") == ["BM", "now-PB"]
    shielded = race(
        ("1.6", 1, 2, "Brutus the Ox"), ("2.9", 1, 1, "Bronze Flanks"), ("4.2", 1, 4), hands=hands, deck=[]
    )
    follow(shielded, "die 2", "0: pass", "0: step 1.7")
    assert (shielded.actor, window(shielded)) == (0, "PB")
    assert reason(shielded, 0, "Broom in the Spokes") == ["shield"]
    match = race(("1.6", 1, 2), ("4.2", 1, 4), hands={0: ["Rich Aunt", "Orangutan"]}, deck=[], mover=None)
    assert reason(match, 0, "Rich Aunt") == ["deck"]


def test_who_sits_out_and_who_is_alone_are_told_so():
    match = market(
        hands={1: ["Add 1"], 0: ["Greased Axles", "Better Offer"]}, away=[1], fitted={0: ["Greased Axles"]}
    )
    assert reason(match, 1, "Add 1") == ["sits-out"]
    assert reason(match, 0, "Greased Axles") == ["same"]
    assert reason(match, 0, "Better Offer") == ["nobody-drives"]
    poor = market(hands={0: ["Better Offer"]}, fitted={2: ["Old Decimus"]}, purses={0: 0})
    assert reason(poor, 0, "Better Offer") == ["dear"]
    alone = race(("1.6", 1, 2), hands={0: ["Side Wager", "Orangutan"]}, mover=None)
    assert reason(alone, 0, "Side Wager") == ["alone"]


def test_a_wager_comes_too_late_after_the_first_move():
    match = race(("1.6", 1, 2), ("4.2", 1, 4), hands={0: ["Side Wager", "Orangutan"]})
    follow(match, "die 2", "0: stop")
    assert (match.actor, window(match)) == (0, "BM")
    assert reason(match, 0, "Side Wager") == ["begun"]


def test_what_cannot_be_fitted_in_the_auction_is_explained():
    match = ben.position(
        "auction", dealer=0, hands={0: ["Tow Rope", "Old Decimus"], 1: ["Tow Rope"]}, fitted={0: ["Tow Rope"]}
    )
    match.happen("turn Add 1")
    assert reason(match, 0, "Tow Rope") == ["same"]
    assert "Old Decimus" not in match.why_illegal(0)
    assert reason(match, 1, "Tow Rope") == ["fit", "now-auction"]
    match.play("auction")
    assert reason(match, 0, "Old Decimus") == ["fit", "now-auction"]


def test_who_could_not_be_retired_is_explained():
    boot = {"name": "Boot", "kind": "Event", "copies": 1, "price": 1, "window": "BM", "does": [["retire"]]}
    omen = {"name": "Omen", "kind": "Event", "copies": 1, "price": 1, "window": "BM", "does": [["next-roll", 1]]}
    match = ben.position("grid", hands={0: ["Boot", "Omen"]}, deck={"card": [boot, omen]})
    assert reason(match, 0, "Boot") == ["no-drivers"]


def test_nobody_answers_his_own_card_and_a_second_bribe_waits():
    hands = {0: ["Add 1", "Tribune's Veto"], 1: ["Tribune's Veto"]}
    match = race(("1.6", 1, 2), ("4.2", 1, 4), hands=hands)
    follow(match, "die 2", "0: play Add 1")
    assert (match.actor, window(match)) == (1, "RE")
    assert reason(match, 0, "Tribune's Veto") == ["own-card"]
    assert "Tribune's Veto" not in match.why_illegal(1)
    match = race(("1.6", 1, 2), ("4.2", 1, 4), hands={0: ["Orangutan"]}, mover=None)
    match.t.bribes = 1
    follow(match, "0: bribe 1 Orangutan 1 5", "1: pass")
    assert reason(match, 0, "bribe") == ["bribed"]


def test_what_is_too_dear_or_lacking_is_counted():
    match = market(hands={0: ["Add 1"], 1: ["Add 2"]}, purses={1: 3})
    follow(match, "0: offer 1 give Add 1 for Add 3, 2")
    assert reason(match, 1, "accept") == ["lack"]
    assert reason(match, 1, "Add 2") == ["RO", "now-market"]
    wanted = match.why_illegal(1)["accept"][0].message.parameters["cards"]
    assert isinstance(wanted, list | tuple)
    assert dict(wanted[0].texts)["en"] == "Add 3"
    match = market(hands={0: ["Add 1"], 1: ["Add 2"]}, purses={1: 3})
    follow(match, "0: offer 1 give Add 1 for 5")
    assert match.why_illegal(1)["accept"][0].message.parameters == {"n": 5, "purse": 3}
    match = all_ready(market(fitted={0: ["Greased Axles"]}, purses={0: 0}))
    assert match.legal() == ["drop Greased Axles 0"]
    assert match.why_illegal(0)["keep"][0].message.parameters["purse"] == 0


def test_an_auctioneer_without_the_money_is_told_the_price():
    match = Match.of(played(("ben-hvrt", {"series": [1]}, 4))).rewound()
    rng = random.Random(4)
    while "auction" not in match.legal():
        match.happen(rng.choice(match.outcomes()).text)
    assert "buy" not in match.why_illegal(match.actor)
    match.s.purse[match.actor] = 0
    price = there(match.view().lot).price
    assert match.why_illegal(match.actor)["buy"][0].message.parameters == {"n": price, "purse": 0}
