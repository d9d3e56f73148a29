"""Rooms in an SQLite file: the default, with nothing to install."""
