"""Games of another package: `highcard` uses every part of a game, `nim` only those that it must have."""

from __future__ import annotations

import dataclasses
import re

import pytest
from highcard.display import View

import quadriga
from quadriga.engine.game import Game
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.engine.parts.display import SILENT, VEILED
from quadriga.engine.text import catalogues
from quadriga.games import find
from quadriga.learn.coach import coaching
from quadriga.learn.lesson import course
from quadriga.learn.unroll import lessons
from support import ROOT

PARTS = ("rules", "notation", "display", "reactions", "teaching", "bots", "study")
MODEL = ROOT / "tests" / "thirdparty" / "highcard"


def test_the_model_uses_every_part_and_the_smallest_game_only_three() -> None:
    assert {each.name for each in dataclasses.fields(Game)} >= set(PARTS)
    assert [part for part in PARTS if getattr(find("highcard"), part) is None] == []
    assert [part for part in PARTS if getattr(find("nim"), part) is not None] == ["rules", "notation", "display"]


def test_the_documentation_prints_the_model_whole() -> None:
    page = (ROOT / "docs" / "games.md").read_text("utf-8")
    printed = dict(re.findall(r"^`highcard/([\w/.]+)`:\n\n```\w+\n(.*?)```$", page, flags=re.M | re.S))
    files = sorted(
        each for each in MODEL.rglob("*") if each.suffix in (".py", ".toml") and each.name != "players.py"
    )
    assert sorted(printed) == sorted(str(each.relative_to(MODEL)) for each in files)
    for each in files:
        assert printed[str(each.relative_to(MODEL))] == each.read_text("utf-8"), each


def test_its_rules_of_thumb_take_a_trick_with_the_lowest_card_that_does() -> None:
    match = Match(find("highcard"), {}, 2)
    for card in (3, 9, 7, 12):
        match.happen(f"deal {card}")
    match.push("play 7")
    assert quadriga.bot("greedy", seed=1).choose(match) == "play 9"
    assert quadriga.bot("greedy:no-thrift", seed=1).choose(match) == "play 12"


def test_its_window_hides_which_seat_is_asked() -> None:
    match = Match(find("highcard"), {"knocking": True}, 2)
    reactions = match.game.reactions
    assert reactions is not None
    reactions.ask_all(match.t, True)
    for card in (3, 12, 7, 9):
        match.happen(f"deal {card}")
    match.push("play 3")
    match.push("play 12" if "play 12" in match.legal() else "play 9")
    assert (match.actor, reactions.window(match.t, match.s)) == (0, "KN")
    assert reactions.hides_actor(match.t, match.s)
    before = match.view(-1)
    assert match.game.display.secrecy_of(match.t, match.s, match.actions()["pass"]) == SILENT
    match.push("pass")
    assert match.actor == 1
    assert match.view(-1) == before


def test_a_knock_counts_the_trick_twice_and_shows_the_card() -> None:
    match = Match(find("highcard"), {"knocking": True}, 2)
    for card in (12, 3, 7, 9):
        match.happen(f"deal {card}")
    match.push("play 7")
    match.push("play 9")
    assert match.actor == 0  # seat 1 does not hold the 12 and is not asked
    match.push("knock")
    assert match.scores == [0, 2]
    seen = match.view(1)
    assert isinstance(seen, View)
    assert seen.knocked == 0
    assert match.outcomes()[0].text == "deal 1"
    assert match.game.display.secrecy_of(match.t, match.s, 1) == VEILED


def test_it_has_lessons_and_a_coach() -> None:
    assert [lesson.id for lesson in course("highcard").lesson] == ["tricks"]
    ((_, (step,)),) = lessons("highcard")
    assert step.replies["play 12"].is_goal
    assert step.replies["play 3"].answer["fr"].startswith("8 cartes sont plus hautes que 3.")
    match = quadriga.new("highcard", 2, seed=1)
    said = coaching(match, match.actor)
    assert set(said.actions) == set(match.legal())


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_a_game_without_french_speaks_english(language: str) -> None:
    say = catalogues.of(language, find("nim").package)
    assert say("nim.title") == "Nim"
    assert say("match.holds", name="x", cards=[]) != ""
    assert "|" in Match(find("nim"), {}, 2).text(language=language)


def test_bots_play_the_smallest_game() -> None:
    for name in ("random", "greedy", "search:20"):
        match = Match(find("nim"), {}, 3, SeededDice(1))
        bot = quadriga.bot(name, seed=1)
        while not match.over:
            match.push(bot.choose(match))
        assert sum(match.result) == 1
