"""Files of version 0.2.0 and of development versions after it: all open, and rooms of older rules are closed.

`test_old_files.py` has those of 0.1.0, some of which are refused with one sentence.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from quadriga.cli import main
from server.support.in_process import in_process
from support import ROOT

FIXTURES = ROOT / "tests" / "fixtures"
GAMES = ("ur", "ave-caesar", "ben-hvrt")
OLDER_RULES: dict[str, set[str]] = {  # games whose rules have changed since: their rooms are closed
    "0.2.0": {"ben-hvrt"},
    "0.2.0-dev-5cf94823": {"ben-hvrt"},
    "0.2.0-dev-089ca1db": set(),
}
versions = pytest.mark.parametrize("version", OLDER_RULES)


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command here; return its exit code, and what it prints on standard output and on standard error."""
    monkeypatch.setattr("builtins.input", lambda prompt="": "q")
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([*words, "--lang", "en"])
        said = capsys.readouterr()
        return int(end.value.code or 0), said.out, said.err

    return command


def test_every_folder_of_files_is_tested():
    assert {*OLDER_RULES, "0.1.0"} == {
        path.name for path in FIXTURES.iterdir() if path.is_dir() and path.name[0].isdigit()
    }


@versions
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["record", "save"])
def test_a_file_of_a_game_opens(version, game, kind, run, tmp_path):
    file = tmp_path / f"{kind}.jsonl"
    shutil.copy(FIXTURES / version / f"{kind}-{game}.jsonl", file)
    code, out, err = run("verify", str(file)) if kind == "record" else run("play", "--resume", str(file))
    assert (code, err) == (0, "")
    assert out


@versions
async def test_every_room_of_a_store_loads_or_is_closed(version, tmp_path):
    for name in ("tables.sqlite", "tables.sqlite.numbers"):
        shutil.copy(FIXTURES / version / name, tmp_path)
    rooms: list[dict[str, Any]] = json.loads((FIXTURES / version / "rooms.json").read_text("utf-8"))
    assert len(rooms) == 5
    async with in_process(Path(tmp_path / "tables.sqlite")) as server:
        for room in rooms:
            is_closed = room["name"].split()[0] in OLDER_RULES[version]
            status, said = await server.fetch("GET", f"/api/tables/{room['id']}")
            assert (status, said["status"]) == (200, "closed" if is_closed else room["status"]), room["name"]
            if room["status"] == "playing" and not is_closed:  # and it goes on
                client = await server.connect(room["id"], room["token"])
                shown = await client.until("view")
                assert shown["number"] == room["number"]
                await client.act(next(each["text"] for each in shown["legal"] if not each.get("family")), ref="on")
                await client.until("done", ref="on")
