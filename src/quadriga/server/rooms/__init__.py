"""Live rooms: a room holds one game with its seats, viewers and clocks.

`room`: `Room`, with the one path of every change: check, apply, append to the log, broadcast. Its parts, which do
not know it:

- `submission`: a move that somebody asks a room to make, and the moves that follow.
- `log`: what is stored of a room, and `lock`: exclusive access.
- `moment`: a room after a change; `position`: what one viewpoint is to know of it.
- `broadcast`: the messages that go to the viewers of a room.
- `scheduler`: the next move of a bot, a clock or a timed window.
- `window_timer`: the time of reaction windows, equal for all hands.
- `skips`: the wish not to be asked until one's own move, or for a race.
- `clocks`: clocks per move or per player.
- `absence`: bots for absent people.
- `tasks`: background tasks and timers of a room.

These use rooms:

- `audience`: viewers that enter and leave.
- `admission`: taking, inviting to and returning to seats.
- `registry`: all rooms; finding, creating and unloading them.
- `processes`: rooms that several processes serve.
"""
