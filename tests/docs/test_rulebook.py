"""The numbered rules in docs/rules: every cited id can be looked up there, and every id has a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from quadriga.cli import main

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
ID = re.compile(r"\b(?:UR|AC|BH)-(?:V\d+|\d+(?:\.\d+)?)")
NAMED = re.compile(r"def test_(ur|ac|bh)_(v\d+|\d+(?:_\d+)?)_")
PARAGRAPH = re.compile(r"^\*\*((?:UR|AC|BH)-(?:V\d+|\d+(?:\.\d+)?))\b", re.M)
TEXTS = (".py", ".md", ".toml", ".ts", ".svelte")
PLAYERS = {"UR": "quadriga.games.ur", "AC": "quadriga.games.avecaesar", "BH": "quadriga.games.benhvrt"}
MARK = "†"


def numbered() -> dict[str, str]:
    """Return every rule of docs/rules by its id."""
    found = {}
    for path in RULES.glob("*.md"):
        text = path.read_text("utf-8")
        for part in re.split(r"\n(?=\*\*(?:UR|AC|BH)-)", text):
            if start := PARAGRAPH.match(part):
                assert start[1] not in found, f"{start[1]} stands twice"
                found[start[1]] = part
    return found


RULEBOOK = numbered()
SECTIONS = {id.partition(".")[0] for id in RULEBOOK}
RULINGS = sorted(id for id, text in RULEBOOK.items() if re.search(r"\*rulings?\b|\brulings\.\*\*", text, re.I))


def texts(*folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in (ROOT / folder).rglob("*"):
            hidden = {"node_modules", "page"} & set(path.parts)
            if path.suffix in TEXTS and not hidden and RULES not in path.parents:
                yield path, path.read_text("utf-8")


def ids_of_tests() -> set[str]:
    found = set()
    for path, text in texts("tests"):
        if path != Path(__file__):
            found |= {*ID.findall(text)}
            found |= {f"{game.upper()}-{number.upper().replace('_', '.')}" for game, number in NAMED.findall(text)}
    return found


def test_there_are_rules_of_all_three_games():
    assert len([id for id in RULEBOOK if id.startswith("UR-")]) >= 19
    assert len([id for id in RULEBOOK if id.startswith("AC-")]) >= 27
    assert len([id for id in RULEBOOK if id.startswith("BH-")]) >= 39


def test_every_cited_id_can_be_looked_up():
    unknown = {
        f"{id} in {path.relative_to(ROOT)}"
        for path, text in texts("src", "tests", "docs", "web", "benchmarks", "examples")
        for id in ID.findall(text)
        if id not in RULEBOOK and id not in SECTIONS
    }
    assert unknown == set()


def test_every_id_is_cited_by_a_test():
    assert sorted(set(RULEBOOK) - ids_of_tests()) == []


def listed_rulings() -> list[str]:
    """Return the items of the lists of rulings."""
    text = (ROOT / "docs" / "rulings.md").read_text("utf-8")
    lists = re.findall(r"^Rulings:\n\n(.*?)\n\n", text, re.M | re.S)
    assert len(lists) == len(PLAYERS)
    return [item for part in lists for item in re.split(r"\n(?=- )", part)]


def test_every_ruling_is_listed_and_every_listed_one_is_marked():
    listed = [re.match(rf"- \*\*({ID.pattern})\*\* ", item) for item in listed_rulings()]
    assert sorted({found[1] for found in listed if found}) == RULINGS
    assert all(listed)


def test_every_ruling_is_argued():
    for item in listed_rulings():
        why = item.partition("*Why:*")[2]
        assert len(why) > 25, item


def test_these_rulings_are_marked():
    """Those that were decided without a mark once."""
    ids = "BH-1.4 BH-2.2 BH-4.1 BH-6.7 BH-6.9 BH-7.5 BH-8.1 BH-8.4 UR-1"
    assert {*ids.split(), *"AC-3.4 AC-4.1 AC-5.4 AC-5.5 AC-6.2 AC-V1 AC-V3".split()} <= {*RULINGS}


def test_the_rules_do_not_name_files_that_are_not_there():
    for path in RULES.glob("*.md"):
        for name in re.findall(r"`((?:src|tests|docs)/[\w./-]+)`", path.read_text("utf-8")):
            assert (ROOT / name).exists(), f"{name} in {path.name}"


def cited(block: str) -> set[str]:
    """Return the ids in the italics of a block; `AC-4.1 to AC-4.5` names all five."""
    found = set()
    for first, last in re.findall(rf"({ID.pattern})(?: (?:to|à) ({ID.pattern}))?", block):
        found.add(first)
        if last:
            part, low = first.rsplit(".", 1)
            found |= {f"{part}.{n}" for n in range(int(low), int(last.rsplit(".", 1)[1]) + 1)}
    return found


def blocks(text: str) -> list[str]:
    return re.split(r"\n\n|\n(?=- |\d\. )", text)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", PLAYERS)
def test_the_rules_for_players_mark_every_house_ruling(game, language):
    page = (resources.files(PLAYERS[game]) / "words" / f"rules.{language}.md").read_text("utf-8")
    marked = set().union(*(cited(block) for block in blocks(page) if MARK in block))
    assert sorted({id for id in RULINGS if id.startswith(game)} - marked) == []
    legend = blocks(page)[1]  # the first paragraph under the title says what the mark means
    assert f"**{MARK}**" in legend


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", PLAYERS)
def test_the_rules_for_players_cite_only_rules_that_there_are_and_all_of_them(game, language):
    page = (resources.files(PLAYERS[game]) / "words" / f"rules.{language}.md").read_text("utf-8")
    named = set().union(*map(cited, blocks(page)))
    assert named == {id for id in RULEBOOK if id.startswith(game)}


@pytest.mark.parametrize(
    "path",
    [*(ROOT / "src").glob("quadriga/games/*/words/rules.*.md"), *(ROOT / "web" / "src").rglob("*words/*.ts")],
)
def test_the_page_names_no_flag_of_the_command_line(path):
    assert re.findall(r"(?<![\w-])--[a-z][\w-]*", path.read_text("utf-8")) == []


RECONSTRUCTED = {"en": "What is reconstructed", "fr": "Ce qui est reconstitué"}


@pytest.mark.parametrize("language", RECONSTRUCTED)
@pytest.mark.parametrize("game", PLAYERS)
def test_the_rules_for_players_say_what_is_reconstructed(game, language):
    page = (resources.files(PLAYERS[game]) / "words" / f"rules.{language}.md").read_text("utf-8")
    assert f"\n## {RECONSTRUCTED[language]}\n" in page


LEGENDS = {"en": f"{MARK} marks a house ruling", "fr": f"{MARK} signale une règle maison"}


@pytest.mark.parametrize("language", LEGENDS)
@pytest.mark.parametrize("game", ["ur", "ave-caesar", "ben-hvrt"])
def test_the_terminal_shows_house_rulings_and_what_the_mark_means(game, language, monkeypatch, capsys):
    monkeypatch.setenv("QUADRIGA_LANG", language)
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["rules", game])
    shown = capsys.readouterr().out
    assert LEGENDS[language] in " ".join(shown.split())
    assert shown.count(MARK) > 4
    assert max(map(len, shown.splitlines())) <= 80
