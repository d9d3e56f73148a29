"""Every code block and every command of README and docs/ works as it stands; long runs are made short."""

from __future__ import annotations

import asyncio
import doctest
import json
import re
import tomllib
from pathlib import Path

import click
import pytest

import quadriga
from docs.blocks import PAGES, blocks, commands, inline_commands
from quadriga import games, players
from quadriga.cli import main
from quadriga.cli.app import application
from quadriga.engine.text import catalogues
from soak import SOAK
from support import ROOT

LANGUAGES = {"", "sh", "pycon", "python", "toml", "json", "text"}  # "" is a tree of folders
TESTED_ELSEWHERE = {"docs/research.md": "tests/adapters/test_research.py"}  # needs other extras
GUIDE = "docs/hosting.md"  # its commands are for a machine of its own: tests/server/cluster/test_guide.py
NOT_RUN = {"serve", "warmup"}  # tests/server and tests/engine run them
GAMES = "4"

EXAMPLES = {page: text for page, text in PAGES.items() if ">>> " in text and page not in TESTED_ELSEWHERE}


def test_every_block_is_of_a_kind_that_is_tested():
    assert {block.language for block in blocks()} <= LANGUAGES
    assert len(commands()) > 30
    for page, by in TESTED_ELSEWHERE.items():
        assert Path(page).name in (ROOT / by).read_text()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the documents speak of, without games and bots of other packages."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUADRIGA_REPORTS", str(tmp_path / "reports"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(games, "_plugins", dict)
    monkeypatch.setattr(players, "_plugins", dict)
    deck, track, _ = (block.text for block in blocks("toml") if block.page == "docs/decks.md")
    (tmp_path / "mine.toml").write_text(deck)
    (tmp_path / "short.toml").write_text(track)
    (tmp_path / "my-deck.toml").write_text(deck)
    (course,) = (block.text for block in blocks("json") if block.page == "docs/courses.md")
    (tmp_path / "mine.json").write_text(course)
    (bot,) = (block.text for block in blocks("python") if block.page == "docs/bots.md")
    (tmp_path / "merchant.py").write_text(bot)
    match = quadriga.new("ur", seed=1, markers=1)
    while not match.over:
        match.push(match.legal()[0])
    quadriga.save(match, tmp_path / "record.jsonl")
    return tmp_path


async def open_house(path: Path) -> None:
    """Make a store with the members that the documents speak of."""
    from quadriga.server.people.accounts import Accounts
    from quadriga.server.storage.address import open_store

    path.parent.mkdir(parents=True)
    store = await open_store(path)
    for name in ("Mo", "Bob"):
        visitor, _ = await Accounts(store).create("a device")
        await Accounts(store).keep(visitor.person, name)
    await store.close()


@pytest.mark.parametrize("page", EXAMPLES)
def test_the_python_examples_of_a_page_are_true(page, folder):
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=options)
    assert tried > 5
    assert failed == 0


def test_the_example_with_polars_reads_a_study(folder, capsys):
    (block,) = (block for block in blocks("python") if block.page == "docs/lab.md")
    assert (
        run(["quadriga", "lab", "ur", "--option", "markers=1", "--games", "4", "--reviews", "0", "--out", "study"])
        == 0
    )
    capsys.readouterr()
    exec(compile(block.text, block.id, "exec"), {})
    assert "greedy" in capsys.readouterr().out


def test_the_bot_of_the_page_is_the_example():
    (bot,) = (block.text for block in blocks("python") if block.page == "docs/bots.md")
    assert bot == (ROOT / "examples" / "merchant.py").read_text()


@pytest.mark.parametrize("block", blocks("toml", "json"), ids=lambda block: block.id)
def test_a_file_in_a_document_is_well_formed(block):
    (tomllib.loads if block.language == "toml" else json.loads)(block.text)


def shortened(words: list[str]) -> list[str]:
    """Return a command that does the same with few games, bots that need no compiling, and no cluster."""
    rest = [re.sub(r"search:\d+|^master(?=,)", "random", word) for word in words]
    rest = [re.sub(r"(?<=,)hard$", "greedy", word) for word in rest]
    for option, value in (("--games", GAMES), ("--workers", "1")):
        if option in rest:
            rest[rest.index(option) + 1] = value
    if "--cluster" in rest:
        at = rest.index("--cluster")
        del rest[at : at + 2]
    if rest[1] in ("arena", "lab") and "--games" not in rest:
        rest += ["--games", GAMES]
    if rest[1] == "lab":
        rest += [*([] if "--reviews" in rest else ["--reviews", "0"]), "--workers", "1"]
    compared = [at for at, word in enumerate(rest) if word == "--against"]
    for at in reversed([] if SOAK else compared[1:]):  # seconds for the charts of each
        del rest[at : at + 2]
    return rest


