"""Documents with examples: the examples are true."""

import json
import re
import shlex
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from quadriga.cli import main
from quadriga.engine.text import catalogues
from quadriga.games.benhvrt.deck.operations import AU, CHARIOT, OPS, PAIR, RE, RIVAL, TYPES, VALUE, WINDOWS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_example_course_can_be_raced():
    from quadriga.games.avecaesar.board import courses

    (example,) = re.findall(r"```json\n(.*?)```", (DOCS / "courses.md").read_text(), re.S)
    assert list(courses(json.loads(example))) == ["mine cw", "mine ccw"]


@pytest.fixture
def example(tmp_path, monkeypatch):
    """Write the files of docs/decks.md to a folder."""
    text = (DOCS / "decks.md").read_text()
    deck, track, board = re.findall(r"```toml\n(.*?)```", text, re.S)
    (tmp_path / "board.toml").write_text(board)
    (tmp_path / "mine.toml").write_text(deck)
    (tmp_path / "short.toml").write_text(track)
    monkeypatch.chdir(tmp_path)
    return text


def run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command)[1:])
    code = end.value.code or 0
    assert isinstance(code, int)
    return code, capsys.readouterr().out


def test_the_commands_about_decks_and_tracks_work_as_they_stand(example, capsys, monkeypatch):
    (commands,) = re.findall(r"```sh\n(.*?)```", example, re.S)
    for command in commands.splitlines():
        if " play " in command:
            monkeypatch.setattr("builtins.input", lambda prompt="": "q")
        code, out = run(command, capsys)
        assert code == 0, command
        assert out, command
    assert Path("short.svg").read_text().startswith("<svg")


def test_checks_say_what_the_document_shows(example, capsys):
    (shown,) = re.findall(r"```text\n(.*?)```", example, re.S)
    said = [run(f"quadriga {what}", capsys)[1] for what in ("deck check mine.toml", "track check short.toml")]
    assert "".join(said) == shown


def test_bh_1_5_the_example_board_is_a_good_track(example, capsys):
    code, said = run("quadriga track check board.toml", capsys)
    assert code == 0
    assert "from the inside: 15, 19. Chariots line up in 2 ranks." in said


def test_every_operation_is_documented_with_its_kinds_and_windows():
    rows = re.findall(
        r"^\| `\[\"([a-z-]+)\".*?\]` \| (.*?) \| (.*?) \| (.*) \|$", (DOCS / "decks.md").read_text(), re.M
    )
    assert [row[0] for row in rows] == list(OPS)
    for word, kinds, windows, what in rows:
        operation = OPS[word]
        assert kinds.split(", ") == [TYPES[kind] for kind in operation.types]
        named = [] if operation.in_force else [WINDOWS[window] for window in sorted(operation.windows)]
        assert windows.strip() == ("all" if len(named) == len(WINDOWS) - 1 else ", ".join(named))
        assert ("`per`" in what) == operation.limited
        for least, most in operation.ranges:
            assert word == "natural" or f"{least} to {most}".replace("-", "−") in what, word


def test_bh_7_7_the_document_says_of_every_operation_what_it_does_in_each_window_or_why_it_is_refused():
    text = (DOCS / "decks.md").read_text()
    rows = re.findall(r"^\| `([a-z-]+)` \| " + r" \| ".join([r"([^|]+?)"] * 7) + r" \|$", text, re.M)
    assert [row[0] for row in rows] == list(OPS)
    reasons = dict(re.findall(r"^- (\([a-z]\)) (.*)$", text, re.M))
    say = catalogues.of("en", "quadriga.games.benhvrt")
    told = {CHARIOT: "a named chariot", RIVAL: "a named rival", PAIR: "two named chariots", VALUE: "a value"}
    used = set()
    for word, *cells in rows:
        for window, cell in zip(range(AU, RE + 1), cells, strict=True):
            operation = OPS[word]
            if window in operation.windows:
                assert cell not in reasons, (word, window)
                assert [what for what, said in told.items() if said in cell] == (
                    [operation.windows[window]] if operation.windows[window] else []
                ), (word, window)
            else:
                assert reasons[cell] == say(f"error.deck.why.{operation.refused[window]}"), (word, window)
                used.add(cell)
    assert used == set(reasons)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_of_ben_hvrt_list_every_card_as_it_is(language):
    rules = (resources.files("quadriga.games.benhvrt") / "words" / f"rules.{language}.md").read_text("utf-8")
    document = tomllib.loads((resources.files("quadriga.games.benhvrt") / "data" / "deck.toml").read_text("utf-8"))
    for card in document["card"]:
        said = card if language == "en" else card["fr"]
        upkeep = [f"{card['upkeep']} D"] if "upkeep" in card else []
        window = card.get("window", "–")
        row = [said["name"], str(card["copies"]), f"{card['price']} D", window, *upkeep, said["text"]]
        assert f"| {' | '.join(row)} |" in rules, card["name"]
    assert len(re.findall(r"^\|.* D \|", rules, re.M)) == len(document["card"])


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_of_ben_hvrt_cite_every_rule_there_is(language):
    rules = (resources.files("quadriga.games.benhvrt") / "words" / f"rules.{language}.md").read_text("utf-8")
    parts = {1: 4, 2: 4, 3: 3, 4: 3, 5: 4, 6: 9, 7: 6, 8: 4}
    for part, rule in ((part, rule) for part, most in parts.items() for rule in range(1, most + 1)):
        assert f"BH-{part}.{rule}" in rules, f"BH-{part}.{rule}"
