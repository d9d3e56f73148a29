"""Whole games in which everybody plays by standing orders as far as they can, and what the others are told."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from quadriga.engine.orders import forms
from server.orders.tables import ended, told
from server.support.listeners import Listener, Table, opened_registry, started
from soak import count
from support import SHORT_RACE

GAMES: dict[str, tuple[str, float, dict[str, Any]]] = {
    "ur": ("me open", 0.0, {}),
    "ave-caesar": ("me open open", 0.0, {"courses": ["white cw"]}),
    "ben-hvrt": ("me open open", 1.5, {"series": [1], **SHORT_RACE}),
}


async def give_any(person: Listener, rng: random.Random) -> bool:
    """Give a random order that is possible now."""
    state = person.room.state
    seat, session = person.viewer.seat, state.session
    assert session is not None
    offered = forms(session.match, seat, state.seats[seat].orders)
    if not offered:
        return False
    form = rng.choice(offered)
    return await person.say(
        type="order",
        order={
            "kind": form.kind,
            "when": form.when,
            "of": rng.choice(list(form.things)) if form.things else "",
            "most": None if form.numbers is None else rng.choice(form.numbers[:6]),
        },
    )


async def act(table: Table, rng: random.Random) -> bool:
    """Let a person who is asked decide; return whether anybody was."""
    asked = [each for each in table.people if each.choices and each.answered != each.held["number"]]
    if not asked:
        return False
    person = rng.choice(asked)
    person.answered = person.held["number"]
    await person.say(type="act", number=person.held["number"], action=rng.choice(person.choices))
    return True


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_game_is_played_by_orders_as_far_as_they_go(tmp_path: Path, game: str):
    seats, beat, options = GAMES[game]
    path, rng = tmp_path / "tables.sqlite", random.Random(game)
    async with opened_registry(path, window_beat=beat) as registry:
        table = await started(registry, game, seats, options=options, dice={"kind": "seeded", "seed": 3})
        await play_by_orders(table, rng, count(60, 200))
        id, kept = table.room.state.id, [info.orders for info in table.room.state.seats]
        listed = [how for each in table.people for how in ended(each)]
    async with opened_registry(path, window_beat=beat) as registry:  # after a restart
        room = await registry.room(id)
        assert [info.orders for info in room.state.seats] == kept
        table = Table(registry, id=id)
        await table.sit_down()
        await table.quiet()
        await play_by_orders(table, rng, 10**6)
        assert table.room.state.status == "over"
        listed += [how for each in table.people for how in ended(each)]
    assert listed.count("done") > 3


async def play_by_orders(table: Table, rng: random.Random, steps: int) -> None:
    """Give orders wherever it is possible, and answer only where nothing else happens."""
    idle = 0
    while not table.room.state.over and steps:
        steps -= 1
        before = table.room.state.next
        for person in table.people:
            if len(table.room.state.seats[person.viewer.seat].orders) < 4 and rng.random() < 0.5:
                await give_any(person, rng)
        await table.quiet()
        if steps % 5 == 0:
            table.check()
        if any(moment > table.clock.time for moment, _ in table.clock.waiting):
            await table.step_time()
        elif table.room.state.next == before and not await act(table, rng):
            idle += 1
            for person in table.people:
                person.answered = -1
            assert idle < 1000, table.room.session.match
        await table.quiet()


async def test_orders_that_come_and_go_tell_others_nothing(tmp_path: Path):
    """Two tables play the same random game. At one of them a person gives, lists and cancels orders all along."""
    heard = []
    for with_orders in (True, False):
        async with opened_registry(tmp_path / f"{with_orders}.sqlite", window_beat=1.5) as registry:
            options = {"series": [1], **SHORT_RACE}
            table = await started(
                registry, "ben-hvrt", "me open open", options=options, dice={"kind": "seeded", "seed": 4}
            )
            rng, other = random.Random(6), random.Random(7)
            given = 0
            for each in table.listeners:
                each.heard.clear()
            for _ in range(count(120, 600)):
                person = table.people[1]
                if with_orders and table.room.state.status == "playing":
                    async with table.room.lock:  # nothing is carried out in between
                        seats = table.room.state.seats
                        assert not seats[1].orders
                    given += await give_and_cancel(person, other)
                if table.room.state.over:
                    break
                if any(moment > table.clock.time for moment, _ in table.clock.waiting):
                    await table.step_time()
                elif not await act(table, rng):
                    for each in table.people:
                        each.answered = -1
                await table.quiet()
            assert given > 20 or not with_orders
            assert bool(told(table.people[1], "orders")) is with_orders
            others = [each for each in table.listeners if each.viewer.seat != 1]
            heard.append([[each for each in one.heard if b'"type":"table"' not in each[1]] for one in others])
    assert [len(each) for each in heard[0]] == [len(each) for each in heard[1]]
    assert heard[0] == heard[1]


async def give_and_cancel(person: Listener, rng: random.Random) -> bool:
    """Give an order that does not apply now, list all, and cancel it, before the room does anything else."""
    state = person.room.state
    session = state.session
    assert session is not None
    if session.actor == person.viewer.seat or person.room.asked(person.viewer.seat) is not None:
        return False
    found = await give_any(person, rng)
    return found and await person.say(type="orders") and await person.say(type="cancel", order=None)
