"""What is sent to a viewpoint: the view, what has happened, and what can be done. The one door to every client."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from quadriga.engine.game import NOBODY
from quadriga.engine.kernels.rng import Rng, start
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.match import FAMILY, Match
from quadriga.server.protocol import texts
from quadriga.server.protocol.messages import ENCODER, Action, ClockFace, Event, News, Note, View
from quadriga.server.state.game_event import ASKED, OPENLY, GameEvent
from quadriga.server.state.room_state import RoomState

_WORLDS = 3  # what an action does is said of it where it does so in all of these


def event(game_event: GameEvent, seat: int, explain: bool = True) -> Event:
    """What a viewpoint notices of something that has happened."""
    number, shown, entry = game_event.numbers[seat + 1], game_event.shown[seat + 1], game_event.entry
    if shown == ASKED or entry is None:
        return Event(number, "asked")
    text = entry.text if shown == OPENLY else None
    if game_event.kind == "undo":
        return Event(number, "undo", entry.seat, text)
    told = Event(number, game_event.kind, entry.seat, text, section=entry.section)
    told.notes = texts.notes(game_event.notes) if explain else []
    if game_event.kind == "play":
        told.by = "bot" if game_event.by == "bot" else "person"
        if game_event.ref is not None and seat == entry.seat:
            told.ref = game_event.ref
    return told


def events(game_events: Iterable[GameEvent], seat: int, explain: bool = True) -> list[Event]:
    """What a viewpoint notices of a batch."""
    return [event(each, seat, explain) for each in game_events if each.shown[seat + 1]]


def legal(match: Match, seat: int, explain: bool) -> list[Action] | None:
    """What a seat can do, if it is asked."""
    if seat < 0 or match.actor != seat:
        return None
    actions = match.actions()
    worlds = _worlds(match, seat) if explain else []
    return [
        Action(text, family=True)
        if text.endswith(FAMILY)
        else Action(text, _foreseen(match, worlds, action))
        if explain
        else Action(text)
        for text, action in actions.items()
    ]


def _worlds(match: Match, seat: int) -> Sequence[Any]:
    """Positions that may all be the true one as far as the seat knows: the true one would tell too much."""
    if not match.game.hidden:
        return [match.s]
    worlds = []
    rng = Rng()
    for number in range(_WORLDS):
        start(rng, number, 0)
        world = match.s.copy()
        match.game.redeal(match.t, world, seat, rng)
        worlds.append(world)
    return worlds


def _foreseen(match: Match, worlds: Sequence[Any], action: int) -> list[Note]:
    """What an action does in every world."""
    told = [texts.notes(match.game.explain(match.t, world, (action,))) for world in worlds]
    return [note for note in told[0] if all(note in others for others in told[1:])]


def views(state: RoomState, seats: Iterable[int]) -> dict[int, Any]:
    """What several seats may see now."""
    assert state.session is not None
    wanted = sorted(set(seats))
    return dict(zip(wanted, state.session.match.views(wanted), strict=True))


def news(
    state: RoomState,
    seat: int,
    game_events: Iterable[GameEvent],
    *,
    explain: bool = True,
    clock: ClockFace | None = None,
    answer_ms: int | None = None,
    whole: bool = False,
    view: Any = None,
) -> News:
    """How things stand for a viewpoint, and what has led there; `whole` where it starts from nothing.

    `view` is what `views` has found for this seat, where several are told.
    """
    session = state.session
    assert session is not None
    match = session.match
    goes_on = state.status == "playing"
    by_hand = goes_on and state.setup.rolls == "hand" and session.actor == CHANCE
    kind = View if whole else News
    return kind(
        number=session.numbers[seat + 1],
        seat=seat,
        view=match.view(seat) if view is None else view,
        legal=legal(match, seat, explain) if goes_on and seat == session.actor else None,
        undo=goes_on and seat >= 0 and session.undoer == seat,
        roll=by_hand and seat != NOBODY and session.roller == seat,
        clock=clock,
        answer_ms=answer_ms,
        events=events(game_events, seat, explain),
    )


def encoded(frame: object) -> bytes:
    """A frame as it goes over the wire."""
    return ENCODER.encode(frame)
