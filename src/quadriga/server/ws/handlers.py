"""Handle the messages of clients, one function for each kind. `handle` is the only entry."""

from __future__ import annotations

import time

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.game import NOBODY
from quadriga.server.bots import choice
from quadriga.server.messages import game_messages
from quadriga.server.messages.coach import coach
from quadriga.server.messages.hint import hint
from quadriga.server.orders import contents
from quadriga.server.protocol import client_messages as messages
from quadriga.server.protocol import server_messages, texts
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.parts import Action
from quadriga.server.rooms.admission import checked_client_seed
from quadriga.server.rooms.decisions import check_casual
from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.rooms.submission import MoveKind, Submission
from quadriga.server.seats.names import tidy, watcher_name
from quadriga.server.seats.viewers import Viewer
from quadriga.server.state.events import (
    Ballot,
    BotControl,
    ClientSeed,
    CoachAgreed,
    HintTaken,
    Mute,
    Pace,
    Rush,
    Sit,
)
from quadriga.server.storage.base import ChatMessage, now
from quadriga.server.ws import orders, reactions

_ATTEMPTS = 5  # to write to a room that other processes write to as well
_MOVES: dict[type, MoveKind] = {messages.Act: "act", messages.Roll: "roll", messages.Undo: "undo"}


async def handle(registry: Registry, room: Room, viewer: Viewer, message: messages.ClientMessage) -> None:
    """Do what a message asks for; raise QuadrigaError if it is refused.

    A refused message is retried if another process has written to the room: the refusal may be out of date.
    """
    registry.limits.check_message(viewer.address, viewer.holder, message)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            await _handle(registry, room, viewer, message)
            return
        except QuadrigaError as error:
            if attempt == _ATTEMPTS or (error.code != "table.again" and not await registry.has_news(room)):
                raise


async def _handle(registry: Registry, room: Room, viewer: Viewer, message: messages.ClientMessage) -> None:
    match message:
        case messages.Act() | messages.Roll() | messages.Undo():
            await _submit(room, viewer, message)
        case messages.Hello():
            await _look(room, viewer, message.seat if message.seat is not None else viewer.seat, message.after)
        case messages.Look():
            await _look(room, viewer, message.seat, message.after)
        case messages.SetAskedWindows():
            await reactions.set_asked_windows(room, viewer, message)
        case messages.SetAskedWhen():
            await reactions.set_asked_when(room, viewer, message)
        case messages.React():
            await reactions.react(room, viewer, message)
        case messages.Skip():
            await reactions.skip(room, viewer, message)
        case messages.AnnounceDeal():
            await reactions.announce_deal(room, viewer, message)
        case messages.Hold():
            await reactions.hold(room, viewer, message)
        case messages.GiveOrder():
            await orders.give(room, viewer, message)
        case messages.CancelOrder():
            await orders.cancel(room, viewer, message)
        case messages.ListOrders():
            await orders.show(room, viewer, message)
        case messages.PreviewOrder():
            await orders.show_preview(registry.limits, room, viewer, message)
        case messages.SetDiceWord():
            await _set_client_seed(room, viewer, message)
        case messages.Chat():
            await _chat(registry, room, viewer, message)
        case messages.Mute():
            await _mute(room, viewer, message, registry.settings.mutes)
        case messages.Vote():
            await _vote(room, viewer, message)
        case messages.Hint():
            await _hint(registry, room, viewer, message)
        case messages.Coach():
            await _coach(registry, room, viewer, message)
        case messages.Why():
            await _why(room, viewer, message)
        case messages.SetPace():
            await _set_pace(room, viewer, message)
        case messages.Rush():
            await _rush(room, viewer)
        case messages.Leave() | messages.Back():
            await _leave(room, viewer, isinstance(message, messages.Leave))
        case messages.Ping():
            viewer.send_message(server_messages.Pong(message.ref))


