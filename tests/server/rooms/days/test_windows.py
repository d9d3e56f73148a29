"""BH-7.4 by days: reaction windows wait for nobody, and nothing tells who could have played in them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

from quadriga.engine.kernels.rng import Rng, start
from quadriga.server.rooms.room import Room
from quadriga.server.state.events import Moves
from server.rooms.days.support import log_of, visit
from server.support.in_process import InProcessServer, in_process
from server.support.tables import copy_room, start_table
from soak import count

COMPARED = count(12, 150)  # moves in two worlds
_TIMED = re.compile(r'"due":\d+')


async def begun(server: InProcessServer) -> tuple[str, list[str]]:
    """Start a race of three people by days, who would be asked in every window of a live game."""
    return await start_table(
        server,
        "ben-hvrt",
        "me open open",
        options={"series": [1], "bribes": True},
        dice={"kind": "seeded", "seed": 5},
        days={"days": 2},
    )


async def test_no_window_stays_open_in_a_whole_race_by_days(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await begun(server)
        room, rng = await server.registry.room(table), random.Random(1)
        in_windows = 0
        while not room.state.over and in_windows < count(60, 10**6):
            assert room.session.window is None
            await visit(server, table, tokens[room.session.match.actor], rng)
            room = await server.registry.room(table)
            in_windows = sum(room.session.in_window)
        passed = [
            by for by, in_window in zip(room.session.origins, room.session.in_window, strict=True) if in_window
        ]
        assert len(passed) > 20
        assert set(passed) <= {"table", "person"}
        assert passed.count("table") > 0.9 * len(passed)  # a Driver's choice is public, and waits


async def test_equal_bytes_and_events_whoever_holds_the_card(tmp_path: Path):
    async with in_process(tmp_path / "tables.sqlite") as server:
        table, tokens = await begun(server)
        rng, dealer, differing, compared = random.Random(2), Rng(), 0, 0
        start(dealer, 9, 0)
        while compared < COMPARED:
            room = await server.registry.room(table)
            if room.state.over:
                break
            actor = room.session.match.actor
            text = rng.choice(list(room.session.match.actions()))
            if "*" not in text and room.session.mover >= 0:  # no card is drawn in the race but at its beginning
                told = [await move_in(server, table, actor, text, each) for each in (None, dealer)]
                assert told[0][0] == told[1][0]
                differing += told[0][1] != told[1][1]
                compared += 1
            await visit(server, table, tokens[actor], rng)
        assert differing > COMPARED // 2


async def move_in(
    server: InProcessServer, table: str, seat: int, text: str, dealer: Rng | None
) -> tuple[list[str], bytes]:
    """Make a move in a copy of a room, with all dealt anew that its seat cannot know; return what it is told."""
    copied: Room = await copy_room(server.registry, table)
    match, token = (
        copied.session.match,
        server.registry.tokens.issue(copied.state.id, copied.state.seats[seat].holder),
    )
    if dealer is not None:
        state = match.s.copy()
        copied.state.game.rules.deal(match.t, state, seat, dealer)
        match.s.assign(state.tobytes())
    position, lines = match.s.tobytes(), copied.state.next
    client = await server.connect(copied.state.id, token)
    await client.until("view")
    told = len(client.heard)
    await client.act(text, ref="mine")
    while not all(any(f'"type":"{kind}"' in text for text in client.heard[told:]) for kind in ("done", "table")):
        await client.hear()  # the new deadline is told by another task than the move
    await client.say(type="ping")
    await client.until("pong")
    log = (await log_of(server.registry.store, copied.state.id))[lines - 1 :]
    moves = [len(each.done) for each in log if isinstance(each, Moves)]
    heard = [_TIMED.sub("", each).replace(copied.state.id, "ID") for each in client.heard[told:-1]]
    tables = [each for each in heard if each.startswith('{"type":"table"')]  # also of people who have just come
    heard = [each for each in heard if each not in tables] + tables[-1:]
    await client.close()
    server.registry.rooms.pop(copied.state.id).close()
    return [*heard, json.dumps([type(each).__name__ for each in log]), str(len(moves))], position
