"""The public API, as the README shows it."""

import copy
import doctest
import importlib
import json
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import quadriga
from support import IDS, SETUPS

ROOT = Path(__file__).parent.parent


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


PUBLIC = (
    "quadriga",
    "quadriga.api",
    "quadriga.engine.errors",
    "quadriga.engine.match.match",
    "quadriga.lab.simulate",
    "quadriga.players.bot",
)


@pytest.mark.parametrize("module", PUBLIC)
def test_the_examples_of_the_docstrings_run(module, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    failures, tests = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert tests
    assert failures == 0


INTERNAL = {"apply_outcome", "may_undo", "rewound", "roll", "roll_once", "views"}  # for the server and the terminal


def test_everything_public_has_a_docstring_with_an_example():
    things = {name: getattr(quadriga, name) for name in quadriga.__all__ if name not in ("__version__", "Action")}
    for kind in (quadriga.Match, quadriga.Bot, quadriga.NamedBot):
        things |= {
            f"{kind.__name__}.{name}": getattr(kind, name) for name in vars(kind) if not name.startswith("_")
        }
    things |= {f"Simulation.{name}": getattr(quadriga.Simulation, name) for name in ("to_dict", "rows", "columns")}
    assert {f"Match.{name}" for name in INTERNAL} <= set(things)
    without = {name for name, thing in things.items() if ">>>" not in (thing.__doc__ or "")}
    assert without == {f"Match.{name}" for name in INTERNAL}


@pytest.mark.parametrize("setup", SETUPS, ids=IDS)
def test_the_obvious_loop_plays_every_game(setup):
    game, options, seats = setup
    match, rng = quadriga.new(game, seats, seed=5, **options), random.Random(5)
    for _ in range(400):
        if match.over:
            break
        action = rng.choice(match.legal())
        assert hash(action) == hash(str(action))
        match.push(action)
    assert match.entries
    assert match.winner is None or match.over


@pytest.mark.parametrize("setup", SETUPS, ids=IDS)
def test_push_and_pop_are_inverse(setup):
    game, options, seats = setup
    match, rng = quadriga.new(game, seats, seed=6, **options), random.Random(6)
    played: list[tuple[Any, Any]] = []
    while not match.over and len(played) < 60:
        before = match.copy(), match.s.tobytes(), match.section
        played.append((before, match.push(rng.choice(match.legal()))))
    for (twin, state, section), entry in reversed(played):
        assert match.pop() == entry
        assert (match, match.s.tobytes(), match.section) == (twin, state, section)
        assert match.legal() == twin.legal()
    with pytest.raises(quadriga.QuadrigaError, match="nothing to undo"):
        match.pop()
    again = [match.push(entry.text) for _, entry in played]
    assert again == [entry for _, entry in played]  # with the same chance, too


def test_the_old_names_remain():
    assert quadriga.Match.play is quadriga.Match.push  # type: ignore[misc]
    assert quadriga.Match.undo is quadriga.Match.pop  # type: ignore[misc]
    assert quadriga.Match.clone is quadriga.Match.copy  # type: ignore[misc]


def to_market():
    match = quadriga.new("ben-hvrt", 3, seed=3)
    while "offer" not in match.families():
        match.push(match.legal()[-1])
    return match


def test_an_offer_is_built_from_its_parts_and_played():
    match = to_market()
    hand = match.view(match.actor).hand
    to = (match.actor + 1) % 3
    offer = match.offer(to=to, give=[7, hand[-1], hand[0]], want=["Tow Rope", 2])
    first, second = sorted((hand[0], hand[-1]))
    assert offer == f"offer {to} give {first}, {second}, 7 for Tow Rope, 2"
    assert match.push(offer).text == offer
    assert match.actor == to
    assert "decline" in match.legal()


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"to": 1, "give": ["Tow Roap"]}, "Did you mean 'Tow Rope'"),
        ({"to": "Ann", "give": [5]}, "number of a seat"),
        ({"to": 9, "give": [5]}, "because of 'to 9'"),
        ({"to": 1, "give": "Add 1"}, "a list of cards"),
        ({"to": 1, "give": [5.0]}, "a list of cards"),
        ({"to": 1, "give": [9000]}, "because of 'digit 9'"),
        ({"to": 1}, "because of"),
    ],
)
def test_an_offer_that_cannot_be_made_is_refused_with_what_would_be_right(parts, said):
    with pytest.raises(quadriga.QuadrigaError, match=said):
        to_market().offer(**parts)


