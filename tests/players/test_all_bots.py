"""All bots: equal in every process, constant memory; third-party bots compete too."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.players import Perspective
from quadriga.players import find as player
from soak import SOAK, count, only_in_soak
from support import Setup, here

PLACES: list[Setup] = [
    ("ur", {}, 2),
    ("ave-caesar", {"courses": ["white cw"]}, 3),
    ("ben-hvrt", {"series": [1]}, 3),
]

_DECIDE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from players.test_all_bots import decisions
print(json.dumps(decisions()))
"""


def decisions() -> list[list[str]]:
    """Return the first decisions of every kind of bot in every game."""
    said = []
    for id, options, seats in PLACES:
        game = find(id)
        match = Match(game, options, seats, SeededDice(4))
        bots = [player(name, game, 9) for name in ("search:25", "greedy", "random")[:seats]]
        while len(match.entries) < 60 and not match.over:
            match.play(bots[match.actor].decide(Perspective(match)))
        said.append([entry.text for entry in match.entries])
    return said


def test_other_processes_decide_the_same_for_a_seed():
    ours = decisions()
    for salt in ("1", "2") if SOAK else ("1",):
        asked = [sys.executable, "-c", _DECIDE, str(Path(__file__).parents[1])]
        found = subprocess.run(asked, env=here(PYTHONHASHSEED=salt), capture_output=True, text=True, check=True)
        assert json.loads(found.stdout.splitlines()[-1]) == ours


def resident() -> int:
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(("id", "options", "seats"), PLACES, ids=[place[0] for place in PLACES])
@pytest.mark.parametrize("name", [only_in_soak("greedy"), "search:4"])
def test_memory_does_not_grow_with_the_decisions(id, options, seats, name):
    """One search tree takes 120 KB: two hundred of them would show."""
    game = find(id)
    match = Match(game, options, seats, SeededDice(4))
    while len(match.legal()) < 2:
        match.play(match.legal()[0])
    eyes, bot = Perspective(match), player(name, game, 9)
    for _ in range(30):
        bot.decide(eyes)
    gc.collect()
    tracemalloc.start()
    try:
        allocated, held = tracemalloc.get_traced_memory()[0], resident()
        for _ in range(count(200, 300)):
            bot.decide(eyes)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - allocated < 100_000
        assert resident() - held < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_installed_player_competes_on_the_command_line(workers):
    """It is found by its entry point (conftest puts its package on the path), also in child processes."""
    asked = "arena highcard --players highest,random --seats 2 --games 40 --all --seed 1 --json --workers"
    done = subprocess.run(
        [sys.executable, "-m", "quadriga", *asked.split(), workers],
        env=here(),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["games"] == 40
    assert found["standings"][0]["player"] == "highest"
    assert found["standings"][0]["score"] > found["standings"][1]["score"]
