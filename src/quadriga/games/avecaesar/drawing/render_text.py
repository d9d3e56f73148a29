"""Draw Ave Caesar for the terminal: an oval of two straights, with the line and the alley on the upper one.

The upper straight runs to the right and the lower one to the left, as a clockwise driver sees them, so the outer
lane is outside on both. Walls are solid lines. Lines that can be crossed are dashed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from rich.text import Text

from quadriga.engine.text.canvas import Canvas
from quadriga.engine.text.catalogues import Message, Words
from quadriga.engine.text.wrapping import MARK, mark, side_by_side, wrap
from quadriga.games.avecaesar.board import ALLEY, Course
from quadriga.games.avecaesar.budget import Budget
from quadriga.games.avecaesar.segments import Segment
from quadriga.games.avecaesar.state import Tables
from quadriga.games.avecaesar.view import Chariot, View

_UNIT = 6  # columns for the shortest space, fewer where the course is long
_LEAST_UNIT = 4
_HIGH = 12  # rows across the track
_GAP = 1  # rows between the straights
_TURN = 1  # columns for the turns at both ends
_SAND = "dim"
_NAMES = {
    "white": "ave-caesar.board.white",
    "blue": "ave-caesar.board.blue",
    "yellow": "ave-caesar.board.yellow",
    "red": "ave-caesar.board.red",
}
_COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan")


def sign(chariot: Chariot) -> str:
    """Return the three letters of a chariot on the course."""
    mark = "╳" if chariot.status == "wrecked" else ("♔" if chariot.leads else " ")
    return f"{mark}{letter(chariot.seat)} "


def letter(seat: int) -> str:
    """Return the letter that marks a chariot."""
    return "ABCDEF"[seat]


def style(seat: int) -> str:
    """Return the colours of a chariot."""
    return f"bold bright_white on {_COLOURS[seat]}" if seat != 3 else "bold black on yellow"


class Straight(NamedTuple):
    """Segments side by side, with their top row and direction."""

    names: list[str]
    top: int
    eastward: bool


def _length(segment: Segment) -> int:
    return max(segment.lanes)


def _straights(course: Course, top: int) -> tuple[Straight, Straight]:
    """Cut the ring into two halves of similar length, with the line in the middle of the upper one."""
    order = course.plan.order
    lengths = [_length(course.plan.segments[name]) for name in order]
    half = (sum(lengths) + 1) // 2
    upper: list[int] = []
    size, ahead, behind = 0, 0, len(order)
    while size < half:
        forward = len(upper) % 2 == 0
        take = lengths[ahead] if forward else lengths[behind - 1]
        if size + take - half > half - size:
            break
        upper.append(ahead if forward else behind - 1)
        ahead, behind = (ahead + 1, behind) if forward else (ahead, behind - 1)
        size += take
    first = [order[n] for n in range(behind, len(order))] + [order[n] for n in range(ahead)]
    second = [order[n] for n in range(ahead, behind)]
    return Straight(first, top, True), Straight(second, top + _HIGH + 1 + _GAP, False)


class Layout:
    """The place of every space on the canvas."""

    def __init__(self, course: Course, columns: int) -> None:
        self.course = course
        self.alley_top = 0
        self.straights = _straights(course, 2)
        self.left: dict[str, int] = {}
        sizes = [sum(_length(course.plan.segments[n]) for n in s.names) for s in self.straights]
        self.unit = min(_UNIT, (columns - 2 * _TURN - 2) // max(sizes))
        self.fits = self.unit >= _LEAST_UNIT
        widths = [size * self.unit for size in sizes]
        self.width = max(widths) + 1 + 2 * _TURN
        for straight, width in zip(self.straights, widths, strict=True):
            column = (self.width - 1 - width) // 2
            for name in straight.names if straight.eastward else straight.names[::-1]:
                self.left[name] = column
                column += _length(course.plan.segments[name]) * self.unit

    def straight(self, name: str) -> Straight:
        """Return the straight of a segment."""
        return self.straights[0] if name in self.straights[0].names else self.straights[1]

    def row(self, name: str, bound: float) -> int:
        """Return the row of a lane boundary, 0 to 100 from the left of a clockwise driver."""
        straight = self.straight(name)
        rows = round(bound * _HIGH / 100)
        return straight.top + (rows if straight.eastward else _HIGH - rows)

    def box(self, name: str, lane: int, j: int) -> tuple[int, int, int, int]:
        """Return the top, left, bottom and right edges of a space."""
        if name == ALLEY:
            return self._alley_box(j)
        segment = self.course.plan.segments[name]
        bounds = segment.entry if segment.entry != segment.exit else segment.exit
        rows = sorted((self.row(name, bounds[lane]), self.row(name, bounds[lane + 1])))
        width = _length(segment) * self.unit
        count = segment.lanes[lane]
        place = j if self.straight(name).eastward else count - 1 - j
        edges = [self.left[name] + int(Fraction(width * k, count)) for k in (place, place + 1)]
        return rows[0], edges[0], rows[1], edges[1]

    def _alley_box(self, j: int) -> tuple[int, int, int, int]:
        beside = self.course.plan.beside
        left = self.left[beside[0]]
        last = self.course.plan.segments[beside[-1]]
        width = self.left[beside[-1]] + _length(last) * self.unit - left
        edges = [left + width * k // self.course.plan.alley for k in (j, j + 1)]
        return self.alley_top, edges[0], self.straights[0].top, edges[1]


def render_text(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """The course with its chariots, then a line for every player, then the hand."""
    course = t.raced[seen.race - 1]
    layout = Layout(course, width)
    page = wrap(_title(seen, say)[:-1], width, 3)
    page.append_text(_oval(layout, seen, marks or {}) if layout.fits else strip(course, seen, marks or {}))
    return page.append_text(wrap(_players(seen, say)[:-1], width, 7))


def render_low(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """The course from the line on, in columns side by side, then one line for every player, then the hand."""
    page = wrap(_title(seen, say)[:-1], width, 3)
    rows = list(strip(t.raced[seen.race - 1], seen, marks or {}).split("\n"))
    return page.append_text(side_by_side(rows, width)).append_text(_players(seen, say, in_short=True))


def _oval(layout: Layout, seen: View, marks: Mapping[str, str]) -> Text:
    canvas = Canvas(layout.straights[1].top + _HIGH + 1, layout.width)
    _draw_track(canvas, layout)
    for space, numbers in marks.items():
        row, left, width = _centre(layout, space)
        text = mark(numbers, width)
        canvas.put(row, left + (width - len(text)) // 2, text, MARK)
    for chariot in seen.chariots:
        if chariot.space is not None and chariot.status != "out":
            _draw_chariot(canvas, layout, chariot)
    return canvas.text(margin=1)


def render_status(t: Tables, seen: View, say: Words) -> Text:
    """The race, a line for every player, and the hand."""
    return _title(seen, say).append_text(_players(seen, say))


def _players(seen: View, say: Words, in_short: bool = False) -> Text:
    page = Text()
    for chariot in seen.chariots:
        page.append_text(_player(seen, chariot, say, in_short))
    return page.append_text(_hand(seen, say))


def strip(course: Course, seen: View, marks: Mapping[str, str]) -> Text:
    """Draw a course for few columns: downward in driving order from the line, the lanes side by side."""
    here = {each.space: each for each in seen.chariots if each.space is not None and each.status != "out"}
    page = Text()
    plan = course.plan
    order = [(name, segment.lanes) for name, segment in plan.segments.items()]
    if course.direction == "ccw":
        order.reverse()
    for name, lanes in [*order, (ALLEY, (plan.alley,))]:
        rows = max(lanes)
        for row in range(rows):
            page.append(f" {name if row == 0 else '':<5}", "bold")
            page.append("║" if name == plan.order[0] and row == 0 else "│", "bold yellow")
            for lane, count in enumerate(lanes):
                place = row if course.direction == "cw" else rows - 1 - row
                j = place * count // rows
                is_first = row == 0 or j != (place - (1 if course.direction == "cw" else -1)) * count // rows
                space = f"{name}.{lane}.{j}"
                if not is_first:
                    page.append("   ")
                elif space in here:
                    page.append(sign(here[space]), style(here[space].seat))
                elif space in marks:
                    page.append(f"{mark(marks[space], 3):^3}", MARK)
                else:
                    page.append(" · ", _SAND)
                page.append("│" if name != ALLEY and plan.segments[name].walled(lane) else " ")
            page.rstrip()
            page.append("\n")
    return page


def _draw_track(canvas: Canvas, layout: Layout) -> None:
    """Draw the walls, the dividers, the finish line and the alley."""
    plan = layout.course.plan
    for name, segment in plan.segments.items():
        straight = layout.straight(name)
        left, right = layout.left[name], layout.left[name] + _length(segment) * layout.unit
        for lane, count in enumerate(segment.lanes):
            top, _, bottom, _ = layout.box(name, lane, 0)
            for j in range(count):
                edge = layout.box(name, lane, j)[1]
                for row in range(top + 1, bottom):
                    canvas.put(row, edge, "┊", _SAND)
            if lane and not segment.walled(lane - 1):
                row = layout.row(name, segment.entry[lane])
                canvas.put(row, left + 1, "┄" * (right - left - 1), _SAND)
            elif lane:
                canvas.horizontal_edge(layout.row(name, segment.entry[lane]), left, right)
        canvas.horizontal_edge(straight.top, left, right)
        canvas.horizontal_edge(straight.top + _HIGH, left, right)
    for j in range(plan.alley):
        canvas.box(*layout.box(ALLEY, 0, j))
    _draw_turns(canvas, layout)
    canvas.draw_edges()
    _draw_marks(canvas, layout)


def _draw_turns(canvas: Canvas, layout: Layout) -> None:
    """Draw the outer wall round both ends, and the inner one round the strip between the straights."""
    upper, lower = layout.straights
    canvas.box(upper.top, 0, lower.top + _HIGH, layout.width - 1)
    canvas.box(upper.top + _HIGH, _TURN, lower.top, layout.width - 1 - _TURN)


def _draw_marks(canvas: Canvas, layout: Layout) -> None:
    """Draw the finish line, the driving direction, and the names of the segments."""
    line = layout.left[layout.course.plan.order[0]]
    for row in range(layout.straights[0].top + 1, layout.straights[0].top + _HIGH):
        canvas.put(row, line, "║", "bold yellow")
    clockwise = layout.course.direction == "cw"
    for straight in layout.straights:
        arrow = "▸" if straight.eastward == clockwise else "◂"
        for name in straight.names:
            column = layout.left[name] + 1
            canvas.put(straight.top + _HIGH, column, name[:4], "bold")
            canvas.put(straight.top + _HIGH, column + len(name[:4]), arrow, _SAND)


def _centre(layout: Layout, space: str) -> tuple[int, int, int]:
    """Return the middle row of a space, its left edge and its inner width."""
    name, lane, j = space.split(".")
    top, left, bottom, right = layout.box(name, int(lane), int(j))
    return (top + bottom) // 2, left + 1, right - left - 1


def _draw_chariot(canvas: Canvas, layout: Layout, chariot: Chariot) -> None:
    row, left, width = _centre(layout, chariot.space or "")
    text = sign(chariot) if width >= 3 else sign(chariot).strip()[-width:]
    canvas.put(row, left + (width - len(text)) // 2, text, style(chariot.seat))


def _title(seen: View, say: Words) -> Text:
    line = Text(" ")
    line.append(
        say("ave-caesar.race", race=seen.race, races=seen.races, course=_course(seen, say)),
        "bold",
    )
    return line.append("\n")


def _course(seen: View, say: Words) -> str:
    """Return the name and direction of the course; a user's own course has no name in other languages."""
    name = say(_NAMES[seen.course]) if seen.course in _NAMES else seen.course
    return say("ave-caesar.board.cw" if seen.direction == "cw" else "ave-caesar.board.ccw", name=name)


