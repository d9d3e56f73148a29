"""Requests about games: custom files, which are read like those of the command line, lessons and puzzles."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

import msgspec
import pytest

from quadriga.engine.errors import FileError
from quadriga.engine.match import options as opts
from quadriga.games import find
from quadriga.learn.lesson import course, games_with_courses
from quadriga.learn.puzzles import games_with_puzzles, puzzles
from quadriga.server.messages import lessons
from quadriga.server.messages.lessons import lesson_course
from quadriga.server.protocol.lesson_answers import Course
from server.support.harness import Server


@pytest.mark.parametrize(
    ("game", "option", "name"),
    [
        ("ben-hvrt", "deck", "deck.toml"),
        ("ben-hvrt", "track", "track.toml"),
        ("ave-caesar", "course", "courses.json"),
    ],
)
def test_a_custom_file_is_read_as_the_command_line_reads_it(
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


def test_a_file_for_an_option_without_files_is_refused(server: Server):
    status, said = server.call("POST", "/api/games/ur/files/markers", {"name": "x.toml", "text": ""})
    assert (status, said["code"]) == (404, "file.option")


def test_every_game_has_its_lessons_on_the_server(server: Server):
    """Those of another package, too, which the page was not built with."""
    games = {game["id"]: game for game in server.get("/api/games")["games"]}
    assert [id for id, game in games.items() if game["lessons"]] == ["ur", "ave-caesar", "ben-hvrt", "highcard"]
    for id in games_with_courses():
        answer = server.get(f"/api/games/{id}/lessons")
        assert answer == msgspec.json.decode(msgspec.json.encode(lesson_course(id)))
        assert [lesson["id"] for lesson in answer["lessons"]] == [lesson.id for lesson in course(id).lesson]
    assert [tip["id"] for tip in server.get("/api/games/highcard/lessons")["race"]["tips"]] == ["welcome", "answer"]


def test_puzzles_come_in_parts(server: Server):
    games = {game["id"]: game for game in server.get("/api/games")["games"]}
    assert [id for id, game in games.items() if game["puzzles"]] == games_with_puzzles()
    shared = server.get("/api/games/ur/puzzles")
    parts = -(-len(shared["grades"]) // shared["part"])
    found = [puzzle for part in range(parts) for puzzle in server.get(f"/api/games/ur/puzzles/{part}")["puzzles"]]
    assert [puzzle["id"] for puzzle in found] == [puzzle.id for puzzle in puzzles("ur")]
    assert [puzzle["grade"] for puzzle in found] == shared["grades"]
    status, said = server.call("GET", f"/api/games/ur/puzzles/{parts}")
    assert (status, said["code"], said["with"]["last"]) == (404, "puzzles.part", parts - 1)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/games/nim/lessons", "lessons.none"),
        ("/api/games/nim/puzzles", "puzzles.none"),
        ("/api/games/nim/puzzles/0", "puzzles.none"),
        ("/api/games/chess/lessons", "game.unknown"),
        ("/api/games/chess/puzzles", "game.unknown"),
    ],
)
def test_a_game_without_lessons_or_puzzles_is_refused(server: Server, path: str, code: str):
    status, said = server.call("GET", path)
    assert (status, said["code"]) == (404, code)


def fetched(
    server: Server, path: str, headers: Mapping[str, str] = MappingProxyType({})
) -> tuple[int, bytes, Message]:
    """Return the status, body and headers of an answer about Ur."""
    connection = http.client.HTTPConnection(server.address.removeprefix("http://"))
    try:
        connection.request("GET", f"/api/games/ur/{path}", headers=dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["lessons", "puzzles", "puzzles/0"])
def test_a_browser_that_has_the_lessons_is_not_sent_them_again(server: Server, path: str):
    status, body, headers = fetched(server, path)
    tag = headers["etag"]
    assert (status, headers["cache-control"]) == (200, "no-cache")
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        status, sent, headers = fetched(server, path, {"if-none-match": known})
        assert (status, sent, headers["etag"]) == (304, b"", tag)
    assert fetched(server, path, {"if-none-match": '"other"'})[:2] == (200, body)


def test_lessons_that_many_ask_for_at_once_are_made_once(monkeypatch: pytest.MonkeyPatch):
    made: list[str] = []
    begun = threading.Barrier(8)

    def course_of(game: str) -> Course:
        made.append(game)
        return lesson_course(game)

    def ask(_: int) -> lessons.Made:
        begun.wait()
        return lessons.encoded_course("ur")

    monkeypatch.setattr(lessons, "lesson_course", course_of)
    lessons._encoded_course.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(8)))
    lessons._encoded_course.cache_clear()
    assert made == ["ur"]
    assert len({answer.tag for answer in answers}) == 1
