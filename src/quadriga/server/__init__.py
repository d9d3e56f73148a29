"""The web server: rooms, their storage, and the messages to clients. See `docs/hosting.md` and `docs/protocol.md`.

`run` starts it, `app` assembles it, `settings` configures it. `limits` limits the load that strangers can
cause, `proxy` finds addresses behind a proxy, `lan` the addresses on the home network. `logs`, `metrics`,
`gc_tuning` and `child_process` serve all others. A websocket message is handled in `ws`, a request in `http`; the
path of a move begins in `rooms/room.py`.
"""
