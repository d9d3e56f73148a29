"""Frames are equal bytes in two worlds that differ only in what the viewer may not know."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from games.avecaesar import positions as avecaesar
from games.benhvrt import positions as benhvrt
from games.benhvrt.positions import position
from quadriga.engine.errors import IllegalActionError
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.entry import FAMILY
from quadriga.games import find
from quadriga.players import Perspective, RandomPlayer
from quadriga.server.messages import game_messages
from quadriga.server.state.events import LoggedMove, Setup, Start
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import RoomState
from soak import rows
from support import there

SETUPS = [
    ("ave-caesar", {"courses": ["white cw"]}, 3),
    ("ave-caesar", {"courses": ["red ccw"], "variants": ["bottom-card", "crash-and-burn", "dishonour"]}, 6),
    ("ben-hvrt", {"series": [1]}, 2),
    ("ben-hvrt", {"series": [1], "bribes": True}, 4),
    ("ben-hvrt", {"series": [1], "chariots": 2}, 4),
    ("ben-hvrt", {"series": [1], "chariots": 1}, 2),
    ("highcard", {"knocking": True}, 4),
]
SHORT = [SETUPS[place] for place in (1, 3, 5, 6)]


def opened(game: str, options: dict[str, Any], seats: int, seed: int) -> RoomState:
    setup = Setup(
        game=game,
        version=find(game).version,
        options=options,
        seats=seats,
        public=False,
        rolls="auto",
        clock=None,
        pace=0,
        dice="seeded",
        seed=str(seed),
        bot_seed=0,
        host="",
    )
    state = RoomState("here", setup)
    state.apply(Start([""] * seats, all_windows=True))
    return state


def twin(state: RoomState, seat: int, rng: random.Random) -> RoomState:
    """Return the table in a world that a seat cannot tell from this one."""
    other = copy.copy(state)
    play = other.session = copy.copy(state.session)
    assert play is not None
    play.match = play.match.clone()
    play.numbers = list(play.numbers)
    play.recent = copy.copy(play.recent)
    play.origins, play.in_window = list(play.origins), list(play.in_window)
    play.forced, play._batch = list(play.forced), []
    dealer = Rng()
    start(dealer, rng.getrandbits(40), 0)
    play.game.rules.deal(play.match.t, play.match.s, seat, dealer)
    return other


def step(play: GameSession, text: str) -> None:
    """Play the outcome of chance or the decision that is due."""
    if play.match.actor == CHANCE:
        play.replay(LoggedMove(None, text, (), "dice"), trusted=False)
    else:
        play.act(text, "person")


def told(state: RoomState, seat: int, game_events: list[Any]) -> bytes:
    """Return everything that a viewpoint is sent: news, the full view, and the view in a refusal."""
    news = game_messages.news(state, seat, game_events)
    whole = game_messages.news(state, seat, [], whole=True)
    bare = game_messages.news(state, seat, game_events, explain=False)
    return b"\n".join(game_messages.encoded(each) for each in (news, whole, bare))


@pytest.mark.parametrize(("game", "options", "seats"), rows(SETUPS, SHORT.__contains__))
def test_frames_contain_no_more_than_the_viewer_may_know(game, options, seats):
    state = opened(game, options, seats, 11)
    play, rng, bot = there(state.session), random.Random(3), RandomPlayer(find(game), "", 5)
    compared = differing = 0
    spare = random.Random(4)
    play.end_batch()
    while not play.match.over:
        actor = play.match.actor
        if actor == CHANCE:
            text = rng.choice(play.match.outcomes()).text
        else:
            text = bot.decide(Perspective(play.match))
        seat = rng.randrange(-1, seats)
        world = twin(state, seat, rng)
        theirs = there(world.session)
        differing += theirs.match.s.tobytes() != play.match.s.tobytes()
        assert told(state, seat, []) == told(world, seat, [])
        if actor >= 0:  # legal actions, and their effects, for the asked seat
            assert told(state, actor, []) == told(twin(state, actor, spare), actor, [])
        step(play, text)
        game_events = play.end_batch()
        assert same_step(theirs, text, actor, game_events, seat, rng) is not False
        if theirs.numbers == play.numbers or theirs._batch == []:
            continue
        after = theirs.end_batch()
        if open_secret(play, text) != open_secret(theirs, text):
            continue
        compared += 1
        assert told(state, seat, game_events) == told(world, seat, after)
        if play.window is not None or actor == seat:
            assert theirs.match.actor == play.match.actor  # the table waits for the same people
    assert compared > 10
    assert differing > 10


@pytest.mark.parametrize(("answer", "by"), [("accept", "person"), ("decline", "person"), ("decline", "bot")])
def test_bh_5_2_others_do_not_see_which_cards_two_players_swap(answer: str, by: str):
    """The random games above leave hidden swaps out: a redealt world does not know the offer at all.

    A bot that declines says why, to the two players alone.
    """
    worlds: list[RoomState] = []
    offered = []
    for given, wanted in (("Add 2", "Brake Lever"), ("Tow Rope", "Old Decimus")):
        state = opened("ben-hvrt", {"series": [1]}, 4, 11)
        play = there(state.session)
        hands = {0: ["Add 2", "Tow Rope"], 1: ["Brake Lever", "Old Decimus"]}
        play.match.s.assign(position("market", hands=hands, purses={0: 9, 1: 9}).s.tobytes())
        play._update_actor()
        play.act(f"offer 1 give {given}, 3 for {wanted}", "person")
        worlds.append(state)
        offered.append(play.end_batch())
    one, other = worlds
    sessions = [there(state.session) for state in worlds]
    assert sessions[0].match.s.tobytes() != sessions[1].match.s.tobytes()
    for seat, same in ((-1, True), (2, True), (3, True), (1, False)):  # the receiver sees the offer
        assert (told(one, seat, offered[0]) == told(other, seat, offered[1])) is same
    for play in sessions:
        play.act(answer, by)
    answered = [play.end_batch() for play in sessions]
    for seat in (-1, 2, 3):
        assert told(one, seat, answered[0]) == told(other, seat, answered[1])
    for seat in (0, 1):
        assert answer == "decline" or told(one, seat, answered[0]) != told(other, seat, answered[1])
        assert ("ben-hvrt.says." in str(told(one, seat, answered[0]))) is (by == "bot")


def open_secret(play: GameSession, text: str) -> object:
    """Return what the rules make public of a secret: a missed turn (AC-3.1), the effect of an offer (BH-5.2)."""
    match = play.match
    if play.game.id == "ben-hvrt" and text == "accept":
        return [(each.purse, each.cards) for each in benhvrt.Match.of(match).view().players]
    if play.game.id != "ave-caesar":
        return None
    seen = avecaesar.Match.of(match).view()
    return seen.turn, seen.phase, [each.status for each in seen.chariots]


def same_step(
    play: GameSession, text: str, actor: int, game_events: list[Any], seat: int, rng: random.Random
) -> bool | None:
    """Play the same in the other world, as far as the viewpoint can tell; return None if that is impossible."""
    if play.match.actor == CHANCE:
        shown = game_events[0].shown[seat + 1]
        possible = [outcome.text for outcome in play.match.outcomes()]
        if shown == 1 and text not in possible:
            return None
        step(play, text if shown == 1 else rng.choice(possible))
        return True
    assert play.match.actor == actor
    offer = getattr(play.match.view(seat), "offer", None)
    if text.endswith(FAMILY) or (text == "accept" and offer is not None and offer.give is None):
        return None  # the other world does not know the offer: see the test of swaps
    try:
        step(play, text)
    except IllegalActionError:
        assert actor != seat  # a seat's own actions are the same in every world
        return None
    return True


def test_making_a_message_changes_nothing_of_the_game():
    state = opened("ur", {}, 2, 11)
    play = there(state.session)
    while play.actor == CHANCE:
        play.roll()
    game_events = play.end_batch()
    before = dict(vars(play))
    assert game_messages.news(state, play.actor, game_events).legal
    assert vars(play) == before
