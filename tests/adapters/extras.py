"""What the tests of adapters need: the extra of each, or a plain notice; `make test` installs all, skips none."""

from __future__ import annotations

import importlib.util
import os

import pytest

REQUIRED = "QUADRIGA_ALL_EXTRAS"


def need(module: str, extra: str) -> None:
    """Skip the tests of a module where its extra is not installed, unless all extras are said to be there."""
    if importlib.util.find_spec(module) is None:
        notice = f"{module} is not installed; these tests need: pip install 'quadriga[{extra}]'"
        if os.environ.get(REQUIRED):
            pytest.fail(notice)
        pytest.skip(notice, allow_module_level=True)