def question(room: Room, viewer: Viewer) -> tuple[int, list[Action] | None, bool]:
    """Return the open question: the number of the viewer's last event, legal actions, and whether it is to roll."""
    session = room.state.session
    if session is None or room.is_stale:
        return 0, None, False
    asked = room.asked(viewer.seat)
    actions = None
    if asked is not None:
        could_play = asked.could_play(room.time_source.now())
        actions = game_messages.legal(asked.match, viewer.seat, viewer.explain) if could_play else None
    elif room.state.status == "playing":
        actions = game_messages.legal(session.match, viewer.seat, viewer.explain)
    return session.numbers[viewer.seat + 1], actions, game_messages.is_to_roll(room.state, viewer.seat)


async def _submit(room: Room, viewer: Viewer, message: messages.Act | messages.Roll | messages.Undo) -> None:
    received_at = time.perf_counter()
    async with room.exclusive():
        seat = reactions.own_seat(viewer, message.seat)
        move = Submission(
            _MOVES[type(message)],
            seat,
            message.action if isinstance(message, messages.Act) else "",
            ref=message.ref,
            number=message.number,
            viewer=viewer,
            received_at=received_at,
        )
        number = await room.submit(move)
    if number is not None:
        viewer.send_message(server_messages.Done(message.ref, number))


async def _look(room: Room, viewer: Viewer, seat: int, after: int | None) -> None:
    async with room.exclusive() as state:
        if seat != viewer.seat and seat not in viewer.seats:
            raise RoomError("look.not-yours", 403)
        viewer.seat = seat
        room.show(viewer, after)
        if viewer.plays:
            viewer.send_message(room.broadcaster.stops(state, seat))
            if state.seats[seat].orders:
                viewer.send_message(contents.changed(state, seat))


async def _set_client_seed(room: Room, viewer: Viewer, message: messages.SetDiceWord) -> None:
    client_seed = checked_client_seed(message.word)
    async with room.exclusive() as state:
        seat = reactions.own_seat(viewer, message.seat)
        if state.status != "waiting":
            raise RoomError("table.started")
        await room.change(ClientSeed(seat, client_seed))


async def _chat(registry: Registry, room: Room, viewer: Viewer, message: messages.Chat) -> None:
    text = tidy(message.text)
    if not text:
        raise RoomError("chat.empty", 422)
    house = registry.house
    house.check_chat(text, viewer.person, viewer.holder)
    if house.is_new(viewer.person):
        registry.limits.check_new_chat(viewer.address, viewer.holder)
    if not viewer.plays:
        house.check_player(viewer.person)
        house.check_name(viewer.name)
    async with room.exclusive() as state:
        name = state.seats[viewer.seat].name if viewer.plays else _name_watcher(room, viewer)
        chat = ChatMessage(room.log.last_chat + 1, now(), viewer.seat if viewer.plays else NOBODY, name, text)
        await room.log.add_chat(state, chat, viewer.author)
        room.broadcaster.post([chat])


def _name_watcher(room: Room, viewer: Viewer) -> str:
    """Return the name under which a watcher chats: nobody else has it while the socket is open."""
    state = room.state
    if not viewer.watcher_name:
        former = [
            info.vacancy.name for info in state.seats if info.vacancy and info.vacancy.holder == viewer.holder
        ]
        watchers = [each.watcher_name for each in room.presence.viewers if each.watcher_name]
        taken = [*state.names(), *choice.kinds(state.setup.game), *watchers]
        viewer.watcher_name = watcher_name(former[0] if former else viewer.name, taken)
    return viewer.watcher_name


async def _mute(room: Room, viewer: Viewer, message: messages.Mute, most: int) -> None:
    async with room.exclusive() as state:
        is_muted = message.name in viewer.muted
        if message.on and not is_muted and len(viewer.muted) >= most:
            raise RoomError("mute.many", 409, most=most)
        if message.on != is_muted:
            if viewer.holder is not None:
                await room.change(Mute(viewer.holder, message.name, message.on), announce=False)
                viewer.muted = state.muted[viewer.holder]
            else:
                viewer.muted.add(message.name) if message.on else viewer.muted.discard(message.name)
        viewer.send_message(server_messages.MutedChanged(sorted(viewer.muted)[:most]))


