"""BH-7.4 across processes: holds, kept cards and skips reach the process that ends a window, and show nothing.

Two servers in one event loop share a database. The seats are spread over them, and a watcher is at each. Both rooms
have the same clock, which only the test moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from games.benhvrt.positions import race
from quadriga.engine.game import NOBODY
from quadriga.server.rooms.processes import cluster
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import Submission
from quadriga.server.state import events
from server.cluster.test_following import equal, settle, two
from server.rooms.test_window_timer import BEAT, HELD, IDLE, MOVER, SUBJECT, THREE, card, plain
from server.support.harness import Client
from server.support.in_process import InProcessServer
from server.support.manual_clock import ManualClock
from server.support.tables import start_table
from soak import rows

CHARIOTS = ("1.7", 1, 3), ("2.10", 1, 3), ("3.14", 1, 3)


@pytest.fixture(autouse=True)
def _long_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the lease of a room where it is while the machine is busy."""
    monkeypatch.setattr(cluster, "LEASE_S", 600.0)


class Apart:
    """A race of three people. Those of `away` and a watcher are at another process than the one that leads."""

    def __init__(self, rooms: list[Room], clients: list[Client], watchers: list[Client]) -> None:
        self.rooms, self.clients, self.watchers = rooms, clients, watchers
        self.leader, self.follower = rooms
        self.hours = ManualClock()
        for room in rooms:
            room.time_source, room.broadcaster.last_public_event_at = self.hours, 0.0

    @classmethod
    async def opened(
        cls, servers: list[InProcessServer], hands: dict[int, list[str]], away: Sequence[int], **more: object
    ) -> Apart:
        """Return a race in which seat 2 has just rolled."""
        table, tokens = await start_table(
            servers[0],
            "ben-hvrt",
            "me open open",
            options={"series": [2]},
            dice={"kind": "seeded", "seed": 5},
            **more,
        )
        watchers = [await servers[0].connect(table)]
        await watchers[0].until("view")
        while not servers[0].registry.rooms[table].is_leader:
            await asyncio.sleep(0.01)
        watchers.append(await servers[1].connect(table))
        clients = [await servers[seat in away].connect(table, token) for seat, token in enumerate(tokens)]
        for client in [*clients, watchers[1]]:
            await client.until("view")
        rooms = [server.registry.rooms[table] for server in servers]
        here = [frozenset(viewer.holder for viewer in room.presence.viewers if viewer.holder) for room in rooms]
        while [room.presence.elsewhere for room in rooms] != here[::-1]:  # announced with a pulse
            await asyncio.sleep(0.01)
        while any("table" in room.tasks.timers or room.tasks.running or room.lock.locked() for room in rooms):
            await asyncio.sleep(0.01)
        for room in rooms:
            room.session.match.s.assign(race(*CHARIOTS, laps=2, moved=(1,), hands=hands).s.tobytes())
            room.session._update_actor()
        found = cls(rooms, clients, watchers)
        for client in [*clients, *watchers]:
            await settle(client)
        async with rooms[0].exclusive():
            await rooms[0].submit(Submission("roll", NOBODY, by="bot"))
        await found.quiet()
        return found

    async def quiet(self) -> None:
        """Wait until both rooms have the same log, and wait for an answer or for a point in time."""
        still = 0
        while still < 50:
            await equal(self.rooms)
            await asyncio.sleep(0)
            busy = any(room.lock.locked() or room.log.reads_soon for room in self.rooms)
            still = 0 if busy else still + 1
        for client in [*self.clients, *self.watchers]:
            await settle(client)

    async def until_window(self, window: str) -> None:
        """Stop moves and let windows end until this one is open."""
        while self.leader.session.open_window != window:
            if self.leader.session.open_window is None:
                await self.clients[self.leader.session.actor].act("stop")
                await self.clients[self.leader.session.actor].until("done")
            else:
                self.hours.advance()
            await self.quiet()

    @property
    def made(self) -> list[str]:
        """The entries of the match, which are the same at both processes."""
        one, other = ([entry.text for entry in room.session.match.entries] for room in self.rooms)
        assert one == other
        return one


async def test_a_person_at_another_process_can_hold_a_window():
    async with two(window_beat=BEAT) as servers:
        world = await Apart.opened(servers, THREE, away=[1])
        await world.until_window("RO")
        made, holder = len(world.made), world.clients[1]
        world.hours.time += 0.5
        await holder.say(type="hold", ref="longer")
        assert (await holder.until("held"))["answer_ms"] == 19_500
        await world.quiet()
        world.hours.advance()  # the end of the beat, for which the leader waited first
        await world.quiet()
        assert len(world.made) == made
        world.hours.time += 5.0
        await holder.act("pass")
        await holder.until("done")
        await world.quiet()
        assert world.made[made:] == ["pass"] * 3
        assert world.leader.session.open_window is None


