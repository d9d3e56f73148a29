"""The published ladder: written by one command that can be interrupted and resumed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from quadriga.games import find
from quadriga.players.levels import named
from support import here

ROOT = Path(__file__).parents[3]


def begun(page: Path, *more: str) -> subprocess.Popen[str]:
    asked = [sys.executable, str(ROOT / "benchmarks" / "ladder.py"), "ur", "--quick", "--out", str(page), *more]
    return subprocess.Popen(asked, stderr=subprocess.PIPE, text=True, env=here())


def test_an_interrupted_ladder_goes_on_and_plays_nothing_twice(tmp_path):
    page = tmp_path / "players.md"
    page.write_text("Before.\n<!-- ladder -->\nyesterday\n<!-- end of the ladder -->\nAfter.\n")
    process = begun(page, "--workers", "1")
    while process.poll() is None and not list(tmp_path.glob(".ladder/*.json")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 130
    assert "goes on from here" in said
    assert "yesterday" in page.read_text()
    first = {path.name: path.read_text() for path in tmp_path.glob(".ladder/*.json")}
    process = begun(page, "--workers", "2")
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 0
    text = page.read_text()
    assert text.startswith("Before.\n<!-- ladder -->\n")
    assert text.endswith("<!-- end of the ladder -->\nAfter.\n")
    assert "yesterday" not in text
    assert f"| `greedy` (normal) | `{named('easy', find('ur'))}` (easy) |" in text
    assert text.count("| `greedy` (normal) | `greedy:no-") == 3
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob(".ladder/*.json")}
    assert set(first) <= set(kept)
    assert begun(page).communicate(timeout=300)[1].count("ur  |") == said.count("ur  |")
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.glob(".ladder/*.json")} == kept
    assert page.read_text() == text
