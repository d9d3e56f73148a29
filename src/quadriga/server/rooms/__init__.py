"""Live rooms: a room holds one game with its seats, viewers and clocks.

- `room`: `Room`, with the one path of every change: check, apply, append to the log, broadcast.
- `submission`: a move that somebody asks a room to make.
- `audience`: viewers that enter and leave.
- `broadcast`: the frames that go to the viewers of a room.
- `scheduler`: the next move of a bot, a clock or a timed window.
- `window_timer`: the time of reaction windows, equal for all hands.
- `skips`: the wish not to be asked until one's own move, or for a race.
- `clocks`: clocks per move or per player.
- `absence`: bots for absent people.
- `admission`: taking, inviting to and returning to seats.
- `registry`: all rooms; finding, creating and unloading them.
- `lock`: exclusive access to a room.
- `tasks`: background tasks and timers of a room.
- `pubsub`: telling other processes that a log has grown.
"""
