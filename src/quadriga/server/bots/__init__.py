"""Bots on the server.

- `choice`: which bot plays a seat, and the move that it chooses.
- `timing`: when a bot answers.
"""