async def test_a_second_tab_at_the_driving_process_ends_a_hold_of_the_other():
    async with two(window_beat=BEAT) as servers:
        world = await Apart.opened(servers, THREE, away=[0, 1, 2])
        holder = world.clients[1]
        tokens = servers[0].registry.tokens
        info = world.leader.state.seats[1]
        second = await servers[0].connect(world.leader.state.id, tokens.issue(world.leader.state.id, info.holder))
        await second.until("view")
        await world.until_window("RO")
        made = len(world.made)
        await holder.say(type="hold")
        await holder.until("held")
        await world.quiet()
        world.hours.advance()
        await world.quiet()
        await settle(second)
        await second.act("pass")
        await second.until("done")
        await world.quiet()
        assert world.made[made:] == ["pass"] * 3


async def test_a_card_that_another_process_keeps_counts_when_the_window_ends():
    async with two(window_beat=BEAT) as servers:
        world = await Apart.opened(servers, THREE, away=[0, 1])
        await world.until_window("RO")
        assert world.leader.session.actor == 2
        made = len(world.made)
        for seat, operation in ((0, "add"), (1, "set")):
            await world.clients[seat].act(f"play {card(operation)}", ref=operation)
        await world.quiet()
        assert (len(world.made), world.clients[0].done) == (made, [])
        world.hours.advance()
        await world.quiet()
        assert world.made[made:] == ["pass", f"play {card('add')}"]
        assert world.clients[0].done == ["add"]
        assert world.clients[1].done == []
        assert [(each["ref"], each["code"]) for each in world.clients[1].refused] == [("set", "act.late")]


@pytest.mark.parametrize(("seat", "text"), [(0, f"play {card('add')}"), (1, "pass")])
async def test_an_answer_that_another_process_carries_out_keeps_its_reference(seat: int, text: str):
    async with two(window_beat=BEAT) as servers:
        world = await Apart.opened(servers, THREE, away=[seat])
        await world.until_window("RO")
        client = world.clients[seat]
        await client.act(text, ref="mine")
        await world.quiet()
        world.hours.advance()
        await world.quiet()
        assert client.done == ["mine"]
        entries = len(world.made)
        token = servers[0].registry.tokens.issue(world.leader.state.id, world.leader.state.seats[seat].holder)
        second = await servers[0].connect(world.leader.state.id, token)  # the person moves to the other process
        await second.until("view")
        for each in (client, second):
            await each.act(text, ref="mine")  # sent again, because `done` was lost
            await each.until("done", ref="mine")
        assert len(world.made) == entries
        lines = await servers[0].registry.store.events(world.leader.state.id)
        logged = [events.decode(line.kind, line.body) for line in lines]
        assert any((seat, "mine") in each.answers for each in logged if isinstance(each, events.Moves))


async def test_a_kept_card_is_played_by_the_process_that_takes_over():
    async with two(window_beat=BEAT) as servers:
        world = await Apart.opened(servers, THREE, away=[1])
        await world.until_window("RO")
        made = len(world.made)
        await world.clients[0].act(f"play {card('add')}", ref="add")  # kept by the process that leads
        await world.quiet()
        assert servers[0].registry.cluster is not None
        await servers[0].registry.cluster.close()  # as a process that stops does
        while not world.follower.is_leader:
            await asyncio.sleep(0.01)
        while not any(moment > world.hours.time for moment, _ in world.hours.waiting):
            await asyncio.sleep(0.01)
        world.hours.advance()
        while len(world.follower.session.match.entries) == made:
            await asyncio.sleep(0.01)
        await equal(world.rooms)
        assert world.made[made:] == ["pass", f"play {card('add')}"]


async def test_a_skip_at_another_process_passes_at_a_table_that_always_asks():
    async with two(window_beat=BEAT) as servers:
        world = await Apart.opened(servers, THREE, away=[1], beat=0)
        await world.clients[1].say(type="skip", until="race")
        await world.clients[1].until("stops")
        while (world.leader.session.open_window, world.leader.session.actor) != ("RO", 0):
            actor = world.leader.session.actor
            await world.clients[actor].act("pass" if world.leader.session.open_window else "stop")
            await world.clients[actor].until("done")
            await world.quiet()
        made = len(world.made)
        await world.clients[0].act("pass")  # seat 1 is next, and does not want to be asked
        await world.clients[0].until("done")
        while len(world.leader.session.match.entries) < made + 2:
            await asyncio.sleep(0.01)
        await world.quiet()
        assert world.made[made : made + 2] == ["pass", "pass"]
        assert world.leader.session.actor != 1


