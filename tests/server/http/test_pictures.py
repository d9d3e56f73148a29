"""Pictures of tables: what a posted link shows, what it never shows, and how many there may be."""

from __future__ import annotations

import io
import signal
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.server.messages.drawings import drawing
from quadriga.server.workers.pictures import ANIMATED_SIZE, SIZE
from server.support.harness import Server

Image = pytest.importorskip("PIL.Image")


def fetched(server: Server, path: str) -> tuple[bytes, dict[str, str]]:
    with urllib.request.urlopen(server.address + path) as answer:
        return answer.read(), {name.lower(): value for name, value in answer.headers.items()}


async def test_a_posted_link_shows_the_board_and_a_finished_game_moves(server: Server):
    table, _ = server.create("ur", "bot bot", options={"markers": 1})
    client = await server.connect(table)
    while not client.over:
        await client.hear()
    await client.close()
    page, _ = fetched(server, f"/replay/{table}?step=3&seat=0")
    picture = f"{server.address}/api/tables/{table}/picture?step=3"
    assert f'<meta property="og:image" content="{picture}" />'.encode() in page
    raw, headers = fetched(server, f"/api/tables/{table}/picture?step=3")
    assert headers["content-type"] == "image/png"
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert Image.open(io.BytesIO(raw)).size == SIZE
    assert raw != fetched(server, f"/api/tables/{table}/picture")[0]
    moving = Image.open(io.BytesIO(fetched(server, f"/api/tables/{table}/animation")[0]))
    assert moving.format == "GIF"
    assert 2 <= moving.n_frames <= 36
    assert moving.width <= ANIMATED_SIZE[0]


def test_a_running_game_has_a_picture_but_neither_steps_nor_an_animation(server: Server):
    table, _ = server.create("ave-caesar", "me open open")
    assert server.call("GET", f"/api/tables/{table}/picture")[1]["code"] == "picture.none"
    server.join(table, "Bob")
    table, _ = server.create("ave-caesar", "me bot bot")
    assert Image.open(io.BytesIO(fetched(server, f"/api/tables/{table}/picture")[0])).size == SIZE
    for path in ("picture?step=0", "animation"):
        assert server.call("GET", f"/api/tables/{table}/{path}")[1]["code"] == "table.not-over"


@pytest.mark.parametrize("game", ["ave-caesar", "ben-hvrt"])
def test_hidden_cards_are_in_no_picture(game: str):
    match = Match(find(game), None, 3, SeededDice(2))
    other, rng = match.clone(), Rng()
    start(rng, 7, 1)
    match.game.rules.deal(match.t, other.s, NOBODY, rng)
    assert other.s.tobytes() != match.s.tobytes()
    assert drawing(other) == drawing(match)


@pytest.mark.parametrize("step", ["x", "1%22%3E%3Cscript%3E", "-1", "9" * 12])
def test_a_strange_step_is_not_written_into_the_page(server: Server, step: str):
    page, _ = fetched(server, f"/replay/abc?step={step}")
    assert b"/api/tables/abc/picture" in page
    assert b"?step=" not in page


def test_an_address_gets_so_many_pictures(tmp_path: Path):
    server = Server(tmp_path / "tables.sqlite", pictures=0.0, picture_burst=2.0).start()
    try:
        table, _ = server.create("ur", "me bot")
        said = [server_status(server, table) for _ in range(3)]
        assert said == [200, 200, 429]
    finally:
        server.kill(signal.SIGTERM)


def server_status(server: Server, table: str) -> int:
    try:
        with urllib.request.urlopen(f"{server.address}/api/tables/{table}/picture") as answer:
            found: int = answer.status
            return found
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code
