"""Bots in files: found where they are admitted, given what the page says, and blamed for their own errors."""

from __future__ import annotations

import pickle

import pytest

import quadriga
from quadriga import players
from quadriga.cli import main
from quadriga.engine.errors import OptionError, PlayerError, TraceError
from quadriga.games import find
from quadriga.lab.arena.arena import compete
from quadriga.lab.arena.pool import ArenaPlan, play_matches
from quadriga.players import Perspective, player_files
from support import ROOT

UR = find("ur")
MERCHANT = f"{ROOT / 'examples' / 'merchant.py'}:Merchant"

BOTS = """\
class First:
    def decide(self, observed):
        return observed.legal()[0]

class Broken:
    def decide(self, observed):
        return self.helper()
    def helper(self):
        return 1 / 0

class Wrong:
    def decide(self, observed):
        return "fly"

class Mute:
    pass

class Picky:
    def __init__(self, level):
        pass

class Considering(First):
    def consider(self, observed):
        raise KeyError("nothing")

number = 3
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A folder with a file of bots, and no bots that were admitted before."""
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "torn.py").write_text("a = 1\nb = (\n")
    (tmp_path / "rude.py").write_text("import sys\nsys.exit('no')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(player_files, "_admitted", {})
    return tmp_path


def test_a_bot_in_a_file_plays_in_an_arena(bots):
    options, seats = UR.resolve_options({"markers": 1}, 2)
    found = compete(UR, options, seats, ["bots.py:First", "random"], games=8, seed=1, workers=1, early=False)
    assert found.games == 8
    player_files._admitted.clear()  # as in another process
    plan = ArenaPlan("ur", options, seats, ["bots.py:First", "random"], 1, 8)
    assert play_matches(plan, (0, 1), 0, 2).shape == (2, 2)


def test_a_bot_in_a_file_takes_a_seat_and_gives_moves(bots, capsys):
    with pytest.raises(SystemExit) as end:
        main(["play", "ur", "--option", "markers=1", "--seed", "1", "--auto", *["--seat", "bots.py:First"] * 2])
    assert not end.value.code
    match = quadriga.new("ur", seed=1)
    assert quadriga.bot("bots.py:First").choose(match) == match.legal()[0]


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("bots.py:Broken", "player.failed", "bots.py:9: the player 'bots.py:Broken' failed. ZeroDivisionError"),
        ("bots.py:Wrong", "player.answer", "bots.py:12: the player 'bots.py:Wrong' answered 'fly'"),
        ("bots.py:Mute", "player.method", "without a method decide(observed)"),
        ("bots.py:Picky", "player.made", "bots.py:19: the player 'bots.py:Picky' cannot be made. TypeError"),
        ("bots.py:Frist", "player.attribute", "Did you mean 'First'?"),
        ("bots.py:number", "player.attribute", "no class or function 'number'"),
        (
            "torn.py:First",
            "player.load",
            "torn.py:2: the file of the player 'torn.py:First' cannot be loaded. Syntax",
        ),
        ("rude.py:First", "player.load", "rude.py:2"),
        ("none.py:First", "player.file", "a file that is not there: none.py"),
    ],
)
def test_the_error_of_a_bot_names_its_file_and_line_and_is_not_ours(bots, capsys, name, code, said):
    with pytest.raises(PlayerError) as fault:
        quadriga.bot(name).choose(quadriga.new("ur", seed=1))
    assert fault.value.code == code
    assert said in str(fault.value)
    assert str(pickle.loads(pickle.dumps(fault.value))) == str(fault.value)
    with pytest.raises(SystemExit) as end:
        main(
            [
                "arena",
                "ur",
                "--players",
                f"{name},random",
                "--option",
                "markers=1",
                "--games",
                "2",
                "--workers",
                "1",
            ]
        )
    assert end.value.code == 2
    assert "error in Quadriga" not in capsys.readouterr().err


def test_an_analysis_that_fails_is_the_bots_own_error(bots):
    with pytest.raises(PlayerError, match="KeyError"):
        quadriga.bot("bots.py:Considering").hints(quadriga.new("ur", seed=1))


def test_only_a_command_or_the_api_loads_a_file(bots):
    """A server and a saved game name players, too: they must not run code."""
    with pytest.raises(OptionError, match="There is no player"):
        players.check("bots.py:First", UR)
    with pytest.raises(SystemExit):
        main(["play", "ur", "--seat", "human", "--seat", "bots.py:First", "--resume", "none.jsonl"])
    player_files._admitted.clear()
    from quadriga.cli.terminal import saves

    seating = saves.seat_players(UR, {"markers": 1}, ["human", "random"], [], 1)
    seating.kinds[1] = "bots.py:First"
    saves.write(seating, bots / "saved")
    with pytest.raises(TraceError):
        saves.read(bots / "saved")
    players.admit("bots.py:First")
    assert saves.read(bots / "saved").kinds[1] == "bots.py:First"


def test_the_example_bids_by_worth_and_makes_offers():
    bot = quadriga.bot(MERCHANT, seed=1)
    made: set[str] = set()
    games = 0  # offers are rare: few cards are worth more to another
    while not {"bid", "pass", "offer"} <= made and games < 20:
        match = quadriga.new("ben-hvrt", 4, seed=games, series=[4, 5, 6])
        while not match.over and not {"bid", "pass", "offer"} <= made:
            observed = Perspective(match)
            text = bot.choose(match)
            lot = match.view(match.actor).lot
            if lot and lot.bid and "bid" in observed.legal():
                assert (text == "bid") == (observed.worth(lot.card) >= lot.bid)
            made.add(text.split()[0])
            match.push(text)
        games += 1
    assert {"bid", "pass", "offer"} <= made


def test_the_worth_of_a_card_needs_a_game_with_worths_and_a_card():
    with pytest.raises(OptionError, match="no worth of cards in ur"):
        Perspective(quadriga.new("ur", seed=1)).worth("Add 3")
    with pytest.raises(OptionError, match="Did you mean 'Add 3'"):
        Perspective(quadriga.new("ben-hvrt", seed=1)).worth("Add3")
