"""What the server does with what a client says, message by message."""

from __future__ import annotations

import time

from quadriga.engine.game import NOBODY
from quadriga.server.bots import choice
from quadriga.server.present import frames
from quadriga.server.protocol import messages, texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.parts import Action, ChatLine
from quadriga.server.rooms.event_log import Cover, Mute, Sit, Stops, Word
from quadriga.server.rooms.registry import Registry, checked_word
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.viewers import Viewer, mine
from quadriga.server.seats import verdicts
from quadriga.server.seats.names import tidy, watcher_name
from quadriga.server.storage.base import ChatMessage, now


async def answer(registry: Registry, room: Room, viewer: Viewer, said: messages.Message) -> None:
    """Do what is asked, or refuse it."""
    registry.limits.check_message(viewer.address, viewer.holder, said)
    match said:
        case messages.Act() | messages.Roll() | messages.Undo():
            await _move(room, viewer, said)
        case messages.Hello():
            await _look(room, viewer, said.seat if said.seat is not None else viewer.seat, said.after)
        case messages.Look():
            await _look(room, viewer, said.seat, said.after)
        case messages.Stops():
            await _stops(room, viewer, said)
        case messages.GiveWord():
            await _word(room, viewer, said)
        case messages.Chat():
            await _chat(room, viewer, said)
        case messages.Mute():
            await _mute(room, viewer, said, registry.settings.mutes)
        case messages.Vote():
            await _vote(room, viewer, said)
        case messages.Hint():
            await _hint(registry, room, viewer, said)
        case messages.Why():
            await _why(room, viewer, said)
        case messages.Leave() | messages.Back():
            await _leave(room, viewer, isinstance(said, messages.Leave))
        case messages.Ping():
            viewer.send_message(messages.Pong(said.ref))


def own_seat(viewer: Viewer, seat: int | None) -> int:
    """The seat that a message is about, if it is the viewer's. Within `turn`: a vote may take it at any time."""
    found = mine(viewer, seat)
    if found == NOBODY:
        raise RoomError("act.not-yours", 403)
    return found


def standing(room: Room, viewer: Viewer) -> tuple[int, list[Action] | None]:
    """What a refusal brings with it: the number, and what is legal now."""
    play = room.state.play
    if play is None or room.is_stale:
        return 0, None
    actions = frames.legal(play.match, viewer.seat, viewer.explain) if room.state.status == "playing" else None
    return play.numbers[viewer.seat + 1], actions


async def _move(room: Room, viewer: Viewer, said: messages.Act | messages.Roll | messages.Undo) -> None:
    arrived = time.perf_counter()
    viewer.hold()  # what has come of it, and that it is done
    try:
        number = await _moved(room, viewer, said, arrived)
        if number is not None:
            viewer.send_message(messages.Done(said.ref, number))
    finally:
        viewer.release()


async def _moved(
    room: Room, viewer: Viewer, said: messages.Act | messages.Roll | messages.Undo, arrived: float
) -> int | None:
    async with room.turn() as state:
        seat = own_seat(viewer, said.seat)
        if state.played(seat, said.ref):
            return room.play.numbers[seat + 1]
        room.arrived = arrived
        try:
            if isinstance(said, messages.Act):
                return await room.act(seat, said.number, said.action, said.ref, viewer)
            if isinstance(said, messages.Roll):
                return await room.roll(seat, said.number, said.ref)
            return await room.undo(seat, said.number, said.ref)
        finally:
            room.arrived = None


async def _look(room: Room, viewer: Viewer, seat: int, after: int | None) -> None:
    async with room.turn() as state:
        if seat != viewer.seat and seat not in viewer.seats:
            raise RoomError("look.not-yours", 403)
        viewer.seat = seat
        room.show(viewer, after)
        if viewer.plays:
            viewer.send_message(messages.StopsChanged(sorted(state.seats[seat].stops)))


async def _stops(room: Room, viewer: Viewer, said: messages.Stops) -> None:
    async with room.turn() as state:
        seat = own_seat(viewer, said.seat)
        known = state.game.hidden_windows
        wrong = [window for window in said.windows if window not in known]
        if wrong:
            raise RoomError("stops.unknown", 422, found=wrong, known=list(known))
        await room.note(Stops(seat, sorted(set(said.windows))))
        viewer.send_message(messages.StopsChanged(sorted(state.seats[seat].stops)))
        play = state.play
        if play is not None and state.status == "playing" and play.actor == seat:
            if play.window is not None and play.window not in said.windows:
                await room.pass_on(seat)


