"""Packages whose private parts we use have an upper bound, which the tested version keeps."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PRIVATE = re.compile(r"from (numba\.core|uvicorn\.protocols|websockets\.(?:protocol|http11|speedups))\b")


def packages() -> list[str]:
    found = {
        match[1] for file in (ROOT / "src").rglob("*.py") for match in PRIVATE.finditer(file.read_text("utf-8"))
    }
    return sorted({name.partition(".")[0] for name in found})


def test_there_are_such_packages():
    assert packages() == ["numba", "uvicorn", "websockets"]


@pytest.mark.parametrize("package", packages())
def test_a_package_whose_private_parts_are_used_has_an_upper_bound(package: str):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    (bounds,) = [
        needed.specifier
        for extra in extras.values()
        for needed in map(Requirement, extra)
        if needed.name == package
    ]
    assert any(each.operator == "<" for each in bounds)
    tested = re.search(rf"^{package}==(\S+)$", (ROOT / "constraints.txt").read_text("utf-8"), re.M)
    assert tested is not None
    assert tested[1] in bounds