async def _vote(room: Room, viewer: Viewer, message: messages.Vote) -> None:
    async with room.exclusive() as state:
        if not viewer.plays:
            raise RoomError("vote.not-yours", 403)
        check_casual(state)
        if message.kind == "coach" and state.is_coach_agreed:  # one who no longer agrees is enough
            if not message.on:
                await room.change(CoachAgreed(False))
            return
        question = (message.kind, message.seat)
        voters = room.votes.voters_among(question, viewer.seats, message.on, state.status)
        if room.votes.changes(question, voters, message.on):
            await room.change(Ballot(message.kind, message.seat, voters, message.on), announce=False)
        await room.carry_out_votes()


async def _hint(registry: Registry, room: Room, viewer: Viewer, message: messages.Hint) -> None:
    async with room.exclusive() as state:
        seat = reactions.own_seat(viewer, message.seat)
        check_casual(state)
        asked, session = room.asked(seat), room.check_playing()
        if asked is None and session.actor != seat:
            raise RoomError("act.not-asked")
        match = session.match if asked is None else asked.match
        others = {info.holder for info in state.seats if info.kind == "person"} - {viewer.holder}
        if others and seat not in state.hinted:  # a game that is played alone is not rated anyway
            await room.change(HintTaken(seat), announce=False)
    async with registry.limits.hint(viewer.address, viewer.holder or viewer.address):
        viewer.send_message(await hint(state, match.clone(), seat, message.ref))


async def _coach(registry: Registry, room: Room, viewer: Viewer, message: messages.Coach) -> None:
    async with room.exclusive() as state:
        seat = reactions.own_seat(viewer, message.seat)
        check_casual(state)
        if not state.has_coach:
            raise RoomError("coach.off", 403)
        session, asked = room.check_playing(), room.asked(seat)
        match, number = (session.match if asked is None else asked.match).clone(), session.numbers[seat + 1]
    async with registry.limits.coach_slots:
        viewer.send_message(await coach(match, seat, number, message.ref))


async def _why(room: Room, viewer: Viewer, message: messages.Why) -> None:
    """Send the reasons why a seat's cards, pieces or other options cannot be played, as far as it may know."""
    async with room.exclusive() as state:
        seat = reactions.own_seat(viewer, message.seat)
        session = room.session
        asked = room.asked(seat)
        match = session.match if asked is None else asked.match
        illegal = match.why_illegal(seat) if state.status in ("playing", "paused") else {}
        things = {thing: texts.notes(reasons) for thing, reasons in illegal.items()}
        viewer.send_message(server_messages.Reasons(message.ref, session.numbers[seat + 1], seat, things))


async def _set_pace(room: Room, viewer: Viewer, message: messages.SetPace) -> None:
    async with room.exclusive() as state:
        holders = {info.holder for info in state.seats if info.kind == "person"}
        if not viewer.plays or (len(holders) > 1 and viewer.holder != state.host(room.presence.counts)):
            raise RoomError("pace.not-yours", 403)
        await room.change(Pace(message.pace))


async def _rush(room: Room, viewer: Viewer) -> None:
    async with room.exclusive() as state:
        if not viewer.plays:
            raise RoomError("act.not-yours", 403)
        room.check_playing()
        if (race := state.race_of_bots) is None:
            raise RoomError("rush.people")
        await room.change(Rush(race), announce=False)


async def _leave(room: Room, viewer: Viewer, is_leaving: bool) -> None:
    """Open the viewer's seats before the start; later give them to a bot, or take them back from it."""
    async with room.exclusive() as state:
        if not viewer.plays:
            raise RoomError("act.not-yours", 403)
        seats = list(viewer.seats)
        if is_leaving and state.status == "waiting":
            await room.change(*(Sit(seat, "open") for seat in seats))
        elif not state.over:
            changed = [seat for seat in seats if state.seats[seat].bot_controlled != is_leaving]
            if changed:
                await room.change(*(BotControl(seat, is_leaving) for seat in changed))
