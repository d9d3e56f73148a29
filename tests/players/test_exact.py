"""Endgame tables in play: searchers use them in all rule sets, and ignore damaged ones."""

from __future__ import annotations

import pytest

from games.ur.positions import Match
from quadriga.engine.errors import FileError
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.games.ur.board import RULE_SETS
from quadriga.games.ur.state import MOVE
from quadriga.lab.review import review
from quadriga.lab.solver import solve
from quadriga.lab.traces import random_match
from quadriga.players import Perspective, SearchPlayer, exact
from quadriga.players.exact import tables
from support import there

UR = find("ur")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Solve the endgames with at most two markers left, for all rule sets."""
    where = tmp_path_factory.mktemp("tables")
    for rules in RULE_SETS:
        solve.solve(rules, 2, where=where)
    return where


def endgames(rules):
    """Yield decisions of the whole game with a choice and at most two markers left per side."""
    options, _ = UR.resolve_options({"rules": rules}, 2)
    assert options["markers"] == RULE_SETS[rules].markers
    for game in range(16):
        for position in Match.of(random_match(UR, options, 2, 7, game, SeededDice(7, game))).positions():
            if position.s.phase == MOVE and max(position.t.markers - position.s.off[seat] for seat in (0, 1)) <= 2:
                if len(position.legal()) > 1:
                    yield position.clone()


@pytest.mark.parametrize("rules", RULE_SETS)
def test_searchers_move_exactly_in_the_endgames_of_the_whole_game(rules, small, monkeypatch):
    monkeypatch.setenv("QUADRIGA_TABLES", str(small))
    bot, exactly, chosen = SearchPlayer(UR, "1"), 0, 0
    monkeypatch.setattr(bot, "_search", lambda observed, world, asked: pytest.fail("this is in the tables"))
    for position in endgames(rules):
        action, chances = there(exact.best(position.t, position.s))
        assert position.actions()[bot.decide(Perspective(position))] == action
        assert chances[action] == max(chances.values())
        exactly += 1
        chosen += min(chances.values()) < chances[action]
    assert exactly > 10
    assert chosen > 5


@pytest.fixture
def broken(small, tmp_path, monkeypatch):
    """Copy the tables with one bit of each flipped, one cut off, and one under another's name."""
    for path in small.glob("*.table"):
        content = bytearray(path.read_bytes())
        content[-2] ^= 1
        (tmp_path / path.name).write_bytes(content)
    cut = tables.file("finkel", 2, 2, tmp_path)
    cut.write_bytes(cut.read_bytes()[:-1])
    tables.file("blitz", 2, 1, tmp_path).write_bytes(tables.file("masters", 2, 1, small).read_bytes())
    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("rules", RULE_SETS)
def test_searchers_ignore_damaged_tables_and_log_it_once(rules, broken, caplog, monkeypatch):
    monkeypatch.setenv("QUADRIGA_LANG", "fr")
    bot, decided = SearchPlayer(UR, "2"), 0
    for position in endgames(rules):
        with pytest.raises(FileError):
            exact.best(position.t, position.s)
        assert bot.decide(Perspective(position)) in position.actions()
        decided += 1
    assert decided > 3
    told = [record.getMessage() for record in caplog.records]
    assert told
    assert len(told) == len(set(told)) <= 3
    assert all(str(broken) in sentence and "sans elle" in sentence for sentence in told)


def test_an_unchanged_damaged_table_is_read_once(broken, monkeypatch):
    read, looks = tables.read, []

    def reading(path):
        looks.append(path)
        return read(path)

    monkeypatch.setattr(tables, "read", reading)
    for _ in range(3):
        with pytest.raises(FileError, match="damaged"):
            tables.layer_values("ben", 2, 1)
    assert len(looks) == 1
    path = tables.file("ben", 2, 1)
    content = bytearray(path.read_bytes())
    content[-2] ^= 1  # as it was
    path.unlink()
    path.write_bytes(content)
    assert tables.layer_values("ben", 2, 1) is not None
    assert len(looks) == 2


def test_a_review_refuses_a_damaged_table(broken):
    """A request for exact figures gets them, or the reason why not."""
    options, _ = UR.resolve_options({"markers": 2}, 2)
    with pytest.raises(FileError, match="Delete it"):
        review.review(random_match(UR, options, 2, 1, 1, SeededDice(1, 1)), playouts=1)