def test_a_game_without_offers_says_so():
    match = quadriga.new("ur", seed=1)
    with pytest.raises(quadriga.QuadrigaError, match="no 'offer' to make here"):
        match.build("offer", to=1, give=[5])
    with pytest.raises(AttributeError, match="A match of ur has no 'offer'"):
        match.offer(to=1, give=[5])


@pytest.mark.parametrize("setup", SETUPS, ids=IDS)
def test_a_loaded_match_goes_on_by_itself(setup, tmp_path):
    game, options, seats = setup
    match = quadriga.new(game, seats, seed=5, **options)
    for _ in range(3):
        match.push(match.legal()[0])
    quadriga.save(match, tmp_path / "game.jsonl")
    one, two = (quadriga.load(tmp_path / "game.jsonl", seed=9) for _ in range(2))
    for _ in range(20):
        if not one.over:
            assert one.push(one.legal()[-1]) == two.push(two.legal()[-1])
    assert one == two
    assert quadriga.loads(quadriga.dumps(one)) == one


def _finish(match):
    while not match.over:
        match.push(match.legal()[0])
    return match


@pytest.mark.parametrize("setup", SETUPS, ids=IDS)
def test_matches_are_pickled_and_copied(setup):
    game, options, seats = setup
    match = quadriga.new(game, seats, seed=5, **options)
    for _ in range(40):
        if not match.over:
            match.push(match.legal()[0])
    for twin in (pickle.loads(pickle.dumps(match)), copy.copy(match), copy.deepcopy(match)):
        assert twin == match
        assert (twin.legal(), twin.actor, twin.section) == (match.legal(), match.actor, match.section)
        if not match.over:
            here = match.s.tobytes()
            twin.push(twin.legal()[0])
            assert match.s.tobytes() == here
            twin.pop()
        for _ in range(20):
            if any(not entry.chance for entry in twin.entries):
                twin.pop()
        assert match.entries[: len(twin.entries)] == twin.entries
        while any(not entry.chance for entry in twin.entries):
            twin.pop()
        assert twin == quadriga.new(game, seats, seed=5, **options)


