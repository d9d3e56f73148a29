"""The page's own checks: types, warnings, catalogues in parity, hashes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from browser.conftest import ROOT


@pytest.mark.parametrize("script", ["check", "test"])
def test_the_page_s_own_checks_pass(page_built: None, script: str) -> None:
    beside = Path(sys.executable).parent  # where scripts/page.py puts Node when the machine has none
    path = os.pathsep.join([os.environ.get("PATH", ""), str(beside)])
    npm = shutil.which("npm", path=path)
    if npm is None:
        pytest.skip("no npm on the path: NOT RUN")
    done = subprocess.run(
        [npm, "run", script],
        cwd=ROOT / "web",
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
