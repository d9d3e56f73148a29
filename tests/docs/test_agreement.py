"""Documents, data and commands agree with the code."""

import re
import tomllib
from pathlib import Path

import click
import pytest

from quadriga.cli.app import application
from quadriga.engine.text import catalogues
from quadriga.version import __version__

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


APPLICATION = application(catalogues.of("en", "quadriga.cli"))


def commands(group: click.Group = APPLICATION, before: str = "") -> list[str]:
    found = []
    for name, command in group.commands.items():
        found += commands(command, f"{name} ") if isinstance(command, click.Group) else [f"{before}{name}"]
    return found


def test_every_command_is_documented():
    text = README + (ROOT / "docs" / "commands.md").read_text()
    for command in commands():
        assert f"quadriga {command}" in text, command


def options(command: click.Command) -> set[str]:
    found = {name for parameter in command.params for name in parameter.opts if name.startswith("--")}
    return found.union(*(options(each) for each in getattr(command, "commands", {}).values()))


def test_every_option_of_every_command_is_documented():
    text = (ROOT / "docs" / "commands.md").read_text()
    found = options(APPLICATION)
    assert len(found) > 30
    for option in found:
        assert option in text, option


def test_the_readme_opens_with_the_two_commands():
    opening = README[:1200]
    assert opening.index("make play") < opening.index("make test")


def test_every_claim_of_the_readme_has_a_link_to_its_proof():
    claims = re.findall(r"^- \*\*(.*(?:\n  .*)*)", README, re.M)
    assert len(claims) > 5
    assert [claim for claim in claims if "](" not in claim] == []


def test_the_pictures_of_the_readme_are_small_and_one_moves():
    from PIL import Image

    pictures = [ROOT / name for name in re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)]
    assert len(pictures) == 3
    assert all(picture.stat().st_size < 250_000 for picture in pictures)
    moving = []
    for picture in pictures:
        with Image.open(picture) as image:
            moving.append(getattr(image, "n_frames", 1) > 1)
    assert moving == [True, False, False]


def test_documents_and_the_changelog_name_the_version_that_there_is():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    named = {
        found for page in pages for found in re.findall(r"quadriga\[[a-z,]+\]==([\d.]+)", page.read_text("utf-8"))
    }
    assert named == {__version__}
    assert re.search(
        rf"^## \[{re.escape(__version__)}\] - \d{{4}}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )


def test_nothing_outside_the_project_is_named():
    for path in [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "Makefile"]:
        text = path.read_text()
        assert "../shared" not in text, path
        assert "/work/" not in text, path


MAPS = [ROOT / "docs" / "architecture.md", *sorted((ROOT / "docs" / "code").glob("*.md"))]


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.name)
def test_a_map_of_the_code_names_only_modules_that_there_are(page):
    modules = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in ("src", "scripts")
        for path in (ROOT / folder).rglob("*.py")
    ]
    named = re.findall(r"[\w/]+\.py\b", page.read_text("utf-8"))
    assert named
    assert [name for name in named if not any(module.endswith(f"/{name}") for module in modules)] == []


def test_the_package_ships_its_words_and_types():
    package = ROOT / "src" / "quadriga"
    assert (package / "py.typed").exists()
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert built["packages"] == ["src/quadriga"]
    for catalogue in package.rglob("words/en.toml"):
        assert (catalogue.parent / "fr.toml").exists()


def test_files_stay_readable():
    """A file that needs a table of contents should be two files."""
    for path in (ROOT / "src").rglob("*.py"):
        assert len(path.read_text().splitlines()) <= 400, path
