"""The page's own checks: types, warnings, catalogues in parity, hashes."""

from __future__ import annotations

import subprocess

import pytest

import page
import programs
from browser.conftest import ROOT


@pytest.mark.parametrize("script", ["check", "test"])
def test_the_page_s_own_checks_pass(page_built: None, script: str) -> None:
    node = page.tools()
    if node is None:
        programs.missing("Node", "scripts/page.py")
    done = subprocess.run(
        [str(node / "npm"), "run", script],
        cwd=ROOT / "web",
        env=page.environment(node),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
