"""Timed reaction windows: among people, every window lasts equally long, whoever could play in it (BH-7.4).

A seat with a playable card would think, and a seat without one would not: the time would tell opponents who has a
card. So a window asks all its seats at once and lasts one beat. A pass counts when the beat is over, and so does a
missing answer. A card of the seat that is asked first counts at once, because everybody sees it; a card of another
seat counts when the window ends, if the seats before it have passed. A seat that holds the window has longer; the
others notice only that it lasts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from quadriga.engine.game import NOBODY
from quadriga.engine.match.entry import last_to_act
from quadriga.engine.match.match import Match
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import When
from quadriga.server.protocol.server_messages import Done
from quadriga.server.rooms.skips import Skips
from quadriga.server.seats.presence import Presence
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import LoggedMove, WindowAnswer
from quadriga.server.state.game_session import GameSession
from quadriga.server.state.room_state import RoomState

PASS = "pass"


@dataclass(eq=False)
class Asked:
    """A person's seat that a window asks, and its answer so far."""

    match: Match  # the position in which the seat is asked: all seats before it have passed
    ends_at: float
    is_quiet: bool  # whether the person has chosen not to be asked
    deal: str | None = None  # the actions that are deals, which a person has to announce
    announces_deal: bool = False
    when: When | None = None  # the occasions on which the person wants to be asked
    answer: str | None = None
    holds: bool = False  # whether the person has asked for more time
    order: int | None = None  # the standing order that gives the answer
    refs: dict[str, None] = field(default_factory=dict)  # the client references of the answer
    senders: list[tuple[str | None, Viewer]] = field(default_factory=list)  # of the answer, with client references

    @property
    def choices(self) -> list[str] | None:
        """The legal actions that the person is shown; None if they do not want to be asked, or have no choice.

        A deal alone is a choice for a person who holds the window or has announced it.
        """
        if self.answer is not None:
            return None
        actions = list(self.match.actions())
        if self.holds or self.announces_deal:
            return None if actions == [PASS] else actions
        if self.is_quiet:
            return None
        if self.when == "always":
            return actions
        is_asked = not {PASS, self.deal}.issuperset(actions) and (self.when != "concerns" or self.is_concerned)
        return actions if is_asked else None

    @cached_property
    def is_concerned(self) -> bool:
        """Whether the window concerns the person. They alone are shown it, so that their hand may count."""
        match = self.match
        return match.game.concerns_actor(match.t, match.s, True, last_to_act(match.entries))

    def could_play(self, now: float) -> bool:
        """Return whether the person can answer now, and with something other than a pass."""
        return now < self.ends_at and self.choices is not None

    def left_ms(self, now: float) -> int:
        """Return the milliseconds that the seat still has to answer."""
        return max(0, int((self.ends_at - now) * 1000))


