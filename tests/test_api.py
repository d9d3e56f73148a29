"""The public API, as the README shows it."""

import doctest
from pathlib import Path

import pytest

import quadriga

ROOT = Path(__file__).parent.parent


def test_the_examples_of_the_readme_work(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    failures, tests = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tests > 5
    assert failures == 0


def test_every_public_name_exists():
    for name in quadriga.__all__:
        assert getattr(quadriga, name) is not None
    assert dir(quadriga) == sorted(quadriga.__all__) or set(dir(quadriga)) == set(quadriga.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = quadriga.nothing


def test_a_match_without_a_seed_has_fair_dice():
    one, two = (quadriga.dumps(quadriga.new("ur")) for _ in range(2))
    assert '"commitment"' in one
    assert one != two


def test_options_and_seats_are_checked():
    with pytest.raises(quadriga.QuadrigaError, match="markers"):
        quadriga.new("ur", markers=8)
    with pytest.raises(quadriga.QuadrigaError, match="no game 'go'"):
        quadriga.new("go")
    with pytest.raises(quadriga.QuadrigaError, match="seats"):
        quadriga.simulate("ur", seats=5)


def test_a_game_saved_and_loaded_is_the_same(tmp_path):
    match = quadriga.new("ur", seed=3, markers=1)
    while not match.over:
        match.play(match.legal()[-1])
    quadriga.save(match, tmp_path / "game.jsonl")
    assert quadriga.load(tmp_path / "game.jsonl") == match
    assert quadriga.loads(quadriga.dumps(match)) == match


def test_text_that_is_no_trace_is_refused():
    for text in ("", "x", "{}", "\ud800"):
        with pytest.raises(quadriga.QuadrigaError):
            quadriga.loads(text)


def test_a_simulation_without_a_seed_says_which_it_took():
    result = quadriga.simulate("ur", games=10, markers=1)
    again = quadriga.simulate("ur", games=10, markers=1, seed=result.seed)
    assert again.decisions == result.decisions


def test_a_package_that_brings_no_game_is_refused(monkeypatch):
    from importlib.metadata import EntryPoint

    from quadriga import games

    broken = EntryPoint("broken", "json:dumps", games.GROUP)
    monkeypatch.setattr(games, "_plugins", lambda: {"broken": broken})
    with pytest.raises(quadriga.QuadrigaError, match="does not provide a game"):
        games.find("broken")
