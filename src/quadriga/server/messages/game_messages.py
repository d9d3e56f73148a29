"""Messages about a running game for one viewpoint: its view, the events, and its legal actions.

Everything that a client learns of a running game is made here, from `Match.view` and from events that the viewpoint
may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.entry import FAMILY
from quadriga.engine.match.match import Match
from quadriga.server.protocol import texts
from quadriga.server.protocol.parts import Action, ClockFace, Event, Note
from quadriga.server.protocol.server_messages import ENCODER, News, View
from quadriga.server.state.game_event import ASKED, OPENLY, GameEvent
from quadriga.server.state.room_state import RoomState

_SAMPLES = 3  # hidden states, where effects may depend on them; only those common to all are shown


class AskedSeat(Protocol):
    """A seat that a timed window asks."""

    match: Match  # the position in which it is asked

    def could_play(self, now: float) -> bool:
        """Return whether it can answer now, and with something other than a pass."""

    def left_ms(self, now: float) -> int:
        """Return the milliseconds that it still has to answer."""


def event(game_event: GameEvent, seat: int, explain: bool = True) -> Event:
    """Return an event as a viewpoint sees it, as a message part."""
    number, shown, entry = game_event.numbers[seat + 1], game_event.shown[seat + 1], game_event.entry
    if shown == ASKED or entry is None:
        return Event(number, "asked")
    text = entry.text if shown == OPENLY else None
    if game_event.kind == "undo":
        return Event(number, "undo", entry.seat, text)
    seen = Event(number, game_event.kind, entry.seat, text, section=entry.section)
    seen.notes = game_event.notes_for(seat) if explain else []
    if game_event.kind == "play":
        seen.by = "bot" if game_event.by == "bot" else "person"
        if game_event.ref is not None and seat == entry.seat:
            seen.ref = game_event.ref
    return seen


def events(game_events: Iterable[GameEvent], seat: int, explain: bool = True) -> list[Event]:
    """Return several events as a viewpoint sees them."""
    return [event(each, seat, explain) for each in game_events if each.shown[seat + 1]]


def legal(
    match: Match, seat: int, explain: bool, certain: dict[int, list[Note]] | None = None
) -> list[Action] | None:
    """Return the legal actions of a seat; None if it is not asked.

    `certain` is filled with the effects that do not depend on hidden cards, by action.
    """
    if seat < 0 or match.actor != seat:
        return None
    actions = match.actions()
    effects = _Effects(match, seat, {} if certain is None else certain)
    return [
        Action(text, family=True)
        if text.endswith(FAMILY)
        else Action(text, effects.of(action))
        if explain
        else Action(text)
        for text, action in actions.items()
    ]


class _Effects:
    """The effects of a seat's actions, as far as the seat can know: the true state could reveal hidden cards."""

    def __init__(self, match: Match, seat: int, certain: dict[int, list[Note]]) -> None:
        self._match, self._seat, self._certain = match, seat, certain
        self._samples: list[Any] = []

    def of(self, action: int) -> list[Note]:
        """Return the effects of an action; if they may depend on hidden cards, those common to all samples."""
        match = self._match
        game, t, s = match.game, match.t, match.s
        if not game.rules.has_hidden_information or not game.display.may_depend_on_hidden(t, s, action):
            found = self._certain[action] = texts.notes(game.display.explain(t, s, (action,)))
            return found
        first, *others = [texts.notes(game.display.explain(t, sample, (action,))) for sample in self._sampled()]
        return [note for note in first if all(note in other for other in others)]

    def _sampled(self) -> Sequence[Any]:
        """Return determinizations of the state for the seat, cached."""
        if not self._samples:
            rng = Rng()
            for number in range(_SAMPLES):
                start(rng, number, 0)
                sample = self._match.s.copy()
                self._match.game.rules.deal(self._match.t, sample, self._seat, rng)
                self._samples.append(sample)
        return self._samples


def news(
    state: RoomState,
    seat: int,
    game_events: Iterable[GameEvent],
    *,
    explain: bool = True,
    clock: ClockFace | None = None,
    whole: bool = False,
    view: Any = None,
    asked: AskedSeat | None = None,
    now: float = 0.0,
    certain: dict[int, list[Note]] | None = None,
) -> News:
    """Return the position of a viewpoint with the events that led to it; a `View` if it starts from nothing.

    `view` is the seat's view if the caller has it already. `asked` is what a timed window asks the seat, `now` the
    time by which that window is measured. `certain` gets the effects of the seat's actions that do not depend on
    hidden cards.
    """
    session = state.session
    assert session is not None
    match = session.match
    is_playing = state.status == "playing"
    actions = None
    if asked is None:
        if is_playing and seat == session.actor:
            actions = legal(match, seat, explain, certain)
    elif asked.could_play(now):
        actions = legal(asked.match, seat, explain)
    kind = View if whole else News
    return kind(
        number=session.numbers[seat + 1],
        seat=seat,
        view=match.view(seat) if view is None else view,
        legal=actions,
        undo=is_playing and seat >= 0 and session.undoer == seat,
        roll=is_to_roll(state, seat),
        clock=clock,
        answer_ms=None if asked is None else asked.left_ms(now),
        events=events(game_events, seat, explain),
    )


def is_to_roll(state: RoomState, seat: int) -> bool:
    """Return whether the person at a seat has to roll the dice now."""
    session = state.session
    if session is None or state.status != "playing" or state.setup.rolls != "hand" or session.actor != CHANCE:
        return False
    return seat != NOBODY and session.roller == seat


def encoded(message: object) -> bytes:
    """Return a message as JSON."""
    return ENCODER.encode(message)
