"""Extras: never loaded by the core, asked for by name where they are missing, and never skipped in `make test`."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from adapters import extras
from quadriga.adapters.environment_state import need
from quadriga.engine.errors import MissingExtraError

ROOT = Path(__file__).parent.parent.parent
CORE = """
import sys
import quadriga, quadriga.api, quadriga.cli.app, quadriga.lab.simulate, quadriga.players, quadriga.games
quadriga.new("ur", seed=1)
print(sorted({"pettingzoo", "gymnasium", "pyspiel", "open_spiel", "PIL", "quadriga.adapters"} & set(sys.modules)))
"""


def test_the_core_loads_none_of_them():
    done = subprocess.run([sys.executable, "-c", CORE], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_missing_extra_is_asked_for_by_name_in_both_languages():
    with pytest.raises(MissingExtraError) as refusal:
        need("no_such_module", "pettingzoo", "PettingZoo")
    assert str(refusal.value) == "PettingZoo is not installed; install it with: pip install 'quadriga[pettingzoo]'"
    assert "n'est pas installé" in refusal.value.text("fr")


def test_without_an_extra_its_tests_are_skipped_with_a_notice_but_fail_where_all_are_required(monkeypatch):
    monkeypatch.delenv(extras.REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"pip install 'quadriga\[openspiel\]'"):
        extras.need("no_such_module", "openspiel")
    monkeypatch.setenv(extras.REQUIRED, "1")
    with pytest.raises(pytest.fail.Exception, match=r"pip install 'quadriga\[openspiel\]'"):
        extras.need("no_such_module", "openspiel")
    assert f"{extras.REQUIRED}=1" in (ROOT / "Makefile").read_text()


def test_each_is_an_extra_and_the_test_tools_bring_them_all():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {"pettingzoo", "openspiel", "gymnasium"} <= set(declared)
    brought = {name for each in declared["dev"] if each.startswith("quadriga[") for name in each[9:-1].split(",")}
    assert {"pettingzoo", "openspiel", "gymnasium"} <= brought
