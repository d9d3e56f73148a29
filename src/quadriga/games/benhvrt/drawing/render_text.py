"""Draw Ben Hvrt for the terminal: the oval with its chariots, the current task, players and hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate

from rich.text import Text

from quadriga.engine.text.canvas import Canvas
from quadriga.engine.text.catalogues import Message, Words
from quadriga.engine.text.wrapping import MARK, wrap
from quadriga.engine.text.wrapping import mark as move_mark
from quadriga.games.benhvrt.board import Square, Track
from quadriga.games.benhvrt.deck import Card
from quadriga.games.benhvrt.deck.card_line import card_line as _card_line
from quadriga.games.benhvrt.drawing.geometry import CELL, Layout
from quadriga.games.benhvrt.names import chariot_name, lap_name
from quadriga.games.benhvrt.state import Tables
from quadriga.games.benhvrt.view_types import Chariot, Player, View

_COLOURS = (
    "bright_white on red",
    "bright_white on blue",
    "bright_white on green",
    "black on yellow",
    "bright_white on magenta",
    "black on cyan",
    "black on bright_white",
    "black on bright_red",
    "black on bright_blue",
    "black on bright_green",
    "black on bright_yellow",
    "black on bright_magenta",
)
_MARKS = "●▲■◆★♠♣♥▼◄►☼"  # by seat; the start squares have the letters
_HOLLOW = "○△□◇☆♤"  # a player's second chariot; at most six players have two
_LANE = 2  # rows from lane to lane
_INNER = 3  # rows from the middle to the innermost lane
_OVAL_PIECES = 4  # two sides and two bends
_SIZES = ((5, 2.1), (4, 1.4))  # columns of a straight square, and the height of a row in columns


def style(seat: int) -> str:
    """Return the colours of a player's chariots."""
    return f"bold {_COLOURS[seat]}"


def mark(chariot: Chariot) -> str:
    """Return the mark of a chariot: its player's, hollow for the second of two."""
    return _MARKS[chariot.seat] if chariot.number == chariot.seat else _HOLLOW[chariot.seat]


class Oval:
    """The place of every square of a track with two bends on the canvas."""

    def __init__(self, layout: Layout, line: float, cell: int, aspect: float) -> None:
        self.layout = layout
        self.aspect = aspect
        self.radius = [_INNER + _LANE * lane for lane in range(layout.track.lane_count)]
        self.height = 2 * self.radius[-1] + 1
        self.straight = round(layout.pieces[0].length / CELL) * cell
        reach = int(self.radius[-1] * aspect) + 2
        self.left, self.right = reach, reach + self.straight
        self.width = self.right + reach + 2
        self.middle = self.radius[-1]
        self.line = self.left + int(self.straight * line)

    def place(self, square: Square) -> tuple[int, int]:
        """Return the row and column of a square: right along the lower side, up, back, and down."""
        section, index = self.layout.track.section_of(square)
        piece, first, last = self.layout.shares[section]
        along = (
            first + (last - first) * (index + 0.5) / self.layout.track.sections[section].squares[square.lane - 1]
        )
        radius = self.radius[square.lane - 1]
        side = 1 if piece in self.layout.pieces[:2] else -1
        start, end = (self.left, self.right) if side == 1 else (self.right, self.left)
        if piece.turn:
            return self._bend(radius, end, math.pi / 2 - along * math.pi, side)
        return self.middle + side * radius, int(start + (end - start) * along)

    def _bend(self, radius: int, centre: int, angle: float, side: int) -> tuple[int, int]:
        row = self.middle + radius * math.sin(angle) * side
        return round(row), centre + side * round(radius * math.cos(angle) * self.aspect)


def render_text(t: Tables, seen: View, say: Words, width: int = 80, marks: Mapping[str, str] | None = None) -> Text:
    """Return the phase, the track during a race, the purse of each seat, and the hand with its texts."""
    cards = {card.name: card for card in t.cards}
    page = wrap(_title(seen, say)[:-1], width, 3)
    if any(chariot.racing for chariot in seen.chariots):
        page.append_text(_track(t, seen, width, marks or {}))
        legend = say("ben-hvrt.legend.two" if t.chariots > t.seats else "ben-hvrt.legend.one")
        page.append_text(wrap(Text(f" {legend}", "dim"), width, 3))
    lines = _current_task(t, seen, cards, say)
    for player in seen.players:
        lines.append_text(_player(seen, player, cards, say))
    lines.append_text(_hand(seen, cards, say))
    return page.append_text(wrap(lines[:-1], width, 9))


def render_status(t: Tables, seen: View, say: Words) -> Text:
    """Return the phase, the purse of each seat, and the names of the cards in the hand."""
    cards = {card.name: card for card in t.cards}
    page = _title(seen, say).append_text(_current_task(t, seen, cards, say))
    for player in seen.players:
        page.append_text(_player(seen, player, cards, say))
    if seen.hand:
        names = ", ".join(_translated(name, cards, say) for name in seen.hand)
        page.append(f" {say('ben-hvrt.hand')} {names}\n")
    return page


