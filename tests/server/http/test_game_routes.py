"""Custom files that are uploaded: read like those of the command line."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from quadriga.engine.errors import FileError
from quadriga.engine.match import options as opts
from quadriga.games import find
from server.support.harness import Server


@pytest.mark.parametrize(
    ("game", "option", "name"),
    [
        ("ben-hvrt", "deck", "deck.toml"),
        ("ben-hvrt", "track", "track.toml"),
        ("ave-caesar", "course", "courses.json"),
    ],
)
def test_a_file_of_one_s_own_is_read_as_the_command_line_reads_it(
    server: Server, tmp_path: Path, game: str, option: str, name: str
):
    text = files(find(game).package).joinpath("data", name).read_text("utf-8")
    path = f"/api/games/{game}/files/{option}"
    status, read = server.call("POST", path, {"name": name, "text": text})
    assert status == 200
    setup = {"game": game, "name": "Ann", "options": {option: read["document"]}, "seats": [{"kind": "me"}] * 3}
    assert server.call("POST", "/api/tables", setup)[0] == 201

    bad = tmp_path / name
    bad.write_text(
        text.replace('window = "RO"', 'window = "XX"', 1).replace("square", "sqare").replace("{", "[", 1)
    )
    status, said = server.call("POST", path, {"name": str(bad), "text": bad.read_text()})
    assert status == 400
    with pytest.raises(FileError) as refused:
        opts.parse(find(game).options, [f"{option}={bad}"])
    assert said["text"]["en"] == refused.value.text("en")
    assert "line" in said["text"]["en"]


def test_only_options_that_take_a_file_take_one(server: Server):
    status, said = server.call("POST", "/api/games/ur/files/markers", {"name": "x.toml", "text": ""})
    assert (status, said["code"]) == (404, "file.option")