def run(words: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(words[1:])
    return int(end.value.code or 0)


def check_words(words: list[str]) -> None:
    """Raise a click error for a command or an option that there is not."""
    command: click.Command = application(catalogues.of("en", "quadriga.cli"))
    rest = words[1:]
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        command = command.commands[rest.pop(0)]
    known = {name for each in command.params for name in each.opts} | {"--help", "-h", "--lang", "-"}
    for word in rest:
        if word.startswith("-"):
            assert word.partition("=")[0] in known, (words, word)


OURS = [
    (place, words)
    for place, words in commands()
    if words[0] == "quadriga" and not place.startswith("docs/decks.md")  # tests/docs/test_examples.py
]
RUN = {place: [words for where, words in OURS if where == place] for place, _ in OURS}
STUDIES = {
    " ".join(shortened(words)): place for place, words in reversed(OURS) if words[1] == "lab"
}  # its first block


@pytest.mark.parametrize("place", RUN)
def test_the_commands_of_a_block_run(place, folder, capsys, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt="": "q")
    if any(words[1] == "admin" for words in RUN[place]):
        asyncio.run(open_house(folder / "data" / "quadriga" / "tables.sqlite"))
    studies = 0
    for words in RUN[place]:
        check_words(words)
        studies += words[1] == "lab"
        if words[1] in NOT_RUN or "--make" in words:  # tests/learn makes puzzles
            continue
        is_first = words[1] != "lab" or (studies == 1 and STUDIES[" ".join(shortened(words))] == place)
        if not is_first and not SOAK:  # seconds each; the first of a block is enough here
            continue
        assert run(shortened(words)) == 0, (words, capsys.readouterr().err)
        assert capsys.readouterr().out, words


def extras_of(wanted: str) -> set[str]:
    """Return the extras that a command installs Quadriga with."""
    found = re.fullmatch(r"quadriga\[([a-z,]+)\](==[\d.]+)?", wanted)
    assert found, wanted
    return set(found[1].split(","))


OTHERS = [(place, words) for place, words in commands() if words[0] != "quadriga" and not place.startswith(GUIDE)]


@pytest.mark.parametrize(("place", "words"), OTHERS, ids=str)
def test_other_commands_name_what_there_is(place, words):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    match words:
        case ["make", target]:
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        case ["uvx", "--from", what, *command]:  # tests/packaging runs it with the wheel
            assert extras_of(what) <= set(project["optional-dependencies"])
            check_words(command)
        case ["docker", "build", "--tag", _, "--file", file, "dist"]:
            assert (ROOT / file).exists()
        case ["docker", "run", "--publish", ports, "--volume", volume, image]:
            built = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
            assert f"EXPOSE {ports.rpartition(':')[2]}\n" in built
            assert f"VOLUME {volume.rpartition(':')[2]}\n" in built
            assert any(
                words[:2] == ["docker", "build"] and image in words for where, words in OTHERS if where == place
            )
        case ["pip" | "pipx", "install", what]:
            assert extras_of(what) <= set(project["optional-dependencies"])
        case ["ray", "start" | "up" | "down" | "exec", *rest]:  # tests/lab/executors starts a cluster
            assert all((ROOT / word).exists() for word in rest if word.endswith(".yaml"))
            for word in rest:
                if "bin/quadriga" in word:
                    check_words(word.split())
        case ["git", "clone", *_]:
            pass
        case _:
            raise AssertionError(f"{place}: nothing tests {words}")


@pytest.mark.parametrize("page", PAGES)
def test_no_command_is_in_a_block_without_a_language(page):
    rest = re.sub(r"^( *)```.*?^\1```$", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"^ {4}(?:quadriga|pip|make|docker|python3?) .*$", rest, re.MULTILINE) == []


def test_commands_within_sentences_exist():
    found = inline_commands()
    assert len(found) > 60
    for _, words in found:
        if words[1:] and words[1] not in ("COMMAND", "table", "NAME"):
            check_words(words)
