"""BH-7.4: the content and the time of what other seats receive in a reaction window do not depend on hands.

The rooms and their store are real. Only the clock is the test's own, so that no time is guessed or measured.
"""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.kernels.rng import Rng, start
from quadriga.server.bots import choice
from quadriga.server.bots.timing import SLOW_TICKS, TimeSource, next_tick
from quadriga.server.people.people import People
from quadriga.server.protocol.requests import Create, Dice, Join, SeatRequest
from quadriga.server.rooms import audience
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import Submission
from quadriga.server.seats.tokens import Tokens
from quadriga.server.seats.viewers import Viewer
from quadriga.server.settings import Settings
from quadriga.server.storage.sqlite.store import SqliteStore
from server.support.manual_clock import ManualClock
from server.support.tables import copy_room

TICK = Settings().tick
PEOPLE = {0: ["BM", "PA", "PB", "PR", "RE", "RO"], 1: []}  # seats 2 and 3 are bots


class Listener(Viewer):
    """A viewer that notes its frames and the time of each."""

    def __init__(self, room: Room, seat: int) -> None:
        holder = room.state.seats[seat].holder if seat >= 0 else None
        super().__init__(holder, [seat] if seat >= 0 else [], seat, explain=True, name="", most=10**6)
        self.room = room
        self.heard: list[tuple[float, bytes]] = []

    def send(self, frame: bytes) -> None:
        if not frame.startswith(b'{"type":"table"'):  # presence is announced by the machine's own clock
            self.heard.append((self.room.time_source.now(), frame))


@asynccontextmanager
async def opened(path: Path, beat: float):
    store = await SqliteStore.opened(path)
    registry = Registry(
        store, await Tokens.of(store), await People.of(store), Settings(store=path, window_beat=beat)
    )
    try:
        yield registry
    finally:
        for room in registry.rooms.values():
            room.close()
        await store.close()


async def begun(registry: Registry, bots: list[str], seed: int) -> Room:
    chairs = [SeatRequest("me"), SeatRequest("open"), *(SeatRequest("bot", bot=bot) for bot in bots)]
    asked = Create(
        game="ben-hvrt", options={"series": [1]}, name="Ann", seats=chairs, pace=700, dice=Dice("seeded", seed)
    )
    room, host = await registry.create(asked)
    await registry.join(room, Join(name="Bob"), None)
    await registry.start(room, host)
    return room


async def quiet(room: Room, hours: ManualClock) -> None:
    """Wait until the room waits for an answer or for a point in time."""
    still = 0
    while still < 50:
        await asyncio.sleep(0)
        waits = hours.waiting or not room.state.seats[room.session.match.actor].played_by_bot
        still = still + 1 if waits and not room.lock.locked() else 0


async def round_of_passes(room: Room, seat: int, dealer: Rng | None) -> tuple[list[Any], bytes]:
    """Let every seat pass in a window; return what a viewpoint receives, in this world or in a redealt one.

    With a window timer, other seats pass after a while in this world and do not answer in the other.
    """
    hours = room.time_source = ManualClock()
    room.broadcaster.last_public_event_at = 0.0
    match = room.session.match
    if dealer is not None:
        room.state.game.rules.deal(match.t, match.s, seat, dealer)
    world = match.s.tobytes()
    for person, windows in PEOPLE.items():
        room.state.seats[person].asked_windows = frozenset(windows)
    ear, public = Listener(room, seat), match.view(-1)
    async with room.exclusive():
        await audience.enter(room, ear, None)
        if room.session.match.actor in PEOPLE and room.session.window not in PEOPLE[room.session.match.actor]:
            await room.pass_window(room.session.match.actor)
    await quiet(room, hours)
    while room.session.window is not None and match.view(-1) == public:
        if (actor := match.actor) in PEOPLE:
            number = room.session.numbers[actor + 1]
            if room.window_timer.current(hours.now()) is None:
                hours.time += 2.2
                async with room.exclusive():
                    await room.submit(Submission("act", actor, "pass", number=number))
            else:
                if dealer is None or actor == seat:
                    left = min(moment for moment, _ in hours.waiting) - hours.time
                    hours.time += min(0.7, left / 2)
                    async with room.exclusive():
                        await room.submit(Submission("act", actor, "pass", number=number))
                hours.advance()
        else:
            hours.advance()
        await quiet(room, hours)
    room.presence.remove(ear)
    return ear.heard, world


