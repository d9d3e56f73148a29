"""The workflows of the forge: their commands name what there is, and releases carry what they promise."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from support import ROOT

FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))
HOME = "https://forge.example/games/quadriga"


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    return found


def runs(path: Path) -> list[str]:
    """Return the commands of a workflow."""
    return [step["run"] for job in jobs(path).values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_what_there_is_with_a_limit_and_no_more_rights_than_it_names(path):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command in runs(path):
        for target in re.findall(r"\bmake ([a-z]+)", command):
            assert re.search(rf"^{target}:", makefile, re.M), target
        for file in re.findall(r"(?<![\w/])(?:deploy|scripts|\.ci)/[\w./-]+", command):
            assert (ROOT / file).exists(), file
    for name, job in jobs(path).items():
        assert job["timeout-minutes"] > 0, name
        assert set(job.get("needs", [])) <= {*jobs(path)} or job["needs"] in jobs(path)
    if path.name != "test.yml":
        assert yaml.safe_load(path.read_text("utf-8"))["permissions"] == {"contents": "read"}


def test_only_the_job_that_uploads_to_pypi_can_speak_for_the_project_there_and_no_token_is_stored():
    text = (FOLDER / "workflows" / "publish.yml").read_text("utf-8")
    assert "secrets." not in text
    trusted = [name for name, job in jobs(FOLDER / "workflows" / "publish.yml").items() if "environment" in job]
    assert trusted == ["pypi"]
    for name, job in jobs(FOLDER / "workflows" / "publish.yml").items():
        assert ("id-token" in job.get("permissions", {})) == (name == "pypi")


def test_a_release_has_both_distributions_checksums_and_a_list_of_parts():
    said = "\n".join(runs(FOLDER / "workflows" / "publish.yml"))
    for part in ("make dist", "sha256sum", "cyclonedx-py", "src/quadriga/version.py", "deploy/Dockerfile dist"):
        assert part in said, part


def test_the_nightly_run_looks_for_known_faults_and_builds_the_image():
    nightly = {
        name
        for name, job in jobs(FOLDER / "workflows" / "test.yml").items()
        if "== 'schedule'" in job.get("if", "")
    }
    assert {"audit", "image", "soak"} <= nightly
    said = "\n".join(runs(FOLDER / "workflows" / "test.yml"))
    assert "pip-audit --strict" in said
    assert "npm audit" in said


def test_new_versions_are_proposed_for_every_kind_of_dependency():
    updates = yaml.safe_load((FOLDER / "dependabot.yml").read_text("utf-8"))["updates"]
    assert {each["package-ecosystem"] for each in updates} == {"pip", "npm", "github-actions", "docker"}
    for each in updates:
        assert (ROOT / each["directory"].lstrip("/")).is_dir()


@pytest.mark.parametrize("path", sorted((FOLDER / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.name)
def test_a_form_for_issues_asks_for_something(path):
    form = yaml.safe_load(path.read_text("utf-8"))
    if path.name != "config.yml":
        assert {"name", "description", "body"} <= {*form}
        assert any(each.get("validations", {}).get("required") for each in form["body"])


@pytest.mark.parametrize("home", ["", HOME, f"{HOME}/"])
def test_a_release_names_the_addresses_of_the_forge_that_built_it_and_no_other_build_does(home, monkeypatch):
    monkeypatch.setenv("QUADRIGA_HOME", home)
    project = ProjectMetadata(str(ROOT), PluginManager()).core
    urls = project.urls
    assert urls.get("Source") == (HOME if home else None)
    assert all(each.startswith(HOME) for each in urls.values())
    files = [each.partition("/blob/main/")[2] for each in urls.values()]
    assert all((ROOT / file).exists() for file in files)
    here = (ROOT / "README.md").read_text("utf-8")
    if not home:
        assert project.readme == here
        return
    assert "](docs/" not in project.readme
    for link in re.findall(rf"\]\({HOME}/(?:raw|blob)/main/([^)#]+)", project.readme):
        assert (ROOT / link).exists(), link
    assert project.readme.count(f"]({HOME}/raw/main/docs/images/") == 3
    assert project.readme.count("](") == here.count("](")
