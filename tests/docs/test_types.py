"""The tutorial and the public API, as a type checker sees them."""

import doctest
from pathlib import Path

import pytest

from support import ROOT

api = pytest.importorskip("mypy.api", reason="mypy is not installed")

# The options that `make check` gives to the package. With its other options they are `--strict`, and because they
# are the same, what mypy knows of the package is read from its cache.
STRICT = "# mypy: disallow-untyped-defs, disallow-incomplete-defs, disallow-untyped-calls, warn-return-any\n"
USES = """
import quadriga
from quadriga.games import avecaesar, benhvrt, ur

class First:
    def choose(self, match: quadriga.Match) -> quadriga.Action:
        return match.legal()[0]

class Mute:
    pass

def play(match: quadriga.Match, bot: quadriga.Bot) -> quadriga.Action:
    return bot.choose(match)

match = quadriga.new("ur", seed=1)
seen: ur.View = match.copy(seed=2).view(0)
markers: list[ur.View] = [position.view() for position in match.sample(1).positions()]
hand: list[int] = quadriga.new("ave-caesar").view(0).hand
cards: list[str] = quadriga.new("ben-hvrt", 4).view(0).hand
play(match, First())
play(quadriga.new("ave-caesar"), quadriga.bot("greedy"))
play(match, Mute())  # type: ignore[arg-type]
match.view(0).purse  # type: ignore[attr-defined]
other: avecaesar.View | benhvrt.View = match.view(0)  # type: ignore[assignment]
try:
    play(match, First())
except (quadriga.IllegalActionError, quadriga.OptionError, quadriga.TraceError, quadriga.FileError) as fault:
    print(fault.code)
"""


def test_the_tutorial_and_the_public_types_pass_mypy_strict(tmp_path, monkeypatch):
    examples = doctest.DocTestParser().get_examples((ROOT / "docs/python.md").read_text("utf-8"))
    (tmp_path / "tutorial.py").write_text(STRICT + "".join(each.source for each in examples), "utf-8")
    (tmp_path / "uses.py").write_text(STRICT + USES)
    monkeypatch.chdir(ROOT)
    said, wrong, code = api.run([str(path) for path in sorted(Path(tmp_path).glob("*.py"))])
    assert (code, wrong) == (0, ""), said
