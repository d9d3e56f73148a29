"""Live rooms: a room holds one game with its seats, viewers and clocks.

- `room`: `Room`, with the one path of every change: check, apply, append to the log, broadcast.
- `submission`: a move that somebody asks a room to make.
- `broadcast`: the frames that go to the viewers of a room.
- `scheduler`: bots, clocks and timed windows, which go on when no person does.
- `window_timer`: the time of reaction windows, which is the same whatever a seat holds.
- `clocks`: clocks per move or per player.
- `absence`: bots for absent people.
- `admission`: who takes which seat.
- `registry`: all rooms; finding, creating and unloading them.
- `lock`: exclusive access to a room.
- `tasks`: background tasks and timers of a room.
- `pubsub`: telling other processes that a log has grown.
"""
