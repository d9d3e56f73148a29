"""Websockets.

- `transport`: one connection below the application: limits on input, and direct output.
- `connection`: one viewer of one room, from the handshake to the end.
- `handlers`: what the server does with each message.
"""
