"""The options of Ave Caesar, and its tables and first position."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.match.options import Document, FileReport, Option, Options, Several
from quadriga.games.avecaesar.board import LAPS, MOST_SPACES, NEVER, WINDOW, Course, courses, own_courses
from quadriga.games.avecaesar.file_reports import report_courses
from quadriga.games.avecaesar.rules.knowledge import fill_hands
from quadriga.games.avecaesar.segments import refuse
from quadriga.games.avecaesar.state import CUT, LISTED, RACES, SEATS, State, Tables

VARIANTS = ("start-by-place", "bottom-card", "crash-and-burn", "dishonour")


def _directed(name: Any) -> Any:
    """Return the name of a course with its direction: clockwise if it has none."""
    return f"{name} cw" if f"{name} cw" in own_courses() else name


@dataclass(frozen=True)
class Courses(Several):
    """One to eight races, each `NAME cw` or `NAME ccw`. The option `course` adds custom names."""

    def allowed(self) -> str:
        """Return the allowed number and form of the values."""
        return f"{self.least}..{self.most} of: white cw, white ccw, blue cw, ... or of your own course file"

    def words(self) -> list[str]:
        """Return the courses that come with the game."""
        return list(own_courses())

    def from_python(self, value: object) -> object:
        """Return a list of courses; a name alone is driven clockwise."""
        given = super().from_python(value)
        return [_directed(name) for name in given] if isinstance(given, list) else given

    def parse(self, text: str) -> object:
        """Return the courses between the commas; a name alone is driven clockwise."""
        return [_directed(name.strip()) for name in text.split(",")] if text else []

    def check(self, value: object) -> object:
        """Return a list of the right length. `check_options` checks that the courses exist."""
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            raise self.refuse(value)
        if any(not isinstance(name, str) for name in value):
            raise self.refuse(value)
        return list(value)

    def form(self) -> dict[str, object]:
        """Return the courses that come with the game to choose from, and how many."""
        return {**super().form(), "choices": list(own_courses())}


def _recommended(options: Options, seats: int) -> list[str]:
    """AC-6.2: return the recommended courses; with a custom file, its first course in both directions."""
    if options.get("course") is not None:
        own = _custom_courses(json.dumps(options["course"]))
        return list(own)[:2]
    pair = ("white", "blue") if seats <= 4 else ("yellow", "red")
    return [f"{name} {direction}" for direction in ("cw", "ccw") for name in pair]


@dataclass(frozen=True)
class CourseFile(Document):
    """A file of custom courses, which is checked when it is read."""

    def read(self, name: str, content: bytes) -> object:
        """Return the content of a valid course file."""
        found, _ = files.parse_checked(name, content, lambda given, _: courses(given))
        return json.loads(json.dumps(found, default=str))  # TOML has dates, JSON has none

    def report(self, path: str) -> FileReport:
        """Return all faults of a course file, or its courses."""
        return report_courses(path)


OPTIONS: tuple[Option, ...] = (
    CourseFile("course", None),
    Courses("courses", _recommended, least=1, most=RACES, repeats=True),
    Several("variants", lambda options, seats: [], choices=VARIANTS, most=len(VARIANTS)),
)


def options_from_flag(flag: str, text: str) -> dict[str, object]:
    """Return the options of `--course`: `blue`, `"blue ccw,white cw"`, or a custom course file."""
    if flag != "course":
        raise OptionError("option.flag", flag=flag)
    asked = [_directed(part.strip()) for part in text.split(",")]
    unknown = [name for name in asked if name not in own_courses()]
    if not unknown:
        return {"courses": asked}
    if Path(text).suffix or Path(text).exists():
        return {"course": CourseFile("course", None).parse(text)}
    raise refuse("no-course", unknown[0], known=list(own_courses()))


@lru_cache(maxsize=16)
def _custom_courses(document: str) -> dict[str, Course]:
    return courses(json.loads(document))


def raced(options: Options) -> list[Course]:
    """Return the courses of the tournament, race by race."""
    known = _custom_courses(json.dumps(options["course"])) if options["course"] is not None else own_courses()
    for name in options["courses"]:
        if name not in known:
            raise refuse("no-course", name, known=list(known))
    return [known[name] for name in options["courses"]]


def check_options(options: Options, seats: int) -> None:
    """AC-1.1: check that every course has a start for every chariot."""
    for course in raced(options):
        if seats > len(course.starts):
            raise refuse("crowded", course.text, seats=seats, most=len(course.starts))


def new(options: Options, seats: int) -> tuple[Tables, State]:
    """Return the tables of the courses, and a state in which all seats are to cut a card."""
    s = State()
    s.phase = CUT
    s.cutters = s.tied = (1 << seats) - 1
    return _tables(json.dumps(options), seats), s


@lru_cache(maxsize=32)
def _tables(document: str, seats: int) -> Tables:
    """Return the tables under these options. Nobody changes them, so games share them."""
    options = json.loads(document)
    t = Tables()
    t.seats = seats
    t.races = len(options["courses"])
    t.start_by_place, t.bottom_card, t.crash_and_burn, t.dishonour = (v in options["variants"] for v in VARIANTS)
    t.raced = raced(options)
    for race, course in enumerate(t.raced):
        _fill_course(t, race, course)
    fill_hands(t)
    return t


def _fill_course(t: Tables, race: int, course: Course) -> None:
    """Write the tables of one race."""
    size = len(course.spaces)
    t.spaces[race] = size
    t.gate[race] = course.gate
    t.entrance[race] = 1 << (course.entrance - course.gate) % size
    for x, space in enumerate(course.spaces):
        t.rank[race, x] = course.rank[x]
        t.alley[race, x] = space.alley
        kept = [y for y, keeps in enumerate(course.keeps) if keeps and (y > x or course.spaces[y].alley)]
        t.keeping[race, x] = sum(1 << (y - x) % size for y in kept if 0 < (y - x) % size <= WINDOW)
        for lap in range(LAPS + 1):
            for coin in (False, True):
                fewest = course.to_go[lap, coin][x]
                left = fewest if fewest < NEVER else course.to_go[lap, False][x]
                t.to_go[race, (lap * 2 + coin) * MOST_SPACES + x] = left
    for x in range(LISTED):
        steps = sum(1 << (y - x) % size for y in course.steps[x % size])
        t.steps[2 * race, x] = steps
        t.steps[2 * race + 1, x] = steps | (t.entrance[race] if x % size == course.gate else 0)
    for place, start in enumerate(course.starts[:SEATS]):
        t.start[race, place] = start
