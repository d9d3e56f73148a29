"""A test that hangs is ended and named, and the others run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HANGING = Path(__file__).parent / "fixtures" / "hanging.py"


@pytest.mark.skipif(sys.platform == "win32", reason="pytest-timeout ends the whole process there")
def test_a_test_that_hangs_is_ended_and_named_and_the_others_run():
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "3", str(HANGING)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
        env={**own, "PYTEST_TIMEOUT": "10"},
    )
    assert ended.returncode == 1, ended
    failed = set(re.findall(r"^FAILED \S*::(\w+)", ended.stdout, re.M))
    assert failed == {"test_that_waits", "test_that_waits_in_a_coroutine", "test_that_cannot_be_interrupted"}
    assert ended.stdout.count("Failed: Timeout (>10") >= 2
    assert re.search(r"crashed while running '\S*::test_that_cannot_be_interrupted'", ended.stdout)
    assert "in test_that_cannot_be_interrupted" in ended.stderr  # the stacks
    assert "2 passed" in ended.stdout