async def _word(room: Room, viewer: Viewer, said: messages.GiveWord) -> None:
    word = checked_word(said.word)
    async with room.turn() as state:
        seat = own_seat(viewer, said.seat)
        if state.status != "waiting":
            raise RoomError("table.started")
        await room.change(Word(seat, word))


async def _chat(room: Room, viewer: Viewer, said: messages.Chat) -> None:
    text = tidy(said.text)
    if not text:
        raise RoomError("chat.empty", 422)
    async with room.turn() as state:
        info = state.seats[viewer.seat] if viewer.plays else None
        name = info.name if info is not None else _watcher(room, viewer)
        number = room.talk[-1].number + 1 if room.talk else 1
        talk = ChatMessage(number, now(), viewer.seat if viewer.plays else NOBODY, name, text)
        await room.store.add_chat(state.id, talk)
        room.talk.append(talk)
        del room.talk[:-200]
        frame = frames.encoded(messages.ChatPosted(ChatLine(**talk._asdict())))
        for each in room.presence.viewers:
            if name not in each.muted:
                each.send(frame)


def _watcher(room: Room, viewer: Viewer) -> str:
    """The name that a watcher speaks under: nobody else's, as long as the socket is open."""
    state = room.state
    if not viewer.watches_as:
        former = [
            each.vacancy.name for each in state.seats if each.vacancy and each.vacancy.holder == viewer.holder
        ]
        watchers = [each.watches_as for each in room.presence.viewers if each.watches_as]
        bots = choice.kinds(state.setup.game)
        viewer.watches_as = watcher_name(former[0] if former else viewer.name, [*state.names(), *bots, *watchers])
    return viewer.watches_as


async def _mute(room: Room, viewer: Viewer, said: messages.Mute, most: int) -> None:
    async with room.turn() as state:
        if said.on and said.name not in viewer.muted and len(viewer.muted) >= most:
            raise RoomError("mute.many", 409, most=most)
        if said.on == (said.name in viewer.muted):
            viewer.send_message(messages.MutedChanged(sorted(viewer.muted)[:most]))
            return
        if viewer.holder is not None:
            await room.note(Mute(viewer.holder, said.name, said.on))
            viewer.muted = state.muted[viewer.holder]
        else:
            viewer.muted.add(said.name) if said.on else viewer.muted.discard(said.name)
        viewer.send_message(messages.MutedChanged(sorted(viewer.muted)[:most]))


async def _vote(room: Room, viewer: Viewer, said: messages.Vote) -> None:
    async with room.turn():
        if not viewer.plays:
            raise RoomError("vote.not-yours", 403)
        ballot = room.votes.ballot(said.kind, said.seat, viewer.seats, said.on)
        if room.votes.changes(ballot):
            await room.note(ballot)
        await verdicts.settle(room)


async def _hint(registry: Registry, room: Room, viewer: Viewer, said: messages.Hint) -> None:
    async with room.turn() as state:
        seat = own_seat(viewer, said.seat)
        play = room.check_goes_on()
        if play.actor != seat:
            raise RoomError("act.not-asked")
    async with registry.limits.hint(viewer.holder or viewer.address):
        viewer.send_message(await choice.hint(state, seat, said.ref))


async def _why(room: Room, viewer: Viewer, said: messages.Why) -> None:
    """Why each thing of a seat's own cannot be played, as far as the seat may know."""
    async with room.turn() as state:
        seat = own_seat(viewer, said.seat)
        play = room.play
        barred = play.match.why_illegal(seat) if state.status in ("playing", "paused") else {}
        things = {thing: texts.notes(reasons) for thing, reasons in barred.items()}
        viewer.send_message(messages.Reasons(said.ref, play.numbers[seat + 1], seat, things))


async def _leave(room: Room, viewer: Viewer, going: bool) -> None:
    async with room.turn() as state:
        if not viewer.plays:
            raise RoomError("act.not-yours", 403)
        seats = list(viewer.seats)
        if going and state.status == "waiting":
            await room.change(*(Sit(seat, "open") for seat in seats))
        elif not state.over:
            changed = [seat for seat in seats if state.seats[seat].bot_controlled != going]
            if changed:
                await room.change(*(Cover(seat, going) for seat in changed))
