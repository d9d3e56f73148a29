"""Read the state of a room from its log, with a snapshot in place of the moves before it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from quadriga.engine.errors import QuadrigaError
from quadriga.server.state import events
from quadriga.server.state.events import Moves, RoomEvent, Start, Undo
from quadriga.server.state.game_session import RECENT
from quadriga.server.state.room_state import CLOSED, RoomState
from quadriga.server.state.snapshot import SnapshotBody, Step, find_usable
from quadriga.server.storage.base import Snapshot, StoredEvent


def read(
    id: str,
    setup: bytes,
    lines: list[StoredEvent],
    snapshots: Sequence[Snapshot] = (),
    status: str | None = None,
) -> RoomState:
    """Return the state of a room from its log. `status` is the status in the store.

    A game that was begun under other rules is replayed only if it has ended. If its log does not fit the present
    rules, or if it has not ended, the room is closed.
    """
    state = RoomState(id, events.decode_setup(setup))
    log = [events.decode(line.kind, line.body) for line in lines]
    begun = _begun_under(state, log)
    if state.status != CLOSED and begun in (None, state.game.version):
        return _replay(state, lines, log, snapshots)
    if state.status != CLOSED and status in ("over", "ended"):
        with suppress(QuadrigaError, AssertionError, LookupError, ValueError):
            old = _replay(RoomState(id, state.setup), lines, log, ())
            if old.status == status:
                return old
    _close(state, log)
    state.next = lines[-1].number + 1 if lines else 1
    return state


def _begun_under(state: RoomState, log: Sequence[RoomEvent]) -> int | None:
    """Return the version of the rules that the game was begun under; None before the start."""
    started = [event for event in log if isinstance(event, Start)]
    return (started[0].version or state.setup.version) if started else None


def _close(state: RoomState, log: Sequence[RoomEvent]) -> None:
    """Apply everything but the moves, which are kept and not played, and close the room."""
    for event in log:
        match event:
            case Start():
                state.client_seeds = event.client_seeds
                state.version = event.version or state.setup.version
            case Moves():
                state.closed_moves += event.done
            case Undo():
                state.closed_moves.pop()
            case _:
                state.apply(event)
    state.status = CLOSED
    state.open_votes.drop_disallowed(CLOSED)


def _replay(
    state: RoomState, lines: list[StoredEvent], log: list[RoomEvent], snapshots: Sequence[Snapshot]
) -> RoomState:
    """Apply the events to a new state, and return it; moves before the newest usable snapshot are not played."""
    number, snapshot = _usable_snapshot(state, lines, log, snapshots) or (0, None)
    for line, event in zip(lines, log, strict=True):
        state.next, state.hash = line.number + 1, line.hash
        if line.number > number or not isinstance(event, Moves | Undo):
            state.apply(event)
        else:
            _skip(state, event)
        if snapshot is not None and line.number == number:
            _resume(state, number, snapshot)
    return state


def _usable_snapshot(
    state: RoomState, lines: list[StoredEvent], log: list[RoomEvent], snapshots: Sequence[Snapshot]
) -> tuple[int, SnapshotBody] | None:
    if not snapshots or _begun_under(state, log) != state.game.version:
        return None
    steps = [
        Step(line.number, len(event.done), 0) if isinstance(event, Moves) else Step(line.number, 0, 1)
        for line, event in zip(lines, log, strict=True)
        if isinstance(event, Moves | Undo)
    ]
    state.fix_options(next(event for event in log if isinstance(event, Start)))  # snapshots are tied to them
    return find_usable(snapshots, steps, state.rules, RECENT)


def _skip(state: RoomState, event: Moves | Undo) -> None:
    """Remember moves or an undo without playing them: the snapshot has the position after them."""
    assert state.session is not None
    if isinstance(event, Moves):
        for move in event.done:
            state.session.skip(move)
        if event.left is not None:
            state.left = event.left
        for seat, ref in event.answers:
            state.remember(seat, ref)
    else:
        state.session.skip_undo()
    if event.ref is not None:
        state.remember(event.seat, event.ref)


def _resume(state: RoomState, number: int, snapshot: SnapshotBody) -> None:
    assert state.session is not None
    state.session.resume(snapshot)
    state.resumed = number
    state.check_end()
