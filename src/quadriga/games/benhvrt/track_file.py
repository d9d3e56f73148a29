"""Read and check a track file (BH-1.5).

It has a `[[section]]` for each straight and curve, or four numbers for a track with two equal curves (BH-1.1), and
the start squares in `grid`. All errors are reported at once, each with its line if known.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, TypeGuard

from quadriga.engine.errors import OptionError
from quadriga.games.benhvrt import custom_files
from quadriga.games.benhvrt.board import CHARIOTS, LANES, SIDES, SQUARES, Section, Track
from quadriga.games.benhvrt.custom_files import Lines, failures

PACKAGE = "quadriga.games.benhvrt"
_SHORT = ("straights", "curves", "square", "curve")  # the fields of a track with two equal curves
_FIELDS = {"section", *_SHORT, "grid"}
_KINDS = ("straight", "curve")
_MOST_SECTIONS = 60
_LEAST_SQUARES = 3  # of a lane: with fewer, the square ahead would be the one behind
_LEAST_PLACES = 2


def checked(document: object, text: str | None = None) -> Track:
    """Return the track of a file. Raise OptionError for the first error."""
    track, faults = read(document, text)
    if track is None:
        raise faults[0]
    return track


def read(document: object, text: str | None = None) -> tuple[Track | None, list[OptionError]]:
    """Return a track, or None and an error for each invalid field."""
    where = Lines(text, "section")
    given: dict[str, Any] = document if isinstance(document, dict) else {}
    faults = [
        _refuse("field", where.field(str(foreign)), field=foreign, known=sorted(_FIELDS))
        for foreign in sorted(set(given) - _FIELDS, key=str)
    ]
    if "section" in given:
        faults += [_refuse("both", where.field(field), field=field) for field in _SHORT if field in given]
        sections, wrong = _sections(given["section"], where)
    else:
        sections, wrong = _two_curves(given, where)
    faults += wrong
    if not faults:
        faults = failures(lambda: _check_shape(Track(sections), where), lambda: _check_grid(given, sections, where))
    if faults:
        return None, faults
    return Track(sections, tuple(map(tuple, given.get("grid", ())))), []


def _two_curves(given: dict[str, Any], where: Lines) -> tuple[tuple[Section, ...], list[OptionError]]:
    """BH-1.1: return the sections of a track with two equal curves: straight, curve, straight, curve, straight."""
    straights, curves = given.get("straights"), given.get("curves")
    faults = []
    if not _numbers(straights, 1, 20) or len(straights) != 3:
        faults.append(_refuse("straights", where.field("straights")))
    if not _numbers(curves, 1, 30) or not 2 <= len(curves) <= LANES:
        faults.append(_refuse("curves", where.field("curves"), most=LANES))
    for field in ("square", "curve"):
        if not _numbers([given.get(field)], 1, 1000):
            faults.append(_refuse("length", where.field(field), field=field))
    if faults or not straights or not curves:
        return (), faults
    straight = [Section(False, n * given["square"], (n,) * len(curves)) for n in straights]
    curve = Section(True, given["curve"], tuple(curves))
    return (straight[0], curve, straight[1], curve, straight[2]), []


def _sections(given: object, where: Lines) -> tuple[tuple[Section, ...], list[OptionError]]:
    """Return the sections that a file lists; the first of them says how many lanes there are."""
    if not isinstance(given, list) or not 1 <= len(given) <= _MOST_SECTIONS:
        return (), [_refuse("sections", where.field("section"), most=_MOST_SECTIONS)]
    if len(where.tables) != len(given):
        where = Lines(None, "section")
    lanes = next((len(each["squares"]) for each in given if _is_listed(each)), 0)
    found, faults = [], []
    for number, each in enumerate(given):
        section, wrong = _section(each if isinstance(each, dict) else {}, number, lanes, where)
        faults += wrong
        if section is not None:
            found.append(section)
    return tuple(found), faults


def _is_listed(given: object) -> bool:
    """Return whether a section lists its squares lane by lane."""
    return isinstance(given, dict) and isinstance(given.get("squares"), list)


def _section(
    given: dict[str, Any], number: int, lanes: int, where: Lines
) -> tuple[Section | None, list[OptionError]]:
    """Return one section. `squares` is a number for each lane, or one for all of them."""

    def refuse(code: str, field: str, **more: object) -> OptionError:
        return _refuse(code, where.table(number, field), number=number + 1, field=field, **more)

    known = ("kind", "length", "squares")
    faults = [refuse("section-field", str(field), known=known) for field in sorted(set(given) - {*known}, key=str)]
    squares = given.get("squares")
    if _numbers([squares], 1, 30):
        squares = [squares] * lanes
    if given.get("kind") not in _KINDS:
        faults.append(refuse("kind", "kind", known=_KINDS))
    if not _numbers([given.get("length")], 1, 1000):
        faults.append(refuse("section-length", "length"))
    if not _numbers(squares, 1, 30) or not 2 <= len(squares) <= LANES or len(squares) != lanes:
        faults.append(refuse("section-squares", "squares", most=LANES))
    if faults or not squares:
        return None, faults
    return Section(given["kind"] == "curve", given["length"], tuple(squares)), []


def _check_shape(track: Track, where: Lines) -> None:
    """Raise OptionError for a track that is too large or too small, or that has too many squares side by side."""
    at = where.field("curves") or where.table(0, "squares")
    if len(track.squares) > SQUARES:
        raise _refuse("squares", at, squares=len(track.squares), most=SQUARES)
    if min(map(len, track.lanes)) < _LEAST_SQUARES:
        raise _refuse("short", at, least=_LEAST_SQUARES)
    if max(len(track.beside(place)) for place in range(len(track.squares))) > SIDES:
        raise _refuse("beside", at, most=SIDES)


def _check_grid(given: dict[str, Any], sections: tuple[Section, ...], where: Lines) -> None:
    """Raise OptionError if the start squares are not on the track, or there is no room for those of BH-1.3."""
    last = sections[-1].squares
    if "grid" not in given:
        ranks = -(-CHARIOTS // len(last))
        if min(last) < ranks:
            at = where.field("straights") or where.table(len(sections) - 1, "squares")
            raise _refuse("grid", at, ranks=ranks)
        return
    ranks, line = given["grid"], where.field("grid")
    if not isinstance(ranks, list) or not all(isinstance(rank, list) and rank for rank in ranks):
        raise _refuse("ranks", line)
    places = [square for rank in ranks for square in rank]
    known = Track(sections).number
    for square in places:
        if not isinstance(square, str) or square not in known:
            raise _refuse("place", line, square=str(square)[:20])
    if len(set(places)) < len(places):
        raise _refuse("place-twice", line)
    if not _LEAST_PLACES <= len(places) <= CHARIOTS:
        raise _refuse("places", line, least=_LEAST_PLACES, most=CHARIOTS)


def _numbers(value: object, least: int, most: int) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(n) is int and least <= n <= most for n in value)


def _refuse(code: str, line: int | None, **parameters: object) -> OptionError:
    fault = OptionError(f"track.{code}", package=PACKAGE, **parameters)
    return fault if line is None else OptionError("track.at", package=PACKAGE, line=line, reason=fault)


@cache
def own_track() -> Track:
    """Return the built-in track."""
    text = resources.files(PACKAGE).joinpath("data", "track.toml").read_text("utf-8")
    return checked(tomllib.loads(text), text)


def check_file(path: str) -> Track:
    """Return the track of a track file. Raise OptionError with the line of the first error."""
    return custom_files.good(path, checked)[1]
