"""Documents and examples for researchers: every line of them runs."""

from __future__ import annotations

import doctest
import importlib.util
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.extras import need
from soak import SOAK, count
from support import here, there

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
NOTEBOOK = ROOT / "examples" / "research.ipynb"
MODULES = {"PettingZoo": "pettingzoo", "OpenSpiel": "pyspiel", "Gymnasium": "gymnasium"}


def section(title: str) -> str:
    (text,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M)
    return text


@pytest.mark.parametrize("title", MODULES)
def test_the_page_shows_what_happens_in_about_ten_lines(title):
    need(MODULES[title], title.lower())
    examples = doctest.DocTestParser().get_doctest(section(title), {}, title, "docs/research.md", 0)
    code = "".join(example.source for example in examples.examples)
    assert 8 <= len(code.splitlines()) <= 12
    told = io.StringIO()
    assert doctest.DocTestRunner(verbose=False).run(examples, out=told.write).failed == 0, told.getvalue()


def test_the_notebook_runs_and_prints_what_it_shows():
    for module in MODULES.values():
        need(module, module)
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5
    shown = [
        "".join("".join(out["text"]) for out in cell["outputs"] if out["output_type"] == "stream") for cell in cells
    ]
    code = "\n".join("".join(cell["source"]) for cell in cells)
    done = subprocess.run([sys.executable, "-c", code], env=here(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr  # in a process of its own: nothing else has imported what it needs
    assert done.stdout == "".join(shown)


@pytest.fixture
def example(monkeypatch):
    need("gymnasium", "gymnasium")
    spec = there(importlib.util.spec_from_file_location("train_ur", ROOT / "examples" / "train_ur.py"))
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "train_ur", module)
    there(spec.loader).exec_module(module)
    return module


def test_an_agent_learns_ur_from_scratch_and_prints_its_win_rates(example, capsys):
    """A few hundred thousand moves are enough to leave chance behind; `make test` plays some thousands."""
    shares = example.main(["--rules", "blitz", "--updates", str(count(3, 25)), "--games", "100"])
    told = capsys.readouterr().out
    assert re.search(r"against random: \d+ of 100 won, [\d.]+ % \([\d.]+ to [\d.]+\)", told)
    assert re.search(r"against greedy: \d+ of 100 won, [\d.]+ % \([\d.]+ to [\d.]+\)", told)
    assert 0 <= shares["greedy"] <= 1
    if SOAK:
        assert shares["random"] > 0.6


def test_the_interval_is_wilsons(example):
    low, high = example.interval(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert example.interval(0, 10)[0] == pytest.approx(0)


def test_the_gradient_of_the_network_is_correct(example):
    """Each gradient of the backward pass is compared with the effect of a small change of its weight."""
    import numpy as np

    rng = np.random.default_rng(3)
    net = example.Network(5, 4, rng)
    net.weights = [w.astype(np.float64) for w in net.weights]
    seen = rng.integers(0, 3, (6, 5))
    toward = rng.standard_normal((6, 5))

    def loss():
        preferences, value = net.forward(seen)
        return float((preferences * toward[:, :-1]).sum() + (np.arctanh(value) * toward[:, -1]).sum())

    loss()
    before = [w.copy() for w in net.weights]
    net.learn(toward, 0.0)
    slopes = [mean / 0.1 for mean in net._means]
    for layer, (at, slope) in enumerate(zip(before, slopes, strict=True)):
        for row, column in ((0, 0), (1, 3), (at.shape[0] - 1, 1)):
            net.weights = [w.copy() for w in before]
            net.weights[layer][row, column] += 1e-4
            up = loss()
            net.weights[layer][row, column] -= 2e-4
            assert (up - loss()) / 2e-4 == pytest.approx(slope[row, column], rel=1e-2, abs=1e-2)
