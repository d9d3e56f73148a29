"""The greedy player: always legal, blind to hidden information, equal in both modes, better than random."""

from __future__ import annotations

import pytest

from games.benhvrt import positions as ben
from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.arena.arena import compete
from quadriga.players import Perspective
from quadriga.players import find as player
from quadriga.players.compiled_match import GREEDY, RANDOM, Bot, CompiledMatch
from quadriga.players.greedy import habits, plain_rules
from soak import count, rows
from support import FEW, IDS, SETUPS, fewer, played, some

SOME = [0, 3, 5, 6, 9, 11, 12, 13, 17, 18, 20, 21]  # of the set-ups: every game, most rule sets and variants
GAMES = pytest.mark.parametrize("setup", rows([SETUPS[i] for i in SOME], FEW.__contains__, [IDS[i] for i in SOME]))


def match_of(setup, number=0, kinds=("greedy",)):
    id, options, seats = setup
    game = find(id)
    match = Match(game, options, seats, SeededDice(5, number))
    bots = [player(kinds[seat % len(kinds)], game, 3, number) for seat in range(seats)]
    while not match.over:
        match.play(bots[match.actor].decide(Perspective(match)))
    return match


def by_hand(game):
    """Return the parts of a bot that judges by values by hand, as bits; 0 if the game has no others."""
    trains = game.bots is not None and "training" in game.bots.parts
    return habits(game, "no-training").without if trains else 0


def contested(setup, kinds, games, compiled=True, boundscheck=False, first=0, without=0):
    """Play games; without some parts in every second seat."""
    id, options, seats = setup
    match = CompiledMatch(
        find(id), *find(id).resolve_options(options, seats), compiled=compiled, boundscheck=boundscheck
    )
    bots = [Bot(kind, without if seat % 2 and kind == GREEDY else 0, 0) for seat, kind in enumerate(kinds)]
    return match.play(bots, 1, first, games)


@GAMES
def test_a_game_of_greedy_players_is_legal_to_its_end(setup):
    assert match_of(setup).over


@GAMES
def test_compiled_and_plain_give_the_same_games(setup):
    kinds = [GREEDY if seat % 3 else RANDOM for seat in range(setup[2])]
    games = fewer(setup, 20)
    without = by_hand(find(setup[0]))
    fast, decisions = contested(setup, kinds, games, without=without)
    plain, counted = contested(setup, kinds, games, compiled=False, without=without)
    assert (fast == plain).all()
    assert decisions == counted


def test_bh_4_1_an_auctioneer_fits_out_what_helps_and_buys_only_with_the_money_for_it():
    def decided(bot, **more):
        match = ben.position("auction", dealer=0, laps=6, pot=200, hands={0: ["Greased Axles"]}, **more)
        match.happen("turn Add 3")
        return player(bot, match.game, 3, 0).decide(Perspective(match))

    assert decided("greedy") == "fit Greased Axles 0"
    assert decided("greedy:no-fitting") in ("buy", "auction")
    assert decided("greedy:no-fitting", purses={0: 5}) == "auction"
    assert decided("greedy", fitted={0: ["Greased Axles"]}) in ("buy", "auction")


# These compile long with the check. Below, compiled advice is compared with the plain one.
@pytest.mark.soak
@pytest.mark.parametrize("setup", [SETUPS[0], SETUPS[7], SETUPS[13]], ids=[IDS[0], IDS[7], IDS[13]])
def test_compiled_advice_never_leaves_its_arrays(setup):
    kinds = [GREEDY] * setup[2]
    assert (contested(setup, kinds, 30, boundscheck=True)[0] == contested(setup, kinds, 30)[0]).all()


@GAMES
def test_two_worlds_that_a_seat_cannot_tell_apart_get_the_same_advice(setup):
    game = find(setup[0])
    apply = plain_rules(game)
    out = game.rules.scratch()[0].data
    for number in range(fewer(setup, 3)):
        for moment, position in some(played(setup, number), count(400, 10**9)):
            if position.actor < 0:
                continue
            chosen = set()
            for deal in range(4):
                world = position.s.copy()
                rng, dealer = Rng(), Rng()
                start(rng, 1, moment)
                start(dealer, deal, moment)
                if deal:
                    game.rules.deal(position.t, world, position.actor, dealer)
                n = game.rules.legal(position.t, world, out)
                chosen.add(apply(position.t, world, rng, out, n, by_hand(game) if moment % 2 else 0))
            assert len(chosen) == 1


LADDER = [0, 2, 3, 4, 5, 7, 8, 11, 13, 14, 16]


@pytest.mark.parametrize("setup", [SETUPS[i] for i in LADDER], ids=[IDS[i] for i in LADDER])
def test_greedy_beats_random_players_on_equal_seats(setup):
    seats, games = setup[2], fewer(setup, 300)
    won = 0.0
    for seat in range(seats):
        kinds = [GREEDY if each == seat else RANDOM for each in range(seats)]
        rows, _ = contested(setup, kinds, games, first=seat * games)
        best = rows == rows.max(axis=1, keepdims=True)
        won += float((best[:, seat] / best.sum(axis=1)).sum())
    # AC-5.4 spares random players most dishonours: in this one set-up greedy has about 1.29 of an equal share.
    least = 1.2 if "crash-and-burn" in setup[1].get("variants", ()) and setup[1]["courses"] == ["white cw"] else 1.3
    assert won / (games * seats) > least / seats


