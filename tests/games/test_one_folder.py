"""A game is one folder: no other package names a game or imports one."""

from __future__ import annotations

import ast
import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

import quadriga
from quadriga.engine import parts
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.parts.bots import Network, Search
from quadriga.engine.parts.notation import Compounds
from quadriga.engine.parts.rules import Utilities
from quadriga.engine.parts.study import Tallies
from quadriga.engine.text import catalogues
from quadriga.games import find, ids
from quadriga.lab.training import training

ROOT = Path(quadriga.__file__).parent
GAME = re.compile(r"""["'](ur|ave-caesar|ben-hvrt)["']|games\.(ur|avecaesar|benhvrt)\b""")
# What exists for the solvable game alone: its solver and exact tables, with their command.
SOLVED = ("players/exact/", "lab/solver/", "cli/commands/solve.py")
# The overloads of `quadriga.new`, which tell type checkers the views of the games that come with it.
TYPED = ("api.py",)


def code(file: Path) -> str:
    """Return a module without its docstrings, whose examples name games."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [each for each in node.body if not is_docstring(each)] or [ast.Pass()]
    return ast.unparse(tree)


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def test_no_package_but_games_names_a_game() -> None:
    files = [file for file in ROOT.rglob("*.py") if file.relative_to(ROOT).parts[0] != "games"]
    assert len(files) > 250
    found = {str(file.relative_to(ROOT)) for file in files if GAME.search(code(file))}
    assert {name for name in found if not name.startswith(SOLVED + TYPED)} == set()
    assert found  # the solver: without it this test would look for nothing


def test_no_catalogue_but_those_of_games_names_a_game() -> None:
    """The command line's help has games as examples, and the solver's messages are about the game it solves."""
    files = [file for file in ROOT.rglob("words/*.toml") if file.relative_to(ROOT).parts[0] not in ("games", "cli")]
    assert len(files) > 5
    found = {
        (file.name, key)
        for file in files
        for key, text in catalogues._flatten("", tomllib.loads(file.read_text("utf-8"))).items()
        if re.search(r"\b(ur|Ur|ave-caesar|Ave Caesar|ben-hvrt|Ben Hvrt)\b", str(text))
    }
    assert {key for _, key in found if not key.startswith(("error.solve.", "error.table."))} == set()
    assert found


def test_a_game_whose_bots_cannot_be_trained_names_those_that_can() -> None:
    with pytest.raises(OptionError) as refused:
        training(find("highcard"))
    text = "Bots of 'highcard' cannot be trained. Those of these games can: ur, ben-hvrt."
    assert refused.value.text("en") == text


@pytest.mark.parametrize("id", ["ur", "ave-caesar", "ben-hvrt"])
def test_a_game_names_no_other_game(id: str) -> None:
    package = find(id).package.rpartition(".")[2]
    own = {id, package}
    for file in (ROOT / "games" / package).rglob("*.py"):
        assert {name for found in GAME.finditer(code(file)) for name in found.groups() if name} <= own, file


def test_one_game_says_that_it_is_solvable() -> None:
    assert [id for id in ids() if find(id).is_solvable] == ["ur"]


def test_a_part_has_no_do_nothing_functions() -> None:
    kinds = [vars(parts)[name] for name in parts.__all__]
    assert len(kinds) == 9
    for kind in (Game, Compounds, Search, Network, Utilities, Tallies, *kinds):
        assert [each.name for each in dataclasses.fields(kind) if callable(each.default)] == []


def test_no_part_has_any_in_its_signature() -> None:
    files = list((ROOT / "engine" / "parts").glob("*.py"))
    assert len(files) > 7
    assert [file.name for file in [*files, ROOT / "engine" / "game.py"] if re.search(r"\bAny\b", code(file))] == []