def betraying(monkeypatch: pytest.MonkeyPatch, hours: list[ManualClock]) -> None:
    """Bots that pass in the end, and think longer the more they could do."""

    async def decide(kind: str, player: object, match: object) -> str:
        could = len(match.legal()) - 1  # type: ignore[attr-defined]
        clock = hours[-1]
        await clock.until(clock.now() + could * (5.0 if choice.is_slow("ben-hvrt", kind) else 0.02))
        return "pass"

    async def fallback(state: object, seat: int) -> str:
        return "pass"

    monkeypatch.setattr(choice, "decide", decide)
    monkeypatch.setattr(choice, "fallback", fallback)
    monkeypatch.setattr(choice, "is_ready", lambda game, kind: True)


def assert_alike(one: list[tuple[float, bytes]], other: list[tuple[float, bytes]]) -> None:
    """Assert equal frames at equal times. After the window the worlds may differ if cards were drawn."""
    assert [moment for moment, _ in one] == [moment for moment, _ in other]
    assert one[:-1] == other[:-1]
    if not (drawn(one[-1][1]) or drawn(other[-1][1])):
        assert one[-1] == other[-1]


def drawn(frame: bytes) -> bool:
    """Return whether cards were drawn: the pools of the worlds differ."""
    return any((event.get("text") or "").startswith("deal ") for event in json.loads(frame)["events"])


@pytest.mark.parametrize(("seed", "beat"), [(1, 1.5), (3, 1.5), (1, 0.0)])
@pytest.mark.parametrize("bots", [["greedy", "greedy"], ["greedy", "expert"]], ids=" ".join)
async def test_others_receive_the_same_at_the_same_time_in_both_worlds(
    tmp_path: Path, monkeypatch, bots, seed, beat
):
    clocks: list[ManualClock] = []
    betraying(monkeypatch, clocks)
    plain = ManualClock.__init__

    def noted(self: ManualClock) -> None:
        plain(self)
        clocks.append(self)

    monkeypatch.setattr(ManualClock, "__init__", noted)
    rng, dealer = random.Random(8), Rng()
    compared = differing = waited = 0
    async with opened(tmp_path / "tables.sqlite", beat) as registry:
        room = await begun(registry, bots, seed)
        table = room.state.id
        windows = 0
        while not room.state.over and compared < 12:
            match = room.session.match
            if room.session.window is not None:
                windows += 1
                if windows % 9 == 1:
                    heard = []
                    seat = rng.randrange(-1, 2)
                    start(dealer, rng.getrandbits(40), 0)
                    for change in (None, dealer):
                        heard.append(await round_of_passes(await copy_room(registry, table), seat, change))
                    compared += 1
                    differing += heard[0][1] != heard[1][1]
                    waited += heard[0][0][-1][0] > 0
                    assert_alike(heard[0][0], heard[1][0])
            texts = [text for text in match.legal() if not text.endswith("*")]
            async with room.exclusive():
                await room.submit(Submission("act", match.actor, rng.choice(texts), number=0))
    assert compared == 12
    assert differing >= 6
    assert waited >= 6


@pytest.mark.parametrize("tick", [TICK, SLOW_TICKS * TICK])
@pytest.mark.parametrize("elapsed", [0.0, 0.01, 0.1, 0.25, 0.26, 1.0, 1.9])
def test_a_bot_answers_at_whole_ticks_after_the_last_public_event(elapsed: float, tick: float):
    moment = next_tick(100.0, 100.0 + elapsed, tick)
    assert elapsed < moment - 100.0 <= elapsed + tick
    assert (moment - 100.0) % tick == 0


async def test_a_bot_that_thinks_too_long_is_not_waited_for():
    hours = ManualClock()

    async def think(seconds: float) -> str:
        await hours.until(seconds)
        return "found"

    for seconds, wanted in ((0.5, "found"), (1.5, None)):
        hours.time = 0.0
        asked = asyncio.create_task(hours.within(think(seconds), 1.0))
        while len(hours.waiting) < 2:
            await asyncio.sleep(0)
        hours.advance()
        assert await asked == wanted


async def test_a_sleeper_that_is_woken_early_sleeps_on():
    """An event loop may wake a task a little before its time: a window would end in two batches."""

    class Slow(TimeSource):
        def __init__(self) -> None:
            self.moments = iter([0.0, 0.0099, 0.01])

        def now(self) -> float:
            return next(self.moments)

    source = Slow()
    await source.until(0.01)
    assert list(source.moments) == []
