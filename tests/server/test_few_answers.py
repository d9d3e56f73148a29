"""A person alone against three bots: how often they have to answer in a lap, the old way and the new one.

The old way is a table that always asks, and one answer for each step. The new way asks only where something can be
played, and a drive is one answer. The same person plays the same games both ways, on a real server.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec.structs import force_setattr

from quadriga import players
from quadriga.engine.match.match import Match
from quadriga.players import Perspective
from quadriga.server.rooms.room import Room
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table
from soak import count

GOAL = 30  # answers in a lap, at most
BOT = "greedy:no-training+no-contests"  # the goal was set where nobody contests a bid: hands are smaller
NO_CARD = {"pass", "bribe *"}  # actions in a window that play nothing; a bribe alone is no reason to ask (BH-7.9)


class Person:
    """Plays by rules of thumb, and counts answers: a drive along the way that the page shows is one."""

    def __init__(self, room: Room, client: Client, drives: bool) -> None:
        self.room, self.client, self.drives = room, client, drives
        self.answers: Counter[str] = Counter()
        self.chances: list[tuple[int, str]] = []  # to play a card: entries of the rules so far, and the window

    def choose(self, match: Match) -> str:
        return players.find(BOT, match.game, 1).decide(Perspective(match))

    def way(self, match: Match) -> list[str]:
        """Return the steps that the person wants to take, as far as nobody interrupts."""
        driven, found = match.clone(), list[str]()
        seat = driven.actor
        while driven.actor == seat and any(text.startswith("step ") for text in driven.actions()):
            found.append(self.choose(driven))
            driven.play(found[-1])
        return found

    async def send(self, text: str) -> None:
        self.client.legal = None
        await self.client.act(text)
        await self.client.until("done")

    async def play(self) -> None:
        session = self.room.session
        while not self.client.over:
            if not self.client.legal:
                await self.client.hear()
                continue
            match = session.match
            texts = [each["text"] for each in self.client.legal]
            if session.open_window is not None:
                can_play = not NO_CARD.issuperset(texts)
                self.answers["window" if can_play else "idle window"] += 1
                if can_play:
                    played = sum(not forced for forced in session.forced)
                    self.chances.append((played, session.open_window))
                await self.send(self.choose(match))
            elif self.drives and any(text.startswith("step ") for text in texts):
                await self.drive(self.way(match))
            else:
                self.answers["step" if any(text.startswith("step ") for text in texts) else "other"] += 1
                await self.send(self.choose(match))

    async def drive(self, steps: list[str]) -> None:
        """Choose one square, as far on the wanted way as the way that is shown agrees, and drive there."""
        self.answers["drive"] += 1
        if steps[0] == "stop":
            await self.send("stop")
            return
        wanted = [step.removeprefix("step ") for step in steps if step != "stop"]
        view = self.client.view
        start = view["chariots"][view["move"]["chariot"]]["square"]
        for end in range(len(wanted), 0, -1):
            shown = [wanted[end - 1]]
            while shown[0] in view["reach"]:
                shown.insert(0, view["reach"][shown[0]])
            if shown == [start, *wanted[:end]]:
                break
        for square in wanted[:end]:
            await self.send(f"step {square}")


async def played(server: InProcessServer, seed: int, old: bool) -> Person:
    table, tokens = await start_table(
        server,
        "ben-hvrt",
        f"me bot={BOT} bot={BOT} bot={BOT}",
        options={"series": [1]},
        dice={"kind": "seeded", "seed": seed},
        **({"beat": 0} if old else {}),
    )
    room = server.registry.rooms[table]
    force_setattr(room.state.setup, "bot_seed", seed)  # the same bots both ways; they wait for a viewer
    (client,) = await connect_all(server, table, tokens)
    person = Person(room, client, drives=not old)
    await person.play()
    return person


async def test_a_lap_alone_takes_a_third_of_the_answers_and_loses_no_chance_to_play(tmp_path: Path):
    totals = Counter[str]()
    async with in_process(tmp_path / "tables.sqlite", tick=0.0) as server:
        for seed in range(1, count(3, 12) + 1):
            old = await played(server, seed, old=True)
            new = await played(server, seed, old=False)
            rules = [each.room.session.match_by_the_rules() for each in (old, new)]
            assert [entry.text for entry in rules[0].entries] == [entry.text for entry in rules[1].entries]
            assert new.chances == old.chances  # every position in which a card could be played still asks
            assert old.answers["idle window"] > new.answers["idle window"] == 0
            assert new.answers["window"] == len(new.chances)  # and nothing else does
            assert new.answers.total() <= GOAL
            totals += Counter(old=old.answers.total(), new=new.answers.total(), chances=len(old.chances))
    assert 3 * totals["new"] <= totals["old"]
    assert totals["chances"] > 10
