"""The extras that tests of adapters need. `make test` installs all of them, and skips none."""

from __future__ import annotations

import importlib.util
import os

import pytest

REQUIRED = "QUADRIGA_ALL_EXTRAS"


def need(module: str, extra: str) -> None:
    """Skip the tests of a module whose extra is not installed; fail if all extras are required."""
    if importlib.util.find_spec(module) is None:
        notice = f"{module} is not installed; these tests need: pip install 'quadriga[{extra}]'"
        if os.environ.get(REQUIRED):
            pytest.fail(notice)
        pytest.skip(notice, allow_module_level=True)
