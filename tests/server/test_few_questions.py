"""A person who is asked only where it concerns them: few questions in a lap, and no promised chance is lost.

The promise is checked by an oracle of its own: it plays every chance out on copies of the match, where all others
pass, and compares what becomes of the person's chariots and of the rivals near them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import force_setattr

from games.benhvrt.positions import Match
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.entry import last_to_act
from quadriga.games.benhvrt.deck.operations import EVENT, MOVE
from quadriga.games.benhvrt.rules.chariots import owner, to_finish
from quadriga.games.benhvrt.rules.piles import card_at, held, put, size, take
from quadriga.games.benhvrt.state import DECK
from quadriga.server.rooms.room import Room
from server.support.harness import Client
from server.support.in_process import InProcessServer, in_process
from server.support.tables import connect_all, start_table
from server.test_few_answers import Person
from soak import count

ME = 0
BOT = "normal"  # which people meet unless they choose another
MOST = {3: 8, 10: 12}  # questions in a lap, by the size of the hand at its start; on average the drives included
_DEPTH = 3  # cards that the oracle plays in a row


# --- the oracle ---------------------------------------------------------------------------------------------


def _window(match: Match) -> str | None:
    return match.game.window_of(match.t, match.s)


def _passed(match: Match, window: str | None) -> Match:
    """Return the position after everybody has passed, in this window or in all windows if it is None."""
    after = match.clone()
    depth = after.s.depth
    while after.actor >= 0 and (found := _window(after)) is not None:
        if window is not None and (found != window or after.s.depth < depth):
            break
        after.play("pass")
    return after


def _threatens(match: Match, rival: int, allowance: int) -> bool:
    t, s = match.t, match.s
    if not s.racing >> rival & 1:
        return True
    left = to_finish(t, s, rival)
    own = [to_finish(t, s, each) for each in range(t.chariots) if owner(t, each) == ME and s.racing >> each & 1]
    return left <= allowance or any(left - allowance <= each < left for each in own)


def _by_roll(match: Match, rival: int) -> bool:
    return _threatens(match, rival, max(match.s.speed[rival] + match.s.roll, 0))


def _by_next(match: Match, rival: int) -> bool:
    return _threatens(match, rival, match.s.speed[rival] + (match.s.next_roll[rival] or 6))


def _plays(match: Match, window: str, depth: int = _DEPTH) -> Iterator[Match]:
    """Yield the positions after any cards of the person, with everybody else passing and luck on their side."""
    for text in match.actions():
        if not text.startswith("play ") or depth == 0:
            continue
        after = match.clone()
        after.play(text)
        while after.actor == CHANCE or _window(after) != window or after.actor != ME:
            if after.actor == CHANCE and "Again" in text:  # the best roll for the one who plays it
                after.happen("die 6" if owner(after.t, after.s.mover) == ME else "die 1")
            elif after.actor >= 0 and _window(after) is not None and after.s.depth >= match.s.depth:
                after.play("pass")
            else:
                break
        yield after
        if after.actor == ME and _window(after) == window:
            yield from _plays(after, window, depth - 1)


def _own_measure(match: Match) -> list[tuple[float, ...]]:
    """Return what the person has on the track: by chariot Speed, next roll, Driver, and the roll of its move."""
    t, s = match.t, match.s
    return [
        (s.speed[each], s.next_roll[each] or 3.5, bool(s.driver[each]), s.roll if s.mover == each else 0, -s.halted)
        for each in range(t.chariots)
        if owner(t, each) == ME
    ]


def _hurts(match: Match) -> bool:
    """Return whether the card that a window RE answers is worse for the person than a Veto of it."""
    vetoed = next(text for text in match.actions() if text.startswith("play "))
    unanswered, answered = match.clone(), match.clone()
    answered.play(vetoed)
    ends = [_resolved(unanswered), _resolved(answered)]
    if any(end.actor == CHANCE or _window(end) is None for end in ends):  # drawn cards, a new roll, or a shift
        draws = "Rich Aunt" in match.view(ME).answering
        return bool(match.s.begun) and owner(match.t, match.s.mover) == ME and not draws
    without, with_veto = (_own_measure(end) for end in ends)
    if any(a < b for one, two in zip(without, with_veto, strict=True) for a, b in zip(one, two, strict=True)):
        return True
    mover = match.s.mover
    if owner(match.t, mover) == ME:
        return False
    return _by_roll(ends[0], mover) and not _by_roll(ends[1], mover)


def _resolved(match: Match) -> Match:
    while match.actor >= 0 and _window(match) == "RE":
        match.play("pass")
    return match


def _next_mover(match: Match) -> int:
    after = match.clone()
    while after.actor >= 0 and _window(after) == "BM":
        after.play("pass")
    return after.s.mover


def is_promised(match: Match) -> bool:
    """Return whether a person who wants to be asked where it concerns them must be asked here."""
    t, s, window = match.t, match.s, _window(match)
    assert window is not None
    if not any(text.startswith(("play ", "use ")) for text in match.actions()):
        return False
    if window == "RE":
        return _hurts(match)
    if window == "RO" and owner(t, s.mover) != ME:
        if last_to_act(match.entries) == ME:
            return False  # everybody has passed since they played, and nothing has changed
        mover = s.mover
        return _by_roll(match, mover) and any(not _by_roll(each, mover) for each in _plays(match, "RO"))
    if window == "BM":
        if any(text.startswith("play Side Wager") for text in match.actions()):
            return True
        following = _next_mover(match)
        if owner(t, following) != ME:
            return _by_next(match, following) and any(
                not _by_next(each, following) for each in _plays(match, "BM") if each.s.racing >> following & 1
            )
        before = _own_measure(match)
        is_better = any(
            a > b
            for each in _plays(match, "BM", 1)
            for one, two in zip(_own_measure(each), before, strict=True)
            for a, b in zip(one, two, strict=True)
        )
        return is_better or any(text == "play Rich Aunt" for text in match.actions())
    if window == "PB":
        target = s.target[s.depth - 1]
        return any(
            s.speed[target] - each.s.speed[target] > 1 or each.s.driver[target] != s.driver[target]
            for each in _plays(match, "PB", 1)
        )
    if window == "PA" or any(text.startswith("use ") for text in match.actions()):
        return True
    if to_finish(t, s, s.mover) <= s.speed[s.mover] + (s.roll or 1):
        return False  # home already
    now = _own_measure(match)[0]
    return any(text.startswith("play Loaded Die") for text in match.actions()) or any(
        any(a > b for a, b in zip(_own_measure(each)[0], now, strict=True)) for each in _plays(match, window, 1)
    )


# --- the person -----------------------------------------------------------------------------------------------


class Asked(Person):
    """Answers as on the page: cards in a row are one answer, and so are a pass on one's roll and the drive."""

    def __init__(self, room: Room, client: Client, hand: int, seed: int) -> None:
        super().__init__(room, client, drives=True)
        self.hand, self.rng = hand, random.Random(seed)
        self.lost: list[str] = []  # windows that were passed in for the person, against the promise
        self.unasked = 0
        self.is_shifting = False  # squares of a shift are chosen as one
        act = room.session.act

        def watched(text: str, by: str) -> Any:
            match = self.match
            if by == "table" and match.actor == ME and _window(match) is not None:
                self.unasked += len(match.actions()) > 1
                if is_promised(match):
                    self.lost.append(f"{_window(match)} {match.view(ME).answering} {list(match.actions())}")
            return act(text, by)

        room.session.act = watched  # type: ignore[method-assign]

    @property
    def match(self) -> Match:
        """The position of the room, with the types of Ben Hvrt."""
        return cast("Match", self.room.session.match)

    def deal(self, match: Match) -> None:
        """Give the person a hand of Move and Event cards, as many as the lap is to begin with."""
        t, s, rng = match.t, match.s, self.rng
        while size(s, ME):
            take(s, ME, card_at(s, ME, 0))
        while size(s, ME) < self.hand:
            kind = card_at(s, DECK, rng.randrange(size(s, DECK)))
            if t.type[kind] in (MOVE, EVENT) and held(s, DECK):
                take(s, DECK, kind)
                put(s, ME, kind)

    def cards(self, match: Match) -> list[str]:
        """Return the cards that the person plays in this window, one after the other if nobody answers them."""
        planned, after, window = list[str](), match.clone(), _window(match)
        while after.actor == ME and _window(after) == window and (text := self.choose(after)).startswith("play "):
            planned.append(text)
            after.play(text)
            depth = after.s.depth
            while after.actor >= 0 and (after.actor != ME or after.s.depth > depth) and _window(after) is not None:
                after.play("pass")
        return planned

    async def asked_again(self) -> bool:
        while not self.client.legal and not self.client.over:
            await self.client.hear()
        return bool(self.client.legal)

    def others_played(self, since: int) -> bool:
        return any(entry.seat not in (ME, None) and entry.text != "pass" for entry in self.match.entries[since:])

    async def answer(self, match: Match) -> None:
        """Answer in a window: a row of cards, or a pass, with the drive behind it on one's own roll."""
        self.answers[f"window {_window(match)}"] += 1
        since, queue = len(match.entries), self.cards(match) or [self.choose(match)]
        is_own_roll = bool(self.client.view["reach"])
        for text in queue:
            if not await self.asked_again() or self.others_played(since):
                return
            if text not in (each["text"] for each in self.client.legal or []):
                return
            await self.send(text)
        if queue == ["pass"] and is_own_roll and await self.asked_again() and not self.others_played(since):
            steps = self.way(self.match)
            if steps:
                await self.drive(steps)
                self.answers["drive"] -= 1

    async def play(self) -> None:
        is_dealt = False
        while await self.asked_again():
            match = self.match
            if _window(match) is not None:
                await self.answer(match)
            elif any(each["text"].startswith("step ") for each in self.client.legal or []):
                await self.drive(self.way(match))
            else:
                text = self.choose(match)
                if text == "ready" and not is_dealt:
                    is_dealt = True
                    self.deal(match)
                    text = self.choose(match)
                is_shift = text.startswith("shift ") or self.is_shifting
                self.answers["race" if self.client.view["phase"] == "race" else "before"] += not self.is_shifting
                self.is_shifting = is_shift and text != "stop"
                await self.send(text)


