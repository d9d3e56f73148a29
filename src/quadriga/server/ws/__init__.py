"""Websockets.

- `connection`: one viewer of one room, from the handshake to the end.
- `handlers`: the handler of each message.
"""