def _player(seen: View, chariot: Chariot, say: Words, in_short: bool) -> Text:
    """Return one line about a player: lap, coin, cards, points, distance, unless it is to be short, and remarks."""
    line = Text(" ▸ " if seen.turn == chariot.seat else "   ")
    line.append(f" {letter(chariot.seat)} ", style(chariot.seat))
    line.append(f" {say('seat.name', number=chariot.seat + 1):<9}")
    line.append(say("ave-caesar.lap", lap=chariot.lap) + "  ")
    line.append("◉ " if chariot.coin else "○ ", "bold yellow" if chariot.coin else "dim")
    line.append(say("ave-caesar.coin" if chariot.coin else "ave-caesar.paid") + "  ")
    line.append(say("ave-caesar.cards", held=chariot.held, deck=chariot.deck) + "  ")
    line.append(say("ave-caesar.points", n=chariot.points) + "  ")
    if chariot.budget is not None and not in_short:
        line.append(_budget(chariot.budget, say) + "  ", "dim")
    for remark in _remarks(chariot):
        line.append(say(remark, place=Message(f"ordinal.{chariot.place or 1}", {})) + "  ", "bold")
    if chariot.cut is not None:
        line.append(say("ave-caesar.cut", card=chariot.cut))
    return line.append("\n")


def _budget(budget: Budget, say: Words) -> str:
    """Return the steps in a player's cards, those that are needed, and what is to spare or short."""
    rest = "ave-caesar.spare" if budget.spare >= 0 else "ave-caesar.short"
    return f"{say('ave-caesar.steps', left=budget.left, needed=budget.needed)}, {say(rest, n=abs(budget.spare))}"


def _remarks(chariot: Chariot) -> list[str]:
    found = []
    if chariot.leads:
        found.append("ave-caesar.leads")
    if chariot.dishonoured:
        found.append("ave-caesar.dishonoured")
    if chariot.status != "racing":
        found.append(f"ave-caesar.status.{chariot.status}")
    return found


def _hand(seen: View, say: Words) -> Text:
    if seen.seat < 0 or not seen.hand:
        return Text()
    line = Text(" ")
    line.append(say("ave-caesar.hand") + " ")
    for card in seen.hand:
        line.append(f" {card} ", "bold black on bright_white")
        line.append(" ")
    return line.append("\n")
