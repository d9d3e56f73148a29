"""What `quadriga course check` says about a file: all its faults, or what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.match.options import FileReport
from quadriga.engine.text.catalogues import Words
from quadriga.games.avecaesar.board import DIRECTIONS, Course, check, courses
from quadriga.games.avecaesar.segments import check_head, checked_segment, plan


def report_courses(path: str) -> FileReport:
    """Check a course file: its courses with their spaces, starts and the cost of a race."""
    document, _ = files.read_document(path)
    faults = list(_faults(document))
    if faults:
        return FileReport(faults)
    found = list(courses(document).values())

    def lines(say: Words, in_full: bool) -> list[str]:
        said = [
            say(
                "ave-caesar.file.course",
                course=course.text,
                spaces=len(course.spaces),
                alley=course.plan.alley,
                starts=len(course.starts),
                cost=min(course.cheapest),
            )
            for course in found
        ]
        return [say("ave-caesar.file.courses", path=path, n=len(found)), *said]

    facts = [
        {
            "course": course.text,
            "spaces": len(course.spaces),
            "alley": course.plan.alley,
            "starts": len(course.starts),
            "cost": min(course.cheapest),
        }
        for course in found
    ]
    return FileReport(facts={"courses": facts}, lines=lines)


def _faults(document: Any) -> Iterator[OptionError]:
    """Yield the faults of a file: those of its segments, each once, then those of the courses made of good ones."""
    if fault := _fault(lambda: check_head(document)):
        yield fault
        return
    wrong: set[str] = set()
    segments = document["segments"]
    for name, given in document["courses"].items():
        order = given.get("order") if isinstance(given, dict) else None
        own = [each for each in order if isinstance(each, str)] if isinstance(order, list) else []
        for segment in dict.fromkeys(own):
            if segment in segments and segment not in wrong:
                if fault := _fault(lambda s=segment, n=name: checked_segment(s, n, segments[s])):  # type: ignore[misc]
                    wrong.add(segment)
                    yield fault
        if not wrong.isdisjoint(own):
            continue
        if fault := _fault(lambda n=name, g=given: plan(n, g, segments)):  # type: ignore[misc]
            yield fault
            continue
        for direction in DIRECTIONS:
            course = Course(name, direction, plan(name, given, segments))
            if fault := _fault(lambda c=course: check(c)):  # type: ignore[misc]
                yield fault


def _fault(read: Callable[[], object]) -> OptionError | None:
    """Return the error of a function, if it fails."""
    try:
        read()
    except OptionError as fault:
        return fault
    return None