async def test_bh_7_9_a_deal_announced_at_another_process_is_asked_for():
    """All hands are empty, so that without an announcement no window asks anybody."""
    async with two(window_beat=BEAT) as servers:
        world = await Apart.opened(servers, {}, away=[1], beat=0)
        assert (world.leader.session.open_window, world.leader.session.actor) == (None, 2)
        await world.clients[1].say(type="deal", on=True)
        assert (await world.clients[1].until("stops"))["deal"] is True
        await world.quiet()
        await world.clients[2].act("stop")  # at the process that leads
        await world.clients[2].until("done")
        await world.quiet()
        assert (world.leader.session.open_window, world.leader.session.actor) == ("BM", 1)
        await world.clients[1].act("pass")
        assert (await world.clients[1].until("stops"))["deal"] is False
        await world.quiet()
        assert not any(room.state.seats[1].announces_deal for room in world.rooms)


def heard(world: Apart, known: list[int], seats: Sequence[int]) -> list[object]:
    """Return what some seats and both watchers have received since then."""
    clients = [*world.clients, *world.watchers]
    chosen = [*seats, 3, 4]
    return [plain([(0.0, text) for text in clients[n].heard[known[n] :] if '"pong"' not in text]) for n in chosen]


@pytest.mark.parametrize("away", rows([[1], [0, 1], [0, 2]], lambda away: away == [1], ids=["1", "0 1", "0 2"]))
async def test_nobody_at_any_process_can_tell_who_holds_a_window_or_whether_they_could_play(away: list[int]):
    async with two(window_beat=BEAT) as servers:
        told = []
        for holder, can_play in ((0, True), (1, True), (0, False)):
            hands = {**THREE, holder: THREE[holder] if can_play else [IDLE[holder]]}
            world = await Apart.opened(servers, hands, away)
            await world.until_window("RO")
            known = [len(client.heard) for client in [*world.clients, *world.watchers]]
            steps = []
            await world.clients[holder].say(type="hold")
            await world.clients[holder].until("held")
            await world.quiet()
            while world.leader.session.open_window == "RO":
                steps.append((world.hours.time, heard(world, known, [2])))
                world.hours.advance()
                await world.quiet()
            told.append([*steps, (world.hours.time, heard(world, known, [2]))])
        assert all(told[0][-1][1])
        assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("kind", rows(list(HELD), lambda kind: kind in ("RO", "PA"), ids=list(HELD)))
async def test_nobody_at_any_process_can_tell_who_has_a_card_for_a_window(kind: str):
    """What seat 2 and the watchers hear, and when, is the same with and without a card at the other process."""
    async with two(window_beat=BEAT) as servers:
        told = []
        for holds, thinks in ((True, 1.2), (False, 0.1)):
            hands = {seat: [idle] for seat, idle in enumerate(IDLE)}
            if holds:
                hands[SUBJECT[kind]] = [card(HELD[kind])]
            if kind == "RE":
                hands[MOVER].append(card("set"))
            plays = {"RO": f"play {card('set')}"} if kind == "RE" else {}
            world = await Apart.opened(servers, hands, away=[SUBJECT[kind]])
            known = [len(client.heard) for client in [*world.clients, *world.watchers]]
            steps, script, could_play = [], [(2, "stop"), (0, "step 1.8"), (0, "stop")], False
            while script or world.leader.session.open_window is not None:
                session, beat = world.leader.session, world.leader.window_timer.current(world.hours.now())
                if session.open_window is None:
                    seat, text = script.pop(0)
                    await world.clients[seat].act(text)
                elif session.actor == MOVER and session.open_window in plays:
                    await world.clients[MOVER].act(plays.pop(session.open_window))
                else:
                    assert beat is not None
                    if (asked := beat.asked.get(SUBJECT[kind])) is not None:
                        could_play |= asked.match.legal() != ["pass"]
                        world.hours.time += thinks
                        await world.clients[SUBJECT[kind]].act("pass")
                        await world.quiet()
                    world.hours.advance()
                await world.quiet()
                steps.append((world.hours.time, heard(world, known, [2])))
            assert could_play is holds
            told.append(steps)
        assert len(told[0]) > 5
        assert told[0] == told[1]
