"""Websockets.

- `transport`: one connection below the application: limits on input, and direct output.
- `connection`: one viewer of one room, from the handshake to the end.
- `handlers`: the handler of each message.
"""
