"""Studies: equal for any number of workers and after an interrupt, equal to simulations, refused if they differ."""

from __future__ import annotations

import json

import polars as pl
import pytest

from lab.study.studies import frames_of, matches, plan_of, same, tables_in
from quadriga.engine.errors import FileError, OptionError
from quadriga.games import find
from quadriga.lab.review.review import review
from quadriga.lab.simulate import simulate
from quadriga.lab.study.collect import collect


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setitem(vars(find("ur").study), "games_at_once", 4)


def test_any_number_of_workers_gives_the_same_tables(tmp_path):
    plan = plan_of("ur", "greedy", "random", games=30)
    one = frames_of(plan, tmp_path / "one", compiled=True)
    assert same(frames_of(plan, tmp_path / "three", compiled=True, workers=3), one)
    assert len(one["games"]) == 30


@pytest.mark.parametrize("id", ["ur", "ave-caesar", "ben-hvrt"])
def test_compiled_and_plain_code_give_the_same_tables(tmp_path, id):
    plan = plan_of(id, "greedy", "random", games=2)
    assert same(frames_of(plan, tmp_path / "plain"), frames_of(plan, tmp_path / "compiled", compiled=True))


def test_a_game_without_a_study_has_the_common_tables(tmp_path):
    found = frames_of(plan_of("nim", games=20), tmp_path)
    assert set(found) == {"games", "seats"}
    assert found["seats"]["won"].sum() == 20


def test_a_game_of_another_package_has_tables_of_its_own(tmp_path):
    found = frames_of(plan_of("highcard", games=20), tmp_path)
    assert set(found) == {"games", "seats", "cards"}
    cards = found["cards"]
    assert cards["played"].sum() == len(cards) == 20 * 4  # two seats play two cards each
    assert cards["taken"].sum() == 20 * 2
    assert found["games"]["pips"].sum() == cards["card"].sum()


def test_a_second_command_in_the_same_folder_is_refused_and_the_first_goes_on(tmp_path):
    plan, refused = plan_of("ur", games=12), []

    def meanwhile(done, total):
        with pytest.raises(FileError, match="Another command works on the study in") as fault:
            collect(plan, tmp_path, compiled=False)
        refused.append(str(fault.value))

    found = frames_of(plan, tmp_path, progress=meanwhile)
    assert len(found["games"]) == 12
    assert len(refused) >= 3
    assert all(str(tmp_path) in sentence for sentence in refused)
    assert collect(plan, tmp_path).games == 12


def interrupt_after(games):
    def progress(done, total):
        if done >= games:
            raise KeyboardInterrupt

    return progress


def test_an_interrupted_study_continues_and_is_the_same(tmp_path):
    plan = plan_of("ur", games=22, reviews=2, playouts=2)
    whole = frames_of(plan, tmp_path / "whole")
    for games in (9, 23):  # while it plays, and while it reviews
        stopped = collect(plan, tmp_path / "stopped", compiled=False, progress=interrupt_after(games))
        assert stopped.interrupted
        assert 9 <= stopped.games <= 22
        assert not (tmp_path / "stopped" / "games.parquet").exists()
    assert same(frames_of(plan, tmp_path / "stopped"), whole)
    assert sorted(path.name for path in (tmp_path / "stopped").iterdir()) == sorted(
        path.name for path in (tmp_path / "whole").iterdir()
    )


def test_a_finished_study_is_not_played_again(tmp_path):
    plan = plan_of("ur", games=8)
    frames_of(plan, tmp_path)
    found = collect(plan, tmp_path, compiled=False, progress=interrupt_after(0))
    assert (found.games, found.interrupted) == (8, False)


def test_more_games_are_added_to_a_finished_study(tmp_path):
    frames_of(plan_of("ur", games=10, reviews=1, playouts=2), tmp_path / "grown")
    more = plan_of("ur", games=18, reviews=2, playouts=2)
    assert same(frames_of(more, tmp_path / "grown"), frames_of(more, tmp_path / "whole"))


def test_more_games_are_added_to_an_interrupted_study_that_ends_with_a_small_chunk(tmp_path):
    fewer = plan_of("ur", games=10, reviews=1, playouts=2)
    assert collect(fewer, tmp_path / "grown", compiled=False, progress=interrupt_after(10)).games == 10
    more = plan_of("ur", games=18, reviews=1, playouts=2)
    assert same(frames_of(more, tmp_path / "grown"), frames_of(more, tmp_path / "whole"))


