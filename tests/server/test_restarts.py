"""A restarted server loads many rooms at once, and no decoder is built while it serves."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import quadriga
from server.harness import Server
from soak import count

ROOMS = 24
RESTARTS = count(3, 100)
CODE = Path(quadriga.__file__).parent
SERVED = ("engine", "games", "server", "players")  # packages whose code runs in the server's threads


def test_a_restarted_server_loads_many_cold_rooms_at_once(tmp_path: Path):
    server = Server(tmp_path / "tables.sqlite").start()
    options = {"ave-caesar": {"courses": ["blue cw"]}, "ben-hvrt": {"series": [1]}, "ur": {}}
    games = sorted(options)
    try:
        made = [games[number % 3] for number in range(ROOMS)]
        ids = [
            server.create(game, "me bot bot" if game[0] == "a" else "me bot", options=options[game])[0]
            for game in made
        ]
        for _ in range(RESTARTS):
            server.kill()
            server.start()
            with ThreadPoolExecutor(ROOMS) as many:
                answers = list(many.map(lambda room: server.call("GET", f"/api/tables/{room}"), ids))
            assert [(status, table["game"]) for status, table in answers] == [(200, game) for game in made]
    finally:
        server.kill()


def _builds_decoder(call: ast.Call) -> bool:
    """Whether a call builds a decoder for a type, as `msgspec.json.decode(raw, type=Kind)` does each time."""
    name = ast.unparse(call.func)
    typed = any(keyword.arg == "type" for keyword in call.keywords)
    return name == "msgspec.convert" or (name in ("msgspec.json.decode", "msgspec.msgpack.decode") and typed)


@pytest.mark.parametrize("package", SERVED)
def test_decoders_are_built_at_import(package: str):
    """Two threads that build the decoder of one Struct type at the same time can crash the process."""
    assert (CODE / package).is_dir()
    found = [
        f"{path.relative_to(CODE)}:{node.lineno}"
        for path in sorted((CODE / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and _builds_decoder(node)
    ]
    assert found == []
