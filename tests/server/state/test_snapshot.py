"""Snapshots: a log gives the same table with and without them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.match.entry import FAMILY
from quadriga.server.messages.game_messages import encoded, events, news
from quadriga.server.people.people import People
from quadriga.server.protocol.requests import Create, Dice, SeatRequest
from quadriga.server.rooms import audience
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import Submission
from quadriga.server.seats.tokens import Tokens
from quadriga.server.seats.viewers import Viewer
from quadriga.server.settings import Settings
from quadriga.server.state import log_reader, snapshot
from quadriga.server.state.events import AskedWindows, LoggedMove
from quadriga.server.state.game_session import RECENT
from quadriga.server.state.room_state import RoomState
from quadriga.server.state.snapshot import Step, find_usable, pack, unpack
from quadriga.server.storage.base import SNAPSHOTS_KEPT, Snapshot
from quadriga.server.storage.sqlite.store import SqliteStore
from soak import rows
from support import there

TABLES = [
    ("ur", {"rules": "ben"}, 2, 330),
    ("ave-caesar", {}, 4, 330),
    ("ben-hvrt", {"series": [1, 1]}, 4, 420),  # with bribes, which the start has fixed
]


async def opened(path: Path) -> tuple[SqliteStore, Registry]:
    store = await SqliteStore.opened(path)
    assert store.writer is not None
    store.writer.connection.execute("PRAGMA synchronous=OFF")  # this test does not need durable writes
    return store, Registry(store, await Tokens.of(store), await People.of(store), Settings(store=path))


async def seated(registry: Registry, game: str, options: dict[str, Any], seats: int) -> tuple[Room, Viewer]:
    dice = Dice("seeded", 5)  # with these every game is long enough
    chairs = [SeatRequest("me")] * seats
    asked = Create(game=game, options=options, name="Ann", seats=chairs, start=True, pace=0, dice=dice)
    room, token = await registry.create(asked)
    holder = (await registry.bearer(token, room.state.id)).holder
    watching = Viewer(holder, list(range(seats)), 0, explain=False, name="", most=10**6)
    async with room.exclusive():
        await audience.enter(room, watching, None)
        for seat in range(0, seats, 2):  # the others are asked in every window
            await room.change(AskedWindows(seat, []), announce=False)
    return room, watching


def chosen(state: RoomState, rng: random.Random) -> str:
    """Return a random legal action; families are filled in."""
    assert state.session is not None
    match = state.session.match
    text = rng.choice(match.legal())
    if text.endswith(FAMILY):
        dice = Rng()
        start(dice, rng.getrandbits(30), 0)
        single = [each for each in match.legal() if not each.endswith(FAMILY)]
        propose = there(there(match.game.notation.compounds).propose)
        return propose(match.t, match.s, text, dice) or rng.choice(single)
    return text


async def moved(room: Room, rng: random.Random, ref: str) -> None:
    """Make a move, or undo the last one."""
    async with room.exclusive() as state:
        play = room.session
        able = [seat for seat in range(state.seat_count) if play.may_undo(seat)]
        if able and rng.random() < 0.3:
            await room.submit(Submission("undo", able[0], number=0, ref=ref or None))
        else:
            await room.submit(Submission("act", play.actor, chosen(state, rng), number=0, ref=ref or None))


def shown(state: RoomState) -> dict[str, Any]:
    """Return everything that a table shows to any viewpoint, and the events kept for clients that were away."""
    play = state.session
    assert play is not None
    match = play.match
    missed = {}
    for seat in range(NOBODY, state.seat_count):
        for after in range(max(0, play.numbers[seat + 1] - RECENT - 20), play.numbers[seat + 1] + 2):
            found = play.since(seat, after)
            missed[seat, after] = None if found is None else len(found)
    heard = [encoded(events(play.recent, seat)) for seat in range(NOBODY, state.seat_count)]
    return {
        "table": (state.status, state.seats, state.left, state.muted, state.next, state.refs),
        "news": [encoded(news(state, seat, [])) for seat in range(NOBODY, state.seat_count)],
        "missed": (missed, heard),
        "position": (match.s.tobytes(), play.actor, play.window, play.chance_count, play.numbers),
        "entries": [(each.seat, each.text, each.actions, each.chance, each.section) for each in match.entries],
        "made": (play.origins, play.forced),
        "section": match.section,
    }


async def both(store: SqliteStore, table: str) -> tuple[RoomState, RoomState]:
    """Load the table with and without snapshots."""
    kept = await store.find(table)
    assert kept is not None
    lines, snapshots = await store.events(table), await store.snapshots(table)
    return log_reader.read(table, kept.setup, lines, snapshots), log_reader.read(table, kept.setup, lines)


def played_on(state: RoomState, rng: random.Random) -> None:
    """Play a few moves and undos, in memory only."""
    play = state.session
    assert play is not None
    for _ in range(6):
        able = [seat for seat in range(state.seat_count) if play.may_undo(seat)]
        done: list[LoggedMove] = []
        if able and rng.random() < 0.5:
            play.undo(able[0])
        elif play.actor >= 0:
            done.append(play.act(chosen(state, rng), "person"))
        elif not play.match.over:
            done.append(play.roll())
        state.end_batch(0, None)


@pytest.mark.parametrize(("game", "options", "seats", "moves"), rows(TABLES, lambda table: table[0] == "ben-hvrt"))
async def test_a_table_is_the_same_with_and_without_snapshots(
    game: str, options: dict[str, Any], seats: int, moves: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(snapshot, "SNAPSHOT_INTERVAL", 16)
    monkeypatch.setattr("quadriga.server.storage.store.SNAPSHOT_INTERVAL", 16)
    monkeypatch.setattr("quadriga.server.storage.store.SNAPSHOTS_KEPT", 32)
    store, registry = await opened(tmp_path / "tables.sqlite")
    room, _ = await seated(registry, game, options, seats)
    rng = random.Random(game)
    used = set()
    for number in range(moves):
        if room.state.over:
            break
        await moved(room, rng, str(number))
        if rng.random() < (0.06 if number > 150 else 0.01):
            short, whole = await both(store, room.state.id)
            assert shown(short) == shown(whole) == shown(room.state)
            used.add(short.resumed)
            for seed in range(3):
                played_on(short, random.Random(seed))
                played_on(whole, random.Random(seed))
                assert shown(short) == shown(whole)
    assert len(used - {0}) >= 2  # else nothing was tried
    await store.close()


async def test_a_restarted_server_uses_snapshots_and_the_record_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(snapshot, "SNAPSHOT_INTERVAL", 16)
    store, registry = await opened(tmp_path / "tables.sqlite")
    room, _ = await seated(registry, "ur", {"rules": "ben"}, 2)
    rng = random.Random(3)
    while len(room.session.match.entries) < 2 * RECENT:
        await moved(room, rng, "")
    other = Registry(store, await Tokens.of(store), await People.of(store), Settings(store=store.path))
    again = await other.room(room.state.id)
    assert again.state.resumed > 0
    assert shown(again.state) == shown(room.state)
    while not again.state.over:
        async with again.exclusive() as state:
            await again.submit(Submission("act", again.session.actor, chosen(state, rng), number=0))
    short, whole = await both(store, room.state.id)
    assert short.resumed > 0
    assert short.session is not None
    assert whole.session is not None
    assert short.status == whole.status == "over"
    assert short.session.match_by_the_rules() == whole.session.match_by_the_rules()
    await store.close()


async def test_only_the_newest_snapshots_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(snapshot, "SNAPSHOT_INTERVAL", 4)
    monkeypatch.setattr("quadriga.server.storage.store.SNAPSHOT_INTERVAL", 4)
    store, registry = await opened(tmp_path / "tables.sqlite")
    room, _ = await seated(registry, "ur", {"rules": "ben"}, 2)
    rng = random.Random(3)
    for _ in range(60):
        await moved(room, rng, "")
    numbers = [each.number for each in await store.snapshots(room.state.id)]
    assert len(numbers) == SNAPSHOTS_KEPT
    assert min(numbers) > room.state.next - 1 - 4 * (SNAPSHOTS_KEPT + 1)
    await store.close()


STANDING = snapshot.new_body(
    rules=b"r", entries=10, state=b"", mark=b"", sections=[], numbers=[], asked=0, public=None
)
STEPS = [Step(5, 10, 0), Step(6, 1, 0), Step(7, 2, 0), Step(8, 0, 1)]


def test_the_newest_fitting_snapshot_is_used():
    newer = msgspec.structs.replace(STANDING, entries=11)
    found = [Snapshot(5, pack(STANDING)), Snapshot(6, pack(newer))]
    assert find_usable(found, STEPS, b"r", 3) == (6, newer)
    assert find_usable(found, STEPS, b"r", 4) == (5, STANDING)
    assert find_usable(found, STEPS, b"r", 5) is None  # clients could not catch up on so much


@pytest.mark.parametrize(
    "wrong",
    [
        Snapshot(5, b"nothing of the sort"),
        Snapshot(5, pack(STANDING)[:-8]),
        Snapshot(5, pack(msgspec.structs.replace(STANDING, rules=b"other"))),
        Snapshot(5, pack(msgspec.structs.replace(STANDING, form=0))),
        Snapshot(5, pack(msgspec.structs.replace(STANDING, entries=9))),
        Snapshot(7, pack(msgspec.structs.replace(STANDING, entries=13))),  # taken back behind it
    ],
    ids=["garbage", "torn", "other rules", "other form", "other entries", "undone"],
)
def test_a_snapshot_that_does_not_fit_is_ignored(wrong: Snapshot):
    assert find_usable([wrong], STEPS, b"r", 0) is None


def test_a_packed_snapshot_is_read_back():
    assert unpack(pack(STANDING)) == STANDING