async def lap(server: InProcessServer, seed: int, hand: int, when: str) -> Asked:
    table, tokens = await start_table(
        server,
        "ben-hvrt",
        f"me bot={BOT} bot={BOT} bot={BOT}",
        options={"series": [1]},
        dice={"kind": "seeded", "seed": seed},
    )
    room = server.registry.rooms[table]
    force_setattr(room.state.setup, "bot_seed", seed)
    (client,) = await connect_all(server, table, tokens)
    await client.say(type="asks", when=when)
    await client.until("stops", asks=when)
    person = Asked(room, client, hand, seed)
    await person.play()
    return person


@pytest.mark.parametrize("hand", MOST)
async def test_a_lap_asks_little_and_loses_no_chance_that_concerns_the_person(tmp_path: Path, hand: int):
    unasked, answers = 0, list[int]()
    async with in_process(tmp_path / "tables.sqlite", tick=0.0) as server:
        for seed in range(1, count(2, 24) + 1):
            person = await lap(server, seed, hand, "concerns")
            assert not person.lost
            answers.append(person.answers.total() - person.answers["before"])  # the market is none of the lap
            assert answers[-1] - person.answers["drive"] <= MOST[hand]
            unasked += person.unasked
    assert sum(answers) <= MOST[hand] * len(answers)
    assert unasked > 0