def test_matches_go_to_process_pools_and_come_back():
    matches = [quadriga.new("ur", seed=seed, markers=2) for seed in range(4)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        finished = list(pool.map(_finish, matches))
    assert finished == [_finish(match) for match in matches]


def test_bots_are_listed_and_play():
    assert {"random", "greedy", "search", "master"} <= set(quadriga.list_bots("ur"))
    assert set(quadriga.list_games()) >= {"ur", "ave-caesar", "ben-hvrt"}
    match = quadriga.new("ave-caesar", seed=1)
    for name in ("random", "greedy", "search:10"):
        assert quadriga.bot(name, seed=3).choose(match) == quadriga.bot(name, seed=3).choose(match)
        assert quadriga.bot(name).choose(match) in match.legal()
    assert quadriga.bot("random").hints(match) == []
    assert {hint.text for hint in quadriga.bot("search:10").hints(match)} <= set(match.legal())
    with pytest.raises(quadriga.QuadrigaError, match="over"):
        quadriga.bot("random").choose(_finish(quadriga.new("ur", seed=1, markers=1)))


def test_a_simulation_becomes_rows_and_a_dict():
    result = quadriga.simulate("ave-caesar", games=20, seed=1, seats=4, courses=["blue"])
    json.dumps(result.to_dict())
    rows = result.rows()
    assert [row["seat"] for row in rows] == [0, 1, 2, 3]
    assert [row["wins"] for row in rows] == [win.share for win in result.wins]


def test_options_are_given_as_on_the_command_line(tmp_path):
    deck = tmp_path / "mine.toml"
    deck.write_text((ROOT / "src/quadriga/games/benhvrt/data/deck.toml").read_text())
    assert quadriga.new("ben-hvrt", deck=str(deck)).options["deck"]
    assert quadriga.new("ben-hvrt", deck=deck).options["deck"]
    for courses in (["blue", "white ccw"], ("blue", "white ccw"), "blue,white ccw"):
        assert quadriga.new("ave-caesar", courses=courses).options["courses"] == ["blue cw", "white ccw"]
    assert quadriga.new("ave-caesar", course="red").options["courses"] == ["red cw"]


WRONG = [
    (lambda: quadriga.new(3), "game cannot be 3; it takes: ur"),  # type: ignore[call-overload]
    (lambda: quadriga.new("benhvrt"), "Did you mean 'ben-hvrt'"),
    (lambda: quadriga.new("ur", "2"), "'2' seats"),  # type: ignore[call-overload]
    (lambda: quadriga.new("ur", seed="x"), "seed cannot be 'x'"),  # type: ignore[call-overload]
    (lambda: quadriga.new("ur", seed=-1), "seed cannot be -1"),
    (lambda: quadriga.new("ur", rules="finkl"), "Did you mean 'finkel'"),
    (lambda: quadriga.new("ur", rule="finkel"), "Did you mean 'rules'"),
    (lambda: quadriga.new("ur", markers="3"), "it takes: 1..7"),
    (lambda: quadriga.new("ave-caesar", courses=["blu"]), "Did you mean 'blue"),
    (lambda: quadriga.new("ave-caesar", courses=["purple"]), "There are: white cw"),
    (lambda: quadriga.new("ave-caesar", courses=[3]), "of: white cw"),
    (lambda: quadriga.new("ave-caesar", course="purple"), "There are: white cw"),
    (lambda: quadriga.new("ave-caesar", course="red", courses=["red"]), "given twice"),
    (lambda: quadriga.new("ben-hvrt", deck="missing.toml"), "missing.toml cannot be read"),
    (lambda: quadriga.new("ben-hvrt", deck=3), "it takes: FILE"),
    (lambda: quadriga.new("ur", seed=1).push(3), "An action is a text, not 3. Legal: 0-2, 3-5"),  # type: ignore[arg-type]
    (lambda: quadriga.new("ur", seed=1).push(None), "An action is a text"),  # type: ignore[arg-type]
    (lambda: quadriga.new("ur", seed=1).svg(seat=7), "seat cannot be 7"),
    (lambda: quadriga.new("ur", seed=1).view(2), "seat cannot be 2; it takes: -1..1"),
    (lambda: quadriga.new("ur", seed=1).view("0"), "seat cannot be '0'"),  # type: ignore[arg-type]
    (lambda: quadriga.new("ave-caesar", seed=1).why_illegal(9), "seat cannot be 9"),
    (lambda: quadriga.new("ur", seed=1).may_undo(-2), "seat cannot be -2"),
    (lambda: quadriga.new("ur", seed=1).text(language="de"), "it takes: en | fr"),
    (lambda: quadriga.bot("mastr"), "Did you mean 'master'"),
    (lambda: quadriga.bot(5), "name cannot be 5"),  # type: ignore[arg-type]
    (lambda: quadriga.bot("search:x").choose(quadriga.new("ur", seed=1)), "does not take 'x'"),
    (lambda: quadriga.list_bots("go"), "no game 'go'"),
    (lambda: quadriga.simulate("ur", games="many"), "games cannot be 'many'"),  # type: ignore[arg-type]
    (lambda: quadriga.simulate("ur", workers=0), "workers cannot be 0"),
    (lambda: quadriga.simulate("ur", seed=1.5), "seed cannot be 1.5"),  # type: ignore[arg-type]
    (lambda: quadriga.simulate("ur", games=1).columns(), "detail=True"),
    (lambda: quadriga.load(3), "path cannot be 3"),  # type: ignore[arg-type]
    (lambda: quadriga.loads(b"{}"), "text cannot be"),  # type: ignore[arg-type]
    (lambda: quadriga.load("missing.jsonl"), "missing.jsonl cannot be read"),
    (lambda: quadriga.save("ur", "game.jsonl"), "match cannot be 'ur'; it takes: Match"),  # type: ignore[arg-type]
    (lambda: quadriga.save(quadriga.new("ur"), None), "path cannot be None"),  # type: ignore[arg-type]
    (lambda: quadriga.dumps({}), "match cannot be"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("mistake", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_mistake_is_answered_with_what_would_be_right(mistake, said, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(quadriga.QuadrigaError) as fault:
        mistake()
    assert said in str(fault.value)
    assert fault.value.text("fr")


@pytest.mark.parametrize("setup", SETUPS, ids=IDS)
def test_a_match_draws_itself_and_hides_hands_only_from_a_seat(setup):
    game, options, seats = setup
    match = quadriga.new(game, seats, seed=5, **options)
    for _ in range(30):
        if not match.over:
            match.push(match.legal()[0])
    assert str(match) == match.text()
    others = [
        seat for seat in range(seats) if seat != max(match.actor, 0) and getattr(match.view(seat), "hand", [])
    ]
    if match.game.display.render_svg is not None:
        assert match._repr_svg_() == match.svg()
        for seat in (None, -1, 0):
            ElementTree.fromstring(match.svg(seat, language="fr"))
        for other in others:
            assert f"Seat {other + 1} holds:" in match.text()
            assert f"Seat {other + 1} holds:" in match.svg()
        assert "holds:" not in match.text(0)
        assert " holds:" not in match.svg(0)
    else:
        assert match._repr_svg_() is None