def test_reviews_are_added_to_a_finished_study(tmp_path):
    frames_of(plan_of("ur", games=10, playouts=2), tmp_path)
    before = tables_in(plan_of("ur"), tmp_path)
    after = frames_of(plan_of("ur", games=10, reviews=1, playouts=2), tmp_path)
    assert len(after.pop("reviews")) == 2
    assert same(before, after)


def test_reviews_stay_if_fewer_are_asked_for(tmp_path):
    whole = frames_of(plan_of("ur", games=6, reviews=2, playouts=2), tmp_path / "whole")
    frames_of(plan_of("ur", games=5, reviews=2, playouts=2), tmp_path / "grown")
    assert same(frames_of(plan_of("ur", games=6, playouts=2), tmp_path / "grown"), whole)


@pytest.mark.parametrize(
    "other",
    [{"seed": 6}, {"options": {"markers": 1}}, {"playouts": 3}],
    ids=["seed", "options", "playouts"],
)
def test_a_folder_with_another_plan_is_refused(tmp_path, other):
    frames_of(plan_of("ur"), tmp_path)
    with pytest.raises(FileError, match="another study"):
        collect(plan_of("ur", **other), tmp_path, compiled=False)
    with pytest.raises(FileError, match="another study"):
        collect(plan_of("ur", "greedy"), tmp_path, compiled=False)


def test_fewer_games_than_a_folder_has_are_refused(tmp_path):
    frames_of(plan_of("ur", games=4), tmp_path)
    with pytest.raises(OptionError, match="4 games already"):
        collect(plan_of("ur", games=3), tmp_path, compiled=False)


def test_a_folder_with_foreign_files_is_refused(tmp_path):
    (tmp_path / "games.parquet").write_bytes(b"other")
    with pytest.raises(FileError, match="something else"):
        collect(plan_of("ur"), tmp_path, compiled=False)
    (tmp_path / "plan.json").write_text(json.dumps({"game": "ur"}))
    with pytest.raises(FileError, match="another study"):
        collect(plan_of("ur"), tmp_path, compiled=False)


@pytest.mark.parametrize("id", ["ur", "ave-caesar", "ben-hvrt"])
def test_random_games_are_those_of_a_simulation(tmp_path, id):
    plan = plan_of(id, games=50)
    found = frames_of(plan, tmp_path, compiled=True)
    simulated = simulate(find(id), plan.options, plan.seats, games=50, seed=5)
    seats = found["seats"].group_by("seat", maintain_order=True).agg(pl.col("won", "score").mean())
    assert seats["won"].to_list() == pytest.approx([win.share for win in simulated.wins])
    assert seats["score"].to_list() == pytest.approx([score.mean for score in simulated.scores])
    games = found["games"]
    assert games["decisions"].mean() == simulated.decisions.mean
    assert games["chances"].mean() == simulated.chances.mean
    assert {name: games[name].mean() for name in simulated.tallies} == {
        name: spread.mean for name, spread in simulated.tallies.items()
    }


def test_players_change_seats_unless_they_are_fixed(tmp_path):
    assert plan_of("ave-caesar", "greedy", "random").lineups == [
        ["greedy", "greedy", "random"],
        ["greedy", "random", "greedy"],
        ["random", "greedy", "greedy"],
    ]
    fixed = plan_of("ur", "greedy", "random", is_fixed=True)
    assert fixed.lineups == [["greedy", "random"]]
    seats = frames_of(fixed, tmp_path)["seats"]
    assert seats["player"].to_list() == ["greedy", "random"] * 3


@pytest.mark.parametrize(
    ("names", "how", "reason"),
    [
        (["search:1s"], {}, "cannot take part"),
        (["greedy"] * 3, {}, "1 to 2 players, not 3"),
        (["greedy"], {"is_fixed": True}, "one player for each of the 2 seats"),
        (["greedy"], {"games": 0}, "--games"),
        (["greedy"], {"reviews": 4}, "--reviews"),
    ],
)
def test_a_wrong_plan_is_refused(names, how, reason):
    with pytest.raises(OptionError, match=reason):
        plan_of("ur", *names, **how)


def test_reviews_are_those_of_the_games(tmp_path):
    plan = plan_of("ur", "greedy", games=2, reviews=2, playouts=2, options={"markers": 1})
    found = frames_of(plan, tmp_path)["reviews"]
    for number, match in enumerate(matches(plan)):
        sides = review(match, playouts=2, seed=plan.seed + number).sides
        own = found.filter(pl.col("game") == number)
        for name in ("start", "decisions", "slips", "lost", "luck", "result"):
            assert own[name].to_list() == [getattr(side, name) for side in sides]
