"""The state of a room, computed from the events of its log; no clock, no socket, and no disk but the stored log.

- `events`: the event types, the kinds they are stored under, and their JSON.
- `room_state`: `RoomState`, and how each event changes it.
- `log_reader`: a room's state, read from its log.
- `game_session`: `GameSession`, the game in progress with the numbered events of each viewpoint.
- `game_event`: `GameEvent`, one thing that has happened and what each viewpoint is shown of it.
- `snapshot`: positions that shorten the replay of a log.
- `loading`: loading a stored room.
- `verify`: verifying a whole store by replaying every room.
"""
