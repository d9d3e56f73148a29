"""Rooms that several processes serve: messages between processes, following a log, leases, shared limits."""
