"""Bounds of dependencies: all have a lower one, upper ones have a reason, and the tested versions keep both."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from lowest import bounded_extras

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "quadriga"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
REASONS: dict[str, str] = PROJECT["tool"]["quadriga"]["upper-bounds"]
TESTED = {
    canonicalize_name(name): version
    for name, _, version in (line.partition("==") for line in (ROOT / "constraints.txt").read_text("utf-8").split())
}
PRIVATE = re.compile(
    r"from (numba\.core|uvicorn\.protocols|websockets\.(?:protocol|http11|speedups)|[a-z]+\._\w+)\b[\w.]* import"
)


def needed() -> list[Requirement]:
    own = [Requirement(each) for each in PROJECT["project"]["dependencies"]]
    extras = [each for extra in bounded_extras().values() for each in extra if each.name != "quadriga"]
    return [*own, *extras]


def has(requirement: Requirement, *operators: str) -> bool:
    return any(each.operator in operators for each in requirement.specifier)


@pytest.mark.parametrize("requirement", needed(), ids=str)
def test_every_dependency_has_a_lower_bound(requirement: Requirement):
    assert has(requirement, ">=")


def test_upper_bounds_and_their_reasons_are_in_step():
    bounded = {each.name for each in needed() if has(each, "<", "<=", "==", "~=")}
    assert bounded == set(REASONS)


@pytest.mark.parametrize("package", REASONS)
def test_a_reason_names_modules_that_use_the_package(package: str):
    modules = re.findall(r"[\w/]+\.py", REASONS[package])
    assert modules
    for module in modules:
        assert re.search(rf"^\s*(?:from|import) {package}\b", (SOURCES / module).read_text("utf-8"), re.M), module


def test_a_package_whose_private_parts_are_used_has_an_upper_bound():
    texts = [file.read_text("utf-8") for file in SOURCES.rglob("*.py")]
    used = {match[1].partition(".")[0] for text in texts for match in PRIVATE.finditer(text)}
    assert used == set(REASONS)


@pytest.mark.parametrize("requirement", needed(), ids=str)
def test_the_tested_version_keeps_the_bounds(requirement: Requirement):
    assert TESTED[canonicalize_name(requirement.name)] in requirement.specifier


def test_tested_versions_run_on_the_first_release_of_the_oldest_python():
    """Debian 12 has Python 3.11.2, for example, where a package that wants 3.11.5 cannot be installed."""
    first = PROJECT["project"]["requires-python"].removeprefix(">=") + ".0"
    wanted = {each.name: each.metadata["Requires-Python"] for each in metadata.distributions()}
    assert "pymdown-extensions" in wanted
    late = {name: bound for name, bound in wanted.items() if bound and first not in SpecifierSet(bound)}
    assert late == {}


def test_documents_and_workflows_name_the_same_pythons():
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    for name in ("README.md", "CONTRIBUTING.md", "docs/hosting.md", "Makefile"):
        named = re.findall(r"Python (\d\.\d+)(?: or newer|\+)", (ROOT / name).read_text("utf-8"))
        assert set(named) == {oldest}, name
    known = re.findall(r"python(3\.\d+)", (ROOT / "Makefile").read_text("utf-8"))
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    tested = re.findall(r'python: \["(.*)"\]', workflow)[0].split('", "')
    assert sorted(known) == sorted(tested)
    assert tested[0] == oldest
    listed = [each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if ":: 3." in each]
    assert listed == tested