@dataclass(eq=False)
class Beat:
    """The countdown of one window, or of hidden windows in a row: its people, and the positions while all pass."""

    session: GameSession
    ends_at: float
    asked: dict[int, Asked] = field(default_factory=dict)  # people by seat, in the order of the rules
    positions: dict[bytes, Match] = field(default_factory=dict)  # in the order of the rules
    waits_for: float | None = None  # the moment that a task waits for
    is_over: bool = False  # whether the answers are made now

    def is_open(self, session: GameSession) -> bool:
        """Return whether the session is still in this window."""
        return session is self.session and bool(self.asked) and session.match.here in self.positions

    @property
    def due_at(self) -> float:
        """The moment at which all answers are made. Until then nothing shows which seat holds the window."""
        return max(asked.ends_at for asked in self.asked.values())

    def keeps(self, seat: int, number: int, text: str, ref: str | None, viewer: Viewer | None, now: float) -> bool:
        """Keep an answer until it is due; return False if it counts at once.

        Raise RoomError if it was chosen before the seat was asked, or after it has answered. Raise
        IllegalActionError if it is not legal there.
        """
        asked = self.asked[seat]
        newest = self.session.numbers[seat + 1]
        if number < newest:
            raise RoomError("act.late", number=newest)
        is_repeated = text == asked.answer
        if not is_repeated and (asked.answer is not None or now >= asked.ends_at):
            raise RoomError("act.not-asked")
        if seat == self.session.actor and text != PASS:
            return False
        if not is_repeated:
            asked.match.clone().play(text)
        asked.answer = text
        asked.ends_at = self.ends_at  # an answer ends a hold
        if ref is not None:
            asked.refs[ref] = None
        if viewer is not None:
            asked.senders.append((ref, viewer))
        return True

    def answers_of(self, moves: Iterable[LoggedMove]) -> list[tuple[int, str]]:
        """Return the seats and client references of the kept answers among some moves."""
        made = [(move.seat, self.asked.get(NOBODY if move.seat is None else move.seat)) for move in moves]
        return [(seat, ref) for seat, asked in made if seat is not None and asked is not None for ref in asked.refs]

    def take_senders(self, seats: set[int | None]) -> list[tuple[int, str | None, Viewer]]:
        """Return and forget the senders of kept answers for some seats: each with its seat and reference."""
        found = []
        for seat, asked in self.asked.items():
            if seat in seats:
                found += [(seat, ref, viewer) for ref, viewer in asked.senders]
                asked.senders.clear()
        return found

    def confirm(self, seats: set[int | None]) -> None:
        """Tell the senders of the kept answers of some seats that another process has made them."""
        for seat, ref, viewer in self.take_senders(seats):
            viewer.send_message(Done(ref, self.session.numbers[seat + 1]))

    def abandon(self) -> None:
        """Tell the senders of answers that do not count any more, because somebody else has played."""
        for seat in self.asked:
            self._abandon(seat)

    def remove(self, seat: int) -> None:
        """Ask a seat no more: a bot plays for it now."""
        if seat in self.asked:
            self._abandon(seat)
            del self.asked[seat]

    def _abandon(self, seat: int) -> None:
        asked, number = self.asked[seat], self.session.numbers[seat + 1]
        for ref, viewer in asked.senders:
            late = texts.refused(RoomError("act.late", number=number), ref)  # its new question was sent already
            viewer.send_message(Done(ref, number) if asked.answer == PASS else late)
        asked.senders.clear()