def _translated(name: str, cards: dict[str, Card], say: Words) -> str:
    return cards[name].names.get(say.language, name)


def _title(seen: View, say: Words) -> Text:
    line = Text(" ")
    if seen.laps:
        line.append(say("ben-hvrt.race", race=seen.race, races=seen.races, n=seen.laps), "bold")
    else:
        line.append(say("ben-hvrt.no-race", races=seen.races), "bold")
    line.append("   " + say("ben-hvrt.pot", n=seen.pot), "bold yellow")
    return line.append("   " + say("ben-hvrt.deck", n=seen.deck) + "\n", "dim")


def _track(t: Tables, seen: View, width: int, marks: Mapping[str, str]) -> Text:
    layout = Layout(t.track)
    line = _line_on_side(layout)
    ovals = () if line is None else (Oval(layout, line, cell, aspect) for cell, aspect in _SIZES)
    oval = next((each for each in ovals if each.width < width), None)
    return _strip(t.track, seen, marks) if oval is None else _oval(t, oval, seen, marks)


def _line_on_side(layout: Layout) -> float | None:
    """Return how far along the first side the Finish Line is; None if the track is no oval with the line there."""
    side, last = layout.pieces[0], len(layout.track.sections) - 1
    if len(layout.pieces) != _OVAL_PIECES or not {0, last} & set(side.sections):
        return None
    return layout.shares[0][1] if 0 in side.sections else layout.shares[last][2]


def _strip(track: Track, seen: View, marks: Mapping[str, str]) -> Text:
    """Draw any track, also for few columns: downward from the Finish Line, the lanes side by side."""
    here = {chariot.square: chariot for chariot in seen.chariots if chariot.square is not None}
    at: dict[tuple[int, int], Square] = {}
    starts = [0, *accumulate(max(section.squares) for section in track.sections)]
    for each in track.squares:
        number, index = track.section_of(each)
        section = track.sections[number]
        row = starts[number] + index * max(section.squares) // section.squares[each.lane - 1]
        at[row, each.lane] = each
    page = Text()
    for row in range(starts[-1]):
        page.append(" ═" if row == 0 else "  ", "bold yellow")
        for lane in range(1, track.lane_count + 1):
            square = at.get((row, lane))
            if square is None:
                page.append("     ")
            elif square.text in here:
                chariot = here[square.text]
                page.append(f"{mark(chariot)}{chariot.speed}".center(4), style(chariot.seat)).append(" ")
            elif square.text in marks:
                page.append(move_mark(marks[square.text], 4).center(4), MARK).append(" ")
            else:
                page.append(" ·   ", "dim")
        page.rstrip()
        page.append("\n")
    return page


