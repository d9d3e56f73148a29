"""The documentation site: it has every page, its links hold, and it builds without a network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support import ROOT

pytest.importorskip("zensical", reason="zensical is not installed")
pytest.importorskip("mkdocstrings_handlers.python", reason="mkdocstrings-python is not installed")

CONFIG = ROOT / "zensical.toml"
DOCS = ROOT / "docs"
FRONT = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
]  # pages that only the forge shows
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(https?:[^"'\s>]+)|<link\b[^>]*\bhref=["']?(https?:[^"'\s>]+)"""
)


def pages_of(nav: list[Any]) -> list[str]:
    """Return the files that a part of the navigation names, in order."""
    found = []
    for entry in nav:
        for target in entry.values():
            found += [target] if isinstance(target, str) else pages_of(target)
    return found


def test_the_navigation_names_every_page_once():
    named = pages_of(tomllib.loads(CONFIG.read_text("utf-8"))["project"]["nav"])
    assert sorted(named) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as forges make them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", FRONT, ids=lambda page: page.name)
def test_links_of_the_front_pages_lead_somewhere(page):
    for link in LINK.findall(page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text("utf-8")), link


def test_no_link_of_a_page_leaves_the_site():
    for page in DOCS.rglob("*.md"):
        for link in LINK.findall(page.read_text("utf-8")):
            if "://" not in link and not link.startswith("#"):
                target = (page.parent / link.partition("#")[0]).resolve()
                assert target.is_file(), f"{page.name}: {link}"
                assert target.is_relative_to(DOCS), f"{page.name}: {link}"


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site in a folder, as `make docs` does it, and where no other server can be reached through HTTP."""
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **nowhere}, capture_output=True, text=True, check=False
    )


def test_the_site_builds_without_warnings_and_loads_nothing_from_other_servers(tmp_path):
    for name in ("src", "scripts"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(CONFIG, tmp_path)
    done = build(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "site"
    built = {page.relative_to(site).with_suffix(".md").as_posix() for page in site.rglob("*.html")}
    assert built - {"404.md"} == {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    for page in site.rglob("*.html"):
        assert LOADED.findall(page.read_text("utf-8")) == [], page
    reference = (site / "api.html").read_text("utf-8")
    assert "Return a new match. With a seed it is reproducible" in reference
    assert "&gt;&gt;&gt; " in reference
    assert "<blockquote>" not in reference  # an example that is not in a block of code
    assert "IllegalActionError" in (site / "search.json").read_text("utf-8")


def test_a_broken_link_fails_the_build(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "Links"\n')
    page = tmp_path / "docs" / "index.md"
    page.write_text("# Links\n\n[here](#links)\n")
    assert build(tmp_path).returncode == 0
    page.write_text("# Links\n\n[here](#elsewhere)\n")
    assert build(tmp_path).returncode != 0