@pytest.mark.parametrize("part", ["thrift", "coin", "block"])
def test_ave_caesars_bots_are_worse_without_a_part(part):
    """The ladder measures all parts of all games; the ones here are decided soon."""
    game = find("ave-caesar")
    settled, seats = game.resolve_options({}, 4)
    found = compete(game, settled, seats, ["greedy", f"greedy:no-{part}"], games=3000, seed=1, workers=1)
    assert found.settled
    assert found.pairs[0].ahead.low > 0.5


def test_ben_hvrt_bots_play_the_whole_game():
    hoped = {"bid", "pass", "auction", "fit", "keep", "drop", "offer", "accept", "play", "use", "step", "bribe"}
    said: set[str] = set()
    games = 0  # offers and bribes are rare: a card that helps is fitted before the market (BH-4.1)
    while not hoped <= said and games < 20:
        match = match_of(("ben-hvrt", {"series": [4, 6], "bribes": True}, 4), games)
        said |= {entry.text.split()[0] for entry in match.entries if not entry.chance}
        games += 1
    assert hoped <= said


def test_without_trades_or_bribes_no_bot_makes_or_accepts_any():
    kinds = ("greedy:no-trades+no-bribes",)
    for number in range(3):
        for entry in match_of(("ben-hvrt", {"series": [4, 6], "bribes": True}, 4), number, kinds).entries:
            assert entry.text.split()[0] not in {"offer", "accept", "bribe"}


def test_ben_hvrt_bots_drive_round_obstacles():
    """Chariots that look ahead waste fewer steps than those that go the nearest way until they are stuck."""
    setup = ("ben-hvrt", {"series": [2]}, 4)
    game = find("ben-hvrt")
    match = CompiledMatch(game, *game.resolve_options(setup[1], 4))
    blind = habits(game, "no-lanes").without
    rows, _ = match.play([Bot(GREEDY, 0 if seat % 2 else blind, 0) for seat in range(4)], 1, 0, 200)
    assert rows[:, 1::2].sum() > rows[:, 0::2].sum()


def test_parts_are_left_out_by_name_and_unknown_ones_are_refused():
    game = find("ben-hvrt")
    assert habits(game, "") == (0, 0)
    assert habits(game, "no-bids+no-windows") == (9, 0)
    assert habits(game, "no-trades+slips-30") == (2, 30)
    with pytest.raises(OptionError) as fault:
        player("greedy:no-hope", game, 1)
    assert "no-trades" in fault.value.text("en")
    with pytest.raises(OptionError, match="There is no player"):
        player("nobody", game, 1)
    with pytest.raises(OptionError):
        player("random:5", game, 1)


def test_slips_are_mistakes_of_parts_and_the_same_for_the_same_seed():
    """A bot that slips forgets parts of its rules now and then, and never moves at random."""
    game = find("ben-hvrt")
    match = match_of(("ben-hvrt", {"series": [2]}, 4), kinds=("greedy:slips-60",))
    assert match.over
    again = match_of(("ben-hvrt", {"series": [2]}, 4), kinds=("greedy:slips-60",))
    assert [entry.text for entry in again.entries] == [entry.text for entry in match.entries]
    steady = match_of(("ben-hvrt", {"series": [2]}, 4))
    assert [entry.text for entry in steady.entries] != [entry.text for entry in match.entries]
    arena = CompiledMatch(game, *game.resolve_options({"series": [2]}, 4))
    rows, _ = arena.play([Bot(GREEDY, 0, 0 if seat % 2 else 60) for seat in range(4)], 1, 0, 200)
    assert rows[:, 1::2].sum() > rows[:, 0::2].sum()
    rows, _ = arena.play([Bot(GREEDY, 0, 100), Bot(RANDOM, 0, 0)] * 2, 1, 0, 50)
    assert (rows[:, 0::2].max(axis=1) > rows[:, 1::2].max(axis=1)).sum() > 45
    for wrong in ("slips-101", "slips-", "slips-x"):
        with pytest.raises(OptionError):
            player(f"greedy:{wrong}", game, 1)


def test_without_windows_a_greedy_player_plays_no_card_in_them():
    match = match_of(("ben-hvrt", {"series": [2]}, 4), kinds=("greedy:no-windows",))
    assert not any(entry.text.startswith("play ") and "Offer" not in entry.text for entry in match.entries)
    assert any(e.text.startswith("play ") for e in match_of(("ben-hvrt", {"series": [2]}, 4)).entries)


def test_bh_2_4_money_is_constant_while_bribes_are_put_together():
    """BH-2.4, BH-7.5: a seat that has begun a bribe is asked until it is made."""
    rows, _ = contested(("ben-hvrt", {"series": [2], "bribes": True}, 4), [RANDOM] * 4, 40)
    assert (rows.sum(axis=1) == 400).all()