def _oval(t: Tables, oval: Oval, seen: View, marks: Mapping[str, str]) -> Text:
    canvas = Canvas(oval.height, oval.width)
    for square in t.track.squares:
        row, column = oval.place(square)
        canvas.put(row, column, "·", "dim")
    for row in range(oval.middle + oval.radius[0], oval.height):
        canvas.put(row, oval.line, "║", "bold yellow")
    at = {square.text: square for square in t.track.squares}
    for text, numbers in marks.items():
        row, column = oval.place(at[text])
        shown = move_mark(numbers, 3)
        canvas.put(row, column - len(shown) // 2, shown, MARK)
    for chariot in seen.chariots:
        if chariot.square is not None:
            row, column = oval.place(at[chariot.square])
            canvas.put(row, column - 1, f"{mark(chariot)}{chariot.speed}", style(chariot.seat))
    return canvas.text(margin=1)


def _current_task(t: Tables, seen: View, cards: dict[str, Card], say: Words) -> Text:
    """Return a few lines about the current task."""
    lines = []
    if seen.lot:
        name = _translated(seen.lot.card, cards, say)
        lines.append(say("ben-hvrt.lot", seat=seen.lot.auctioneer + 1, card=name, price=seen.lot.price))
        lines.append("  " + _card_line(cards[seen.lot.card], say))
        if seen.lot.bid:
            lines.append(say("ben-hvrt.bid", n=seen.lot.bid, seats=[seat + 1 for seat in seen.lot.bidders]))
    if seen.offer:
        lines.append(_offer_line(seen, cards, say))
    if seen.due:
        name = _translated(seen.due.card, cards, say)
        lines.append(
            say("ben-hvrt.due", card=name, chariot=_name_for_viewer(t, seen, seen.due.chariot), n=seen.due.cost)
        )
        lines.append("  " + _card_line(cards[seen.due.card], say))
    if seen.move:
        parts = [say("ben-hvrt.moving", chariot=_name_for_viewer(t, seen, seen.move.chariot))]
        if seen.move.roll is not None:
            parts.append(say("ben-hvrt.rolled", roll=seen.move.roll))
        if seen.move.stage == "steps":
            parts.append(say("ben-hvrt.steps", n=seen.move.steps))
        lines.append(", ".join(parts))
    if seen.window and seen.asked:
        parts = [say("ben-hvrt.in-window", window=say(f"ben-hvrt.window.{seen.window}"))]
        if seen.target is not None:
            parts.append(say("ben-hvrt.target", chariot=_name_for_viewer(t, seen, seen.target)))
        if seen.answering and seen.window == "RE":
            parts.append(say("ben-hvrt.answer", card=_translated(seen.answering[-1], cards, say)))
        lines.append(", ".join(parts))
    return Text("".join(f" {line[:1].upper()}{line[1:]}\n" for line in lines))


def _name_for_viewer(t: Tables, seen: View, chariot: int) -> Message:
    """Return the viewer's name for a chariot."""
    return chariot_name(t, chariot, reader=seen.seat)


def _offer_line(seen: View, cards: dict[str, Card], say: Words) -> str:
    offer = seen.offer
    if offer is None:
        return ""
    if offer.give is None or offer.want is None:
        return say("ben-hvrt.offer-hidden", maker=offer.maker + 1, to=offer.to + 1)

    def side(names: list[str], money: int | None) -> str:
        parts = [_translated(name, cards, say) for name in names]
        return ", ".join([*parts, *([say("ben-hvrt.ducats", n=money)] if money else [])]) or say("ben-hvrt.nothing")

    give, want = side(offer.give, offer.give_money), side(offer.want, offer.want_money)
    return say("ben-hvrt.offer", maker=offer.maker + 1, to=offer.to + 1, give=give, want=want)


def _player(seen: View, player: Player, cards: dict[str, Card], say: Words) -> Text:
    """Return one line about a player and their chariots."""
    line = Text(" ▸ " if seen.turn == player.seat else "   ")
    line.append(f"{say('seat.name', number=player.seat + 1):<8}", "bold")
    line.append(f"{say('ben-hvrt.ducats', n=player.purse):>6}  ", "yellow")
    line.append(f"🂠 {player.cards}  ")
    if seen.dealer == player.seat:
        line.append(say("ben-hvrt.deal") + "  ", "dim")
    if seen.laps and not player.plays and seen.phase != "deal":
        line.append(say("ben-hvrt.out") + "  ", "dim")
    if player.ready:
        line.append(say("ben-hvrt.ready") + "  ", "dim")
    for chariot in seen.chariots:
        if chariot.seat == player.seat:
            line.append_text(_chariot(chariot, cards, say, len(seen.chariots) > len(seen.players)))
    if player.known:
        names = [_translated(name, cards, say) for name in player.known]
        line.append(say("ben-hvrt.known", cards=names) + "  ", "italic")
    if player.bribe:
        name = _translated(player.bribe.card, cards, say)
        line.append(say("ben-hvrt.bribe", seat=player.bribe.to + 1, n=player.bribe.money, card=name), "bold red")
    return line.append("\n")


def _chariot(chariot: Chariot, cards: dict[str, Card], say: Words, two_each: bool) -> Text:
    line = Text()
    line.append(f" {mark(chariot)}{chariot.number + 1 if two_each else ''} ", style(chariot.seat))
    if chariot.racing:
        line.append(f" {say('ben-hvrt.lap', lap=lap_name(chariot.lap))}, {say('ben-hvrt.speed', n=chariot.speed)}")
    if chariot.next_roll:
        line.append(", " + say("ben-hvrt.next-roll", n=chariot.next_roll), "bold")
    if chariot.place:
        line.append(" " + say("ben-hvrt.finished", place=Message(f"ordinal.{chariot.place}", {})), "bold")
    fitted = [*([chariot.driver] if chariot.driver else []), *chariot.improvements]
    if fitted:
        line.append(" [" + ", ".join(_translated(name, cards, say) for name in fitted) + "]", "cyan")
    return line.append("  ")


def _hand(seen: View, cards: dict[str, Card], say: Words) -> Text:
    """Return the viewer's cards, each kind with its text, and the English name if the language is another."""
    if not seen.hand:
        return Text()
    lines = Text(" " + say("ben-hvrt.hand") + "\n", "bold")
    for name in dict.fromkeys(seen.hand):
        copies = seen.hand.count(name)
        lines.append(f"   {copies}× " if copies > 1 else "      ", "dim")
        lines.append(_card_line(cards[name], say))
        if flavour := cards[name].flavours.get(say.language):
            lines.append(f"  {flavour}", "dim italic")
        if say.language != "en":
            lines.append(f"  ({name})", "dim")
        lines.append("\n")
    return lines
