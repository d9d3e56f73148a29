"""People: the server, rooms, seats, the store and the live channel. See `docs/table.md` and `docs/protocol.md`."""
