"""Finkel, Masters and Blitz compared with an independent library, PyPI's `royalur`, in the same games."""

from __future__ import annotations

import random

import pytest
from royalur import Game, PathType, PlayerType

from games.ur.positions import Match
from quadriga.engine.kernels.slots import CHANCE
from quadriga.games import find
from support import there


def peer_game(rules: str) -> Game:
    """Return the peer's game; every roll is given to it."""
    builder = Game.builder().finkel()
    if rules != "finkel":
        builder = builder.paths(PathType.MASTERS).safe_rosettes(False)
    if rules == "blitz":
        builder = builder.starting_piece_count(5).captures_grant_extra_rolls(True)
    return builder.build()


def written(move, last: int) -> str:
    source = move.source_piece.path_index + 1 if move.has_source() else 0
    return f"{source}-{move.dest_piece.path_index + 1 if move.has_dest() else last + 1}"


@pytest.mark.parametrize("rules", ["finkel", "masters", "blitz"])
def test_the_same_rolls_give_the_same_legal_moves_turns_and_winner(rules):
    rng = random.Random(2)
    last = {"finkel": 14}.get(rules, 16)
    for _ in range(15):
        peer, match = peer_game(rules), Match(find("ur"), {"rules": rules})
        while not match.over:
            assert not peer.is_finished()
            assert match.actor == CHANCE
            assert peer.get_turn() == (PlayerType.LIGHT, PlayerType.DARK)[there(match.view().turn)]
            outcome = rng.choice(match.outcomes())
            match.happen(outcome.text)
            peer.roll_dice(int(outcome.text.split()[1]))
            moves = {written(m, last): m for m in peer.find_available_moves()} if peer.is_waiting_for_move() else {}
            assert sorted(moves) == match.legal()
            if moves:
                chosen = rng.choice(match.legal())
                match.play(chosen)
                peer.make_move(moves[chosen])
        assert peer.is_finished()
        assert match.result[0] == (peer.get_winner() == PlayerType.LIGHT)
