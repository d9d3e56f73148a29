"""The catalogue of games: set-up forms and boards come from the games themselves."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from games.avecaesar import positions as avecaesar
from games.ur import positions as ur
from quadriga.engine.game import NOBODY
from quadriga.games import find
from quadriga.server.messages import game_catalogue
from support import there


def geometry(game: str, seats: int, **options: object) -> dict[str, Any]:
    found = find(game)
    settled, count = found.resolve_options(options, seats)
    return json.loads(game_catalogue.geometry(found, settled, count))


@pytest.fixture(scope="module")
def listed() -> dict[str, dict[str, Any]]:
    return {game["id"]: game for game in json.loads(game_catalogue.games())["games"]}


def test_a_default_that_follows_another_option_is_listed_with_its_choice(listed) -> None:
    options = {game: {option["name"]: option for option in listed[game]["options"]} for game in listed}
    assert options["ben-hvrt"]["penalty"]["default"] is False
    assert options["ben-hvrt"]["penalty"]["defaults_with"] == {"series": {"caligula": True}}
    assert options["ur"]["markers"]["defaults_with"] == {"rules": {"blitz": 5}}
    assert "defaults_with" not in options["ben-hvrt"]["chariots"]


def test_a_game_without_geometry_gives_its_id() -> None:
    assert geometry("highcard", 3) == {"game": "highcard"}


@pytest.mark.parametrize(
    ("rules", "length", "mean"), [("ben", 24, 1.5), ("finkel", 15, 2), ("masters", 17, 2), ("blitz", 17, 2)]
)
def test_ur_gives_the_length_of_the_path_and_the_mean_of_the_dice(rules: str, length: int, mean: float) -> None:
    found = geometry("ur", 2, rules=rules)
    assert (found["path_length"], found["roll_mean"]) == (length, mean)
    game = find("ur")
    match = ur.Match(game, {"rules": rules}, 2)
    t, s = match.t, match.s
    outcomes, weights = game.rules.scratch()
    count = game.rules.outcomes(t, s, outcomes, weights)
    rolls = [int(game.notation.text(t, s, int(outcome)).removeprefix("roll ")) for outcome in outcomes[:count]]
    assert np.average(rolls, weights=weights[:count]) == mean
    assert t.off == length
    for roll in rolls:  # the dice on the page show each roll with the dice that there are
        assert 0 <= found["dice_marked"][roll] <= found["dice_count"]
    assert len({found["dice_marked"][roll] for roll in rolls}) == len(rolls)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ben_hvrt_gives_the_owner_of_each_chariot_and_the_square_ahead(seats: int) -> None:
    found = geometry("ben-hvrt", seats)
    game = find("ben-hvrt")
    t, s = game.rules.new(*game.resolve_options({}, seats))
    seen: Any = game.display.view(t, s, NOBODY)
    assert found["owners"] == [chariot.seat for chariot in seen.chariots]
    squares = found["track"]["squares"]
    assert set(found["ahead"]) == set(squares)
    for lane in {square.split(".")[0] for square in squares}:  # each lane is one closed round
        start = here = f"{lane}.0"
        passed = set()
        while here not in passed:
            passed.add(here)
            here = found["ahead"][here]
        assert here == start
        assert passed == {square for square in squares if square.split(".")[0] == lane}
    assert found["roll_mean"] == 3.5


def test_ave_caesar_shows_the_way_to_the_finish_when_the_alley_is_lost() -> None:
    """A chariot that still has its coin on lap 3 is dishonoured, but drives on to the finish like any other."""
    from quadriga.games.avecaesar.state import MOVE

    game = find("ave-caesar")
    match = avecaesar.Match(game, {"courses": ["white cw"]}, 3)
    t, s = match.t, match.s
    course = t.raced[0]
    lost = next(x for x, steps in enumerate(course.to_go[3, True]) if steps >= 9999)
    s.phase, s.lap[0], s.coin[0], s.space[0] = MOVE, 3, 1, lost
    s.lap[1], s.coin[1], s.space[1] = 3, 0, lost
    chariots = match.view().chariots
    assert 0 < there(chariots[0].to_go) == there(chariots[1].to_go) < 100


def test_the_usual_number_of_seats_is_one_that_the_game_takes(listed: dict[str, Any]) -> None:
    assert {id: game["usual"] for id, game in listed.items()} == {
        "ur": 2,
        "ave-caesar": 4,
        "ben-hvrt": 4,
        "highcard": 4,
        "nim": 4,
    }


def test_only_games_with_rule_pages_are_marked_so(listed: dict[str, Any]) -> None:
    assert [id for id, game in listed.items() if game["rules"]] == ["ur", "ave-caesar", "ben-hvrt"]


def test_every_option_has_what_its_form_needs(listed: dict[str, Any]) -> None:
    forms = {(id, option["name"]): option for id, game in listed.items() for option in game["options"]}
    assert forms["ur", "rules"]["choices"] == ["ben", "finkel", "masters", "blitz"]
    assert (forms["highcard", "cards"]["low"], forms["highcard", "cards"]["high"]) == (9, 12)
    assert "blue ccw" in forms["ave-caesar", "courses"]["choices"]
    assert forms["ave-caesar", "courses"]["repeats"] is True
    series = forms["ben-hvrt", "series"]
    assert "hercules" in series["choices"]
    option = next(o for o in find("ben-hvrt").options if o.name == "series")
    limits = series["numbers"]
    option.check([limits["low"], limits["high"]] * (limits["most"] // 2))
    for wrong in (
        [limits["low"] - 1],
        [limits["high"] + 1],
        [1] * (limits["most"] + 1),
        [1] * (limits["least"] - 1),
    ):
        with pytest.raises(Exception, match="series"):
            option.check(wrong)
    assert {option["type"] for option in forms.values()} == {
        "choice",
        "whole",
        "flag",
        "several",
        "document",
        "other",
    }
