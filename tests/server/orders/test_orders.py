"""Standing orders in rooms: given, shown to their owner alone, carried out, cancelled, and kept over a restart."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from games.benhvrt.positions import race
from games.ur import positions as ur
from server.orders.tables import ended, order, orders_of, played, put, told
from server.support.listeners import Listener, Table, opened_registry, started

BEAT = 1.5
AUCTION = {"options": {"series": [1]}, "dice": {"kind": "seeded", "seed": 5}}


async def at_ur(registry, position=None) -> Table:
    """Return a table of Ur for two people, with a position in which seat 0 is to move."""
    table = await started(registry, "ur", "me open", dice={"kind": "seeded", "seed": 1})
    put(table, ur.position(2, black="5 9", white="1") if position is None else position)
    await shown(table)
    return table


async def shown(table: Table) -> None:
    """Send everybody the position that was put on the table."""
    async with table.room.exclusive():
        table.room.publish()
    await table.quiet()


async def black_moves(table: Table, action: str = "5-7") -> None:
    """Move a marker of Black by 2, to a space without another roll."""
    assert await table.people[0].say(type="act", number=table.room.session.numbers[1], action=action)
    await table.quiet()


def devices(table: Table, seat: int) -> list[Listener]:
    return [each for each in table.listeners if each.viewer.seat == seat]


async def until_bids(table: Table, rng: random.Random) -> None:
    """Play until somebody is asked for a bid."""
    while "bid" not in table.room.session.match.actions():
        actor = table.room.session.actor
        person = table.people[actor]
        action = "auction" if "auction" in person.choices else rng.choice(person.choices)
        assert await person.say(type="act", number=person.held["number"], action=action)
        await table.quiet()


async def test_orders_are_shown_to_every_device_of_their_owner_and_to_nobody_else(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await at_ur(registry)
        for each in table.listeners:
            each.heard.clear()
        assert await order(table.people[1], "move", "front")
        assert await table.people[1].say(type="cancel", order=None)
        assert await order(table.people[1], "roll", "0", most=3)
        mine, other = devices(table, 1)
        assert orders_of(mine) == orders_of(other) == [{"kind": "roll", "of": "0", "most": 3}]
        assert ended(mine) == ended(other) == ["cancelled"]
        for each in table.listeners:
            if each.viewer.seat != 1:
                assert each.heard == []
        third = await table.enter(mine.viewer.holder, 1)
        assert orders_of(third) == orders_of(mine)


async def test_an_order_is_carried_out_while_its_owner_is_away(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite", grace=1e6) as registry:
        table = await at_ur(registry)
        assert await order(table.people[1], "move", "1")
        for device in devices(table, 1):
            table.room.presence.remove(device.viewer)
        await black_moves(table)
        session = table.room.session
        own = [number for number, entry in enumerate(session.match.entries) if entry.seat == 1 and not entry.chance]
        assert session.match.entries[own[0]].text.startswith("1-")
        assert session.origins[own[0] - len(session.match.entries)] == "person"
        assert table.room.state.seats[1].orders == {}


async def test_the_dice_are_rolled_for_a_seat_with_a_planned_move(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await started(registry, "ur", "me open", dice={"kind": "seeded", "seed": 1}, rolls="hand")
        put(table, ur.position(2, black="5 9", white="1"))
        await shown(table)
        await black_moves(table)
        white = table.people[1]
        assert white.held["roll"]  # without an order the room waits
        assert await order(white, "move", "1")
        await table.quiet()
        assert any(entry.text.startswith("1-") for entry in table.room.session.match.entries)
        assert ended(white) == ["done"]


async def test_an_order_that_is_not_legal_any_more_is_dropped_with_a_note(tmp_path: Path):
    """White's first marker is blocked by its own others. The orders after it end, too, and White is asked."""
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await at_ur(registry, ur.position(2, black="2", white="5 6 7 8 8"))
        white = table.people[1]
        assert await order(white, "move", "5")
        assert await order(white, "move", "front")
        await black_moves(table, "2-4")
        assert table.room.session.match.view(1).roll in (1, 2, 3)  # type: ignore[attr-defined]
        assert ended(white) == ["illegal", "illegal"]
        assert orders_of(white) == []
        assert white.choices
        assert not any(entry.seat == 1 and not entry.chance for entry in table.room.session.match.entries)


