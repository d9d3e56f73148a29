"""The page's own checks: types, warnings, words in parity, hashes."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from browser.conftest import ROOT


@pytest.mark.parametrize("script", ["check", "test"])
def test_the_page_s_own_checks_pass(page_built: None, script: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on the path: NOT RUN")
    done = subprocess.run(
        [npm, "run", script], cwd=ROOT / "web", capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
