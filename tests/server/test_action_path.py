"""The path of an action in docs/code/server.md is the one that a card takes: straight, without a module twice."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import quadriga
from quadriga.engine.game import NOBODY
from quadriga.server.rooms import audience
from quadriga.server.rooms.room import Room
from quadriga.server.seats.viewers import Viewer
from server.support.listeners import opened_registry, started
from support import ROOT

PACKAGE = Path(quadriga.__file__).parent.as_posix() + "/"
SERVER = PACKAGE + "server/"
PAGE = (ROOT / "docs" / "code" / "server.md").read_text("utf-8")
SECTION = PAGE.split("## The path of an action")[1].split("\n## ")[0]
LIST, HELPERS = SECTION.split("\n\nBefore and after")
STEPS = re.findall(r"^\d+\. `([\w/]+\.py)`(?:, `(\w+)`)?", LIST, re.MULTILINE)
Call = tuple[str, str]  # a module and a function


def _module(frame: FrameType) -> str | None:
    """Return the module of a stack frame as the document names it; None for one that it does not describe."""
    name = Path(frame.f_code.co_filename).as_posix()
    if name.startswith(SERVER):
        return name.removeprefix(SERVER)
    return name.removeprefix(PACKAGE) if name.endswith("engine/match/match.py") else None


@contextmanager
def _traced() -> Iterator[dict[Call, list[str]]]:
    """Note the calls between modules: each function that is called, in order, with the calling modules."""
    found: dict[Call, list[str]] = defaultdict(list)

    def note(frame: FrameType, event: str, _: object) -> None:
        called = _module(frame)
        if event != "call" or called is None:
            return
        caller = frame.f_back
        while caller is not None and _module(caller) is None:
            caller = caller.f_back
        if caller is not None and (calling := _module(caller)) != called:
            assert calling is not None
            found[called, frame.f_code.co_name].append(calling)

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


async def _calls_of_a_card(path: Path) -> dict[Call, list[str]]:
    async with opened_registry(path) as registry:
        dice, options = {"kind": "seeded", "seed": 1}, {"courses": ["white cw"]}
        table = await started(registry, "ave-caesar", "me open open", dice=dice, options=options)
        room: Room = table.room
        async with room.exclusive():
            await audience.enter(room, Viewer(None, [], NOBODY, explain=True, name="", most=100), None)
        person = next(each for each in table.people if each.choices)
        with _traced() as found:
            assert await person.say(type="act", number=person.held["number"], action=person.choices[0])
        assert not room.is_stale
    return found


def test_the_path_names_no_module_twice():
    modules = [module for module, _ in STEPS]
    assert len(modules) > 12
    assert len(set(modules)) == len(modules)


async def test_a_card_of_ave_caesar_takes_the_documented_path(tmp_path: Path):
    calls = await _calls_of_a_card(tmp_path / "tables.sqlite")
    steps = [step for step in STEPS if step[1]]
    first, *others = steps
    order = list(calls)
    assert [step for step in order if step in others] == others
    before = {first[0]}
    for module, function in others:
        callers = set(calls[module, function])
        assert len(callers) == 1, (module, function, callers)
        assert callers <= before, (module, function, callers)
        before.add(module)


async def test_every_module_that_a_card_passes_is_documented(tmp_path: Path):
    calls = await _calls_of_a_card(tmp_path / "tables.sqlite")
    named = {module for module, _ in STEPS} | set(re.findall(r"`([\w/]+\.py)`", HELPERS))
    passed = {module for module, _ in calls if not module.startswith("protocol/")}
    assert passed <= named


async def test_a_move_finds_the_open_window_once_before_and_once_after_it(tmp_path: Path):
    calls = await _calls_of_a_card(tmp_path / "tables.sqlite")
    assert len(calls["rooms/window_timer.py", "current"]) == 2
    assert len(calls["rooms/clocks.py", "start"]) == 1
