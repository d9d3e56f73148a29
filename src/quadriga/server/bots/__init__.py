"""Bots on the server.

- `choice`: choosing a bot for a seat, and its move.
- `timing`: the moments at which bots answer.
- `kernel_warmup`: loading and compiling kernels for a busy server.
"""