class WindowTimer:
    """Run the countdown of the open reaction window. `now` is the time of the room's own clock."""

    def __init__(
        self,
        presence: Presence,
        beat_s: float,
        hold_s: float,
        skips: Skips,
        state: RoomState,
    ) -> None:
        self._presence = presence
        self._beat_s, self._hold_s = beat_s, hold_s
        self.skips = skips
        self.state = state
        self._current: Beat | None = None
        self._overtaken: list[Beat] = []

    @property
    def beat_s(self) -> float:
        """How long a window lasts among people: as the table was set up, or as the server is; 0 waits for all."""
        own = self.state.setup.beat
        return self._beat_s if own is None else own / 1000

    @property
    def public_beat_ms(self) -> int | None:
        """The beat as everybody is told; 0 at a table that always asks, None if the server sets no time."""
        return self.state.setup.beat if self.beat_s == 0 else round(self.beat_s * 1000)

    def length_s(self, seat: int) -> float | None:
        """Return how long a person is asked in a hidden window; None if the room waits for their answer.

        The room waits if there are no other people who could learn anything, and for people who share a device,
        because they hand it over.
        """
        seats = self.state.seats
        people = [info.holder for info in seats if info.kind == "person"]
        own = seats[seat].holder
        return self.beat_s if self.beat_s > 0 and people.count(own) == 1 and len(people) > 1 else None

    def is_unobserved(self, seat: int) -> bool:
        """Return whether a person's opponents are all bots and nobody else watches."""
        seats = self.state.seats
        own = seats[seat]
        has_others = any(each.kind == "person" and each is not own for each in seats)
        return not has_others and self._presence.is_alone(own.holder)

    def is_quiet(self, seat: int, window: str | None) -> bool:
        """Return whether a person has chosen not to be asked in a window."""
        state = self.state
        assert state.session is not None
        return window not in state.seats[seat].asked_windows or self.skips.covers(seat, state.session)

    def current(self, now: float) -> Beat | None:
        """Return the beat of the window that is open now; the first call for a window starts it."""
        state = self.state
        session = state.session
        is_timed = bool(self._presence.viewers) and state.days is None  # by days it waits for nobody
        if session is None or session.window is None or state.status != "playing" or not is_timed:
            self._replace(None)
        elif self._current is None or not self._current.is_open(session):
            self._replace(self._opened(session, now))
        return self._current

    def _replace(self, beat: Beat | None) -> None:
        if self._current is not None:
            self._overtaken.append(self._current)
        self._current = beat

    def abandon_overtaken(self) -> None:
        """Tell the senders of kept answers in windows that are closed. Called after the answers that count."""
        while self._overtaken:
            self._overtaken.pop().abandon()

    def _opened(self, session: GameSession, now: float) -> Beat | None:
        """Return the beat of a window that has just opened; None if it asks nobody whose time is limited."""
        seats = self.state.seats
        if all(self.length_s(seat) is None for seat, info in enumerate(seats) if info.kind == "person"):
            return None
        beat = Beat(session, now + self.beat_s)
        match, public, seen = session.match.clone(), session.match.view(NOBODY), set[int]()
        while match.actor not in seen and match.actor >= 0 and match.view(NOBODY) == public:
            seat = match.actor
            if session.game.window_of(match.t, match.s) is None:
                break
            if not seats[seat].played_by_bot and self.length_s(seat) is None:
                break  # the room waits for this person
            seen.add(seat)
            beat.positions[match.here] = match.clone()
            match.play(PASS)
        self._ask_people(beat)
        return beat if beat.asked else None

    def _ask_people(self, beat: Beat) -> None:
        """Ask every person whom the window has not passed yet; a seat that a bot plays is asked no more."""
        seats, session, is_here = self.state.seats, beat.session, False
        for position, match in beat.positions.items():
            is_here |= position == session.match.here
            seat = match.actor
            if seats[seat].played_by_bot:
                beat.remove(seat)
            elif is_here and seat not in beat.asked:
                window = session.game.window_of(match.t, match.s)
                beat.asked[seat] = Asked(match, beat.ends_at, self.is_quiet(seat, window), session.deal)
            if seat in beat.asked:
                beat.asked[seat].announces_deal = seats[seat].announces_deal
                beat.asked[seat].when = seats[seat].asked_when

    def people_changed(self, now: float) -> None:
        """Ask the people who have seats now, as they want to be asked. Called when either has changed."""
        if (beat := self.current(now)) is not None:
            self._ask_people(beat)

    def asked(self, seat: int, now: float) -> Asked | None:
        """Return what a seat is asked in the beat that runs; None if it is not."""
        beat = self.current(now)
        return None if beat is None else beat.asked.get(seat)

    def hold(self, seat: int, now: float) -> int:
        """Give a seat longer to answer; return the milliseconds that it has. Raise RoomError if it is not asked."""
        beat = self.current(now)
        asked = None if beat is None else beat.asked.get(seat)
        if beat is None or asked is None or asked.answer is not None or now >= asked.ends_at:
            raise RoomError("act.not-asked")
        asked.holds = True
        self._extend(beat, asked)
        return int((asked.ends_at - now) * 1000)

    def _extend(self, beat: Beat, asked: Asked) -> None:
        """Give a seat that holds the window its longer time."""
        asked.is_quiet = False
        asked.ends_at = max(beat.ends_at, beat.ends_at - self.beat_s + self._hold_s)

    def follow(self, answer: WindowAnswer, now: float) -> None:
        """Note an answer or a hold that another process has accepted."""
        beat = self.current(now)
        if beat is not None and (asked := beat.asked.get(answer.seat)) is not None:
            asked.answer, asked.holds = answer.text, answer.text is None
            if answer.ref is not None:
                asked.refs[answer.ref] = None
            if asked.holds:
                self._extend(beat, asked)
            else:
                asked.ends_at = beat.ends_at