async def test_errors_say_what_is_wrong(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite", orders=2) as registry:
        table = await at_ur(registry)
        white, watcher = table.people[1], table.listeners[0]
        assert not await order(white, "move", "22")
        assert not await order(white, "bid", "Add 3", "lot", 3)
        assert not await white.say(type="cancel", order=99)
        assert not await order(watcher, "move", "front")
        assert not await white.say(type="order", order={"kind": "move", "of": "front"}, seat=0)
        assert white.refused == ["order.unknown", "order.unknown", "order.gone", "act.not-yours"]
        assert watcher.refused == ["act.not-yours"]
        assert await order(white, "move", "front")
        assert await order(white, "move", "front")
        assert not await order(white, "move", "front")
        assert white.refused[-1] == "order.many"


async def test_the_same_order_with_another_number_replaces_the_first(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await started(registry, "ben-hvrt", "me open open", **AUCTION)
        await until_bids(table, random.Random(1))
        person = table.people[(table.room.session.actor + 1) % 3]
        for most in (2, 3):
            assert await order(person, "bid", "*", most=most)
        assert orders_of(person) == [{"kind": "bid", "of": "*", "most": 3}]


@pytest.mark.parametrize("most", [1, 3])
async def test_a_bid_goes_up_to_its_limit_and_then_passes(tmp_path: Path, most: int):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await started(registry, "ben-hvrt", "me open open", **AUCTION)
        await until_bids(table, random.Random(1))
        seat, match = table.room.session.actor, table.room.session.match
        assert table.room.session.match.view(seat).lot is not None  # type: ignore[attr-defined]
        lot = match.view(seat).lot.card  # type: ignore[attr-defined]
        begun = len(match.entries)
        assert await order(table.people[seat], "bid", lot, "lot", most)
        await table.quiet()
        while match.view(seat).lot is not None and match.view(seat).lot.card == lot:  # type: ignore[attr-defined]
            person = table.people[table.room.session.actor]
            assert person.viewer.seat != seat  # the order answers
            assert await person.say(type="act", number=person.held["number"], action="bid")
            await table.quiet()
            if match.view(seat).lot is not None and seat not in match.view(seat).lot.bidders:  # type: ignore[attr-defined]
                break
        own = [entry.text for entry in match.entries[begun:] if entry.seat == seat and not entry.chance]
        assert own[: most + 1] == ["bid"] * most + ["pass"]


async def test_an_order_is_carried_out_before_a_cancellation_or_after_it_never_half(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        seen = set()
        for turns in range(12):
            table = await at_ur(registry)
            black = table.people[0]
            for _ in range(turns % 4):
                await asyncio.sleep(0)
            given = asyncio.create_task(order(black, "move", "9"))
            for _ in range(turns):
                await asyncio.sleep(0)
            await asyncio.gather(given, black.say(type="cancel", order=None))
            await table.quiet()
            moves = [
                entry.text for entry in table.room.session.match.entries if entry.seat == 0 and not entry.chance
            ]
            assert table.room.state.seats[0].orders == {} or not moves
            outcome = "9-11" in moves[:1], tuple(ended(black))
            assert outcome in ((True, ("done",)), (False, ("cancelled",)), (True, ("done", "cancelled")))
            seen.add(outcome)
        assert seen


async def test_an_undone_move_ends_the_order_that_made_it(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite", undo_grace=1e6) as registry:
        table = await started(registry, "ur", "me open", dice={"kind": "seeded", "seed": 1}, undo=True)
        put(table, ur.position(2, black="5 9", white="1"))
        black = table.people[0]
        assert await order(black, "roll", "9", most=2)
        await table.quiet()
        assert played(table) == ["9-11"]
        assert ended(black) == ["done"]
        assert await order(black, "move", "11")
        assert await black.say(type="undo", number=table.room.session.numbers[1])
        await table.quiet()
        assert played(table) == []
        assert ended(black) == ["done", "over"]  # there is no marker on 11 any more


async def test_a_bot_that_plays_for_a_person_follows_their_orders(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await at_ur(registry, ur.position(2, black="5 9", white="1", turn=1))
        assert await order(table.people[0], "move", "5")
        assert await table.people[0].say(type="leave")
        white = table.people[1]
        assert await white.say(type="act", number=table.room.session.numbers[2], action=white.choices[-1])
        while not any(entry.seat == 0 and not entry.chance for entry in table.room.session.match.entries):
            await table.quiet()
            if table.room.session.actor == 1:
                assert await white.say(type="act", number=white.held["number"], action=white.choices[0])
            else:
                await table.step_time()
        own = next(entry for entry in table.room.session.match.entries if entry.seat == 0 and not entry.chance)
        assert own.text.startswith("5-") or "illegal" in ended(table.people[0])


async def test_orders_survive_a_restart(tmp_path: Path):
    path = tmp_path / "tables.sqlite"
    async with opened_registry(path) as registry:
        table = await started(registry, "ben-hvrt", "me open open", **AUCTION)
        await until_bids(table, random.Random(1))
        asked = table.room.session.actor
        seat = (asked + 1) % 3
        assert await order(table.people[seat], "bid", "*", most=2)
        assert await order(table.people[seat], "keep", "*")
        kept, id, holder = (
            table.room.state.seats[seat].orders,
            table.room.state.id,
            table.people[seat].viewer.holder,
        )
    async with opened_registry(path) as registry:
        room = await registry.room(id)
        assert room.state.seats[seat].orders == kept
        again = Table(registry, id=id)
        await again.sit_down()
        person = next(each for each in again.people if each.viewer.holder == holder)
        assert orders_of(person) == [{"kind": "bid", "of": "*", "most": 2}, {"kind": "keep", "of": "*"}]
        before = len(room.session.match.entries)
        first = again.people[asked]
        assert await first.say(type="act", number=first.held["number"], action="bid")
        await again.quiet()
        assert [entry.text for entry in room.session.match.entries[before : before + 2]] == ["bid", "bid"]


async def test_the_list_has_what_can_be_ordered_now_and_a_preview_says_what_it_would_have_done(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await started(registry, "ben-hvrt", "me open open", **AUCTION)
        await until_bids(table, random.Random(1))
        person = table.people[table.room.session.actor]
        assert await person.say(type="orders")
        forms = told(person, "orders")[-1]["forms"]
        assert forms[0]["words"]["id"] == "ben-hvrt.order-form.bid-lot"
        assert forms[0]["numbers"]["least"] == 1
        assert await person.say(type="act", number=person.held["number"], action="pass")
        await table.quiet()
        assert await person.say(type="preview", order={"kind": "bid", "of": "*", "most": 5})
        while not told(person, "preview"):
            await asyncio.sleep(0.01)
        found = told(person, "preview")[-1]
        assert found["decisions"] >= 1
        assert found["would"][-1][0]["id"] == "ben-hvrt.why.bids"


def rival_finishes(hand: list[str]):
    """Return a race in which seat 0 has rolled enough to finish, and seats 1 and 2 may react."""
    chariots = ("1.14", 1, 1), ("1.2", 1, 1), ("4.1", 1, 1)
    match = race(*chariots, hands={0: ["Add 1"], 1: hand, 2: ["Add 2"]}, laps=1, moved=(1, 2))
    match.happen("die 3")
    return match


def heard_by(table: Table, *seats: int) -> list[tuple[float, bytes]]:
    """Return what some seats were told, and when, but for people who come and go."""
    heard = [each for listener in table.listeners if listener.viewer.seat in seats for each in listener.heard]
    return [each for each in heard if not each[1].startswith(b'{"type":"table"')]


async def in_window(registry, orders: bool, acts: bool) -> tuple[Table, list[tuple[float, bytes]]]:
    """Return a table after a window that lasts a beat, and what seat 2 and a watcher were told, and when."""
    table = await started(registry, "ben-hvrt", "me open open", **AUCTION)
    put(table, rival_finishes(["Subtract 3", "Move 6"]))
    one = table.people[1]
    await shown(table)
    for each in table.listeners:
        each.heard.clear()
    if orders:
        assert await order(one, "play", "Subtract 3", "finish")
        assert await order(one, "play", "Move 6", "low", 2)
    elif acts:
        assert await one.say(type="act", number=table.room.session.numbers[2], action="play Subtract 3")
    await table.quiet()
    while not any(text.startswith("play") for text in played(table)):
        if table.room.session.window is None:
            break
        await table.step_time()
        await table.quiet()
    return table, heard_by(table, -1, 2)


async def test_an_order_answers_a_window_when_it_ends_as_a_person_would_have(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite", window_beat=BEAT) as registry:
        ordered, by_order = await in_window(registry, orders=True, acts=False)
        acted, by_person = await in_window(registry, orders=False, acts=True)
        assert "play Subtract 3" in played(ordered)
        assert played(ordered) == played(acted)
        assert ordered.clock.time == acted.clock.time == BEAT
        assert by_order == by_person
        assert ended(ordered.people[1]) == ["done"]
        assert len(orders_of(ordered.people[1])) == 1


async def test_an_order_that_does_not_apply_leaves_no_trace_in_a_window(tmp_path: Path):
    async with opened_registry(tmp_path / "tables.sqlite", window_beat=BEAT) as registry:
        tables = []
        for with_order in (True, False):
            table = await started(registry, "ben-hvrt", "me open open", **AUCTION)
            put(table, rival_finishes(["Move 6"]))
            await shown(table)
            for each in table.listeners:
                each.heard.clear()
            if with_order:
                assert await order(table.people[1], "play", "Move 6", "low", 2)
            while table.room.session.window == "RO":
                await table.step_time()
                await table.quiet()
            tables.append(table)
        one, other = tables
        assert played(one) == played(other)
        assert one.clock.time == other.clock.time == BEAT
        assert heard_by(one, -1, 0, 2) == heard_by(other, -1, 0, 2)


@pytest.mark.parametrize("with_order", [True, False])
async def test_by_days_an_order_answers_a_window_at_once_and_nobody_else_does(tmp_path: Path, with_order: bool):
    async with opened_registry(tmp_path / "tables.sqlite") as registry:
        table = await started(registry, "ben-hvrt", "me open open", days={"days": 2}, **AUCTION)
        one = table.people[1]
        put(table, rival_finishes(["Subtract 3", "Move 6"]))
        if with_order:
            assert await order(one, "play", "Subtract 3", "finish")
            assert await order(one, "play", "Move 6", "low", 2)
        await shown(table)
        while table.room.session.window is not None:
            await asyncio.sleep(0.01)
        assert ("play Subtract 3" in played(table)) == with_order
        assert table.clock.time == 0  # nothing has waited
        if with_order:
            assert ended(one) == ["done"]
            assert [each["of"] for each in orders_of(one)] == ["Move 6"]
