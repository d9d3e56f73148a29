"""After every event a listener holds what a new viewer would be sent, in whole games of people and bots."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.kernels.rng import Rng, start
from quadriga.server.rooms.registry import Registry
from server.support.listeners import Table, opened_registry, play, started
from server.support.tables import copy_room
from soak import SOAK, count, rows
from support import SHORT_RACE

ONE_RACE = {"series": [1], **SHORT_RACE}
TABLES: dict[str, tuple[str, str, float, dict[str, Any]]] = {  # game, seats, seconds of a window, more
    "ur": ("ur", "me open", 0.0, {}),
    "ur with undo": ("ur", "me open", 0.0, {"undo": True}),
    "ur by hand": ("ur", "me open", 0.0, {"rolls": "hand"}),
    "ur with clocks": ("ur", "me open", 0.0, {"clock": {"kind": "player", "seconds": 3600, "increment": 2}}),
    "ave caesar": ("ave-caesar", "me open bot", 0.0, {"options": {"courses": ["white cw"]}}),
    "ben hvrt with beats": (
        "ben-hvrt",
        "me open open",
        1.5,
        {"options": {**ONE_RACE, "series": [1, 1] if SOAK else [1]}},
    ),
    "ben hvrt with bribes": ("ben-hvrt", "me open open", 1.5, {"options": {**ONE_RACE, "bribes": True}}),
    "ben hvrt that waits": ("ben-hvrt", "me open open", 0.0, {"options": ONE_RACE}),
    "ben hvrt with bots": ("ben-hvrt", "me open bot bot", 1.5, {"options": ONE_RACE}),
    "ben hvrt on a shared device": ("ben-hvrt", "me me open", 1.5, {"options": ONE_RACE}),
    "ben hvrt with clocks": (
        "ben-hvrt",
        "me open open",
        1.5,
        {"options": ONE_RACE, "clock": {"kind": "move", "seconds": 3600}},
    ),
}


RESTLESS = 0.15  # how often somebody does something other than to answer
CALM = (
    "ben hvrt with beats",
    "ben hvrt that waits",
    "ave caesar",
)  # tables at which people only answer, in `make test`
EVERY = [(name, mischief) for name in TABLES for mischief in (0.0, RESTLESS)]


@pytest.mark.parametrize(
    ("name", "mischief"), rows(EVERY, lambda row: (row[0] in CALM) == (row[1] == 0.0) or row[0] == CALM[0])
)
async def test_listeners_hold_what_a_new_viewer_would_be_sent(tmp_path: Path, name: str, mischief: float):
    game, seats, beat, more = TABLES[name]
    async with opened_registry(tmp_path / "tables.sqlite", window_beat=beat) as registry:
        for seed in range(count(1, 20)):
            table = await started(registry, game, seats, dice={"kind": "seeded", "seed": seed}, **more)
            is_whole = SOAK or mischief == 0.0 or game != "ben-hvrt"
            await play(table, random.Random(f"{name} {seed}"), mischief, steps=10**6 if is_whole else 120)
            assert table.room.state.status == "over" or not is_whole
            assert table.checks > 50


async def heard_until_a_decision(registry: Registry, table: Table, seat: int, dealer: Rng | None) -> list[object]:
    """Copy a table, deal anew what a seat cannot know, and return what it hears while all windows run out."""
    copied = await copy_room(registry, table.room.state.id)
    match = copied.session.match
    if dealer is not None:
        copied.state.game.rules.deal(match.t, match.s, seat, dealer)
    world = Table(registry, id=copied.state.id)
    await world.sit_down()
    await world.quiet()
    while copied.session.open_window is not None and not copied.state.over:
        world.check()
        await world.step_time()
        await world.quiet()
    listeners = [each for each in world.listeners if each.viewer.seat == seat]
    table_message = b'{"type":"table"'  # sent some time after people have come
    heard = [[said for said in each.heard if not said[1].startswith(table_message)] for each in listeners]
    registry.rooms.pop(copied.state.id).close()
    return [*heard, match.s.tobytes()]


async def test_bh_7_4_windows_that_run_out_sound_the_same_in_two_worlds(tmp_path: Path):
    """Messages are equal byte for byte, at equal times, whatever the others hold."""
    dealer, rng, compared, differing = Rng(), random.Random(7), 0, 0
    async with opened_registry(tmp_path / "tables.sqlite", window_beat=1.5) as registry:
        dice, options = {"kind": "seeded", "seed": 4}, ONE_RACE
        table = await started(registry, "ben-hvrt", "me open open open", dice=dice, options=options)
        while not table.room.state.over:
            await play(table, rng, 0.0, steps=count(19, 5))
            if table.room.session.window is None:
                continue
            seat = rng.randrange(-1, 4)
            start(dealer, rng.getrandbits(40), 0)
            one = await heard_until_a_decision(registry, table, seat, None)
            other = await heard_until_a_decision(registry, table, seat, dealer)
            assert one[:-1] == other[:-1]
            differing += one[-1] != other[-1]
            compared += 1
    assert compared > 5
    assert differing > 3
